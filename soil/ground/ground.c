/// The ground of a site or tray as layered columns: tiles, cutting, putting, loosening and reading, the saved state,
/// and slopes that slide.
#include "soil/ground/ground.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "data/core/constants.h"
#include "data/core/elementary.h"
#include "data/core/zeroed_memory.h"
#include "data/schema/scene_site.h"

/// ---- tiles that nothing has touched --------------------------------------------------------------------------------
/// Tiles without memory are made anew from the scene whenever they are asked for (undisturbed.c).

#define SLOPE_MARGIN 1.02 ///< over tan of the angle of repose: less is a heap's own slope, rounded

/// Entry of a column for what is done now; NULL when no account is kept.
static SoilAccountEntry *ground_entry(const Ground *ground, int row, int column)
{
    size_t cells = (size_t)ground->rows * (size_t)ground->columns;
    return ground->account == NULL
               ? NULL
               : &ground->account[ground->cause * cells + (size_t)ground_index(ground, row, column)];
}

/// A column without memory begins anew: its surface, and its quanta among those of tiles without memory.
static void reset_column(Ground *ground, int row, int column, GroundRelief *relief)
{
    ColumnLayers layers;
    ground_relief_column(ground, row, column, relief, &layers);
    int index = ground_index(ground, row, column), top = layers.count - 1;
    ground->height[index] = (float)ground_layers_height(ground, &layers);
    ground->top_soil[index] = top >= 0 ? layers.soil[top] : 0;
    ground->top_fresh[index] = top >= 0 && layers.loose[top] ? 160 : 0;
    for (int k = 0; k < layers.count; k++) {
        ground->untouched_total += layers.mass[k];
    }
}

/// Columns of a tile inside the grid, side by side.
static size_t tile_width(const Ground *ground, int tile_column)
{
    int left = ground->columns - tile_column * GROUND_TILE;
    return (size_t)(left < GROUND_TILE ? left : GROUND_TILE);
}

/// Begins the relief of a tile's columns.
static void relief_begin_tile(const Ground *ground, int tile_column, GroundRelief *relief)
{
    ground_relief_begin(ground, tile_column * GROUND_TILE, (int)tile_width(ground, tile_column), relief);
}

/// A tile without memory begins anew.
static void reset_tile(Ground *ground, int tile_row, int tile_column)
{
    GroundRelief relief;
    relief_begin_tile(ground, tile_column, &relief);
    FOR_TILE(ground, tile_row, tile_column, row, column)
    {
        reset_column(ground, row, column, &relief);
    }
}

/// The whole undisturbed surface; all quanta are in tiles without memory.
static void ground_generate_surface(Ground *ground)
{
    ground->untouched_total = 0;
    for (int index = 0; index < ground->tile_rows * ground->tile_columns; index++) {
        reset_tile(ground, index / ground->tile_columns, index % ground->tile_columns);
    }
}

/// Columns: no pair's slope follows from what is farther away from either of its columns.
enum { SLIDE_SEES = 2 };

void ground_unsettle_tile(GroundTile *tile)
{
    memset(tile->unsettled, 0xff, sizeof tile->unsettled);
}

/// All steps of a tile are judged when it is due next, and those of which its columns are a part.
static void forget_faces(const Ground *ground, GroundTile *tile)
{
    memset(tile->stands, 0, sizeof tile->stands);
    for (int slot = 0; slot < GROUND_TILE * GROUND_TILE; slot++) {
        tile->touched[slot] = ground->face_looks;
    }
}

/// Marks a column as changed: its slopes and those around it are judged when their tile slides next.
static void ground_unsettle(Ground *ground, GroundTile *own, int row, int column)
{
    const int first = row - SLIDE_SEES > 0 ? row - SLIDE_SEES : 0;
    const int end = row + SLIDE_SEES < ground->rows ? row + SLIDE_SEES + 1 : ground->rows;
    const int r = ground_in_tile(row), c = ground_in_tile(column), tile_column = ground_tile_of(column);
    const uint64_t around = (2ULL << (2 * SLIDE_SEES)) - 1; // from SLIDE_SEES columns before to as many behind
    const uint64_t shifted = around << (GROUND_TILE + c - SLIDE_SEES); // bit GROUND_TILE is this tile's column 0
    const uint32_t bits[3] = {(uint32_t)shifted, (uint32_t)(shifted >> GROUND_TILE),
                              (uint32_t)(around >> (GROUND_TILE - c + SLIDE_SEES))};
    if (first >= row - r && end <= row - r + GROUND_TILE && (bits[0] | bits[2]) == 0) { // most columns
        for (int k = first; k < end; k++) {
            own->unsettled[k - (row - r)] |= bits[1];
        }
        return;
    }
    for (int k = 0; k < 3; k++) {
        int beside = tile_column + k - 1;
        if (bits[k] == 0 || beside < 0 || beside >= ground->tile_columns) {
            continue;
        }
        for (int n = first; n < end; n++) {
            GroundTile *tile = ground->tiles[ground_tile_of(n) * ground->tile_columns + beside];
            if (tile != NULL) {
                tile->unsettled[ground_in_tile(n)] |= bits[k];
            }
        }
    }
}

static void store_column(GroundTile *tile, int slot, const ColumnLayers *layers)
{
    for (int k = 0; k < layers->count; k++) {
        tile->mass[slot][k] = layers->mass[k];
        tile->density[slot][k] = layers->density[k];
        tile->soil[slot][k] = layers->soil[k];
        tile->loose[slot][k] = layers->loose[k];
    }
    tile->count[slot] = (uint8_t)layers->count;
}

/// Loops over the rows of a tile inside the grid: `index` of their first column in Ground.height, `slot` in the tile.
#define FOR_TILE_ROWS(ground, tile_row, tile_column, index, slot)                                                      \
    for (int index = ground_index(ground, (tile_row)*GROUND_TILE, (tile_column)*GROUND_TILE), slot = 0;                \
         slot < GROUND_TILE * GROUND_TILE && index < (ground)->rows * (ground)->columns;                               \
         index += (ground)->columns, slot += GROUND_TILE)

/// Fills a tile, whose state is zero, with what nothing has touched.
static void generate_tile(const Ground *ground, int tile_row, int tile_column, GroundTile *tile)
{
    GroundRelief relief;
    relief_begin_tile(ground, tile_column, &relief);
    tile->original_total = 0;
    FOR_TILE(ground, tile_row, tile_column, row, column)
    {
        int slot = ground_tile_slot(row, column);
        ColumnLayers layers;
        ground_relief_column(ground, row, column, &relief, &layers);
        store_column(tile, slot, &layers);
        tile->fresh[slot] = ground->top_fresh[ground_index(ground, row, column)];
        tile->original[slot] = 0;
        for (int k = 0; k < layers.count; k++) {
            tile->original[slot] += layers.mass[k];
        }
        tile->original_total += tile->original[slot];
    }
}

/// Keeps the surface of a tile that nothing has touched.
static void keep_start(const Ground *ground, int tile_row, int tile_column, GroundTile *tile)
{
    size_t width = tile_width(ground, tile_column);
    FOR_TILE_ROWS(ground, tile_row, tile_column, index, slot)
    {
        memcpy(tile->start_height + slot, ground->height + index, width * sizeof *ground->height);
        memcpy(tile->start_soil + slot, ground->top_soil + index, width);
        memcpy(tile->start_fresh + slot, ground->top_fresh + index, width);
    }
}

