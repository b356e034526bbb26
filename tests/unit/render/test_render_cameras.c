/// Where cameras stand and what they see, by numbers: nothing here needs OpenGL.
#include "render/camera/camera.h"
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
    // Around the site the ground comes back to 0 within 14 m; it is never thought lower than it is drawn.
    assert_true(camera_ground_height(&stage->view, 60.0, 0.0) >= 0.0);
    assert_near(camera_ground_height(&stage->view, 60.0, 0.0), fmax(0.0, (double)stage->height[STAGE_SIDE - 1]), 1e-2);
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

TEST_MAIN(NULL, NULL)
