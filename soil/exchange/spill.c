/// Counts what was spilled: soil that lies where it did not lie before, and where it should not.
///
/// Columns are compared with what they held when the soil was created, to the quantum; particles at rest count to the
/// column below them. What lies in trays or tools, and what still moves, is not spilled.
#include <string.h>

#include "soil/exchange/exchange.h"
#include "soil/ground/ground_internal.h"
#include "soil/tool/payload.h"

typedef struct Spill {
    const SoilPlace *places;
    int count;
    double least; ///< m of loose soil
    int64_t quanta; ///< so far
} Spill;

/// Counts what a column gained.
static void add_gain(Spill *spill, const Ground *ground, int row, int column, int64_t gain)
{
    double density = ground_loose_density(&ground->soils[ground_top_soil(ground, row, column)]);
    double x = ground->origin_x + column * ground->spacing, y = ground->origin_y + row * ground->spacing;
    bool much = gain > 0 && (double)gain * SOIL_QUANTUM >= spill->least * density * ground->area;
    spill->quanta += much && !place_holds(spill->places, spill->count, x, y) ? gain : 0;
}

/// Puts the particles at rest on the columns below them. Ground that nothing touched has no tile: what lies there is a
/// gain.
static void add_particles(const SoilModel *model, const Grounds *grounds, const Particles *p, const SolverBody *bodies,
                          int body_count, Spill *spill)
{
    const Ground *ground = grounds->site;
    for (int32_t i = 0; i < p->count; i++) {
        Vec3 at = vec3(p->x[i], p->y[i], p->z[i]);
        if (p->quiet[i] < LYING_TICKS || support_find(model, grounds, at.x, at.y, at.z).tray != NULL ||
            payload_holds(bodies, body_count, at)) {
            continue;
        }
        int row, column;
        ground_column_at(ground, at.x, at.y, &row, &column);
        GroundTile *tile = ground->tiles[ground_tile_index(ground, row, column)];
        if (tile != NULL) {
            tile->resting[ground_tile_slot(row, column)] += p->mass[i];
        } else {
            add_gain(spill, ground, row, column, p->mass[i]);
        }
    }
}

static void add_tile(Spill *spill, const Ground *ground, int tile_row, int tile_column)
{
    const GroundTile *tile = ground->tiles[tile_row * ground->tile_columns + tile_column];
    FOR_TILE(ground, tile_row, tile_column, row, column)
    {
        int slot = ground_tile_slot(row, column);
        int64_t gain = (int64_t)tile->resting[slot] - tile->original[slot];
        for (int k = 0; k < tile->count[slot]; k++) {
            gain += tile->mass[slot][k];
        }
        add_gain(spill, ground, row, column, gain);
    }
}

int64_t spill_count(const SoilModel *model, const Grounds *grounds, const Particles *particles,
                    const SolverBody *bodies, int body_count, const SoilPlace *places, int count, double least)
{
    const Ground *ground = grounds->site;
    Spill spill = {.places = places, .count = count, .least = least};
    int tiles = ground->tile_rows * ground->tile_columns;
    for (int k = 0; k < tiles; k++) {
        if (ground->tiles[k] != NULL) {
            memset(ground->tiles[k]->resting, 0, sizeof ground->tiles[k]->resting);
        }
    }
    add_particles(model, grounds, particles, bodies, body_count, &spill);
    for (int k = 0; k < tiles; k++) {
        if (ground->tiles[k] != NULL) {
            add_tile(&spill, ground, k / ground->tile_columns, k % ground->tile_columns);
        }
    }
    return spill.quanta;
}
