/// The grade display of a session: offsets, section, map and the design under the columns.
#include "tests/support/test.h"
#include "trainer/app/site_overlays.h"
#include "trainer/app/session_view.h"

static Session *make_session(const char *scene)
{
    Status status;
    SessionParams params = {.scene = scene, .threads = 1};
    Session *session = session_create(&params, &status);
    assert_good(session != NULL, status);
    return session;
}

TEST(a_trench_is_shown_with_its_floor)
{
    Session *session = make_session("trench");
    const SceneTrench *trench = &session_scene(session)->exercise.trench;
    GradeView *own = grade_view_create();
    RenderGrade *grade = calloc(1, sizeof *grade);
    assert_non_null(grade);
    grade_view_fill(own, session, false, grade);
    assert_true(grade->visible && !grade->colors && grade->design == NULL);
    assert_near(grade->tolerance, trench->tolerance, 1e-12);
    Vec3 tip = session_frame(session)->machine.tip;
    assert_near(grade->edge_height, tip.z, 0.02);
    assert_near(grade->depth, -grade->edge_height, 1e-12);
    assert_near(hypot(grade->edge[0][0] - grade->edge[1][0], grade->edge[0][1] - grade->edge[1][1]),
                session_machine_params(session)->tool[0].shape.edge_width, 0.02);
    assert_near(grade->overdig, 0.0, 1e-12);
    assert_true(grade->cut < 0.0); // of a trench volumes left are not measured
    // The ground lies near 0, so all of the floor is too high by the depth; nothing is asked for around it.
    int asked = 0;
    double steps = fmin(3.0 * trench->depth / trench->tolerance, 127.0);
    for (int k = 0; k < grade->rows * grade->columns; k++) {
        bool is_asked = grade->error[k] != INT8_MIN;
        asked += is_asked;
        assert_true(!is_asked || fabs(grade->error[k] - steps) < 6.0);
    }
    assert_near(asked * grade->cell * grade->cell, trench->length * trench->width,
                0.35 * trench->length * trench->width);
    // The section's ground is that of the session along the arm.
    for (int k = 0; k < RENDER_GRADE_POINTS; k++) {
        assert_true(fabs((double)grade->ground[k]) < 0.5);
        assert_true(grade->wanted[k] <= 0.5f * RENDER_NO_DESIGN ||
                    fabs((double)grade->wanted[k] + trench->depth) < 1e-6);
    }
    free(grade);
    grade_view_destroy(own);
    session_destroy(session);
}

TEST(offsets_are_those_of_the_edge)
{
    Session *session = make_session(SPADEWORK_TEST_DIR "/support/edge-over.yaml");
    GradeView *own = grade_view_create();
    RenderGrade *grade = calloc(1, sizeof *grade);
    assert_non_null(grade);
    grade_view_fill(own, session, true, grade);
    assert_true(grade->visible && grade->colors && grade->over);
    // The plane rises by 0.1 m in each metre to the north from -0.5 at y = -6.
    double y = 0.5 * (grade->edge[0][1] + grade->edge[1][1]);
    assert_near(grade->offset[1], grade->edge_height - (-0.5 + 0.1 * (y + 6.0)), 1e-6);
    // The machine looks east: its left is north, where the plane is higher and the level edge nearer to it.
    double width = session_machine_params(session)->tool[0].shape.edge_width;
    assert_near(grade->offset[0] - grade->offset[1], -0.1 * 0.5 * width, 1e-3);
    assert_near(grade->offset[2] - grade->offset[1], 0.1 * 0.5 * width, 1e-3);
    SoilGridView grid = soil_get_grid(session_soil(session));
    int asked = 0;
    for (int k = 0; k < grid.rows * grid.columns; k++) {
        double at = grid.origin_y + k / grid.columns * grid.spacing;
        bool is_asked = grade->design[k] > 0.5f * RENDER_NO_DESIGN;
        asked += is_asked;
        assert_true(!is_asked || fabs((double)grade->design[k] - (-0.5 + 0.1 * (at + 6.0))) < 1e-5);
    }
    assert_near(asked * grid.spacing * grid.spacing, 12.0 * 16.0, 5.0);
    const float *heights = grade->design;
    uint64_t key = grade->design_key;
    assert_true(key != 0);
    grade_view_fill(own, session, true, grade);
    assert_true(grade->design == heights && grade->design_key == key); // made once
    free(grade);
    grade_view_destroy(own);
    session_destroy(session);
}

TEST(nothing_is_shown_where_nothing_is_asked_for)
{
    Session *session = make_session("free");
    SessionView *view = session_view_create();
    session_view_jump(view, session);
    RenderView *built = session_view_build(view, session, 1.0);
    session_view_add_grade(view, session, true, true);
    assert_false(built->grade.visible || built->grade.colors);
    session_view_destroy(view);
    session_destroy(session);
}

TEST_GROUP(NULL, NULL)
