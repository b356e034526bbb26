/// What the files of the ground share (ground*.c, slide.c). Others use ground.h.
#ifndef SPADEWORK_SOIL_GROUND_INTERNAL_H
#define SPADEWORK_SOIL_GROUND_INTERNAL_H

#include "data/core/constants.h"
#include "soil/ground/ground.h"

/// Layers of one column, wherever they are kept.
typedef struct ColumnLayers {
    int count;
    int32_t mass[GROUND_LAYERS];
    float density[GROUND_LAYERS];
    uint8_t soil[GROUND_LAYERS];
    uint8_t loose[GROUND_LAYERS];
} ColumnLayers;

static inline double ground_loose_density(const SoilParams *soil)
{
    return soil->bank_density / (1.0 + soil->swell);
}

/// m: thickness of layer k of a column.
static inline double ground_layer_thickness(const Ground *ground, const GroundTile *tile, int slot, int k)
{
    return tile->mass[slot][k] * SOIL_QUANTUM / ((double)tile->density[slot][k] * ground->area);
}

static inline int ground_tile_index(const Ground *ground, int row, int column)
{
    return (row / GROUND_TILE) * ground->tile_columns + column / GROUND_TILE;
}

static inline int ground_tile_slot(int row, int column)
{
    return (row % GROUND_TILE) * GROUND_TILE + column % GROUND_TILE;
}

/// Calls for each column of a tile that lies inside the grid.
#define FOR_TILE(ground, tile_row, tile_column, row, column)                                                           \
    for (int row = (tile_row)*GROUND_TILE; row < ((tile_row) + 1) * GROUND_TILE && row < (ground)->rows; row++)        \
        for (int column = (tile_column)*GROUND_TILE;                                                                   \
             column < ((tile_column) + 1) * GROUND_TILE && column < (ground)->columns; column++)

/// A column changes: its slopes and those around it are looked at when their tile slides next (slide.c).
void ground_unsettle(Ground *ground, int row, int column);
/// The same for all columns of a tile.
void ground_unsettle_tile(GroundTile *tile);

/// Entry of a column for what is done now; NULL when no account is kept.
static inline SoilAccountEntry *ground_entry(const Ground *ground, int row, int column)
{
    size_t cells = (size_t)ground->rows * (size_t)ground->columns;
    return ground->account == NULL
               ? NULL
               : &ground->account[ground->cause * cells + (size_t)ground_index(ground, row, column)];
}

/// What a column consists of; one that nothing has touched is read from the scene, and stays so.
void ground_read_layers(const Ground *ground, int row, int column, ColumnLayers *layers);

#endif
