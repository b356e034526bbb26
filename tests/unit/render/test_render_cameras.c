/// Where cameras stand and what they see, by numbers: nothing here needs OpenGL.
#include "render/camera.h"
#include "render/meshes/fittings.h"
#include "render/panels/panels.h"
#include "tests/support/render_scene.h"

enum { WIDTH = 1280, HEIGHT = 720 };

static Camera camera_of(const RenderView *view, RenderCamera kind)
{
    Camera camera;
    CameraPlace place = camera_place(view, kind);
    camera_from_place(&place, (double)WIDTH / HEIGHT, &camera);
    return camera;
}

/// Pixel at which a point is seen.
static void look_at(const Camera *camera, Vec3 at, double pixel[2])
{
    const double point[3] = {at.x, at.y, at.z};
    assert_true(camera_project(camera, point, WIDTH, HEIGHT, pixel));
}

static Stage *new_stage(void)
{
    Status status;
    Stage *stage = stage_create("trench", &status);
    assert_good(stage != NULL, status);
    return stage;
}

TEST(the_plan_has_north_up_and_one_scale)
{
    Stage *stage = new_stage();
    stage->view.plan_height = 30.0;
    stage->view.plan_x = 2.0;
    Camera camera = camera_of(&stage->view, RENDER_CAMERA_PLAN);
    Vec3 base = stage->view.body[MACHINE_BASE].position;
    double middle[2], north[2], east[2], high[2];
    look_at(&camera, vec3(base.x + 2.0, base.y, 0.0), middle);
    look_at(&camera, vec3(base.x + 2.0, base.y + 5.0, 0.0), north);
    look_at(&camera, vec3(base.x + 7.0, base.y, 0.0), east);
    look_at(&camera, vec3(base.x + 7.0, base.y, 4.0), high);
    assert_near(middle[0], WIDTH / 2, 0.1);
    assert_near(middle[1], HEIGHT / 2, 0.1);
    assert_near(north[0], WIDTH / 2, 0.1);
    assert_near(north[1], HEIGHT / 2 - 5.0 * HEIGHT / 30.0, 0.1);
    assert_near(east[0], WIDTH / 2 + 5.0 * HEIGHT / 30.0, 0.1);
    assert_near(high[0], east[0], 0.1); // without perspective
    free(stage);
}

/// The second near plane lies in the plane that the arm moves in, however the house is turned.
TEST(the_section_cuts_in_the_plane_of_the_arm)
{
    Stage *stage = new_stage();
    for (double swing = -2.0; swing < 3.0; swing += 0.7) {
        stage_pose(stage, swing, 7.0, -0.6, -1.9);
        RenderPlane plane = render_arm_plane(&stage->view);
        const Pose *bucket = &stage->view.body[EXCAVATOR_BUCKET];
        assert_near(vec3_dot(vec3_sub(bucket->position, plane.origin), plane.right), 0.0, 1e-9);
        CameraPlace place = camera_place(&stage->view, RENDER_CAMERA_SECTION);
        Camera whole, cut;
        camera_from_place(&place, 1.7, &whole);
        double depth = camera_cut(&place, 1.7, &cut);
        assert_true(depth > 0.0 && depth < 0.1);
        double pixel[2], same[2];
        for (int side = -1; side <= 1; side += 2) {
            Vec3 at = vec3_madd(vec3_madd(plane.origin, 0.05 * side, plane.right), 1.1, plane.ahead);
            vec4 world = {(float)at.x, (float)at.y, (float)at.z, 1.0f}, clip, clip_whole;
            glm_mat4_mulv(cut.view_projection, world, clip);
            glm_mat4_mulv(whole.view_projection, world, clip_whole);
            assert_int_equal(clip[2]<-clip[3], side> 0); // what is on the camera's side is cut away
            double z = 0.5 + 0.5 * (double)(clip[2] / clip[3]), z_whole = 0.5 + 0.5 * (double)(clip_whole[2] / clip[3]);
            assert_near(depth + (1.0 - depth) * z, z_whole, 1e-6); // at one depth
            look_at(&whole, at, pixel);
            look_at(&cut, at, same);
            assert_near(pixel[0], same[0], 0.05);
            assert_true(pixel[0] > WIDTH / 2); // the arm reaches to the right
        }
    }
    free(stage);
}

