/// What stands in a column above a height. Tiles that nothing has touched are read from the scene: looking at a column
/// makes nothing awake and takes no memory.
#include "soil/ground/profile.h"

#include <math.h>
#include <string.h>

#include "soil/ground/ground_internal.h"

void ground_read_layers(const Ground *ground, int row, int column, ColumnLayers *layers)
{
    const GroundTile *tile = ground->tiles[ground_tile_index(ground, row, column)];
    if (tile == NULL) {
        ground_generate_column(ground, row, column, layers);
        return;
    }
    int slot = ground_tile_slot(row, column);
    layers->count = tile->count[slot];
    memcpy(layers->mass, tile->mass[slot], sizeof layers->mass);
    memcpy(layers->density, tile->density[slot], sizeof layers->density);
    memcpy(layers->soil, tile->soil[slot], sizeof layers->soil);
    memcpy(layers->loose, tile->loose[slot], sizeof layers->loose);
}

static double firmness_of(const Ground *ground, const ColumnLayers *layers, int k)
{
    const SoilParams *soil = &ground->soils[layers->soil[k]];
    double loose = ground_loose_density(soil), range = soil->bank_density - loose;
    double firm = range > 0.0 ? ((double)layers->density[k] - loose) / range : 0.0;
    return layers->loose[k] ? fmax(0.0, fmin(1.0, firm)) : 1.0;
}

GroundProfile ground_profile_above(const Ground *ground, int row, int column, double z)
{
    ColumnLayers layers;
    ground_read_layers(ground, row, column, &layers);
    GroundProfile profile = {.soil = ground_top_soil(ground, row, column)};
    double top = (double)ground->height[ground_index(ground, row, column)];
    for (int k = layers.count - 1; k >= 0; k--) {
        double density = (double)layers.density[k], weight = layers.mass[k] * SOIL_QUANTUM / ground->area;
        double bottom = top - weight / density;
        profile.soil = layers.soil[k];
        profile.density = density;
        profile.firmness = firmness_of(ground, &layers, k);
        profile.weight += STANDARD_GRAVITY * (bottom < z ? fmax(0.0, density * (top - z)) : weight);
        if (bottom < z) {
            break;
        }
        top = bottom;
    }
    return profile;
}

int ground_profile_layers(const Ground *ground, int row, int column, SoilLayer out[GROUND_LAYERS])
{
    ColumnLayers layers;
    ground_read_layers(ground, row, column, &layers);
    double top = (double)ground->height[ground_index(ground, row, column)];
    for (int k = layers.count - 1, n = 0; k >= 0; k--, n++) {
        top -= layers.mass[k] * SOIL_QUANTUM / ground->area / (double)layers.density[k];
        out[n] = (SoilLayer){.bottom = top, .soil = layers.soil[k], .looseness = 1.0 - firmness_of(ground, &layers, k)};
    }
    return layers.count;
}

double ground_dense_thickness(const Ground *ground, int row, int column, double low, double high, double share)
{
    ColumnLayers layers;
    ground_read_layers(ground, row, column, &layers);
    double top = (double)ground->height[ground_index(ground, row, column)], dense = 0.0;
    for (int k = layers.count - 1; k >= 0 && top > low; k--) {
        double density = (double)layers.density[k];
        double bottom = top - layers.mass[k] * SOIL_QUANTUM / ground->area / density;
        bool enough = !layers.loose[k] || density >= share * ground->soils[layers.soil[k]].bank_density;
        dense += enough ? fmax(0.0, fmin(top, high) - fmax(bottom, low)) : 0.0;
        top = bottom;
    }
    return dense;
}
