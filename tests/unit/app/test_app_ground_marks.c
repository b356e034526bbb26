/// Marks that a travelling machine leaves, without a picture: on a flat site, and of a session that is dozing, whose
/// marks are the same whether it was watched or is looked at for the first time.
#include "tests/support/test.h"
#include "trainer/pilot/autopilot.h"
#include "trainer/app/ground_view.h"

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
        GroundTread tread = {.kind = RENDER_TRACE_BELT,
                             .frame = {vec3(x, 0.0, z), mat3_identity()},
                             .length = 1.0,
                             .width = 0.6,
                             .low = -0.06,
                             .high = 0.06,
                             .pitch = 0.19,
                             .run = x};
        ground_marks_press(&site->marks, &site->grid, &tread);
    }
}

static int strength(uint32_t mark)
{
    return (int)(mark >> 24 & RENDER_TRACE_FULL);
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
    assert_int_equal(mark_at(&site, -0.4, 0.1) >> 30, RENDER_TRACE_BELT);
    assert_int_equal(strength(mark_at(&site, -0.4, 0.1)), RENDER_TRACE_FULL);
    ground_marks_free(&site.marks);
}

/// A belt in the air marks nothing; what is dug or covered afterwards fades, and has no print any more at last.
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
    site.height[30 * SIDE + 32] = 0.015f;
    ground_marks_show(&site.marks, &site.grid);
    assert_int_equal(mark_at(&site, 0.0, 0.0), 0);
    assert_near((double)strength(mark_at(&site, 0.2, 0.0)), 0.5 * RENDER_TRACE_FULL, 1.5);
    assert_int_equal(strength(mark_at(&site, 0.4, 0.0)), RENDER_TRACE_FULL);
    ground_marks_free(&site.marks);
}

/// Grooves run along the teeth's way: columns one behind the other have the same phase, those beside it another.
TEST(teeth_leave_grooves)
{
    static Site site;
    lay(&site);
    GroundTread tread = {.kind = RENDER_TRACE_TEETH,
                         .frame = {vec3(0.0, 0.0, 0.0), mat3_identity()},
                         .length = 2.0,
                         .width = 1.0,
                         .low = -0.02,
                         .high = 0.05,
                         .pitch = 0.25};
    site.height[30 * SIDE + 25] = 0.1f; // lies over the edge: not cut
    ground_marks_press(&site.marks, &site.grid, &tread);
    const uint32_t *row = site.marks.mark + 30 * SIDE, *next = row + SIDE;
    assert_int_equal(row[21], row[38]);
    assert_int_equal(row[25], 0);
    int phase = (int)(next[21] >> 8 & 255U) - (int)(row[21] >> 8 & 255U);
    assert_in_range((phase + 256) % 256, 101, 104); // 0.1 m of 0.25
    assert_int_equal(row[21] >> 30, RENDER_TRACE_TEETH);
    ground_marks_free(&site.marks);
}

/// A machine with a blade on flat ground, whose edge is on the ground ahead of its belts.
static void stand(GroundStep *step, int64_t tick, double x, double edge_z)
{
    *step = (GroundStep){.tick = tick,
                         .base = {(float)x, 0.0f, 0.0f},
                         .ahead = {1.0f, 0.0f, 0.0f},
                         .left = {0.0f, 1.0f, 0.0f},
                         .travel = {(float)x, (float)x},
                         .edge = {{(float)x + 1.5f, 0.0f, (float)edge_z}, {(float)x - 1.0f, 0.0f, -0.3f}},
                         .along = {{0.0f, 1.0f, 0.0f}, {0.0f, 1.0f, 0.0f}}};
}

static MachineParams *small_dozer(void)
{
    MachineParams *machine = calloc(1, sizeof *machine);
    if (machine == NULL) {
        abort();
    }
    machine->type = MACHINE_DOZER;
    machine->tool_count = 2;
    machine->tool[0].cuts = true;
    machine->tool[0].shape.edge_width = 2.0;
    machine->tracks.gauge = 1.2;
    machine->tracks.contact_length = 1.0;
    machine->tracks.shoe_width = 0.4;
    return machine;
}