/// With perspective both near planes give one depth, too.
TEST(two_near_planes_have_one_depth)
{
    CameraPlace place = {.target = vec3(1.0, 0.0, 0.0),
                         .up = vec3(0.0, 0.0, 1.0),
                         .field_of_view = 0.8,
                         .near_plane = 0.2,
                         .far_plane = 500.0,
                         .cut = 6.0};
    Camera whole, cut;
    camera_from_place(&place, 1.5, &whole);
    double depth = camera_cut(&place, 1.5, &cut);
    for (double x = 6.5; x < 400.0; x *= 1.7) {
        vec4 world = {(float)x, 0.3f, 0.2f, 1.0f}, a, b;
        glm_mat4_mulv(whole.view_projection, world, a);
        glm_mat4_mulv(cut.view_projection, world, b);
        double z = 0.5 + 0.5 * (double)(a[2] / a[3]), z_cut = 0.5 + 0.5 * (double)(b[2] / b[3]);
        assert_near(depth + (1.0 - depth) * z_cut, z, 1e-6);
    }
}

/// As in a mirror: what is to the right behind the machine is on the right of its picture.
TEST(the_rear_camera_is_mirror_inverted)
{
    Stage *stage = new_stage();
    for (double swing = -1.0; swing < 1.5; swing += 0.5) {
        stage_pose(stage, swing, 7.0, -0.6, -1.9);
        Camera camera = camera_of(&stage->view, RENDER_CAMERA_REAR);
        const Pose *house = &stage->view.body[EXCAVATOR_HOUSE];
        double left[2], right[2];
        look_at(&camera, pose_apply(house, vec3(-7.0, 1.5, -0.5)), left);
        look_at(&camera, pose_apply(house, vec3(-7.0, -1.5, -0.5)), right);
        assert_true(camera.mirrored);
        assert_true(right[0] > WIDTH / 2 + 50.0);
        assert_near(left[0] + right[0], WIDTH, 0.5);
        // The ground a metre behind the tail is in the picture, and the horizon.
        double near_by[2], far_off[2];
        look_at(
            &camera,
            pose_apply(house, vec3(-stage->machine.tail_radius - 1.0, 0.0, -excavator_swing_height(&stage->machine))),
            near_by);
        look_at(&camera, pose_apply(house, vec3(-2000.0, 0.0, 0.0)), far_off);
        assert_true(near_by[1] < HEIGHT && far_off[1] > 0.0);
    }
    free(stage);
}

TEST(the_boom_camera_sees_bucket_and_edge)
{
    Stage *stage = new_stage();
    const double poses[4][3] = {{7.5, -0.8, -1.7}, {6.0, -2.5, -2.2}, {8.8, 0.2, -1.2}, {6.5, 3.0, -2.6}};
    for (int k = 0; k < 4; k++) {
        stage_pose(stage, 0.3 * k, poses[k][0], poses[k][1], poses[k][2]);
        Camera camera = camera_of(&stage->view, RENDER_CAMERA_BOOM);
        const ToolShape *shape = &stage->machine.tool[0].shape;
        for (int side = -1; side <= 1; side += 2) {
            double pixel[2];
            look_at(&camera,
                    pose_apply(&stage->view.body[EXCAVATOR_BUCKET],
                               vec3(shape->edge[0], 0.5 * side * shape->edge_width, shape->edge[1])),
                    pixel);
            assert_true(pixel[0] > 0.0 && pixel[0] < WIDTH && pixel[1] > 0.0 && pixel[1] < HEIGHT);
            assert_true(side > 0 ? pixel[0] < WIDTH / 2 : pixel[0] > WIDTH / 2); // left is left
        }
    }
    free(stage);
}

