/// The cameras that a person moves, what a window shows beside them, and the ground that the section cuts.
#include "tests/support/test.h"
#include "trainer/app/camera.h"
#include "trainer/app/site_overlays.h"
#include "trainer/app/session_view.h"

TEST(each_camera_is_moved_in_its_own_way)
{
    RenderView *view = calloc(1, sizeof *view);
    assert_non_null(view);
    Camera camera = camera_default(RENDER_CAMERA_PLAN);
    double height = camera.plan_height, distance = camera.orbit_distance;
    camera_zoom(&camera, 3.0);
    assert_true(camera.plan_height < height);
    assert_float_equal(camera.orbit_distance, distance, 0.0);
    camera_drag(&camera, 72.0, 0.0); // the ground goes with the mouse: a tenth of the usual picture's height
    assert_near(camera.plan_x, -0.1 * camera.plan_height, 1e-9);
    camera_zoom(&camera, 1000.0);
    assert_near(camera.plan_height, 4.0, 1e-9);
    camera.camera = RENDER_CAMERA_SECTION;
    camera_zoom(&camera, -1000.0);
    assert_near(camera.section_height, 20.0, 1e-9);
    camera.camera = RENDER_CAMERA_ORBIT;
    camera_drag(&camera, 0.0, -1e4);
    assert_near(camera.orbit_pitch, 0.05, 1e-9);
    camera_aim(&camera, view);
    assert_float_equal(view->orbit_pitch, camera.orbit_pitch, 0.0);
    assert_float_equal(view->plan_height, 4.0, 0.0);
    assert_float_equal(view->section_height, 20.0, 1e-9);
    free(view);
}

/// A head turns within three tenths of a second, and comes back when the key is let go; it looks farther than the mouse
/// lets it.
TEST(heads_turn_and_come_back)
{
    Camera camera = camera_default(RENDER_CAMERA_CAB);
    CameraKeys keys = {.left = true}, none = {0};
    for (int k = 0; k < 20; k++) {
        camera_move(&camera, &keys, 1.0 / 60.0);
    }
    assert_near(camera_head(&camera), 1.3, 0.05);
    keys.right = true; // both: over the left shoulder
    for (int k = 0; k < 30; k++) {
        camera_move(&camera, &keys, 1.0 / 60.0);
    }
    assert_near(camera_head(&camera), 2.6, 0.05);
    keys = (CameraKeys){.lean = true, .nod = -1.0};
    for (int k = 0; k < 40; k++) {
        camera_move(&camera, &keys, 1.0 / 60.0);
    }
    RenderView *view = calloc(1, sizeof *view);
    assert_non_null(view);
    camera_aim(&camera, view);
    assert_near(view->cab_yaw, 0.0, 0.01);
    assert_near(view->cab_lean, 1.0, 0.01);
    assert_true(view->cab_pitch < -0.5);
    free(view);
    camera_drag(&camera, -100.0, 0.0); // where the mouse left it, it comes back to
    for (int k = 0; k < 40; k++) {
        camera_move(&camera, &none, 1.0 / 60.0);
    }
    assert_near(camera_head(&camera), 0.6, 0.01);
    assert_near(camera.lean, 0.0, 0.01);
}

/// Taps go on from glance to glance, and the last one ends by itself.
TEST(taps_are_glances)
{
    static const double wanted[] = {1.3, 2.6, -1.3, 0.0, 1.3};
    Camera camera = camera_default(RENDER_CAMERA_CAB);
    CameraKeys tap = {.looks = 1}, none = {0};
    for (int k = 0; k < 5; k++) {
        camera_move(&camera, &tap, 1.0 / 60.0);
        for (int n = 0; n < 60; n++) {
            camera_move(&camera, &none, 1.0 / 60.0);
        }
        assert_near(camera_head(&camera), wanted[k], 0.01);
    }
    for (int n = 0; n < 150; n++) {
        camera_move(&camera, &none, 1.0 / 60.0);
    }
    assert_near(camera_head(&camera), 0.0, 0.01);
    assert_int_equal(camera.glance, 0);
}

/// The free camera begins where another stood, flies where it looks, and stays over the ground.
TEST(the_free_camera_flies)
{
    float heights[4] = {0.0f, 0.0f, 0.0f, 0.0f};
    RenderView *view = calloc(1, sizeof *view);
    assert_non_null(view);
    view->grid_count = 1;
    view->grids[0] = (RenderGrid){
        .rows = 2, .columns = 2, .spacing = 100.0, .origin_x = -50.0, .origin_y = -50.0, .height = heights};
    Camera camera = camera_default(RENDER_CAMERA_ORBIT);
    Vec3 before;
    double yaw, pitch;
    camera_aim(&camera, view);
    render_camera_stand(view, &before, &yaw, &pitch);
    camera_select(&camera, RENDER_CAMERA_FREE);
    camera_aim(&camera, view);
    assert_int_equal(view->camera, RENDER_CAMERA_FREE);
    assert_near(vec3_length(vec3_sub(view->free_eye, before)), 0.0, 1e-9);
    assert_near(view->free_yaw, yaw, 1e-9);
    CameraKeys keys = {.ahead = 1.0};
    for (int k = 0; k < 60; k++) {
        camera_move(&camera, &keys, 1.0 / 60.0);
    }
    Vec3 way = vec3_sub(camera.free_eye, before);
    assert_near(vec3_length(way), 5.0, 1e-6);
    assert_near(atan2(way.y, way.x), yaw, 1e-6);
    keys = (CameraKeys){.rise = -1.0, .fast = true};
    for (int k = 0; k < 60; k++) {
        camera_move(&camera, &keys, 1.0 / 60.0);
        camera_aim(&camera, view);
    }
    assert_true(camera.free_eye.z > 0.3 && camera.free_eye.z < 0.5); // it rises again at once
    free(view);
}

