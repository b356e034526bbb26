/// The undisturbed ground: what every column holds before anything touched it, from the scene and the seed alone.
///
/// Roughness is value noise of two wavelengths (2.3 and 0.7 m, chosen) over a lattice of counter-based random numbers.
/// A tile's columns are computed row by row, since they share the lattice.
#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "data/core/random.h"
#include "data/schema/scene_site.h"
#include "soil/ground/ground.h"

#define COARSE 2.3 ///< m: wavelengths of the roughness
#define FINE   0.7

static double smooth_share(double share)
{
    return share * share * (3.0 - 2.0 * share);
}

/// Puts column `k` to a place along x, m.
static void noise_put_column(GroundNoise *noise, int k, double x)
{
    double low = floor(x);
    noise->x[k] = (int64_t)low;
    noise->share[k] = smooth_share(x - low);
}

static void noise_find_corners(GroundNoise *noise, int count)
{
    for (int k = 0; k < count; k++) {
        bool same = k > 0 && noise->x[k] == noise->x[k - 1];
        for (int n = 0; n < 4; n++) {
            int64_t y = noise->y + n / 2, x = noise->x[k] + n % 2;
            noise->corner[k][n / 2][n % 2] =
                same ? noise->corner[k - 1][n / 2][n % 2] : random_unit(noise->seed, (uint64_t)y, (uint64_t)x);
        }
    }
}

/// Computes the values of a row, y in m. `first`: of all rows.
static void noise_compute_row(GroundNoise *noise, int count, double y, bool first)
{
    double below = floor(y), up = smooth_share(y - below);
    if (first || noise->y != (int64_t)below) {
        noise->y = (int64_t)below;
        noise_find_corners(noise, count);
    }
    for (int k = 0; k < count; k++) {
        const double *under = noise->corner[k][0], *over = noise->corner[k][1];
        double low = under[0] + noise->share[k] * (under[1] - under[0]);
        double high = over[0] + noise->share[k] * (over[1] - over[0]);
        noise->value[k] = low + up * (high - low);
    }
}

/// `count` columns from `column` on, in no row yet. A ground without a scene has no relief.
void ground_relief_begin(const Ground *ground, int column, int count, GroundRelief *relief)
{
    relief->column = column;
    relief->count = count;
    relief->row = -1;
    relief->coarse.seed = ground->seed;
    relief->fine.seed = ground->seed + 1;
    for (int k = 0; ground->scene != NULL && k < count; k++) {
        double x = ground->origin_x + (column + k) * ground->spacing;
        noise_put_column(&relief->coarse, k, x / COARSE);
        noise_put_column(&relief->fine, k, x / FINE);
    }
}

/// The surface of one of the relief's columns, m over the level one.
static double relief_surface(const Ground *ground, int row, int column, GroundRelief *relief)
{
    if (row != relief->row) {
        double y = ground->origin_y + row * ground->spacing;
        noise_compute_row(&relief->coarse, relief->count, y / COARSE, relief->row < 0);
        noise_compute_row(&relief->fine, relief->count, y / FINE, relief->row < 0);
        relief->row = row;
    }
    int k = column - relief->column;
    double rough = 0.65 * relief->coarse.value[k] + 0.35 * relief->fine.value[k];
    return ground->scene->roughness * (2.0 * rough - 1.0);
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

/// The undisturbed column, one of the relief's, from the scene and the seed.
void ground_relief_column(const Ground *ground, int row, int column, GroundRelief *relief, ColumnLayers *layers)
{
    layers->count = 0;
    const SceneGround *scene = ground->scene;
    if (scene == NULL) {
        return;
    }
    double x = ground->origin_x + column * ground->spacing, y = ground->origin_y + row * ground->spacing;
    double surface = relief_surface(ground, row, column, relief);
    SceneProfile profile;
    scene_profile(scene, &ground->angles, ground->tan_repose, surface - ground->base, x, y, &profile);
    for (int k = profile.count - 1; k >= 0; k--) {
        add_layer(ground, layers, &profile.strata[k]);
    }
}

double ground_layers_height(const Ground *ground, const ColumnLayers *layers)
{
    double height = ground->base;
    for (int k = 0; k < layers->count; k++) {
        height += layers->mass[k] * SOIL_QUANTUM / ((double)layers->density[k] * ground->area);
    }
    return height;
}

bool ground_keep_border(Ground *ground)
{
    int rows = ground->rows, columns = ground->columns;
    float *border = malloc(2 * ((size_t)rows + (size_t)columns) * sizeof *border);
    for (int k = 0; border != NULL && k < columns; k++) {
        border[k] = ground->height[k];
        border[columns + k] = ground->height[ground_index(ground, rows - 1, k)];
    }
    for (int k = 0; border != NULL && k < rows; k++) {
        border[2 * columns + k] = ground->height[ground_index(ground, k, 0)];
        border[2 * columns + rows + k] = ground->height[ground_index(ground, k, columns - 1)];
    }
    ground->border = border;
    return border != NULL;
}

/// ---- what lies on it -----------------------------------------------------------------------------------------------

/// Height (m) of the intact ground of a column at the start, and its soil.
static double start_firm_top(const Ground *ground, int row, int column, int *soil)
{
    assert(row >= 0);
    GroundRelief relief;
    ColumnLayers layers;
    ground_relief_begin(ground, column, 1, &relief);
    ground_relief_column(ground, row, column, &relief, &layers);
    while (layers.count > 0 && layers.loose[layers.count - 1]) { // a mound of the scene
        layers.count--;
    }
    *soil = layers.count > 0 ? layers.soil[layers.count - 1] : 0;
    return ground_layers_height(ground, &layers);
}

double ground_cover(const Ground *ground, int row, int column, double firm_top, int *under)
{
    const double cut = 0.0005; // m
    int index = ground_index(ground, row, column), slot = ground_tile_slot(row, column);
    const GroundTile *tile = ground->tiles[ground_tile_index(ground, row, column)];
    bool mound = (tile == NULL ? ground->top_fresh[index] : tile->start_fresh[slot]) > 0;
    *under = tile == NULL ? ground->top_soil[index] : tile->start_soil[slot];
    double start = mound          ? start_firm_top(ground, row, column, under)
                   : tile == NULL ? (double)ground->height[index]
                                  : (double)tile->start_height[slot];
    double firm = tile == NULL ? start : firm_top;
    return fabs(firm - start) < cut ? fmax((double)ground->height[index] - firm, 0.0) : -1.0;
}