/// Of every camera that is moved, at every angle, on the site and around it.
TEST(no_eye_is_below_the_ground)
{
    Stage *stage = new_stage();
    for (int k = 0; k < STAGE_SIDE * STAGE_SIDE; k++) {
        stage->height[k] = (float)(3.0 * sin(0.05 * (k % STAGE_SIDE)) - 2.0);
    }
    const RenderCamera kinds[] = {RENDER_CAMERA_ORBIT, RENDER_CAMERA_TOOL, RENDER_CAMERA_CHASE, RENDER_CAMERA_FREE};
    for (int k = 0; k < 4; k++) {
        for (double yaw = 0.0; yaw < 6.2; yaw += 0.2) {
            for (double distance = 4.0; distance < 81.0; distance *= 1.5) {
                stage->view.orbit_yaw = yaw;
                stage->view.orbit_pitch = -0.4 + 0.1 * yaw;
                stage->view.orbit_distance = distance;
                stage->view.free_placed = true;
                stage->view.free_eye = vec3(distance * cos(yaw), distance * sin(yaw), -3.0);
                CameraPlace place = camera_place(&stage->view, kinds[k]);
                assert_true(place.eye.z > camera_ground_height(&stage->view, place.eye.x, place.eye.y) + 0.35);
            }
        }
    }
    // Around the site the ground lies as it began, and comes to 0 between 30 and 90 m away; it is never thought lower
    // than it is drawn.
    float border[4 * STAGE_SIDE];
    for (int k = 0; k < 4 * STAGE_SIDE; k++) {
        border[k] = -0.5f;
    }
    stage->view.grids[0].border = border;
    double edge = 0.5 * STAGE_SIDE * stage->view.grids[0].spacing;
    assert_near(camera_ground_height(&stage->view, edge + 25.0, 0.0), -0.5, 1e-6);
    assert_near(camera_ground_height(&stage->view, 0.0, -edge - 1.0), -0.5, 1e-6);
    assert_near(camera_ground_height(&stage->view, edge + 95.0, 0.0), 0.0, 1e-6);
    stage->view.grids[0].border = NULL;
    assert_near(camera_ground_height(&stage->view, edge + 100.0, 0.0), fmax(0.0, (double)stage->height[STAGE_SIDE - 1]),
                1e-2);
    free(stage);
}

TEST(the_free_camera_begins_where_another_stands)
{
    Stage *stage = new_stage();
    RenderView *view = &stage->view;
    view->camera = RENDER_CAMERA_CHASE;
    Camera before = camera_of(view, RENDER_CAMERA_CHASE);
    render_camera_stand(view, &view->free_eye, &view->free_yaw, &view->free_pitch);
    view->free_placed = true;
    Camera after = camera_of(view, RENDER_CAMERA_FREE);
    for (int k = 0; k < 16; k++) {
        assert_near((double)after.view[k / 4][k % 4], (double)before.view[k / 4][k % 4], 1e-4);
    }
    free(stage);
}

/// Leaning forward brings the driver's eyes nearer to the windscreen, but not through it.
TEST(the_driver_leans_within_the_cab)
{
    Status status;
    static const char *const machines[] = {"excavator-22t", "excavator-8t", "dozer-20t"};
    for (int k = 0; k < 3; k++) {
        MachineParams machine;
        assert_good(data_load_machine(machines[k], &machine, NULL, &status), status);
        Stage *stage = new_stage();
        stage->view.machine = &machine;
        stage->view.body[machine.cab_body] = (Pose){vec3(0.0, 0.0, 0.0), mat3_identity()};
        CameraPlace upright = camera_place(&stage->view, RENDER_CAMERA_CAB);
        stage->view.cab_lean = 1.0;
        CameraPlace leaning = camera_place(&stage->view, RENDER_CAMERA_CAB);
        assert_true(leaning.eye.x > upright.eye.x + 0.2);
        assert_true(leaning.eye.x < machine.cab.corner[0] + machine.cab.size[0] - 0.25);
        free(stage);
    }
}

