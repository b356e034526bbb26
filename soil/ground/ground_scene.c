/// The undisturbed ground: what every column holds before anything touched it, from the scene and the seed alone.
///
/// Tiles without memory are made anew from here whenever they are asked for. Roughness is value noise of two
/// wavelengths (2.3 and 0.7 m, chosen) over a lattice of counter-based random numbers.
#include <assert.h>
#include <math.h>
#include <string.h>

#include "data/core/constants.h"
#include "data/core/random.h"
#include "data/schema/scene_ground.h"
#include "soil/ground/ground_internal.h"

#define SLOPE_MARGIN 1.02 ///< over tan of the angle of repose: less is a heap's own slope, rounded

/// Smooth value noise in 0..1 with period-free lattice of 1 m.
static double value_noise(uint64_t seed, double x, double y)
{
    double fx = floor(x), fy = floor(y);
    double tx = x - fx, ty = y - fy;
    int64_t ix = (int64_t)fx, iy = (int64_t)fy;
    double corner[2][2];
    for (int j = 0; j < 2; j++) {
        for (int i = 0; i < 2; i++) {
            corner[j][i] = random_unit(seed, (uint64_t)(iy + j), (uint64_t)(ix + i));
        }
    }
    tx = tx * tx * (3.0 - 2.0 * tx);
    ty = ty * ty * (3.0 - 2.0 * ty);
    double low = corner[0][0] + tx * (corner[0][1] - corner[0][0]);
    double high = corner[1][0] + tx * (corner[1][1] - corner[1][0]);
    return low + ty * (high - low);
}

static_assert((int)GROUND_LAYERS > (int)SCENE_MAX_STACK, "a column that nothing has touched has room for spoil");

static void add_layer(const Ground *ground, ColumnLayers *layers, const SceneStratum *stratum)
{
    const SoilParams *params = &ground->soils[stratum->soil];
    double density = stratum->loose ? ground_loose_density(params) : params->bank_density;
    double mass = stratum->thickness * density * ground->area / SOIL_QUANTUM;
    if (mass < 0.5 || layers->count == GROUND_LAYERS) {
        return;
    }
    int k = layers->count++;
    layers->mass[k] = (int32_t)(mass + 0.5);
    layers->density[k] = (float)density;
    layers->soil[k] = (uint8_t)stratum->soil;
    layers->loose[k] = stratum->loose;
}

void ground_generate_column(const Ground *ground, int row, int column, ColumnLayers *layers)
{
    memset(layers, 0, sizeof *layers);
    const SceneGround *scene = ground->scene;
    if (scene == NULL) {
        return;
    }
    double x = ground->origin_x + column * ground->spacing, y = ground->origin_y + row * ground->spacing;
    double rough =
        0.65 * value_noise(ground->seed, x / 2.3, y / 2.3) + 0.35 * value_noise(ground->seed + 1, x / 0.7, y / 0.7);
    double surface = scene->roughness * (2.0 * rough - 1.0);
    SceneProfile profile;
    scene_profile(scene, ground->tan_repose, surface - ground->base, x, y, &profile);
    for (int k = profile.count - 1; k >= 0; k--) {
        add_layer(ground, layers, &profile.strata[k]);
    }
}

static double layers_height(const Ground *ground, const ColumnLayers *layers)
{
    double height = ground->base;
    for (int k = 0; k < layers->count; k++) {
        height += layers->mass[k] * SOIL_QUANTUM / ((double)layers->density[k] * ground->area);
    }
    return height;
}

void ground_reset_column(Ground *ground, int row, int column)
{
    ColumnLayers layers;
    ground_generate_column(ground, row, column, &layers);
    int index = ground_index(ground, row, column), top = layers.count - 1;
    ground->height[index] = (float)layers_height(ground, &layers);
    ground->top_soil[index] = top >= 0 ? layers.soil[top] : 0;
    ground->top_fresh[index] = top >= 0 && layers.loose[top] ? 160 : 0;
    for (int k = 0; k < layers.count; k++) {
        ground->untouched_total += layers.mass[k];
    }
}

void ground_generate_surface(Ground *ground)
{
    ground->untouched_total = 0;
    for (int row = 0; row < ground->rows; row++) {
        for (int column = 0; column < ground->columns; column++) {
            ground_reset_column(ground, row, column);
        }
    }
}

void ground_wake_slopes(Ground *ground)
{
    const int rows[2] = {1, 0}, columns[2] = {0, 1};
    for (int index = 0; index < ground->rows * ground->columns; index++) {
        int row = index / ground->columns, column = index % ground->columns, slot;
        for (int d = 0; d < 2; d++) {
            int r = row + rows[d], c = column + columns[d];
            if (r >= ground->rows || c >= ground->columns) {
                continue;
            }
            double rise = (double)ground->height[ground_index(ground, r, c)] - (double)ground->height[index];
            int upper_row = rise > 0.0 ? r : row, upper_column = rise > 0.0 ? c : column;
            double repose = ground->tan_repose[ground->top_soil[ground_index(ground, upper_row, upper_column)]];
            if (fabs(rise) > SLOPE_MARGIN * repose * ground->spacing &&
                ground_top_is_loose(ground, upper_row, upper_column)) {
                ground_touch(ground, upper_row, upper_column, &slot);
            }
        }
    }
}