/// What stands for a tile that got no memory: the ground has failed, and the caller works on something until the tick
/// is over, while the ground stays what it was.
static GroundTile *stand_in(Ground *ground, int tile_row, int tile_column)
{
    ground->failed = true;
    memset(ground->stand_in, 0, sizeof *ground->stand_in);
    generate_tile(ground, tile_row, tile_column, ground->stand_in);
    ground_unsettle_tile(ground->stand_in);
    return ground->stand_in;
}

/// Adds a tile to those with memory, which are in ascending order.
static void note_live(Ground *ground, int index)
{
    int place = ground->live_count;
    while (place > 0 && ground->live[place - 1] > index) {
        ground->live[place] = ground->live[place - 1];
        place--;
    }
    ground->live[place] = index;
    ground->live_count++;
}

/// Gives a tile its memory. `filled`: with what nothing has touched; else the caller fills its state.
static GroundTile *begin_tile(Ground *ground, int tile_row, int tile_column, bool filled)
{
    int index = tile_row * ground->tile_columns + tile_column;
    GroundTile *tile = ground->spare[index];
    if (tile == NULL) {
        tile = calloc(1, sizeof *tile);
        if (tile == NULL) {
            return stand_in(ground, tile_row, tile_column);
        }
        keep_start(ground, tile_row, tile_column, tile);
        generate_tile(ground, tile_row, tile_column, tile);
    } else if (filled) {
        memset(tile, 0, offsetof(GroundTile, original));
        generate_tile(ground, tile_row, tile_column, tile);
    }
    ground->spare[index] = NULL;
    ground->tiles[index] = tile;
    note_live(ground, index);
    ground->untouched_total -= tile->original_total;
    ground_unsettle_tile(tile);
    forget_faces(ground, tile);
    return tile;
}

/// Tile with memory, and the column's slot in it.
GroundTile *ground_touch(Ground *ground, int row, int column, int *slot)
{
    GroundTile *tile = ground->tiles[ground_tile_index(ground, row, column)];
    *slot = ground_tile_slot(row, column);
    if (tile == NULL) {
        tile = begin_tile(ground, row / GROUND_TILE, column / GROUND_TILE, true);
    }
    tile->changed = true;
    tile->sliding = 1;
    tile->doubtful = GROUND_DOUBTFUL;
    tile->touched[*slot] = ground->face_looks;
    ground_unsettle(ground, tile, row, column);
    return tile;
}

/// Lets loose soil slide that the scene puts steeper than it stands, as where a cut opens it.
static void ground_wake_slopes(Ground *ground)
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

/// ---- columns -------------------------------------------------------------------------------------------------------
/// Layers of one column: what is cut off, put on, loosened and asked for; tiles get memory when something first touches
/// them.
///
/// Mass is kept in whole quanta and height follows from it: base + sum of mass / (density area). A column has at most
/// GROUND_LAYERS layers: where one more is needed, the thinnest is joined with its neighbour, which keeps mass and
/// thickness. Between the middles of columns the surface is bilinear.

/// Soil under the surface at slot; the lowest soil of the scene where the column is empty.
static int slot_top_soil(const GroundTile *tile, int slot)
{
    return tile->count[slot] > 0 ? tile->soil[slot][tile->count[slot] - 1] : 0;
}

bool ground_top_is_loose(const Ground *ground, int row, int column)
{
    const GroundTile *tile = ground->tiles[ground_tile_index(ground, row, column)];
    if (tile == NULL) {
        return ground->top_fresh[ground_index(ground, row, column)] > 0; // a mound of the scene
    }
    int slot = ground_tile_slot(row, column);
    return tile->count[slot] > 0 && tile->loose[slot][tile->count[slot] - 1];
}

static void mark_column(Ground *ground, int row, int column)
{
    GroundMark *mark = &ground->marks[ground_tile_index(ground, row, column)];
    int r = ground_in_tile(row), c = ground_in_tile(column);
    bool empty = mark->end_row == 0;
    if (empty) {
        ground->marked[ground->marked_count++] = ground_tile_index(ground, row, column);
    }
    mark->first_row = (uint8_t)(empty || r < mark->first_row ? r : mark->first_row);
    mark->end_row = (uint8_t)(r >= mark->end_row ? r + 1 : mark->end_row);
    mark->first_column = (uint8_t)(empty || c < mark->first_column ? c : mark->first_column);
    mark->end_column = (uint8_t)(c >= mark->end_column ? c + 1 : mark->end_column);
}

/// A column's surface has changed: it is to be drawn anew.
static void ground_mark_dirty(Ground *ground, int row, int column)
{
    ground->version++;
    mark_column(ground, row, column);
    int *dirty = ground->dirty;
    dirty[0] = row < dirty[0] ? row : dirty[0];
    dirty[1] = row > dirty[1] ? row : dirty[1];
    dirty[2] = column < dirty[2] ? column : dirty[2];
    dirty[3] = column > dirty[3] ? column : dirty[3];
}

/// Computes a column's height and top from its layers.
static void compute_surface(Ground *ground, const GroundTile *tile, int row, int column)
{
    int slot = ground_tile_slot(row, column), index = ground_index(ground, row, column);
    double height = ground->base;
    for (int k = 0; k < tile->count[slot]; k++) {
        height += ground_layer_thickness(ground, tile, slot, k);
    }
    ground->height[index] = (float)height;
    ground->top_soil[index] = (uint8_t)slot_top_soil(tile, slot);
    ground->top_fresh[index] = tile->fresh[slot];
}

void ground_update_height(Ground *ground, int row, int column)
{
    const GroundTile *tile = ground->tiles[ground_tile_index(ground, row, column)];
    if (tile == NULL) {
        return; // it got no memory, and nothing was changed
    }
    compute_surface(ground, tile, row, column);
    ground_mark_dirty(ground, row, column);
}

Ground *ground_create(const SceneParams *scene, const SceneGround *scene_ground, uint64_t seed, int rows, int columns,
                      double base)
{
    Ground *ground = calloc(1, sizeof *ground);
    if (ground == NULL) {
        return NULL;
    }
    ground->rows = rows;
    ground->columns = columns;
    ground->tile_rows = (rows + GROUND_TILE - 1) / GROUND_TILE;
    ground->tile_columns = (columns + GROUND_TILE - 1) / GROUND_TILE;
    ground->spacing = scene->ground.column_spacing;
    ground->area = ground->spacing * ground->spacing;
    ground->origin_x = -0.5 * (columns - 1) * ground->spacing;
    ground->origin_y = -0.5 * (rows - 1) * ground->spacing;
    ground->base = base;
    ground->scene = scene_ground;
    if (scene_ground != NULL) {
        scene_find_angles(scene_ground, &ground->angles);
    }
    ground->seed = seed;
    ground->soil_count = scene->soil_count;
    for (int k = 0; k < scene->soil_count; k++) {
        ground->soils[k] = scene->soils[k];
        ground->tan_repose[k] = same_tan(scene->soils[k].repose_angle);
    }
    size_t cells = (size_t)rows * (size_t)columns;
    ground->tiles = calloc((size_t)ground->tile_rows * (size_t)ground->tile_columns, sizeof(GroundTile *));
    ground->spare = calloc((size_t)ground->tile_rows * (size_t)ground->tile_columns, sizeof(GroundTile *));
    ground->height = zeroed_alloc(cells, sizeof(float));
    ground->top_soil = zeroed_alloc(cells, 1);
    ground->top_fresh = zeroed_alloc(cells, 1);
    ground->marks = calloc((size_t)ground->tile_rows * (size_t)ground->tile_columns, sizeof *ground->marks);
    ground->live = calloc((size_t)ground->tile_rows * (size_t)ground->tile_columns, sizeof *ground->live);
    ground->marked = calloc((size_t)ground->tile_rows * (size_t)ground->tile_columns, sizeof *ground->marked);
    ground->stand_in = malloc(sizeof *ground->stand_in);
    if (ground->tiles == NULL || ground->spare == NULL || ground->live == NULL || ground->marked == NULL ||
        ground->stand_in == NULL || ground->marks == NULL || ground->height == NULL || ground->top_soil == NULL ||
        ground->top_fresh == NULL) {
        ground_destroy(ground);
        return NULL;
    }
    ground_generate_surface(ground);
    if (scene_ground != NULL && (scene_ground->earthwork_count > 0 || scene_ground->surface.text != NULL)) {
        ground_wake_slopes(ground);
    }
    if (ground->failed || (scene_ground != NULL && !ground_keep_border(ground))) {
        ground_destroy(ground);
        return NULL;
    }
    ground_clear_dirty(ground);
    return ground;
}

