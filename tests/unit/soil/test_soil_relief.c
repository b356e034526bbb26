/// A ground that begins with heights of a file: what columns hold where layers follow them or stay, heights between
/// columns, columns without a height, and bytes that are damaged.
// test: sanitized
#include "tests/support/soil_fixture.h"

#include <stdlib.h>

#include "data/schema/scene_relief.h"
#include "data/schema/scene_site.h"
#include "soil/soil_parts.h"

/// Has the ground begin with heights of its own; the caller frees the bytes.
static char *shape(SceneParams *scene, double height_at(double x, double y))
{
    SceneGround *ground = &scene->ground;
    int rows = scene_rows(ground), columns = scene_columns(ground);
    float *heights = malloc((size_t)rows * (size_t)columns * sizeof *heights);
    for (int k = 0; k < rows * columns; k++) {
        heights[k] = (float)height_at((k % columns - 0.5 * (columns - 1)) * ground->column_spacing,
                                      (k / columns - 0.5 * (rows - 1)) * ground->column_spacing);
    }
    size_t size;
    Status status;
    char *bytes = scene_relief_pack(ground, heights, &size);
    assert_good(scene_relief_take(ground, "heights", bytes, size, &status), status);
    free(heights);
    return bytes;
}

static double step_at(double x, double y)
{
    (void)y;
    return x < 0.0 ? -0.8 : 0.6;
}

static double slope_at(double x, double y)
{
    return 0.1 * x - 0.05 * y;
}

TEST(layers_follow_the_surface_or_stay_below_it)
{
    SceneParams scene = layered_scene();
    char *bytes = shape(&scene, step_at);
    expect_strata(&scene, 1.0, 0.0, 2, (int[]){0, 1}, (double[]){0.5, 2.1});
    expect_strata(&scene, -1.0, 0.0, 2, (int[]){0, 1}, (double[]){0.5, 0.7});
    scene.ground.surface.layers = SCENE_RELIEF_STAY;
    scene.ground.surface.soil_index = 2;
    expect_strata(&scene, 1.0, 0.0, 3, (int[]){2, 0, 1}, (double[]){0.6, 0.5, 1.5});
    expect_strata(&scene, -1.0, 0.0, 1, (int[]){1}, (double[]){1.2});
    scene.ground.surface.layers = SCENE_RELIEF_FOLLOW;
    scene.ground.layers[0].thickness = 1.5; // thicker than what lies over bedrock in the low part
    expect_strata(&scene, -1.0, 0.0, 1, (int[]){0}, (double[]){1.2});
    free(bytes);
}

TEST(a_soil_begins_with_the_heights)
{
    SceneParams scene = layered_scene();
    char *bytes = shape(&scene, slope_at);
    Status status;
    Soil *soil = soil_create(&scene, 1, SOIL_SOLVER_DEFAULT, 1, &status);
    assert_good(soil != NULL, status);
    SoilGridView grid = soil_get_grid(soil);
    for (int k = 0; k < grid.rows * grid.columns; k++) {
        double x = grid.origin_x + k % grid.columns * grid.spacing, y = grid.origin_y + k / grid.columns * grid.spacing;
        assert_near((double)grid.height[k], slope_at(x, y), 1.5e-4); // kept to 0.1 mm, and in whole quanta
    }
    assert_near(scene_surface(&scene.ground, 0.0, 0.123, -0.456), slope_at(0.123, -0.456), 1e-4);
    SceneStand stand = scene_stand(&scene.ground, 0.3, 0.2, 0.0, 2.0, 1.0);
    assert_near(stand.along, 0.1, 1e-4);
    assert_near(stand.across, -0.05, 1e-4);
    soil_destroy(soil);
    free(bytes);
}

TEST(columns_without_a_height_take_the_nearest_ones)
{
    SceneParams scene = layered_scene();
    SceneGround *ground = &scene.ground;
    ground->size_x = ground->size_y = 10.0;
    ground->column_spacing = 0.5;
    int columns = scene_columns(ground), cells = columns * scene_rows(ground);
    float heights[400], turned[400];
    assert_int_equal(cells, 400);
    for (int k = 0; k < cells; k++) {
        heights[k] = turned[k] = (float)NAN;
    }
    static const int places[][2] = {{3, 4}, {3, 12}, {15, 8}, {9, 9}};
    for (int k = 0; k < 4; k++) {
        heights[places[k][0] * columns + places[k][1]] = (float)(k + 1);
        turned[places[k][1] * columns + places[k][0]] = (float)(k + 1);
    }
    assert_true(scene_relief_spread(ground, heights) && scene_relief_spread(ground, turned));
    for (int k = 0; k < cells; k++) {
        int row = k / columns, column = k % columns, best = 1 << 20, count = 0;
        double sum = 0.0;
        for (int n = 0; n < 4; n++) {
            int dr = row - places[n][0], dc = column - places[n][1], distance = dr * dr + dc * dc;
            sum = distance < best ? 0.0 : sum;
            count = distance < best ? 0 : count;
            best = distance < best ? distance : best;
            sum += distance == best ? n + 1.0 : 0.0;
            count += distance == best;
        }
        assert_near((double)heights[k], sum / count, 1e-6);
        assert_near((double)turned[column * columns + row], (double)heights[k], 1e-6);
    }
}

TEST(damaged_heights_are_refused)
{
    SceneParams scene = layered_scene();
    char *bytes = shape(&scene, slope_at);
    size_t size = scene.ground.surface.text_size;
    Status status;
    assert_false(scene_relief_take(&scene.ground, "kept", bytes, size - 4, &status));
    assert_contains(status.text, "kept: is damaged: allowed are");
    bytes[10] = 'G';
    assert_false(scene_relief_take(&scene.ground, "kept", bytes, size, &status));
    bytes[10] = 'g';
    assert_true(scene_relief_take(&scene.ground, "kept", bytes, size, &status));
    bytes[size - 1] = 127;
    assert_false(scene_relief_take(&scene.ground, "kept", bytes, size, &status));
    free(bytes);
}

TEST(a_patch_stays_above_bedrock_in_the_lowest_place)
{
    SceneParams scene = layered_scene();
    char *bytes = shape(&scene, step_at);
    Status status;
    scene.ground.patch_count = 1;
    scene.ground.patches[0] = (ScenePatch){.radius = 1.0, .top = 0.5, .thickness = 0.6};
    assert_true(scene_relief_fits(&scene.ground, &status));
    scene.ground.patches[0].thickness = 0.9;
    assert_false(scene_relief_fits(&scene.ground, &status));
    assert_contains(status.text, "its lowest place is -0.8 m, where ground.patches.0");
    free(bytes);
}

TEST_GROUP(NULL, NULL)
