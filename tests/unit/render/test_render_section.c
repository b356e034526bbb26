/// Checks the faces of what a section cuts: layers between its columns, soil in trays, buried pipes.
#include "render/section.h"

#include <stdlib.h>

#include "tests/support/render_scene.h"

enum { LOAM = 0, CLAY = 1 };

typedef struct Cut {
    RenderView view;
    SceneParams scene;
    SectionVertex vertices[SECTION_VERTICES];
    int ground, count;
} Cut;

/// A section along x from 0, 0.1 m from column to column, through level loam on clay.
static Cut *cut_create(void)
{
    Cut *cut = calloc(1, sizeof *cut);
    assert_non_null(cut);
    cut->view.scene = &cut->scene;
    cut->scene.soil_count = 2;
    for (int k = 0; k < 2; k++) {
        cut->scene.soils[k].color_fresh[0] = 0.2f + 0.3f * (float)k;
    }
    RenderSection *section = &cut->view.section;
    *section = (RenderSection){.visible = true, .along = {1.0, 0.0, 0.0}, .step = 0.1};
    for (int i = 0; i <= RENDER_SECTION_COLUMNS; i++) {
        section->count[i] = 2;
        section->soil[i][1] = CLAY;
        section->bottom[i][0] = -0.5f - 0.02f * (float)(i % 7);
        section->bottom[i][1] = -3.0f;
    }
    return cut;
}

static void cut_faces(Cut *cut)
{
    cut->count = section_faces(&cut->view, -4.0, cut->vertices, &cut->ground);
    assert_true(cut->ground <= cut->count && cut->count <= SECTION_VERTICES);
}

/// Area (m2) of the triangles first .. last - 1 whose colour has this red; below 0: any.
static double area_of(const Cut *cut, int first, int last, double red)
{
    double area = 0.0;
    for (int k = first; k < last; k += 3) {
        const SectionVertex *v = &cut->vertices[k];
        double x1 = (double)(v[1].along - v[0].along), y1 = (double)(v[1].up - v[0].up);
        double x2 = (double)(v[2].along - v[0].along), y2 = (double)(v[2].up - v[0].up);
        area += red < 0.0 || fabs((double)v->color[0] - red) < 1e-3 ? 0.5 * fabs(x1 * y2 - x2 * y1) : 0.0;
    }
    return area;
}

/// The lowest vertex of a colour (red) at a place along the section, of pieces to its left (`before`) or its right.
static double lowest_at(const Cut *cut, double along, bool before, double red)
{
    double low = HUGE_VAL;
    for (int k = 0; k < cut->ground; k += 6) {
        double from = HUGE_VAL, to = -HUGE_VAL;
        for (int n = 0; n < 6; n++) {
            from = fmin(from, (double)cut->vertices[k + n].along);
            to = fmax(to, (double)cut->vertices[k + n].along);
        }
        for (int n = 0; n < 6; n++) {
            const SectionVertex *v = &cut->vertices[k + n];
            bool here = fabs((double)v->along - along) < 1e-4 && (before ? to < along + 1e-4 : from > along - 1e-4);
            low = here && fabs((double)v->color[0] - red) < 1e-3 ? fmin(low, (double)v->up) : low;
        }
    }
    return low;
}

/// A layer has no steps: left and right of each column its lower side is at one height, that of the column.
TEST(layers_have_no_steps)
{
    Cut *cut = cut_create();
    cut_faces(cut);
    for (int i = 1; i < RENDER_SECTION_COLUMNS; i++) {
        double left = lowest_at(cut, 0.1 * i, true, 0.2), right = lowest_at(cut, 0.1 * i, false, 0.2);
        assert_near(left, right, 1e-5);
        assert_near(left, -0.5 - 0.02 * (i % 7), 1e-5);
    }
    free(cut);
}

/// What one column has and the next has not thins out between them, and the layers under it do not jump: a lens of clay
/// in the loam, and loose loam on the intact.
TEST(what_ends_thins_out)
{
    Cut *cut = cut_create();
    RenderSection *section = &cut->view.section;
    const float bottoms[4] = {-0.2f, -0.3f, -0.5f, -3.0f};
    const uint8_t soils[4] = {LOAM, CLAY, LOAM, CLAY};
    section->count[50] = 4;
    memcpy(section->bottom[50], bottoms, sizeof bottoms);
    memcpy(section->soil[50], soils, sizeof soils);
    section->bottom[49][0] = section->bottom[51][0] = -0.5f;
    cut_faces(cut);
    double all = area_of(cut, 0, cut->ground, -1.0);
    assert_near(all, 4.0 * 0.1 * RENDER_SECTION_COLUMNS, 1e-2); // nothing overlaps and nothing is missing
    double lens = area_of(cut, 0, cut->ground, 0.5);
    section->count[50] = 2;
    section->bottom[50][0] = -0.5f;
    section->bottom[50][1] = -3.0f;
    section->soil[50][1] = CLAY;
    cut_faces(cut);
    assert_near(lens - area_of(cut, 0, cut->ground, 0.5), 0.1 * 0.1, 1e-4); // two triangles of 0.1 m by 0.1 m
    free(cut);
}

