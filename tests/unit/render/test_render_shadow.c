/// How high a tool hangs is read from its shadow: where the shadow of a tooth begins on level ground tells it, how
/// sharp that edge is tells how well, and what stands still has a shadow that does. By night lamps throw it.
#include "data/core/constants.h"
#include "render/camera.h"
#include "render/meshes/fittings.h"
#include "render/meshes/machine_mesh.h"
#include "render/light.h"
#include "tests/support/render_scene.h"
#include "tests/support/render_studio.h"

enum { SAMPLES = 220, WINDOW = 30 };
#define STEP   0.002 ///< m between samples
#define BEFORE 0.26 ///< m from the first sample to where the shadow should begin

static double light_at(const Studio *studio, const Camera *camera, Vec3 at)
{
    double pixel[2];
    assert_true(camera_project(camera, (const double[]){at.x, at.y, at.z}, WIDTH, HEIGHT, pixel));
    int x = (int)pixel[0], y = (int)pixel[1];
    assert_true(x >= 0 && x < WIDTH && y >= 0 && y < HEIGHT);
    const unsigned char *rgb = &studio->rgb[3 * ((size_t)y * WIDTH + (size_t)x)];
    return (double)(rgb[0] + rgb[1] + rgb[2]);
}

/// A site that is level at 0, with the sun behind the machine: arm and light lie in one upright plane.
static Stage *level_stage(double *slope)
{
    Status status;
    Stage *stage = stage_create("trench", &status);
    assert_non_null(stage);
    for (int at = 0; at < STAGE_SIDE * STAGE_SIDE; at++) {
        stage->height[at] = 0.0f;
    }
    stage->scene.weather = (SceneWeather){16.4 * UNIT_HOUR, 0.35, 20000.0, 0.0};
    double sun[3];
    daylight_sun(stage->scene.weather.time, sun);
    *slope = hypot(sun[0], sun[1]) / sun[2]; // m of shadow a m of height
    stage->scene.machine.heading = atan2(-sun[1], -sun[0]);
    stage->view.camera = RENDER_CAMERA_FREE;
    stage->view.free_placed = true;
    return stage;
}

static Vec3 direction(double heading)
{
    return vec3(cos(heading), sin(heading), 0.0);
}

/// Holds the edge `height` m over the ground, 7 m ahead of the machine's middle.
static void stage_tool(Stage *stage, double height)
{
    stage_pose(stage, 0.0, 7.0, height - excavator_swing_height(&stage->machine), -1.7);
}

static void look_from(Stage *stage, Vec3 eye, Vec3 at)
{
    Vec3 gaze = vec3_sub(at, eye);
    stage->view.free_eye = eye;
    stage->view.free_yaw = atan2(gaze.y, gaze.x);
    stage->view.free_pitch = atan2(gaze.z, hypot(gaze.x, gaze.y));
}

/// Where the shadow of the rightmost tooth begins if light goes straight: of its mesh's corners the one whose shadow is
/// nearest to the machine.
static Vec3 tooth_shadow(const Stage *stage, double slope, double *height)
{
    const double half = 0.05; // m: of a tooth's width
    double middle = -0.45 * stage->machine.tool[0].shape.edge_width, least = INFINITY;
    Vec3 ahead = direction(stage->scene.machine.heading), nearest = {0};
    Mesh mesh = {0};
    excavator_mesh_bucket(&stage->machine, &mesh);
    for (int k = 0; k < mesh.vertex_count; k++) {
        const float *p = mesh.vertices[k].position;
        Vec3 corner = pose_apply(&stage->view.body[EXCAVATOR_BUCKET], vec3((double)p[0], middle, (double)p[2]));
        Vec3 place = vec3_madd(corner, slope * corner.z, ahead);
        if (fabs((double)p[1] - middle) <= half && vec3_dot(place, ahead) < least) {
            least = vec3_dot(place, ahead);
            nearest = vec3(place.x, place.y, 0.0);
            *height = corner.z;
        }
    }
    mesh_free(&mesh);
    return nearest;
}

/// m along the samples at which the light crosses a share of the way from the first samples' to the last ones'.
static double crossing(const double light[SAMPLES], double share)
{
    double lit = 0.0, dark = 0.0;
    for (int k = 0; k < WINDOW; k++) {
        lit += light[k] / WINDOW;
        dark += light[SAMPLES - WINDOW - 20 + k] / WINDOW;
    }
    assert_true(dark < 0.6 * lit);
    for (int k = 0; k < SAMPLES; k++) {
        if (light[k] < lit + share * (dark - lit)) {
            return STEP * k;
        }
    }
    return STEP * SAMPLES;
}

/// Light along a line ahead from before `begin`, averaged over 6 cm, less than a tooth's width.
static void scan(const Studio *studio, const Stage *stage, Vec3 begin, double light[SAMPLES])
{
    Camera camera;
    camera_compute(&stage->view, (double)WIDTH / HEIGHT, &camera);
    Vec3 ahead = direction(stage->scene.machine.heading), aside = vec3(-ahead.y, ahead.x, 0.0);
    for (int k = 0; k < SAMPLES; k++) {
        light[k] = 0.0;
        for (int n = -3; n <= 3; n++) {
            Vec3 at = vec3_madd(vec3_madd(begin, STEP * k - BEFORE, ahead), 0.01 * n, aside);
            light[k] += light_at(studio, &camera, at) / 7.0;
        }
    }
}