static void free_tiles(const Ground *ground, GroundTile **tiles)
{
    for (int k = 0; tiles != NULL && k < ground->tile_rows * ground->tile_columns; k++) {
        free(tiles[k]);
    }
    free(tiles);
}

void ground_destroy(Ground *ground)
{
    if (ground == NULL) {
        return;
    }
    free_tiles(ground, ground->tiles);
    free_tiles(ground, ground->spare);
    free(ground->stand_in);
    free(ground->marks);
    free(ground->live);
    free(ground->marked);
    free(ground->account);
    free(ground->barred);
    free(ground->kept);
    free(ground->border);
    zeroed_free(ground->height);
    zeroed_free(ground->top_soil);
    zeroed_free(ground->top_fresh);
    free(ground);
}

void ground_column_at(const Ground *ground, double x, double y, int *row, int *column)
{
    double c = (x - ground->origin_x) / ground->spacing + 0.5, r = (y - ground->origin_y) / ground->spacing + 0.5;
    *column = !(c > 0.0) ? 0 : c >= ground->columns ? ground->columns - 1 : (int)c;
    *row = !(r > 0.0) ? 0 : r >= ground->rows ? ground->rows - 1 : (int)r;
}

/// Heights at the corners of a cell, [row][column].
static inline void read_corners(const Ground *ground, const GroundCell *cell, double h[2][2])
{
    if ((unsigned)cell->row < (unsigned)ground->rows - 1U && (unsigned)cell->column < (unsigned)ground->columns - 1U) {
        const float *from = ground->height + ground_index(ground, cell->row, cell->column);
        h[0][0] = (double)from[0];
        h[0][1] = (double)from[1];
        h[1][0] = (double)from[ground->columns];
        h[1][1] = (double)from[ground->columns + 1];
        return;
    }
    for (int k = 0; k < 4; k++) { // at the edge or beyond
        h[k / 2][k % 2] = ground_column_height(ground, cell->row + k / 2, cell->column + k % 2);
    }
}

bool ground_is_far(const Ground *ground, double x, double y, double z, double distance)
{
    GroundCell cell = ground_cell_at(ground, x, y);
    double h[2][2];
    read_corners(ground, &cell, h);
    double low = h[0][0], high = h[0][0];
    for (int k = 1; k < 4; k++) {
        low = h[k / 2][k % 2] < low ? h[k / 2][k % 2] : low;
        high = h[k / 2][k % 2] > high ? h[k / 2][k % 2] : high;
    }
    // The distance is the height times the normal's z, which is least where both slopes are the steepest.
    double rise = z - high, slope = (high - low) / ground->spacing;
    return rise > 0.0 && rise * rise > distance * distance * (1.0 + 2.0 * slope * slope);
}

double ground_surface(const Ground *ground, double x, double y, Vec3 *normal)
{
    GroundCell cell = ground_cell_at(ground, x, y);
    double h[2][2];
    read_corners(ground, &cell, h);
    double low = h[0][0] + cell.u * (h[0][1] - h[0][0]), high = h[1][0] + cell.u * (h[1][1] - h[1][0]);
    if (normal != NULL) {
        double slope_x = ((1.0 - cell.v) * (h[0][1] - h[0][0]) + cell.v * (h[1][1] - h[1][0])) / ground->spacing;
        double slope_y = (high - low) / ground->spacing;
        double inverse = 1.0 / sqrt(1.0 + slope_x * slope_x + slope_y * slope_y);
        *normal = vec3(-slope_x * inverse, -slope_y * inverse, inverse);
    }
    return low + cell.v * (high - low);
}

double ground_height(const Ground *ground, double x, double y)
{
    return ground_surface(ground, x, y, NULL);
}

static int sign_of(int value)
{
    return (value > 0) - (value < 0);
}

/// True when no fixture stands on the way from a column to another: aslant first, then straight on.
static bool ground_is_open_way(const Ground *ground, int row, int column, int end_row, int end_column)
{
    while (ground->barred != NULL && (row != end_row || column != end_column)) {
        int rows = sign_of(end_row - row), columns = sign_of(end_column - column);
        if (ground_is_barred(ground, row, column, rows, columns)) {
            return false;
        }
        row += rows;
        column += columns;
    }
    return true;
}

void ground_stop_at_fixture(const Ground *ground, int row, int column, double *x, double *y)
{
    int end_row, end_column;
    ground_column_at(ground, *x, *y, &end_row, &end_column);
    if (ground_is_open_way(ground, row, column, end_row, end_column)) {
        return;
    }
    int rows = sign_of(end_row - row), columns = sign_of(end_column - column);
    while (!ground_is_barred(ground, row, column, rows, columns)) {
        row += rows;
        column += columns;
        rows = sign_of(end_row - row);
        columns = sign_of(end_column - column);
    }
    *x = ground->origin_x + column * ground->spacing;
    *y = ground->origin_y + row * ground->spacing;
}

/// The column at (x, y), m; if that lies in a fixture, the nearest beside it that does not.
static void ground_open_column_at(const Ground *ground, double x, double y, int *row, int *column)
{
    ground_column_at(ground, x, y, row, column);
    if (!ground_is_inside_fixture(ground, *row, *column)) {
        return;
    }
    int home_row = *row, home_column = *column;
    double nearest = HUGE_VAL;
    for (int k = 0; k < 9; k++) {
        int r = home_row + k / 3 - 1, c = home_column + k % 3 - 1;
        bool inside = r >= 0 && r < ground->rows && c >= 0 && c < ground->columns;
        if (!inside || ground_is_inside_fixture(ground, r, c)) {
            continue;
        }
        double dx = ground->origin_x + c * ground->spacing - x, dy = ground->origin_y + r * ground->spacing - y;
        if (dx * dx + dy * dy < nearest) {
            nearest = dx * dx + dy * dy;
            *row = r;
            *column = c;
        }
    }
}

