/// Pictures of times of day and weathers: what they must show, left as PNG files in the working folder.

#include "data/core/constants.h"
#include "render/camera.h"
#include "tests/support/render_scene.h"
#include "tests/support/render_studio.h"

/// Mean of all pixels of rows from `top` to `bottom`, 0..255.
static double brightness(const Studio *studio, int top, int bottom)
{
    double sum = 0.0;
    for (size_t k = 3 * (size_t)top * WIDTH; k < 3 * (size_t)bottom * WIDTH; k++) {
        sum += studio->rgb[k];
    }
    return sum / (3.0 * WIDTH * (bottom - top));
}

/// Mean brightness about where a place of the world is seen.
static double brightness_at(const Studio *studio, const RenderView *view, double x, double y, double z)
{
    Camera camera;
    double pixel[2], color[3];
    camera_compute(view, (double)WIDTH / HEIGHT, &camera);
    assert_true(camera_project(&camera, (const double[]){x, y, z}, WIDTH, HEIGHT, pixel));
    mean_color(studio, (int)pixel[0], (int)pixel[1], color);
    return (color[0] + color[1] + color[2]) / 3.0;
}

static Stage *stage_by(double hour, double visibility, double rain)
{
    Status status;
    Stage *stage = stage_create("trench", &status);
    assert_non_null(stage);
    stage->scene.weather = (SceneWeather){hour * UNIT_HOUR, 0.35, visibility, rain * UNIT_MM_PER_H};
    stage->view.orbit_yaw = -0.62;
    stage->view.orbit_pitch = 0.36;
    stage->view.orbit_distance = 17.0;
    return stage;
}

/// By night it is dark but where the lamps shine: the ground ahead of the machine, not that behind it.
TEST_WITH(lamps_light_the_work, Studio *studio)
{
    Stage *day = stage_by(14.0, 1500.0, 0.0), *night = stage_by(0.5, 1500.0, 0.0);
    double x = day->scene.machine.x, y = day->scene.machine.y;
    shoot(studio, &day->view, "render-day.png");
    double by_day = brightness(studio, 0, HEIGHT),
           ahead_by_day = brightness_at(studio, &day->view, x + 5.0, y + 1.5, 0);
    double behind_by_day = brightness_at(studio, &day->view, x - 4.5, y, 0.0);
    shoot(studio, &night->view, "render-night.png");
    assert_true(brightness(studio, 0, HEIGHT) < 0.4 * by_day);
    assert_true(brightness_at(studio, &night->view, x + 5.0, y + 1.5, 0.0) > 0.5 * ahead_by_day);
    assert_true(brightness_at(studio, &night->view, x - 4.5, y, 0.0) < 0.25 * behind_by_day);
    free(day);
    free(night);
}

/// Fog takes the contrast between the far ground, the hills and the sky.
TEST_WITH(fog_hides_what_is_far, Studio *studio)
{
    double step[2];
    for (int fog = 0; fog < 2; fog++) {
        Stage *stage = stage_by(12.0, fog ? 60.0 : 20000.0, 0.0);
        stage->view.orbit_pitch = 0.02;
        shoot(studio, &stage->view, fog ? "render-fog.png" : "render-clear.png");
        double least = 255.0, most = 0.0;
        for (int row = 60; row < 190; row++) { // across the horizon, left of the machine
            double color[3];
            mean_color(studio, 40, row, color);
            least = fmin(least, color[2]);
            most = fmax(most, color[2]);
        }
        step[fog] = most - least;
        free(stage);
    }
    assert_true(step[0] > 60.0);
    assert_true(step[1] < 0.5 * step[0]);
}

/// Rain makes the ground darker than the same grey day without it.
TEST_WITH(rain_wets_the_ground, Studio *studio)
{
    double light[2];
    for (int rain = 0; rain < 2; rain++) {
        Stage *stage = stage_by(12.0, 1500.0, rain ? 6.0 : 0.0);
        stage->scene.weather.clouds = 1.0;
        stage->view.orbit_pitch = 0.9;
        shoot(studio, &stage->view, rain ? "render-rain.png" : "render-grey.png");
        light[rain] = brightness(studio, 0, HEIGHT);
        free(stage);
    }
    assert_true(light[1] < 0.9 * light[0]);
}

/// Drops are streaks that stand elsewhere at another time, and where they were at the same one.
TEST_WITH(drops_fall, Studio *studio)
{
    size_t size = 3 * (size_t)WIDTH * HEIGHT;
    unsigned char *first = malloc(size);
    assert_non_null(first);
    Stage *stage = stage_by(12.0, 1500.0, 20.0);
    shoot(studio, &stage->view, "render-drops.png");
    memcpy(first, studio->rgb, size);
    stage->view.hud.time = 0.1;
    draw(studio, &stage->view);
    int changed = 0;
    for (size_t k = 0; k < size; k += 3) {
        changed += abs(studio->rgb[k] - first[k]) > 8;
    }
    assert_true(changed > WIDTH * HEIGHT / 400 && changed < WIDTH * HEIGHT / 4);
    stage->view.hud.time = 0.0;
    draw(studio, &stage->view);
    assert_memory_equal(studio->rgb, first, size);
    free(first);
    free(stage);
}

/// The evening's light is orange and comes flat: shadows are long.
TEST_WITH(look_at_the_evening, Studio *studio)
{
    Stage *stage = stage_by(18.3, 8000.0, 0.0);
    shoot(studio, &stage->view, "render-evening.png");
    double color[3];
    mean_color(studio, WIDTH / 2, HEIGHT - 30, color);
    assert_true(color[0] > 1.25 * color[2]);
    free(stage);
}

TEST_GROUP(open_studio, close_studio)