/// What is seen through the right edge of a screen is seen through the left edge of the next, at one height: the
/// picture goes on over the seams.
TEST(three_screens_go_on_at_their_seams)
{
    Stage *stage = new_stage();
    RenderView *view = &stage->view;
    view->screens = 3;
    const RenderCamera kinds[] = {RENDER_CAMERA_CAB, RENDER_CAMERA_ORBIT, RENDER_CAMERA_REAR, RENDER_CAMERA_BOOM};
    const double angles[] = {0.0, 0.5, 1.0};
    for (int k = 0; k < 12; k++) {
        CameraPane panes[CAMERA_MAX_PANES];
        view->camera = kinds[k % 4];
        view->screen_angle = angles[k / 4];
        view->cab_pitch = -0.3;
        CameraPlace place = camera_place(view, view->camera);
        assert_int_equal(camera_panes(view, 3000, panes), 3);
        Camera cameras[3];
        for (int n = 0; n < 3; n++) {
            assert_int_equal(panes[n].x, 1000 * n);
            assert_int_equal(panes[n].width, 1000);
            CameraPlace turned = camera_pane_place(view, &place, &panes[n], 1000.0 / 600.0);
            camera_from_place(&turned, 1000.0 / 600.0, &cameras[n]);
        }
        for (int seam = 0; seam < 2; seam++) {
            for (float y = -0.9f; y < 1.0f; y += 0.3f) {
                vec4 edge = {1.0f, y, 0.5f, 1.0f}, world, next;
                glm_mat4_mulv(cameras[seam].inverse, edge, world);
                glm_mat4_mulv(cameras[seam + 1].view_projection, world, next);
                assert_true(next[3] > 0.0f);
                assert_near((double)(next[0] / next[3]), -1.0, 2e-3);
                assert_near((double)(next[1] / next[3]), (double)y, 2e-3);
            }
        }
    }
    view->camera = RENDER_CAMERA_PLAN; // a drawing fills all of them
    CameraPane whole[CAMERA_MAX_PANES];
    assert_int_equal(camera_panes(view, 3000, whole), 1);
    free(stage);
}

/// Each eye stands half of the distance aside and looks in the same direction, so that what is far off lies at one
/// place and what is near is farther to the right in the left eye's picture.
TEST(two_eyes_stand_beside_each_other)
{
    Stage *stage = new_stage();
    RenderView *view = &stage->view;
    view->eyes = 2;
    view->camera = RENDER_CAMERA_CAB;
    CameraPane panes[CAMERA_MAX_PANES];
    assert_int_equal(camera_panes(view, 2 * WIDTH, panes), 2);
    CameraPlace place = camera_place(view, RENDER_CAMERA_CAB), eyes[2];
    Camera cameras[2];
    for (int k = 0; k < 2; k++) {
        assert_int_equal(panes[k].x, k * WIDTH);
        eyes[k] = camera_pane_place(view, &place, &panes[k], (double)WIDTH / HEIGHT);
        camera_from_place(&eyes[k], (double)WIDTH / HEIGHT, &cameras[k]);
    }
    Vec3 apart = vec3_sub(eyes[1].eye, eyes[0].eye), gaze = vec3_sub(place.target, place.eye);
    assert_near(vec3_length(apart), 0.064, 1e-9);
    assert_near(vec3_dot(apart, gaze), 0.0, 1e-9);
    assert_near(vec3_length(vec3_sub(vec3_scale(vec3_add(eyes[0].eye, eyes[1].eye), 0.5), place.eye)), 0.0, 1e-9);
    const Pose *house = &view->body[EXCAVATOR_HOUSE];
    assert_true(vec3_dot(apart, vec3(house->rotation.m[0][1], house->rotation.m[1][1], 0.0)) < 0.0); // to the right
    double near_by[2][2], far_off[2][2];
    for (int k = 0; k < 2; k++) {
        look_at(&cameras[k], vec3_madd(place.eye, 1.0 / vec3_length(gaze), gaze), near_by[k]);
        look_at(&cameras[k], vec3_madd(place.eye, 1000.0 / vec3_length(gaze), gaze), far_off[k]);
    }
    // 0.064 m at 1 m, in a picture HEIGHT pixels high under 2 tan(0.56).
    assert_near(near_by[0][0] - near_by[1][0], 0.064 * HEIGHT / (2.0 * tan(0.5 * place.field_of_view)), 0.1);
    assert_near(near_by[0][1], near_by[1][1], 0.05);
    assert_near(far_off[0][0] - far_off[1][0], 0.0, 0.1);
    free(stage);
}