/// Draws a tooth's shadow and returns how much too high the tooth looks, m; `wide`: m over which the edge fades.
static double look_at_tooth(Studio *studio, double height, double *wide)
{
    double slope, own = 0.0, light[SAMPLES], ground[SAMPLES];
    Stage *stage = level_stage(&slope);
    stage_tool(stage, height);
    Vec3 begin = tooth_shadow(stage, slope, &own);
    double heading = stage->scene.machine.heading;
    Vec3 eye = vec3_madd(begin, -1.5, direction(heading + 0.5 * M_PI));
    eye.z = 1.6;
    look_from(stage, eye, begin);
    char path[48];
    snprintf(path, sizeof path, "render-shadow-%.0f.png", 100.0 * height);
    shoot(studio, &stage->view, path);
    scan(studio, stage, begin, light);
    stage_pose(stage, 1.8, 7.0, 1.0, -1.7); // out of the light, for the ground's own colours
    draw(studio, &stage->view);
    scan(studio, stage, begin, ground);
    for (int k = 0; k < SAMPLES; k++) {
        light[k] /= ground[k];
    }
    *wide = crossing(light, 0.8) - crossing(light, 0.2);
    double error = (crossing(light, 0.5) - BEFORE) / slope;
    print_message("tooth %.2f m high: read %+.1f cm, edge %.1f cm wide\n", own, 100.0 * error, 100.0 * *wide);
    free(stage);
    return error;
}

TEST_WITH(height_is_read_from_a_tooths_shadow, Studio *studio)
{
    const double heights[] = {0.45, 0.6, 0.9, 1.5};
    for (int k = 0; k < 4; k++) {
        double wide, error = look_at_tooth(studio, heights[k], &wide);
        assert_true(fabs(error) <= 0.02);
        assert_true(wide <= 0.03);
    }
}

/// While the tool moves by parts of a texel, the shadow of a pole beside it does not change.
TEST_WITH(what_stands_still_has_a_shadow_that_does, Studio *studio)
{
    double slope, first[SAMPLES], light[SAMPLES], most = 0.0;
    Stage *stage = level_stage(&slope);
    double heading = stage->scene.machine.heading, own;
    stage_tool(stage, 0.6);
    Vec3 foot = vec3_madd(tooth_shadow(stage, slope, &own), -0.5, direction(heading + 0.5 * M_PI));
    stage->view.staff_count = 1;
    stage->view.staffs[0] = (RenderStaff){.kind = RENDER_STAFF_POLE, .at = foot, .low = 0.0, .high = 0.5};
    Vec3 eye = vec3_madd(foot, -1.5, direction(heading + 0.5 * M_PI));
    eye.z = 1.6;
    look_from(stage, eye, foot);
    for (int step = 0; step < 8; step++) {
        stage_tool(stage, 0.6 + 0.0013 * step);
        shoot(studio, &stage->view, "render-shadow-still.png");
        scan(studio, stage, foot, light);
        for (int k = 0; k < SAMPLES; k++) {
            first[k] = step == 0 ? light[k] : first[k];
            most = fmax(most, fabs(light[k] - first[k]));
        }
    }
    double darkest = 765.0, lightest = 0.0;
    for (int k = 0; k < SAMPLES; k++) {
        darkest = fmin(darkest, first[k]);
        lightest = fmax(lightest, first[k]);
    }
    print_message("a still shadow of %.0f in %.0f changes by %.1f of 765\n", darkest, lightest, most);
    assert_true(darkest < 0.6 * lightest);
    assert_true(most < 6.0);
    free(stage);
}

/// By night the bucket's shadow is seen on the ground on the far side of the lamps' light.
TEST_WITH(lamps_throw_the_tools_shadow, Studio *studio)
{
    double slope;
    Stage *stage = level_stage(&slope);
    stage->scene.weather.time = 0.5 * UNIT_HOUR;
    stage_tool(stage, 0.4);
    Vec3 ahead = direction(stage->scene.machine.heading), aside = vec3(-ahead.y, ahead.x, 0.0);
    FittingLamp lamps[FITTINGS_MAX_LAMPS];
    machine_lamps(&stage->machine, lamps);
    Vec3 from = vec3_scale(vec3_add(pose_apply(&stage->view.body[EXCAVATOR_BOOM], lamps[2].at),
                                    pose_apply(&stage->view.body[EXCAVATOR_BOOM], lamps[3].at)),
                           0.5);
    Vec3 tool = pose_apply(&stage->view.body[EXCAVATOR_BUCKET], vec3(1.25, 0.0, 0.3)), ray = vec3_sub(tool, from);
    Vec3 shade = vec3_madd(tool, -tool.z / ray.z, ray);
    look_from(stage, vec3_madd(vec3_madd(vec3(shade.x, shade.y, 4.0), 2.0, ahead), -2.0, aside), shade);
    shoot(studio, &stage->view, "render-shadow-lamps.png");
    Camera camera;
    camera_compute(&stage->view, (double)WIDTH / HEIGHT, &camera);
    double light[2] = {0.0, 0.0};
    for (int k = -20; k <= 20; k++) {
        light[0] += light_at(studio, &camera, vec3_madd(shade, 0.01 * k, aside));
        light[1] += light_at(studio, &camera, vec3_madd(shade, -1.6 + 0.01 * k, aside));
    }
    print_message("under the bucket %.2f of the light beside it\n", light[0] / light[1]);
    assert_true(light[0] < 0.85 * light[1]);
    free(stage);
}

TEST_GROUP(open_studio, close_studio)