int64_t ground_cut(Ground *ground, int row, int column, double floor_height, int *soil, double *loose)
{
    int slot;
    floor_height = fmax(floor_height, ground_lowest(ground, row, column));
    GroundTile *tile = ground_touch(ground, row, column, &slot);
    double height = (double)ground->height[ground_index(ground, row, column)];
    int64_t taken = 0, loose_taken = 0, by_soil[SCENE_MAX_SOILS] = {0};
    while (tile->count[slot] > 0 && height > floor_height) {
        int k = tile->count[slot] - 1;
        double per_meter = (double)tile->density[slot][k] * ground->area / SOIL_QUANTUM;
        double wanted = (height - floor_height) * per_meter;
        int32_t part = wanted >= tile->mass[slot][k] ? tile->mass[slot][k] : (int32_t)(wanted + 0.5);
        tile->mass[slot][k] -= part;
        height -= part / per_meter;
        taken += part;
        by_soil[tile->soil[slot][k]] += part;
        loose_taken += tile->loose[slot][k] ? part : 0;
        if (tile->mass[slot][k] > 0) {
            break;
        }
        tile->count[slot]--;
    }
    *soil = 0;
    for (int k = 1; k < ground->soil_count; k++) {
        *soil = by_soil[k] > by_soil[*soil] ? k : *soil;
    }
    *loose = taken > 0 ? (double)loose_taken / (double)taken : 0.0;
    SoilAccountEntry *entry = ground_entry(ground, row, column);
    if (entry != NULL) {
        entry->loose += loose_taken;
        entry->intact += taken - loose_taken;
    }
    tile->fresh[slot] = 200;
    ground_update_height(ground, row, column);
    return taken;
}

/// Merges layer a and the one above it; the merged layer takes the soil of the heavier. Mass is kept; thickness too
/// (densities are averaged by volume).
static void merge_layers(GroundTile *tile, int slot, int a)
{
    int b = a + 1;
    double volume =
        tile->mass[slot][a] / (double)tile->density[slot][a] + tile->mass[slot][b] / (double)tile->density[slot][b];
    int heavy = tile->mass[slot][a] >= tile->mass[slot][b] ? a : b;
    tile->soil[slot][a] = tile->soil[slot][heavy];
    tile->loose[slot][a] = tile->loose[slot][heavy];
    tile->mass[slot][a] += tile->mass[slot][b];
    tile->density[slot][a] = (float)(tile->mass[slot][a] / volume);
    for (int k = b; k + 1 < tile->count[slot]; k++) {
        tile->mass[slot][k] = tile->mass[slot][k + 1];
        tile->density[slot][k] = tile->density[slot][k + 1];
        tile->soil[slot][k] = tile->soil[slot][k + 1];
        tile->loose[slot][k] = tile->loose[slot][k + 1];
    }
    tile->count[slot]--;
}

/// Makes room for one more layer by merging the two adjacent layers whose thinner one is thinnest.
static void merge_thinnest(GroundTile *tile, int slot)
{
    int best = 0;
    double thinnest = HUGE_VAL;
    for (int k = 0; k + 1 < tile->count[slot]; k++) {
        double low = tile->mass[slot][k] / (double)tile->density[slot][k];
        double high = tile->mass[slot][k + 1] / (double)tile->density[slot][k + 1];
        double thin = low < high ? low : high;
        if (thin < thinnest) {
            thinnest = thin;
            best = k;
        }
    }
    merge_layers(tile, slot, best);
}

/// Makes an empty layer of a column, below layer k; the column has one less than it may have.
static void insert_layer(GroundTile *tile, int slot, int k)
{
    for (int n = tile->count[slot]++; n > k; n--) {
        tile->mass[slot][n] = tile->mass[slot][n - 1];
        tile->density[slot][n] = tile->density[slot][n - 1];
        tile->soil[slot][n] = tile->soil[slot][n - 1];
        tile->loose[slot][n] = tile->loose[slot][n - 1];
    }
    tile->mass[slot][k] = 0;
}

/// Splits the layer that a height passes through; nothing happens at a boundary or above the column.
static void split_layer(GroundTile *tile, int slot, const Ground *ground, double floor_height)
{
    double bottom = ground->base;
    for (int k = 0; k < tile->count[slot]; k++) {
        double per_meter = (double)tile->density[slot][k] * ground->area / SOIL_QUANTUM;
        double top = bottom + tile->mass[slot][k] / per_meter;
        int32_t above = top > floor_height ? (int32_t)fmin((top - floor_height) * per_meter, 2e9) : 0;
        if (above > 0 && above < tile->mass[slot][k]) {
            insert_layer(tile, slot, k);
            tile->density[slot][k] = tile->density[slot][k + 1];
            tile->soil[slot][k] = tile->soil[slot][k + 1];
            tile->loose[slot][k] = tile->loose[slot][k + 1];
            tile->mass[slot][k] = tile->mass[slot][k + 1] - above;
            tile->mass[slot][k + 1] = above;
            return;
        }
        bottom = top;
    }
}

void ground_loosen(Ground *ground, int row, int column, double floor_height)
{
    floor_height = fmax(floor_height, ground_lowest(ground, row, column));
    if ((double)ground->height[ground_index(ground, row, column)] <= floor_height) {
        return;
    }
    int slot;
    GroundTile *tile = ground_touch(ground, row, column, &slot);
    if (tile->count[slot] == GROUND_LAYERS) {
        merge_thinnest(tile, slot);
    }
    split_layer(tile, slot, ground, floor_height);
    double middle = ground->base;
    SoilAccountEntry *entry = ground_entry(ground, row, column);
    for (int k = 0; k < tile->count[slot]; k++) {
        double half = 0.5 * tile->mass[slot][k] * SOIL_QUANTUM / ((double)tile->density[slot][k] * ground->area);
        middle += half;
        if (entry != NULL && !tile->loose[slot][k] && middle > floor_height) {
            entry->intact += tile->mass[slot][k];
            entry->given += tile->mass[slot][k];
        }
        tile->loose[slot][k] |= middle > floor_height;
        middle += half;
    }
    for (int k = tile->count[slot] - 2; k >= 0; k--) {
        bool alike = tile->soil[slot][k] == tile->soil[slot][k + 1] && tile->loose[slot][k] == tile->loose[slot][k + 1];
        if (alike && tile->loose[slot][k]) {
            merge_layers(tile, slot, k);
        }
    }
    tile->fresh[slot] = 200;
    ground_update_height(ground, row, column);
}

/// Layers of a column up to its highest intact one.
static int count_firm(const GroundTile *tile, int slot)
{
    int count = tile->count[slot];
    while (count > 0 && tile->loose[slot][count - 1]) {
        count--;
    }
    return count;
}

double ground_firm_top(const Ground *ground, int row, int column)
{
    const GroundTile *tile = ground->tiles[ground_tile_index(ground, row, column)];
    int slot = ground_tile_slot(row, column);
    double top = (double)ground->height[ground_index(ground, row, column)];
    for (int k = tile == NULL ? 0 : count_firm(tile, slot); tile != NULL && k < tile->count[slot]; k++) {
        top -= ground_layer_thickness(ground, tile, slot, k);
    }
    return top;
}

void ground_put(Ground *ground, int row, int column, int soil, int64_t mass, bool intact)
{
    if (mass <= 0) {
        return;
    }
    int slot;
    GroundTile *tile = ground_touch(ground, row, column, &slot);
    int place = intact ? count_firm(tile, slot) : tile->count[slot], k = place - 1;
    double density = intact ? ground->soils[soil].bank_density : ground_loose_density(&ground->soils[soil]);
    if (k >= 0 && tile->loose[slot][k] == !intact && tile->soil[slot][k] == soil) {
        double volume = tile->mass[slot][k] / (double)tile->density[slot][k] + (double)mass / density;
        tile->mass[slot][k] += (int32_t)mass;
        tile->density[slot][k] = (float)(tile->mass[slot][k] / volume);
    } else {
        if (tile->count[slot] == GROUND_LAYERS) {
            merge_thinnest(tile, slot);
            place = intact ? count_firm(tile, slot) : tile->count[slot];
        }
        insert_layer(tile, slot, place);
        tile->mass[slot][place] = (int32_t)mass;
        tile->density[slot][place] = (float)density;
        tile->soil[slot][place] = (uint8_t)soil;
        tile->loose[slot][place] = !intact;
    }
    SoilAccountEntry *entry = ground_entry(ground, row, column);
    if (entry != NULL) {
        *(intact ? &entry->restored : &entry->given) += mass;
    }
    tile->fresh[slot] = intact ? 200 : 255;
    ground_update_height(ground, row, column);
}