enum { ROWS = 25, COLUMNS = 51 };

/// A tray of 5 x 2.4 m around (6, 0) whose soil is 0.8 m deep in the middle and has no depth at the ends.
static RenderGrid tray_of(float height[ROWS * COLUMNS])
{
    for (int at = 0; at < ROWS * COLUMNS; at++) {
        height[at] = 1.2f + 0.8f * (1.0f - fabsf((float)(at % COLUMNS) - 25.0f) / 25.0f);
    }
    return (RenderGrid){.rows = ROWS,
                        .columns = COLUMNS,
                        .spacing = 0.1,
                        .origin_x = -2.5,
                        .origin_y = -1.2,
                        .x = 6.0,
                        .floor = 1.2,
                        .height = height};
}

/// The soil in a cut tray is filled: along it, across it, and while it is tipped. An empty one shows nothing.
TEST(soil_in_a_cut_tray_is_filled)
{
    static float height[ROWS * COLUMNS];
    Cut *cut = cut_create();
    cut->view.grid_count = 2;
    cut->view.grids[1] = tray_of(height);
    RenderGrid *tray = &cut->view.grids[1];
    cut_faces(cut);
    assert_near(area_of(cut, cut->ground, cut->count, -1.0), 0.5 * 5.0 * 0.8, 0.06);
    tray->heading = 0.5 * M_PI;
    cut_faces(cut);
    assert_near(area_of(cut, cut->ground, cut->count, -1.0), 2.4 * 0.8, 0.12);
    tray->moves = true; // tipped by half a right angle: the soil moves with its floor, the section is as large
    tray->frame =
        (Pose){vec3(6.0, 0.0, 1.2), {{{M_SQRT1_2, 0.0, M_SQRT1_2}, {0.0, 1.0, 0.0}, {-M_SQRT1_2, 0.0, M_SQRT1_2}}}};
    cut_faces(cut);
    assert_near(area_of(cut, cut->ground, cut->count, -1.0), 0.5 * 5.0 * 0.8, 0.12);
    for (int at = 0; at < ROWS * COLUMNS; at++) {
        height[at] = 1.2f;
    }
    cut_faces(cut);
    assert_int_equal(cut->count, cut->ground);
    free(cut);
}

/// A buried pipe is seen where the section cuts it: round across it, an ellipse aslant, two walls along it; not beside
/// it, nor beyond its end.
TEST(a_buried_pipe_is_seen_in_the_ground)
{
    const double wall = 1.0 + 0.88 * 0.88; // the inside is drawn over the whole
    Cut *cut = cut_create();
    cut->scene.fixtures_count = 1;
    SceneFixture *pipe = &cut->scene.fixtures[0];
    *pipe = (SceneFixture){.shape = SCENE_FIXTURE_PIPE, .x = 6.0, .z = -1.25, .length = 5.0, .radius = 0.25};
    pipe->heading = 0.5 * M_PI;
    cut_faces(cut);
    assert_near(area_of(cut, cut->ground, cut->count, -1.0), wall * M_PI * 0.25 * 0.25, 1e-3);
    for (int k = cut->ground; k < cut->count; k++) {
        assert_near((double)cut->vertices[k].along, 6.0, 0.2501);
        assert_near((double)cut->vertices[k].up, -1.25, 0.2501);
        assert_true(cut->vertices[k].loose == SECTION_SOLID);
    }
    pipe->heading = M_PI / 6.0;
    cut_faces(cut);
    assert_near(area_of(cut, cut->ground, cut->count, -1.0), wall * M_PI * 0.25 * 0.25 / 0.5, 2e-3);
    pipe->heading = 0.0;
    cut_faces(cut);
    assert_near(area_of(cut, cut->ground, cut->count, -1.0), 5.0 * 0.5 * (1.0 + 0.88), 1e-2);
    pipe->y = 0.26;
    cut_faces(cut);
    assert_int_equal(cut->count, cut->ground);
    pipe->heading = 0.5 * M_PI;
    pipe->y = 2.6;
    cut_faces(cut);
    assert_int_equal(cut->count, cut->ground);
    free(cut);
}

TEST_GROUP(NULL, NULL)