/// A blade leaves its smooth cut with its ends, a ripper its furrow, and belts lie over both; a blade that is lifted
/// leaves nothing. The marks that follow from the way alone are those.
TEST(a_dozer_leaves_what_its_way_tells)
{
    static Site site, again;
    lay(&site);
    lay(&again);
    MachineParams *machine = small_dozer();
    GroundPath path = {0};
    GroundStep before, step;
    stand(&before, 0, -2.0, 0.0);
    for (int k = 1; k <= 20; k++) {
        stand(&step, k, -2.0 + 0.1 * k, k <= 15 ? 0.0 : 0.2);
        ground_step_press(machine, &before, &step, true, &site.grid, &site.marks);
        ground_path_add(&path, &step);
        before = step;
    }
    assert_int_equal(mark_at(&site, 0.8, 0.0) >> 30, RENDER_TRACE_BLADE);
    assert_int_equal(mark_at(&site, 0.8, 1.0) >> 30, RENDER_TRACE_BLADE); // at its end
    assert_int_equal(mark_at(&site, 0.8, 1.2), 0);
    assert_int_equal(mark_at(&site, 1.4, 0.0), 0); // lifted there
    assert_int_equal(mark_at(&site, -1.5, 0.0) >> 30, RENDER_TRACE_TEETH); // the furrow
    assert_int_equal(mark_at(&site, -1.5, 0.3), 0);
    assert_int_equal(mark_at(&site, -0.5, 0.6) >> 30, RENDER_TRACE_BELT);
    ground_path_press(&path, 20, machine, &again.grid, &again.marks);
    int marked = 0, other = 0;
    for (int at = 0; at < SIDE * SIDE; at++) {
        marked += site.marks.mark[at] != 0;
        other += site.marks.mark[at] >> 30 != again.marks.mark[at] >> 30;
    }
    print_message("%d columns marked, %d other ones by the way alone\n", marked, other);
    assert_true(marked > 300 && other < marked / 10);
    ground_path_cut(&path, 7);
    assert_true(path.count > 3 && path.steps[path.count - 1].tick == 7);
    ground_path_free(&path);
    ground_marks_free(&site.marks);
    ground_marks_free(&again.marks);
    free(machine);
}

/// Of a session that dozes a slot: who has watched it and who looks at it at its end see the same kinds of marks.
TEST(marks_follow_from_the_session)
{
    Status status = {0};
    Session *session = session_create(&(SessionParams){.scene = "slot-dozing", .threads = 1}, &status);
    assert_good(session != NULL, status);
    Autopilot *pilot = autopilot_create(session);
    GroundView watched = {0}, later = {0};
    ground_view_tick(&watched, session, true);
    for (int tick = 0; tick < 25 * 60; tick++) {
        OperatorControls controls;
        autopilot_controls(pilot, session, &controls);
        session_tick(session, &controls);
        ground_view_tick(&watched, session, false);
    }
    SoilGridView grid = soil_get_grid(session_soil(session));
    RenderGrid site = {.rows = grid.rows,
                       .columns = grid.columns,
                       .height = grid.height,
                       .dirty_row_max = grid.rows - 1,
                       .dirty_column_max = grid.columns - 1};
    ground_marks_show(&watched.marks, &site);
    later.known = &watched.path;
    ground_view_tick(&later, session, true);
    int kinds[4] = {0}, same = 0, all = 0;
    for (int at = 0; at < grid.rows * grid.columns; at++) {
        uint32_t a = watched.marks.mark[at] >> 30, b = later.marks.mark[at] >> 30;
        kinds[a]++;
        same += a == b && a != 0;
        all += a != 0 || b != 0;
    }
    print_message("%d columns with prints, %d cut by the blade; of %d marked ones %d are marked alike\n", kinds[1],
                  kinds[3], all, same);
    assert_true(kinds[RENDER_TRACE_BELT] > 1000 && kinds[RENDER_TRACE_BLADE] > 50);
    assert_true(same > 0.8 * all);
    ground_view_free(&watched);
    ground_view_free(&later);
    autopilot_destroy(pilot);
    session_destroy(session);
}

/// A picture knows how thick loose soil lies on ground that is as it was at the start: a mound at its foot, on the soil
/// below; nothing where nothing lies.
TEST(a_view_knows_what_lies_on_the_ground)
{
    Status status;
    SessionParams params = {.scene = "free", .threads = 1};
    Session *session = session_create(&params, &status);
    assert_good(session != NULL, status);
    Soil *soil = session_soil(session);
    SoilGridView grid = soil_get_grid(soil);
    RenderGrid site = {.rows = grid.rows,
                       .columns = grid.columns,
                       .spacing = grid.spacing,
                       .origin_x = grid.origin_x,
                       .origin_y = grid.origin_y,
                       .height = grid.height,
                       .soil = grid.soil,
                       .loose = grid.loose,
                       .all_dirty = true};
    GroundView view = {0};
    ground_view_fill(&view, session, &site);
    int thin = 0, deep = 0;
    for (int at = 0; at < site.rows * site.columns; at++) {
        double x = site.origin_x + at % site.columns * site.spacing,
               y = site.origin_y + at / site.columns * site.spacing;
        SoilLayer layers[SOIL_MAX_LAYERS];
        bool lies = soil_get_layers(soil, x, y, layers) > 0 && layers[0].looseness > 0.1; // else it is bare or pressed
        double thickness = (double)site.height[at] - layers[0].bottom;
        int steps = site.cover[at] >> 3;
        assert_true(site.loose[at] > 0 || steps == RENDER_COVER_DEEP);
        if (lies) {
            assert_near((double)steps / RENDER_COVER_STEPS, fmin(thickness, 0.06), 0.003);
            thin += thickness < 0.05;
            deep += thickness > 0.1;
        }
    }
    print_message("%d columns lie thin, %d thicker\n", thin, deep);
    assert_true(thin > 20 && deep > 1000);
    ground_view_free(&view);
    session_destroy(session);
}

TEST_GROUP(NULL, NULL)
