/// Saves and restores the ground: the tiles that something has touched, and what tools rest on.
///
/// Tiles that nothing has touched follow from the scene and the seed. A restored tile whose numbers this program could
/// not have written is refused before anything uses it.
#include <math.h>
#include <stdlib.h>

#include "soil/ground/ground_internal.h"

static void visit_tile(GroundTile *tile, StateVisitor *visitor)
{
    STATE_VISIT(visitor, "ground.mass", tile->mass);
    STATE_VISIT(visitor, "ground.density", tile->density);
    STATE_VISIT(visitor, "ground.soil", tile->soil);
    STATE_VISIT(visitor, "ground.loose", tile->loose);
    STATE_VISIT(visitor, "ground.count", tile->count);
    STATE_VISIT(visitor, "ground.fresh", tile->fresh);
    STATE_VISIT(visitor, "ground.sliding", tile->sliding);
    STATE_VISIT(visitor, "ground.doubtful", tile->doubtful);
}

/// A restored tile whose numbers could not have been written by this program is refused.
static bool tile_is_valid(const Ground *ground, const GroundTile *tile)
{
    for (int slot = 0; slot < GROUND_TILE * GROUND_TILE; slot++) {
        if (tile->count[slot] > GROUND_LAYERS) {
            return false;
        }
        for (int k = 0; k < tile->count[slot]; k++) {
            if (tile->mass[slot][k] < 0 || tile->mass[slot][k] > 1000000000 ||
                tile->soil[slot][k] >= ground->soil_count ||
                !(tile->density[slot][k] > 1.0F && tile->density[slot][k] < 1e5F)) {
                return false;
            }
        }
    }
    return true;
}

/// Tiles begin anew without memory. Only they are looked at, so that a restore costs what the site's active part costs.
static void forget_tiles(Ground *ground)
{
    for (int index = 0; index < ground->tile_rows * ground->tile_columns; index++) {
        if (ground->tiles[index] == NULL) {
            continue;
        }
        free(ground->tiles[index]);
        ground->tiles[index] = NULL;
        FOR_TILE(ground, index / ground->tile_columns, index % ground->tile_columns, row, column)
        {
            ground_reset_column(ground, row, column);
            ground_mark_dirty(ground, row, column);
        }
    }
}

static void restore_tiles(Ground *ground, StateVisitor *visitor, int32_t count)
{
    int32_t tiles = ground->tile_rows * ground->tile_columns;
    for (int32_t n = 0; n < count && !visitor->failed; n++) {
        int32_t index = -1;
        STATE_VISIT(visitor, "ground.tile", index);
        if (visitor->failed || index < 0 || index >= tiles || ground->tiles[index] != NULL) {
            visitor->failed = true;
            return;
        }
        int row = (index / ground->tile_columns) * GROUND_TILE, column = (index % ground->tile_columns) * GROUND_TILE,
            slot;
        GroundTile *tile = ground_touch(ground, row, column, &slot);
        visit_tile(tile, visitor);
        if (visitor->failed || !tile_is_valid(ground, tile)) {
            visitor->failed = true;
            return;
        }
        FOR_TILE(ground, row / GROUND_TILE, column / GROUND_TILE, r, c)
        {
            ground_update_height(ground, r, c);
        }
    }
}

/// All tiles of the site, as if each had been touched.
static void measure_tiles(StateVisitor *visitor, int32_t count)
{
    GroundTile *any = malloc(sizeof *any); // nobody reads it
    visitor->failed = visitor->failed || any == NULL;
    for (int32_t index = 0; index < count && any != NULL; index++) {
        STATE_VISIT(visitor, "ground.tile", index);
        visit_tile(any, visitor);
    }
    free(any);
}

/// What tools rest on is not cut in the next tick.
static void visit_covers(Ground *ground, StateVisitor *visitor)
{
    int32_t covers = visitor->measuring ? GROUND_COVERS : ground->cover_count;
    STATE_VISIT(visitor, "ground.covers", covers);
    if (visitor->restoring && (visitor->failed || covers < 0 || covers > GROUND_COVERS)) {
        visitor->failed = true;
        return;
    }
    ground->cover_count = visitor->measuring ? ground->cover_count : covers;
    for (int k = 0; k < covers; k++) {
        GroundCover *cover = &ground->covers[k];
        STATE_VISIT(visitor, "ground.cover", *cover);
        double sum = cover->x[0] + cover->x[1] + cover->y[0] + cover->y[1] + cover->low[0] + cover->low[1];
        bool finite = visitor->measuring || isfinite(sum + cover->high[0] + cover->high[1]);
        visitor->failed = visitor->failed || !finite;
    }
}

void ground_visit(Ground *ground, StateVisitor *visitor)
{
    int32_t count = 0, tiles = ground->tile_rows * ground->tile_columns;
    for (int32_t index = 0; index < tiles; index++) {
        count += ground->tiles[index] != NULL;
    }
    STATE_VISIT(visitor, "ground.tiles", count);
    visit_covers(ground, visitor);
    if (visitor->restoring) {
        forget_tiles(ground);
        ground->version++;
        restore_tiles(ground, visitor, count);
        return;
    }
    if (visitor->measuring) {
        measure_tiles(visitor, tiles);
        return;
    }
    for (int32_t index = 0; index < tiles; index++) {
        if (ground->tiles[index] != NULL) {
            STATE_VISIT(visitor, "ground.tile", index);
            visit_tile(ground->tiles[index], visitor);
        }
    }
}
