/// Puffs of dust are one draw call, veil what is behind them without hiding it, and are gone when they are old.
#include "render/camera.h"
#include "tests/support/gl_count.h"
#include "tests/support/render_scene.h"
#include "tests/support/render_studio.h"

static double light_at(const Studio *studio, const RenderView *view, Vec3 at)
{
    Camera camera;
    double pixel[2], color[3];
    camera_compute(view, (double)WIDTH / HEIGHT, &camera);
    assert_true(camera_project(&camera, (const double[]){at.x, at.y, at.z}, WIDTH, HEIGHT, pixel));
    mean_color(studio, (int)pixel[0], (int)pixel[1], color);
    return color[0] + color[1] + color[2];
}

TEST_WITH(dust_veils_what_is_behind_it, Studio *studio)
{
    static RenderPuff puffs[RENDER_MAX_PUFFS];
    Status status;
    Stage *stage = stage_create("trench", &status);
    assert_non_null(stage);
    RenderView *view = &stage->view;
    Vec3 at = vec3(2.0, -3.0, 0.3), far = vec3(-6.0, 5.0, 0.0);
    for (int k = 0; k < RENDER_MAX_PUFFS; k++) {
        puffs[k] = (RenderPuff){.at = {(float)at.x, (float)at.y, (float)at.z},
                                .born = -0.02f * (float)(k % 40),
                                .strength = 0.02f,
                                .radius = 0.3f,
                                .number = (uint32_t)k << 3};
    }
    view->orbit_distance = 14.0;
    view->orbit_pitch = 0.5;
    draw(studio, view);
    double clear[2] = {light_at(studio, view, at), light_at(studio, view, far)};
    gl_count_begin();
    draw(studio, view);
    int draws = gl_count.draws;
    view->dust = (RenderDust){.count = RENDER_MAX_PUFFS, .puffs = puffs, .now = 0.4};
    gl_count_begin();
    shoot(studio, view, "render-dust.png");
    assert_int_equal(gl_count.draws, draws + 1);
    double dusty[2] = {light_at(studio, view, at), light_at(studio, view, far)};
    print_message("light %.0f, through dust %.0f; far from it %.0f and %.0f\n", clear[0], dusty[0], clear[1], dusty[1]);
    assert_true(dusty[0] > 1.1 * clear[0]);
    assert_near(dusty[1], clear[1], 3.0);
    view->dust.now = 10.0; // long after
    draw(studio, view);
    assert_near(light_at(studio, view, at), clear[0], 3.0);
    free(stage);
}

TEST_GROUP(open_studio, close_studio)
