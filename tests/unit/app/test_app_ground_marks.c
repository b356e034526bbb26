/// Marks that a travelling machine leaves, without a session or a picture.
#include "tests/support/test.h"
#include "trainer/window/ground_marks.h"

enum { SIDE = 61 };

typedef struct Site {
    float height[SIDE * SIDE];
    RenderGrid grid;
    GroundMarks marks;
} Site;

static void lay(Site *site)
{
    memset(site, 0, sizeof *site);
    site->grid = (RenderGrid){
        .rows = SIDE, .columns = SIDE, .spacing = 0.1, .origin_x = -3.0, .origin_y = -3.0, .height = site->height};
    site->grid.dirty_row_min = site->grid.dirty_column_min = SIDE;
    site->grid.dirty_row_max = site->grid.dirty_column_max = -1;
    ground_marks_clear(&site->marks, SIDE, SIDE);
}

static uint32_t mark_at(const Site *site, double x, double y)
{
    return site->marks.mark[lrint((y + 3.0) / 0.1) * SIDE + lrint((x + 3.0) / 0.1)];
}

static void drive(Site *site, double from, double to, double z)
{
    for (double x = from; x <= to; x += 0.03) {
        GroundTread tread = {
            .frame = {vec3(x, 0.0, z), mat3_identity()}, .length = 1.0, .width = 0.6, .pitch = 0.19, .run = x};
        ground_marks_press(&site->marks, &site->grid, &tread);
    }
}

/// Prints are where the belt has been and nowhere else; bars that were pressed stay where they are while it runs on.
TEST(prints_lie_behind_a_track)
{
    static Site site;
    lay(&site);
    drive(&site, -1.0, 0.0, 0.0);
    uint32_t before = mark_at(&site, -0.4, 0.1);
    assert_true(before != 0);
    drive(&site, 0.0, 1.0, 0.0);
    assert_true(mark_at(&site, -1.3, 0.0) != 0 && mark_at(&site, 1.3, 0.2) != 0);
    assert_true(mark_at(&site, 1.8, 0.0) == 0 && mark_at(&site, -1.8, 0.0) == 0);
    assert_true(mark_at(&site, 0.0, 0.5) == 0 && mark_at(&site, 0.0, -0.5) == 0);
    assert_int_equal(mark_at(&site, -0.4, 0.1) & 0xffffU, before & 0xffffU);
    assert_int_equal(mark_at(&site, -0.4, 0.1) >> 24, 127);
    ground_marks_free(&site.marks);
}

/// A belt in the air marks nothing; what is dug or covered afterwards has no print any more.
TEST(marks_go_with_their_ground)
{
    static Site site;
    lay(&site);
    drive(&site, -1.0, 1.0, 0.3);
    assert_int_equal(mark_at(&site, 0.0, 0.0), 0);
    drive(&site, -1.0, 1.0, 0.0);
    ground_marks_show(&site.marks, &site.grid);
    assert_ptr_equal(site.grid.marks, site.marks.mark);
    assert_true(site.grid.dirty_row_min <= 28 && site.grid.dirty_row_max >= 32); // the prints are to be sent
    site.height[30 * SIDE + 30] = -0.2f;
    site.height[30 * SIDE + 32] = 0.01f;
    ground_marks_show(&site.marks, &site.grid);
    assert_int_equal(mark_at(&site, 0.0, 0.0), 0);
    assert_true(mark_at(&site, 0.2, 0.0) != 0);
    ground_marks_free(&site.marks);
}

/// Grooves run along the teeth's way: columns one behind the other have the same phase, those beside it another.
TEST(teeth_leave_grooves)
{
    static Site site;
    lay(&site);
    GroundTread tread = {.frame = {vec3(0.0, 0.0, 0.0), mat3_identity()}, .pitch = 0.25, .teeth = true};
    for (int column = 20; column < 40; column++) {
        ground_marks_cut(&site.marks, &site.grid, &tread, 30, column);
        ground_marks_cut(&site.marks, &site.grid, &tread, 31, column);
    }
    assert_int_equal(site.marks.mark[30 * SIDE + 21], site.marks.mark[30 * SIDE + 38]);
    int phase = (int)(site.marks.mark[31 * SIDE + 21] >> 8 & 255U) - (int)(site.marks.mark[30 * SIDE + 21] >> 8 & 255U);
    assert_in_range((phase + 256) % 256, 101, 104); // 0.1 m of 0.25
    assert_int_equal(site.marks.mark[30 * SIDE + 21] >> 24, 255);
    ground_marks_free(&site.marks);
}

TEST_MAIN(NULL, NULL)