/// The rear camera comes with the levers and stays for two seconds of the session's time.
TEST(the_rear_camera_comes_while_the_machine_goes_back_or_swings)
{
    RenderView *view = calloc(1, sizeof *view);
    assert_non_null(view);
    view->camera = RENDER_CAMERA_CAB;
    Views views = {.set = {.rear = SETTINGS_REAR_AUTO}};
    static const struct {
        double time, left, right, swing;
        int insets;
    } steps[] = {
        {1.0, 0.0, 0.0, 0.0, 0}, {2.0, 0.8, 0.8, 0.0, 0},   {3.0, -0.5, -0.5, 0.0, 1},
        {4.5, 0.0, 0.0, 0.0, 1}, {5.1, 0.0, 0.0, 0.0, 0},   {6.0, 0.0, 0.0, -0.2, 1},
        {0.5, 0.0, 0.0, 0.0, 0}, {0.6, 0.01, 0.0, 0.05, 0}, // a seek back in time; levers within their dead band
    };
    for (size_t k = 0; k < sizeof steps / sizeof steps[0]; k++) {
        view->hud.time = steps[k].time;
        view->hud.levers[CONTROL_LEFT_TRACK] = steps[k].left;
        view->hud.levers[CONTROL_RIGHT_TRACK] = steps[k].right;
        view->hud.levers[CONTROL_SWING] = steps[k].swing;
        views_show(&views, view);
        assert_int_equal(view->inset_count, steps[k].insets);
    }
    views_step_rear(&views); // always
    views_show(&views, view);
    assert_int_equal(view->inset_count, 1);
    assert_int_equal(view->insets[0], RENDER_CAMERA_REAR);
    view->camera = RENDER_CAMERA_REAR; // not twice
    views_show(&views, view);
    assert_int_equal(view->inset_count, 0);
    views_step_rear(&views);
    assert_int_equal(views.set.rear, SETTINGS_REAR_OFF);
    free(view);
}

TEST(insets_go_through_all_cameras_but_the_rear_one)
{
    Views views = {0};
    bool seen[CAMERA_COUNT + 1] = {false};
    for (int k = 0; k < CAMERA_COUNT; k++) {
        assert_false(seen[views.set.inset]);
        seen[views.set.inset] = true;
        assert_int_equal(views_cut_ground(&views, RENDER_CAMERA_CAB), views.set.inset == 1 + CAMERA_SECTION);
        views_step_inset(&views);
    }
    assert_int_equal(views.set.inset, 0);
    assert_false(seen[1 + CAMERA_REAR]);
    assert_true(views_cut_ground(&views, RENDER_CAMERA_SECTION));
}

/// In an untouched trench scene a column is topsoil on loam, the surface is the ground's, and the design is as long as
/// the trench.
TEST(the_section_knows_its_layers)
{
    Status status;
    SessionParams params = {.scene = "trench", .threads = 1};
    Session *session = session_create(&params, &status);
    assert_good(session != NULL, status);
    SessionView *own = session_view_create();
    session_view_jump(own, session);
    RenderView *view = session_view_build(own, session, 1.0);
    assert_false(view->section.visible);
    session_view_add_section(own, session, 6.0);
    const RenderSection *section = &view->section;
    const SceneParams *scene = session_scene(session);
    RenderPlane plane = render_arm_plane(view);
    assert_true(section->visible);
    int designed = 0;
    for (int k = 0; k < RENDER_SECTION_COLUMNS; k++) {
        Vec3 at = vec3_madd(section->start, k * section->step, section->along);
        assert_near(vec3_dot(vec3_sub(at, plane.origin), plane.right), 0.0, 1e-9);
        assert_near((double)section->surface[k], soil_get_height(session_soil(session), at.x, at.y), 1e-6);
        assert_int_equal(section->count[k], 2);
        assert_int_equal(section->soil[k][0], scene->ground.layers[0].soil_index);
        assert_int_equal(section->soil[k][1], scene->ground.layers[1].soil_index);
        assert_near((double)(section->surface[k] - section->bottom[k][0]), 0.2, 0.03); // roughness lies on it
        designed += section->wanted[k] > RENDER_NO_DESIGN;
    }
    assert_near(designed * section->step, scene->exercise.trench.length, 2.0 * section->step);
    session_view_destroy(own);
    session_destroy(session);
}

TEST_GROUP(NULL, NULL)
