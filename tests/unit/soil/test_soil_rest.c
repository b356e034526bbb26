/// Whether the ground has settled, and how high it is with its grains laid down.
#include "tests/support/soil_fixture.h"

#define RADIUS 0.05
#define MASS   0.8 ///< kg of a grain

/// A layer of grains, `height` over the ground.
static void add_layer(Soil *soil, double x, double y, double height)
{
    for (int i = -2; i <= 2; i++) {
        for (int j = -2; j <= 2; j++) {
            Vec3 at = vec3(x + 0.12 * i, y + 0.12 * j, height + RADIUS);
            assert_true(soil_add_particle(soil, at, vec3(0, 0, 0), RADIUS, 0, MASS) >= 0);
        }
    }
}

static int64_t quanta(double mass)
{
    return (int64_t)(mass / SOIL_QUANTUM + 0.5);
}

/// What falls stirs the place where it falls, and no other, until it lies.
TEST(test_what_falls_stirs_the_ground_until_it_lies)
{
    SceneParams scene = loam_scene();
    scene.particles.persistent = true; // they stay grains when they lie
    Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
    assert_false(soil_is_stirred(soil, NULL, 0, 0));
    add_layer(soil, 2.0, 0.0, 0.5);
    run_ticks(soil, NULL, 0, 5);
    const SoilPlace there = {.x = 2.0, .radius = 1.0}, elsewhere = {.x = -2.0, .length = 1.0, .width = 1.0};
    assert_true(soil_is_stirred(soil, NULL, 0, 0));
    assert_true(soil_is_stirred(soil, &elsewhere, 1, quanta(19.0)));
    assert_false(soil_is_stirred(soil, &elsewhere, 1, quanta(25 * MASS)));
    assert_false(soil_is_stirred(soil, &there, 1, 0));
    assert_false(soil_tray_is_stirred(soil, 0, 0)); // there is none
    run_ticks(soil, NULL, 0, 300);
    assert_false(soil_is_stirred(soil, NULL, 0, 0));
    assert_true(soil_get_ledger(soil).particles > 0);
    soil_destroy(soil);
}

/// What a tool carries does not stir the site, however fast it goes; what falls into a tray stirs the tray alone.
TEST(test_what_is_carried_or_in_a_tray_is_no_part_of_the_site)
{
    SceneParams scene = loam_scene();
    Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
    Status status;
    SoilTray tray = {.x = 2.0, .length = 2.0, .width = 2.0, .floor = 1.0, .wall = 0.6};
    assert_int_equal(soil_add_tray(soil, &tray, &status), 0);
    ToolShape shape = box_shape(1.4, 1.4, 0.8);
    SoilTool box = box_tool(&shape, vec3(-2.0, 0.0, 0.3));
    add_layer(soil, -2.0, 0.0, 0.3);
    run_ticks(soil, &box, 1, 60);
    add_layer(soil, 2.0, 0.0, 1.5);
    box.motion.velocity = vec3(0, 0, 1.0);
    run_ticks(soil, &box, 1, 3);
    assert_true(soil_get_payload(soil, &box, NULL) > 24.0 * MASS);
    assert_false(soil_is_stirred(soil, NULL, 0, 0));
    assert_true(soil_tray_is_stirred(soil, 0, 0));
    soil_destroy(soil);
}

/// m3 over the ground as it was.
static double heaped(const Soil *soil, bool all, const float *before, float *heights)
{
    SoilGridView grid = soil_get_grid(soil);
    double volume = 0.0;
    soil_get_rest(soil, all, heights);
    for (int k = 0; k < grid.rows * grid.columns; k++) {
        volume += ((double)heights[k] - (double)before[k]) * grid.spacing * grid.spacing;
    }
    return volume;
}

/// Grains at rest raise the ground by the room that they take as loose soil; grains that fall do so only where all are
/// laid down. A ground without grains is its grid.
TEST(test_grains_are_laid_down_with_their_volume)
{
    SceneParams scene = loam_scene();
    scene.particles.persistent = true;
    Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
    SoilGridView grid = soil_get_grid(soil);
    size_t size = (size_t)grid.rows * (size_t)grid.columns * sizeof(float);
    float *before = malloc(size), *heights = malloc(size);
    if (before == NULL || heights == NULL) {
        abort();
    }
    memcpy(before, grid.height, size);
    soil_get_rest(soil, SOIL_GRAINS_LOOSE, heights);
    assert_memory_equal(heights, before, size);
    add_layer(soil, 1.0, 0.5, 0.3);
    run_ticks(soil, NULL, 0, 3);
    double volume = 25 * MASS * (1.0 + scene.soils[0].swell) / scene.soils[0].bank_density;
    assert_near(heaped(soil, false, before, heights), 0.0, 1e-9);
    assert_near(heaped(soil, true, before, heights), volume, 1e-4 * volume);
    run_ticks(soil, NULL, 0, 300);
    assert_near(heaped(soil, false, before, heights), volume, 1e-4 * volume);
    int row, column;
    row = (int)((0.5 - grid.origin_y) / grid.spacing + 0.5);
    column = (int)((1.0 - grid.origin_x) / grid.spacing + 0.5);
    int middle = row * grid.columns + column;
    assert_true(heights[middle] > before[middle] + 0.01F);
    free(before);
    free(heights);
    soil_destroy(soil);
}

TEST_GROUP(NULL, NULL)