/// Share of a square of side `size` at (x, y), m, that covers a column.
static double covered_share(const Ground *ground, double x, double y, double size, int row, int column)
{
    double half = 0.5 * (ground->spacing + size), reach = size < ground->spacing ? size : ground->spacing;
    double overlap_x = half - fabs(ground->origin_x + column * ground->spacing - x);
    double overlap_y = half - fabs(ground->origin_y + row * ground->spacing - y);
    overlap_x = overlap_x > reach ? reach : overlap_x;
    overlap_y = overlap_y > reach ? reach : overlap_y;
    return overlap_x > 0.0 && overlap_y > 0.0 ? overlap_x * overlap_y / (size * size) : 0.0;
}

void ground_spread(Ground *ground, double x, double y, double size, int soil, int64_t mass)
{
    int row_low, row_high, column_low, column_high, home_row, home_column;
    if (!ground_has_column(ground, x, y)) { // nothing leaves the ground
        ground_column_at(ground, x, y, &home_row, &home_column);
        x = ground->origin_x + home_column * ground->spacing;
        y = ground->origin_y + home_row * ground->spacing;
    }
    ground_column_at(ground, x - 0.5 * size, y - 0.5 * size, &row_low, &column_low);
    ground_column_at(ground, x + 0.5 * size, y + 0.5 * size, &row_high, &column_high);
    ground_open_column_at(ground, x, y, &home_row, &home_column);
    int64_t left = mass;
    int best_row = home_row, best_column = home_column;
    double best = -1.0;
    for (int pass = 0; pass < 2; pass++) {
        for (int row = row_low; row <= row_high; row++) {
            for (int column = column_low; column <= column_high; column++) {
                double share = covered_share(ground, x, y, size, row, column);
                if (!ground_is_open_way(ground, home_row, home_column, row, column)) {
                    continue;
                }
                if (pass == 0) {
                    if (share > best) {
                        best = share;
                        best_row = row;
                        best_column = column;
                    }
                } else if (row != best_row || column != best_column) {
                    int64_t part = (int64_t)(share * (double)mass);
                    part = part > left ? left : part;
                    ground_put(ground, row, column, soil, part, false);
                    left -= part;
                }
            }
        }
    }
    ground_put(ground, best_row, best_column, soil, left, false);
}

void ground_move_aside(Ground *ground, int row, int column, double depth, double x, double y, double size)
{
    if (depth <= 0.0) {
        return;
    }
    double floor_height = (double)ground->height[ground_index(ground, row, column)] - depth;
    int index;
    double loose;
    int64_t mass =
        ground_cut(ground, row, column, fmax(floor_height, ground_lowest(ground, row, column)), &index, &loose);
    ground_stop_at_fixture(ground, row, column, &x, &y);
    ground_spread(ground, x, y, size, index, mass);
}

/// A tile to read in; it gets memory if it has none.
static const GroundTile *look_into(Ground *ground, int row, int column, int *slot)
{
    const GroundTile *tile = ground->tiles[ground_tile_index(ground, row, column)];
    *slot = ground_tile_slot(row, column);
    return tile != NULL ? tile : ground_touch(ground, row, column, slot);
}

double ground_top_bottom(Ground *ground, int row, int column)
{
    int slot;
    const GroundTile *tile = look_into(ground, row, column, &slot);
    double height = (double)ground->height[ground_index(ground, row, column)];
    return tile->count[slot] > 1 ? height - ground_layer_thickness(ground, tile, slot, tile->count[slot] - 1)
                                 : ground->base;
}

int ground_layer_at(Ground *ground, int row, int column, double z, bool *loose)
{
    int slot, k = 0;
    const GroundTile *tile = look_into(ground, row, column, &slot);
    double height = ground->base;
    while (k + 1 < tile->count[slot] && height + ground_layer_thickness(ground, tile, slot, k) < z) {
        height += ground_layer_thickness(ground, tile, slot, k++);
    }
    *loose = tile->count[slot] > 0 && tile->loose[slot][k];
    return tile->count[slot] > 0 ? tile->soil[slot][k] : 0;
}

/// Quanta in a tile. All places of a layer are read, used or not, so that the sum needs no branches.
static int64_t tile_total(const GroundTile *tile)
{
    int64_t total = 0;
    for (int slot = 0; slot < GROUND_TILE * GROUND_TILE; slot++) {
        const int count = tile->count[slot];
        int64_t column = 0;
        for (int k = 0; k < GROUND_LAYERS; k++) {
            column += k < count ? tile->mass[slot][k] : 0;
        }
        total += column;
    }
    return total;
}

int64_t ground_total(Ground *ground)
{
    int64_t total = ground->untouched_total;
    for (int n = 0; n < ground->live_count; n++) {
        GroundTile *tile = ground->tiles[ground->live[n]];
        if (tile->changed) {
            tile->total = tile_total(tile);
            tile->changed = false;
        }
        total += tile->total;
    }
    return total;
}

/// How much of its swell a loose layer still has: 1 as it was put down, 0 at bank density.
static double layer_looseness(const Ground *ground, const GroundTile *tile, int slot, int k)
{
    const SoilParams *soil = &ground->soils[tile->soil[slot][k]];
    double loose = ground_loose_density(soil), range = soil->bank_density - loose;
    double left = range > 0.0 ? (soil->bank_density - (double)tile->density[slot][k]) / range : 1.0;
    return !tile->loose[slot][k] ? 0.0 : left < 0.0 ? 0.0 : left > 1.0 ? 1.0 : left;
}

double ground_looseness(const Ground *ground, int row, int column, double depth)
{
    const GroundTile *tile = ground->tiles[ground_tile_index(ground, row, column)];
    int slot = ground_tile_slot(row, column);
    if (tile == NULL) {
        return ground->top_fresh[ground_index(ground, row, column)] > 0 ? 1.0 : 0.0;
    }
    double loose = 0.0, seen = 0.0;
    for (int k = tile->count[slot] - 1; k >= 0 && seen < depth; k--) {
        double thickness = ground_layer_thickness(ground, tile, slot, k);
        thickness = seen + thickness > depth ? depth - seen : thickness;
        loose += thickness * layer_looseness(ground, tile, slot, k);
        seen += thickness;
    }
    return loose / depth;
}

int ground_top_soil(const Ground *ground, int row, int column)
{
    return ground->top_soil[ground_index(ground, row, column)];
}

double ground_top_density(const Ground *ground, int row, int column)
{
    const GroundTile *tile = ground->tiles[ground_tile_index(ground, row, column)];
    int slot = ground_tile_slot(row, column);
    if (tile != NULL && tile->count[slot] > 0) {
        return (double)tile->density[slot][tile->count[slot] - 1];
    }
    const SoilParams *soil = &ground->soils[ground_top_soil(ground, row, column)];
    return ground_top_is_loose(ground, row, column) ? ground_loose_density(soil) : soil->bank_density;
}

void ground_clear_dirty(Ground *ground)
{
    ground->dirty[0] = ground->rows;
    ground->dirty[1] = -1;
    ground->dirty[2] = ground->columns;
    ground->dirty[3] = -1;
}