/// Panels, and where they are clicked, lie on the middle one of three screens and in each eye's picture.
TEST(panels_lie_in_one_column)
{
    RenderView *view = calloc(1, sizeof(*view));
    assert_non_null(view);
    PanelColumn columns[2];
    assert_int_equal(panel_columns(view, 1500, columns), 1);
    assert_int_equal(columns[0].width, 1500);
    view->screens = 3;
    assert_int_equal(panel_columns(view, 1500, columns), 1);
    assert_int_equal(columns[0].x, 500);
    assert_int_equal(columns[0].width, 500);
    int width = 1500;
    double x = 750.0;
    panel_column_of(view, &width, &x);
    assert_int_equal(width, 500);
    assert_near(x, 250.0, 1e-9);
    view->screens = 0;
    view->eyes = 2;
    width = 1500;
    x = 800.0;
    assert_int_equal(panel_columns(view, 1500, columns), 2);
    panel_column_of(view, &width, &x);
    assert_int_equal(width, 750);
    assert_near(x, 50.0, 1e-9);
    free(view);
}

/// Insets cover none of the panels on the right, and each other neither.
TEST(insets_have_their_own_room)
{
    RenderView *view = calloc(1, sizeof(*view));
    assert_non_null(view);
    view->hud = (RenderHud){.visible = true, .recording = true, .compact = true};
    const PanelKind kinds[] = {PANEL_STATE, PANEL_HINTS, PANEL_DEBUG, PANEL_EVENTS, PANEL_GAUGES};
    for (int k = 0; k < 4; k++) {
        view->hud.hints[0] = view->hud.hints[1] = k == 1 ? "a key" : NULL;
        view->debug.visible = k == 2;
        view->events = (RenderEvents){.visible = k == 3, .count = 40, .chosen = -1};
        PanelPlace insets[2] = {panel_inset(view, 0, 1280.0, 720.0), panel_inset(view, 1, 1280.0, 720.0)};
        assert_true(insets[0].width >= 264.0 && insets[0].y + insets[0].height <= insets[1].y);
        for (int n = 0; n < 5; n++) {
            PanelPlace place = panel_place(view, kinds[n], 1280.0, 720.0);
            bool apart = insets[0].x >= place.x + place.width || place.x >= insets[0].x + insets[0].width ||
                         insets[0].y >= place.y + place.height || place.y >= insets[0].y + insets[0].height;
            assert_true(place.width <= 0.0 || apart);
        }
    }
    free(view);
}

/// Place on the glass (y, z of its frame) at which the eye sees a point.
static void see_in_mirror(const MirrorGlass *glass, Vec3 eye, Vec3 point, double at[2])
{
    CameraPlace place;
    Camera camera;
    assert_true(camera_of_mirror(glass, eye, &place, &camera));
    vec4 world = {(float)point.x, (float)point.y, (float)point.z, 1.0f}, clip;
    glm_mat4_mulv(camera.view_projection, world, clip);
    assert_true(clip[3] > 0.0f);
    // As glass.glsl lays the picture on the glass: its left edge where y is greatest.
    at[0] = -0.5 * glass->width * (double)(clip[0] / clip[3]);
    at[1] = 0.5 * glass->height * (double)(clip[1] / clip[3]);
}

