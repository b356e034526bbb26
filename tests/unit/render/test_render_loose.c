/// Checks how loose soil looks: thin on grass, and the same as grains and as the ground that these become.
#include "render/camera.h"
#include "tests/support/render_scene.h"
#include "tests/support/render_studio.h"

enum { FIRST = 176, LAST = 224, MIDDLE = 200 }; // rows and columns of a patch of 4.8 m

/// The bare site from above, level, with a patch of loose loam, which is red.
static Stage *patch(double orbit_pitch, double distance)
{
    Status status;
    Stage *stage = stage_create("trench", &status);
    assert_non_null(stage);
    RenderView *view = &stage->view;
    view->machine = NULL;
    view->strut_count = 0;
    view->camera = RENDER_CAMERA_FREE;
    view->free_placed = true;
    view->free_pitch = -orbit_pitch;
    view->free_eye = vec3(-distance * cos(orbit_pitch), 0.0, distance * sin(orbit_pitch));
    int loam = stage->scene.ground.layers[1].soil_index;
    memset(stage->height, 0, sizeof stage->height);
    for (int row = FIRST; row <= LAST; row++) {
        for (int column = FIRST; column <= LAST; column++) {
            stage->soil[row * STAGE_SIDE + column] = (uint8_t)loam;
            stage->loose[row * STAGE_SIDE + column] = 255;
        }
    }
    return stage;
}

static void pixel_of(const Stage *stage, double x, double y, double pixel[2])
{
    Camera camera;
    const double place[3] = {x, y, 0.0};
    camera_compute(&stage->view, (double)WIDTH / HEIGHT, &camera);
    assert_true(camera_project(&camera, place, WIDTH, HEIGHT, pixel));
}

/// Share of the pixels of a strip from x0 to x1 that are soil, not grass.
static double soil_share(const Studio *studio, const Stage *stage, double x0, double x1)
{
    double near[2], far[2];
    pixel_of(stage, x0, 1.5, near);
    pixel_of(stage, x1, -1.5, far);
    int soil = 0, all = 0;
    for (int y = (int)far[1]; y < (int)near[1]; y++) {
        for (int x = (int)near[0]; x < (int)far[0]; x++, all++) {
            const unsigned char *p = studio->rgb + 3 * ((size_t)y * WIDTH + (size_t)x);
            soil += p[0] > p[1] + 12;
        }
    }
    assert_true(all > 300);
    return (double)soil / all;
}

/// Soil that thins out from the middle of the patch to its far edge is broken up by its thickness: there are no two
/// neighbouring strips of 0.3 m of which one is covered and the other is not. Where the picture does not know what lies
/// under it, all of it is covered.
TEST_WITH(thin_soil_lies_in_the_grass, Studio *studio)
{
    static uint8_t cover[STAGE_SIDE * STAGE_SIDE];
    Stage *stage = patch(1.2, 5.0);
    int top = stage->scene.ground.layers[0].soil_index;
    const float red[3] = {0.6f, 0.05f, 0.05f};
    memcpy(stage->scene.soils[stage->scene.ground.layers[1].soil_index].color_fresh, red, sizeof red);
    memset(cover, RENDER_COVER_DEEP << 3, sizeof cover);
    for (int row = FIRST; row <= LAST; row++) {
        for (int column = FIRST; column <= LAST; column++) {
            size_t at = (size_t)row * STAGE_SIDE + (size_t)column;
            double thickness = 0.08 * (LAST - column) / (LAST - MIDDLE);
            stage->height[at] = (float)fmin(thickness, 0.08);
            cover[at] = render_cover(top, thickness);
        }
    }
    stage->view.grids[0].cover = cover;
    shoot(studio, &stage->view, "render-thin-soil.png");
    double share[8], step = 0.0;
    for (int k = 0; k < 8; k++) {
        share[k] = soil_share(studio, stage, 0.3 * k, 0.3 * k + 0.3);
        print_message("%.1f m: %.2f soil\n", 0.3 * k, share[k]);
        step = k > 0 ? fmax(step, fabs(share[k] - share[k - 1])) : step;
    }
    assert_true(share[0] > 0.9 && share[7] < 0.1);
    assert_true(share[3] > 0.2 && share[5] < 0.8);
    assert_true(step < 0.45);
    stage->view.grids[0].cover = NULL;
    stage->view.grids[0].all_dirty = true;
    draw(studio, &stage->view);
    assert_true(soil_share(studio, stage, 1.8, 2.1) > 0.9);
    free(stage);
}

/// Mean and deviation of the brightness of the patch around the picture's middle, and its mean colour.
static void look_at_patch(const Studio *studio, double color[3], double *deviation)
{
    double sum[3] = {0.0}, squares = 0.0;
    int count = 0;
    for (int y = HEIGHT / 2 - 60; y < HEIGHT / 2 + 60; y++) {
        for (int x = WIDTH / 2 - 100; x < WIDTH / 2 + 100; x++, count++) {
            const unsigned char *p = studio->rgb + 3 * ((size_t)y * WIDTH + (size_t)x);
            double bright = 0.3 * p[0] + 0.6 * p[1] + 0.1 * p[2];
            squares += bright * bright;
            for (int k = 0; k < 3; k++) {
                sum[k] += p[k];
            }
        }
    }
    for (int k = 0; k < 3; k++) {
        color[k] = sum[k] / count;
    }
    double mean = 0.3 * color[0] + 0.6 * color[1] + 0.1 * color[2];
    *deviation = sqrt(fmax(squares / count - mean * mean, 0.0));
}

/// Grains that have come to rest on loose soil look like it, so that nobody sees where they become ground: of each soil
/// neither the colour nor how rough it looks changes by much.
TEST_WITH(grains_look_like_the_ground_that_they_become, Studio *studio)
{
    Stage *stage = patch(0.6, 3.0);
    for (int soil = 0; soil < stage->scene.soil_count; soil++) {
        for (int row = FIRST; row <= LAST; row++) {
            memset(stage->soil + (size_t)row * STAGE_SIDE + FIRST, soil, LAST - FIRST + 1);
        }
        stage->view.particles.count = 0;
        stage->view.grids[0].all_dirty = true;
        double ground[3], grains[3], rough[2];
        shoot(studio, &stage->view, "render-as-ground.png");
        look_at_patch(studio, ground, &rough[0]);
        for (int row = FIRST; row <= LAST; row++) {
            for (int column = FIRST; column <= LAST; column++) {
                Vec3 at = vec3(stage_x(column) + 0.06 * (stage_random(stage) - 0.5),
                               stage_x(row) + 0.06 * (stage_random(stage) - 0.5), 0.04);
                stage_add_particle(stage, at, 0.05, soil);
            }
        }
        shoot(studio, &stage->view, "render-as-grains.png");
        look_at_patch(studio, grains, &rough[1]);
        print_message("%s: ground %.0f %.0f %.0f +- %.1f, grains %.0f %.0f %.0f +- %.1f\n",
                      stage->scene.soils[soil].name, ground[0], ground[1], ground[2], rough[0], grains[0], grains[1],
                      grains[2], rough[1]);
        for (int k = 0; k < 3; k++) {
            assert_near(grains[k], ground[k], 14.0);
        }
        assert_true(rough[1] < 1.8 * rough[0] && rough[0] < 1.8 * rough[1]);
    }
    free(stage);
}

TEST_GROUP(open_studio, close_studio)