bool ground_keep_account(Ground *ground)
{
    free(ground->account);
    ground->account =
        calloc((size_t)SOIL_CAUSES * (size_t)ground->rows * (size_t)ground->columns, sizeof *ground->account);
    return ground->account != NULL;
}

void ground_clear_marks(Ground *ground)
{
    for (int n = 0; n < ground->marked_count; n++) {
        ground->marks[ground->marked[n]] = (GroundMark){0};
    }
    ground->marked_count = 0;
}

bool ground_is_covered(const Ground *ground, int row, int column)
{
    double x = ground->origin_x + column * ground->spacing, y = ground->origin_y + row * ground->spacing;
    for (int k = 0; k < ground->cover_count; k++) {
        const GroundCover *cover = &ground->covers[k];
        double along = x * cover->x[0] + y * cover->x[1], across = x * cover->y[0] + y * cover->y[1];
        if (along > cover->low[0] && along < cover->high[0] && across > cover->low[1] && across < cover->high[1]) {
            return true;
        }
    }
    return false;
}

/// ---- reading -------------------------------------------------------------------------------------------------------
/// What stands in a column above a height. Tiles that nothing has touched are read from the scene: looking at a column
/// makes nothing awake and takes no memory.

void ground_read_layers(const Ground *ground, int row, int column, ColumnLayers *layers)
{
    const GroundTile *tile = ground->tiles[ground_tile_index(ground, row, column)];
    if (tile == NULL) {
        GroundRelief relief;
        ground_relief_begin(ground, column, 1, &relief);
        ground_relief_column(ground, row, column, &relief, layers);
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

/// ---- state ---------------------------------------------------------------------------------------------------------
/// Saves and restores the ground: the tiles that something has touched, and what tools rest on.
///
/// Tiles that nothing has touched follow from the scene and the seed. A restored tile whose numbers this program could
/// not have written is refused before anything uses it.

static void visit_tile(GroundTile *tile, StateVisitor *visitor)
{
    STATE_VISIT(visitor, "ground.mass", tile->mass);
    STATE_VISIT(visitor, "ground.density", tile->density);
    STATE_VISIT(visitor, "ground.soil", tile->soil);
    STATE_VISIT(visitor, "ground.loose", tile->loose);
    STATE_VISIT(visitor, "ground.count", tile->count);
    STATE_VISIT(visitor, "ground.fresh", tile->fresh);
    STATE_VISIT(visitor, "ground.pressed", tile->pressed);
    STATE_VISIT(visitor, "ground.pressed_top", tile->pressed_top);
    STATE_VISIT(visitor, "ground.shorn", tile->shorn);
    STATE_VISIT(visitor, "ground.sliding", tile->sliding);
    STATE_VISIT(visitor, "ground.doubtful", tile->doubtful);
}

/// A restored tile whose numbers could not have been written by this program is refused.
static bool tile_is_valid(const Ground *ground, const GroundTile *tile)
{
    int wrong = 0;
    for (int slot = 0; slot < GROUND_TILE * GROUND_TILE; slot++) {
        int count = tile->count[slot];
        wrong |= count > GROUND_LAYERS;
        wrong |= !(tile->pressed[slot] >= 0.0F) | !(tile->pressed[slot] < 1e3F) | !isfinite(tile->pressed_top[slot]);
        wrong |= !(tile->shorn[slot] >= 0.0F) | !(tile->shorn[slot] < 1.0F);
        for (int k = 0; k < count && k < GROUND_LAYERS; k++) {
            float density = tile->density[slot][k];
            wrong |= (tile->mass[slot][k] < 0) | (tile->mass[slot][k] > 1000000000);
            wrong |= (tile->soil[slot][k] >= ground->soil_count) | !(density > 1.0F) | !(density < 1e5F);
        }
    }
    return wrong == 0;
}

/// The whole surface of a tile has changed.
static void mark_tile(Ground *ground, int tile_row, int tile_column)
{
    int row = tile_row * GROUND_TILE, column = tile_column * GROUND_TILE;
    int last_row = row + GROUND_TILE - 1, last_column = column + (int)tile_width(ground, tile_column) - 1;
    ground_mark_dirty(ground, row, column);
    ground_mark_dirty(ground, last_row < ground->rows ? last_row : ground->rows - 1, last_column);
}

/// Tiles begin anew; their memory is kept. Only they are looked at, so that a restore costs what the site's active part
/// costs.
static void forget_tiles(Ground *ground)
{
    for (int n = 0; n < ground->live_count; n++) {
        const int k = ground->live[n];
        GroundTile *tile = ground->tiles[k];
        int tile_row = k / ground->tile_columns, tile_column = k % ground->tile_columns;
        size_t width = tile_width(ground, tile_column);
        FOR_TILE_ROWS(ground, tile_row, tile_column, index, slot)
        {
            memcpy(ground->height + index, tile->start_height + slot, width * sizeof *ground->height);
            memcpy(ground->top_soil + index, tile->start_soil + slot, width);
            memcpy(ground->top_fresh + index, tile->start_fresh + slot, width);
        }
        mark_tile(ground, tile_row, tile_column);
        ground->untouched_total += tile->original_total;
        ground->spare[k] = tile;
        ground->tiles[k] = NULL;
    }
    ground->live_count = 0;
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
        int tile_row = index / ground->tile_columns, tile_column = index % ground->tile_columns;
        GroundTile *tile = begin_tile(ground, tile_row, tile_column, false);
        visitor->lacking = visitor->lacking || ground->failed;
        visitor->failed = visitor->failed || ground->failed;
        visit_tile(tile, visitor);
        if (visitor->failed || !tile_is_valid(ground, tile)) {
            visitor->failed = true;
            return;
        }
        tile->changed = true;
        FOR_TILE(ground, tile_row, tile_column, row, column)
        {
            compute_surface(ground, tile, row, column);
        }
        mark_tile(ground, tile_row, tile_column);
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
    int32_t count = ground->live_count;
    STATE_VISIT(visitor, "ground.tiles", count);
    visit_covers(ground, visitor);
    if (visitor->restoring) {
        forget_tiles(ground);
        ground->failed = false;
        ground->version++;
        restore_tiles(ground, visitor, count);
        return;
    }
    if (visitor->measuring) {
        measure_tiles(visitor, ground->tile_rows * ground->tile_columns);
        return;
    }
    for (int n = 0; n < ground->live_count; n++) {
        int32_t index = ground->live[n];
        STATE_VISIT(visitor, "ground.tile", index);
        visit_tile(ground->tiles[index], visitor);
    }
}

/// ---- slopes --------------------------------------------------------------------------------------------------------
/// Slopes of loose soil relax to the angle of repose.
///
/// Between two neighbouring columns at distance s whose heights differ by more than s tan(repose), a share of the
/// excess of loose soil moves down. Pairs are visited in a fixed order, mass moves in whole quanta. A column whose
/// pairs were found to rest is left out until something near it changes, for it would be found so again.

/// Neighbours of a column: the first four make each pair once; the others are the same pairs seen from the far side.
enum { SLIDE_FORWARD = 4, SLIDE_DIRECTIONS = 8 };
/// What a pair does: it rests, would move but for a tool, or has moved.
enum { SLIDE_RESTS = 0, SLIDE_HELD = 1, SLIDE_MOVED = 2 };
static const int slide_row[SLIDE_DIRECTIONS] = {0, 1, 1, 1, 0, -1, -1, -1};
static const int slide_column[SLIDE_DIRECTIONS] = {1, 0, 1, -1, -1, 0, -1, 1};

/// m2/s: what flows from a column to its neighbour a metre of their border, for each unit of the slope's tangent beyond
/// what stands; and at most: soil flows, it does not jump. Chosen; see test_soil_ground.
#define SLIDE_FLOW 0.12
#define SLIDE_MOST 0.12
/// Of the excess between two columns that moves at a time, at most: with more it would swing. Narrow columns slide
/// several times in a row. Chosen; see test_soil_ground.
#define SLIDE_SHARE 0.1
#define DOUBT       1e-9 ///< more than what a quotient loses by rounding
/// Slopes may exceed the tangent of the angle by this factor before they move, so that they come to rest. Chosen; see
/// test_soil_ground.
#define SLIDE_HYSTERESIS 1.02

/// How far a ground falls from a column to another, so many rows and columns away, because it is tilted, m a metre.
static double fall_between(const Ground *ground, int rows, int columns, double distance)
{
    if (ground->lean[0] == 0.0 && ground->lean[1] == 0.0) {
        return 0.0;
    }
    return (ground->lean[0] * columns + ground->lean[1] * rows) * ground->spacing / distance;
}

static bool is_in_grid(const Ground *ground, int row, int column)
{
    return (unsigned)row < (unsigned)ground->rows && (unsigned)column < (unsigned)ground->columns;
}

/// Tangent and cosine of 22.5 degrees: no slope falls farther from the nearest of the eight directions.
#define SLIDE_ASIDE   0.41421356237309503
#define SLIDE_NEAREST 0.92387953251128674

/// How far the ground falls across the way from a column to another, `rows` and `columns` away, over how far it falls
/// along it, 0..SLIDE_ASIDE: by the flatter of its two sides, or not at all where both rise or fall (a wall beside a
/// slope makes it no steeper).
/// `along` m a metre.
static double fall_aside(const Ground *ground, int row, int column, int rows, int columns, double distance,
                         double along)
{
    const int up = columns, right = -rows; // a quarter turn of the way
    const int before = row - up, left = column - right, behind = row + up, beyond = column + right;
    if (!is_in_grid(ground, before, left) || !is_in_grid(ground, before + rows, left + columns) ||
        !is_in_grid(ground, behind, beyond) || !is_in_grid(ground, behind + rows, beyond + columns)) {
        return 0.0;
    }
    const float *from = &ground->height[ground_index(ground, row, column)];
    const ptrdiff_t way = ground_index(ground, rows, columns), aside = ground_index(ground, up, right);
    double here = (double)from[0] + (double)from[way];
    double lean = fall_between(ground, up, right, distance);
    double low = lean - 0.5 * (here - ((double)from[-aside] + (double)from[way - aside])) / distance;
    double high = lean + 0.5 * (here - ((double)from[aside] + (double)from[way + aside])) / distance;
    double fall = low * high <= 0.0 ? 0.0 : lesser_of(fabs(low), fabs(high));
    return lesser_of(fall / along, SLIDE_ASIDE);
}

/// m: what the heights of two columns may differ by where the ground falls, for a tangent of the steepest slope.
static double allowed_difference(double steepest, double fall, double distance)
{
    if (fall == 0.0) {
        return steepest * distance; // as below, without the division
    }
    double size = 1.0 + steepest * fall;
    return size < 0.1 ? HUGE_VAL : (steepest - fall) / size * distance; // tangent of the difference of the angles
}

/// m a metre: columns whose heights differ by no more rest, whatever soil they are of; below 0 where the ground leans.
static double rests_below(const Ground *ground)
{
    double least = HUGE_VAL;
    for (int k = 0; k < ground->soil_count; k++) {
        least = fmin(least, ground->tan_repose[k]);
    }
    return ground->lean[0] == 0.0 && ground->lean[1] == 0.0 ? least * SLIDE_NEAREST * SLIDE_HYSTERESIS : -1.0;
}

/// Looks at a column again in the next tick, if its tile slides then.
static void keep_looking(const Ground *ground, int row, int column)
{
    GroundTile *tile = ground->tiles[ground_tile_index(ground, row, column)];
    if (tile != NULL) {
        tile->unsettled[ground_in_tile(row)] |= 1U << ground_in_tile(column);
    }
}

/// From a column to its neighbour in one of the directions.
typedef struct SlideWay {
    int rows, columns;
    int index; ///< of the neighbour in Ground.height, less that of the column
    double distance; ///< m
    double rests; ///< m: columns whose heights differ by no more rest, whatever soil they are of
} SlideWay;

/// How much moves at a time, and how often.
typedef struct Slide {
    SlideWay ways[SLIDE_DIRECTIONS];
    double share; ///< of the excess between two columns
    double most; ///< m of height
    int passes; ///< in one of GROUND_SLIDES_A_SECOND
    int covered_row, covered_end_row, covered_column, covered_end_column; ///< no tool rests on columns outside
    bool backwards; ///< the order of the pairs: every other time, so that soil has no preferred way
} Slide;

static bool slide_is_covered(const Ground *ground, const Slide *slide, int row, int column)
{
    return row >= slide->covered_row && row < slide->covered_end_row && column >= slide->covered_column &&
           column < slide->covered_end_column && ground_is_covered(ground, row, column);
}

/// Moves the excess of a column and its neighbour from the higher to the lower of them.
static int slide_pair(Ground *ground, const Slide *slide, const SlideWay *way, int row, int column)
{
    int rows = way->rows, columns = way->columns;
    const float *from = &ground->height[ground_index(ground, row, column)];
    double difference = (double)from[0] - (double)from[way->index];
    double fall = fall_between(ground, rows, columns, way->distance);
    if (difference + fall * way->distance < 0.0) {
        row += rows;
        column += columns;
        rows = -rows;
        columns = -columns;
        difference = -difference;
        fall = -fall;
    }
    int soil = ground_top_soil(ground, row, column);
    double steepest = ground->tan_repose[soil];
    if (difference <= allowed_difference(steepest * SLIDE_NEAREST, fall, way->distance) * SLIDE_HYSTERESIS) {
        return SLIDE_RESTS; // too flat whichever way it falls
    }
    if (!ground_top_is_loose(ground, row, column)) {
        return SLIDE_RESTS;
    }
    double aside = fall_aside(ground, row, column, rows, columns, way->distance, difference / way->distance + fall);
    double allowed = allowed_difference(steepest / sqrt(1.0 + aside * aside), fall, way->distance);
    if (difference <= allowed * SLIDE_HYSTERESIS) {
        return SLIDE_RESTS;
    }
    if (slide_is_covered(ground, slide, row + rows, column + columns)) {
        return SLIDE_HELD;
    }
    int slot;
    GroundTile *tile =
        ground_touch(ground, row, column, &slot); // even if less than a quantum moves: it is looked at again
    int k = tile->count[slot] - 1;
    double above = (double)ground->height[ground_index(ground, row, column)] - ground_lowest(ground, row, column);
    double step = lesser_of(lesser_of(slide->share * (difference - allowed), slide->most), above);
    double quanta = step * (double)tile->density[slot][k] * ground->area / SOIL_QUANTUM;
    int32_t part = quanta >= tile->mass[slot][k] ? tile->mass[slot][k] : (int32_t)quanta;
    if (part <= 0) {
        return SLIDE_RESTS;
    }
    tile->mass[slot][k] -= part;
    if (tile->mass[slot][k] == 0) {
        tile->count[slot]--;
    }
    SoilAccountEntry *entry = ground_entry(ground, row, column);
    if (entry != NULL) {
        entry->loose += part;
    }
    ground_update_height(ground, row, column);
    ground_put(ground, row + rows, column + columns, soil, part, false);
    return SLIDE_MOVED;
}

static bool is_at_border(int row, int column)
{
    int last = GROUND_TILE - 1, r = ground_in_tile(row), c = ground_in_tile(column);
    return r == 0 || r == last || c == 0 || c == last;
}

/// True when there is a neighbour in direction d and the pair is the column's own: backward pairs are only where they
/// cross into a tile that is not sliding.
static bool is_own_pair(const Ground *ground, const SlideWay *way, int d, int row, int column)
{
    int r = row + way->rows, c = column + way->columns;
    if (!is_in_grid(ground, r, c)) {
        return false;
    }
    const int beside = ground_tile_index(ground, r, c);
    const GroundTile *tile = ground->tiles[beside];
    bool crosses = beside != ground_tile_index(ground, row, column);
    return d < SLIDE_FORWARD || (crosses && (tile == NULL || !tile->sliding));
}

/// Slides the pairs of one column. Returns true when anything moved.
static bool slide_column_pairs(Ground *ground, const Slide *slide, int row, int column)
{
    const float *from = &ground->height[ground_index(ground, row, column)];
    const bool border = is_at_border(row, column);
    const bool all_own = !border && is_in_grid(ground, row + 1, column + 1);
    const int directions = border ? SLIDE_DIRECTIONS : SLIDE_FORWARD;
    bool moved = false;
    for (int n = 0; n < directions; n++) {
        int d = slide->backwards ? directions - 1 - n : n;
        const SlideWay *way = &slide->ways[d];
        if (!all_own && !is_own_pair(ground, way, d, row, column)) {
            continue;
        }
        bool steep = fabs((double)from[0] - (double)from[way->index]) > way->rests &&
                     !ground_is_barred(ground, row, column, way->rows, way->columns);
        int what = steep ? slide_pair(ground, slide, way, row, column) : SLIDE_RESTS;
        if (what == SLIDE_HELD) { // until the tool goes; whose the pair is may change meanwhile
            keep_looking(ground, row, column);
            keep_looking(ground, row + way->rows, column + way->columns);
        }
        moved |= what == SLIDE_MOVED;
    }
    return moved;
}

/// The first set bit of a row from bit `from` on, upwards or (`backwards`) downwards; -1: there is none.
static int next_bit(uint32_t row, int from, bool backwards)
{
    if (from < 0 || from >= GROUND_TILE) {
        return -1;
    }
    uint32_t left = backwards ? row & UINT32_MAX >> (GROUND_TILE - 1 - from) : row & UINT32_MAX << from;
    return left == 0 ? -1 : backwards ? GROUND_TILE - 1 - __builtin_clz(left) : __builtin_ctz(left);
}

/// Slides all pairs of a tile, also those across its border. Returns true when anything moved.
static bool slide_tile(Ground *ground, const Slide *slide, GroundTile *tile, int tile_row, int tile_column)
{
    const int first = slide->backwards ? GROUND_TILE - 1 : 0, step = slide->backwards ? -1 : 1;
    bool moved = false;
    for (int n = 0; n < GROUND_TILE; n++) {
        int r = first + step * n, row = tile_row * GROUND_TILE + r;
        uint32_t *unsettled = &tile->unsettled[r]; // what moves sets its bits again, before and behind
        for (int c = next_bit(*unsettled, first, slide->backwards); c >= 0;
             c = next_bit(*unsettled, c + step, slide->backwards)) {
            int column = tile_column * GROUND_TILE + c;
            if (row < ground->rows && column < ground->columns) {
                *unsettled &= ~(1U << c);
                moved |= slide_column_pairs(ground, slide, row, column);
            }
        }
    }
    return moved;
}

/// Widens a slide's bounds of covered columns to a place, m, and a column beyond, against rounding.
static void widen_covered(const Ground *ground, double x, double y, Slide *slide)
{
    int row, column;
    ground_column_at(ground, x, y, &row, &column);
    slide->covered_row = row - 1 < slide->covered_row ? row - 1 : slide->covered_row;
    slide->covered_end_row = row + 2 > slide->covered_end_row ? row + 2 : slide->covered_end_row;
    slide->covered_column = column - 1 < slide->covered_column ? column - 1 : slide->covered_column;
    slide->covered_end_column = column + 2 > slide->covered_end_column ? column + 2 : slide->covered_end_column;
}

/// Bounds the columns that tools rest on: most that slide lie outside.
static void bound_covered(const Ground *ground, Slide *slide)
{
    slide->covered_row = ground->rows;
    slide->covered_column = ground->columns;
    slide->covered_end_row = slide->covered_end_column = 0;
    for (int k = 0; k < 4 * ground->cover_count; k++) {
        const GroundCover *cover = &ground->covers[k / 4];
        double along = k % 2 == 0 ? cover->low[0] : cover->high[0], across = k % 4 < 2 ? cover->low[1] : cover->high[1];
        double area = cover->x[0] * cover->y[1] - cover->x[1] * cover->y[0]; // 1, of the square of its unit vectors
        if (!(area > 0.5)) {
            slide->covered_row = slide->covered_column = 0; // no corner says where it is: it may be anywhere
            slide->covered_end_row = ground->rows;
            slide->covered_end_column = ground->columns;
            return;
        }
        widen_covered(ground, (along * cover->y[1] - across * cover->x[1]) / area,
                      (across * cover->x[0] - along * cover->y[0]) / area, slide);
    }
}

static Slide plan_slide(const Ground *ground)
{
    const double a_time = 1.0 / GROUND_SLIDES_A_SECOND, all = SLIDE_FLOW * a_time / ground->area;
    const double rests = rests_below(ground);
    int passes = (int)ceil(all / SLIDE_SHARE - DOUBT);
    Slide slide = {.passes = passes, .share = all / passes, .most = SLIDE_MOST * a_time / (ground->spacing * passes)};
    for (int d = 0; d < SLIDE_DIRECTIONS; d++) {
        bool straight = slide_row[d] == 0 || slide_column[d] == 0;
        double distance = ground->spacing * (straight ? 1.0 : 1.4142135623730951);
        slide.ways[d] = (SlideWay){.rows = slide_row[d],
                                   .columns = slide_column[d],
                                   .index = ground_index(ground, slide_row[d], slide_column[d]),
                                   .distance = distance,
                                   .rests = rests * distance};
    }
    bound_covered(ground, &slide);
    return slide;
}

/// Slides all tiles once.
static void slide_tiles(Ground *ground, const Slide *slide)
{
    const int step = slide->backwards ? -1 : 1;
    ground->active_columns = 0;
    for (int n = slide->backwards ? ground->live_count - 1 : 0; n >= 0 && n < ground->live_count; n += step) {
        const int index = ground->live[n];
        GroundTile *tile = ground->tiles[index];
        if (tile->sliding) {
            ground->active_columns += GROUND_TILE * GROUND_TILE;
            tile->sliding = slide_tile(ground, slide, tile, index / ground->tile_columns, index % ground->tile_columns);
        }
        while (ground->live[n] != index) { // tiles before it have got memory meanwhile
            n++;
        }
    }
}

void ground_slide(Ground *ground, int64_t first, int slides)
{
    if (slides == 0) {
        return;
    }
    Slide slide = plan_slide(ground);
    for (int k = 0; k < slides * slide.passes; k++) {
        slide.backwards = (first * slide.passes + k) % 2 != 0;
        slide_tiles(ground, &slide);
    }
}