/// In a flat mirror the ray from the eye to the glass and the one to the point make one angle with it.
TEST(a_flat_mirror_obeys_the_law_of_reflection)
{
    MirrorGlass glass = {.frame = {vec3(1.0, 2.0, 1.5), mat3_yaw(2.6)}, .width = 0.3, .height = 0.4};
    Vec3 eye = pose_apply(&glass.frame, vec3(1.1, 0.3, 0.1));
    for (int k = 0; k < 9; k++) {
        Vec3 point = pose_apply(&glass.frame, vec3(8.0, -2.3 + 0.4 * (k % 3), -1.0 + 0.5 * (k / 3)));
        double at[2];
        see_in_mirror(&glass, eye, point, at);
        Vec3 hit = pose_apply(&glass.frame, vec3(0.0, at[0], at[1]));
        Vec3 in = vec3_unit(vec3_sub(hit, eye), eye), out = vec3_unit(vec3_sub(point, hit), eye);
        Vec3 n = vec3(glass.frame.rotation.m[0][0], glass.frame.rotation.m[1][0], glass.frame.rotation.m[2][0]);
        Vec3 reflected = vec3_madd(in, -2.0 * vec3_dot(in, n), n);
        assert_near(vec3_length(vec3_sub(reflected, out)), 0.0, 1e-4);
    }
    CameraPlace place;
    Camera camera;
    assert_false(camera_of_mirror(&glass, pose_apply(&glass.frame, vec3(-0.5, 0.0, 0.0)), &place, &camera));
}

/// What the mirrors of the machines are there for is in the middle of their glass; and as in life, what is farther to
/// the right behind the machine is farther to the right in them, seen from the seat.
TEST(mirrors_show_what_is_behind_as_in_life)
{
    Status status;
    static const char *const machines[] = {"excavator-22t", "excavator-8t", "dozer-20t"};
    for (int m = 0; m < 3; m++) {
        MachineParams machine;
        assert_good(data_load_machine(machines[m], &machine, NULL, &status), status);
        FittingMirror mirrors[FITTINGS_MAX_MIRRORS];
        int count = machine_mirrors(&machine, mirrors);
        assert_true(count > 0);
        const double *seat = machine.cab.eye;
        Vec3 eye = vec3(seat[0], seat[1], seat[2]);
        for (int k = 0; k < count; k++) {
            const FittingMirror *mirror = &mirrors[k];
            MirrorGlass glass = {mirror->glass, mirror->width, mirror->height, 0.8};
            double middle[2], left[2], right[2];
            see_in_mirror(&glass, eye, mirror->shown, middle);
            assert_near(middle[0], 0.0, 0.1 * mirror->width);
            assert_near(middle[1], 0.0, 0.1 * mirror->height);
            see_in_mirror(&glass, eye, vec3_add(mirror->shown, vec3(0.0, 0.3, 0.0)), left);
            see_in_mirror(&glass, eye, vec3_add(mirror->shown, vec3(0.0, -0.3, 0.0)), right);
            // Seen from the seat, to the right is along `across`.
            Vec3 gaze = vec3_sub(mirror->glass.position, eye), across = vec3_cross(gaze, vec3(0.0, 0.0, 1.0));
            Vec3 from = pose_apply(&mirror->glass, vec3(0.0, left[0], left[1]));
            Vec3 to = pose_apply(&mirror->glass, vec3(0.0, right[0], right[1]));
            assert_true(vec3_dot(vec3_sub(to, from), across) > 0.0);
        }
    }
}

/// A glass that bulges shows more: 3.5 times as much of the angle from 1 m at a radius of 0.8 m, by (1) in camera.c.
TEST(a_mirror_that_bulges_shows_more)
{
    MirrorGlass flat = {.frame = {vec3(0.0, 0.0, 0.0), mat3_identity()}, .width = 0.2, .height = 0.3}, round = flat;
    round.radius = 0.8;
    Vec3 eye = vec3(1.0, 0.0, 0.0), point = vec3(100.0, 3.0, 0.0);
    double far_flat[2], far_round[2];
    see_in_mirror(&flat, eye, point, far_flat);
    see_in_mirror(&round, eye, point, far_round);
    assert_near(far_flat[0] / far_round[0], 3.5, 0.1);
}

TEST_GROUP(NULL, NULL)
