/// Layered ground: columns of soil layers with integer mass on a square grid, paged in tiles.
///
/// A column is a stack of layers, bottom first: {soil, mass in quanta, density}. Height = base + sum(mass / (density
/// area)). Tiles that nothing has touched hold no layers; they follow from the scene and the seed. The surface between
/// column centres is bilinear.
#ifndef SPADEWORK_SOIL_GROUND_H
#define SPADEWORK_SOIL_GROUND_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "data/core/column_grid.h"
#include "data/core/constants.h"
#include "data/core/state_visitor.h"
#include "data/core/vec.h"
#include "data/schema/scene_params.h"
#include "data/schema/scene_site.h"
#include "soil/soil_types.h"

enum { GROUND_TILE = 32, GROUND_LAYERS = SOIL_MAX_LAYERS, GROUND_COVERS = 24, GROUND_DOUBTFUL = 255 };
enum { GROUND_STEPS = 8 }; ///< directions in which a column may be the foot of a face

/// A level rectangle of ground that a tool rests on: no soil slides in below it.
typedef struct GroundCover {
    double x[2], y[2]; ///< unit vectors of its sides
    double low[2], high[2]; ///< m along them
} GroundCover;

/// One tile's columns, index [row * GROUND_TILE + column] (then layer).
typedef struct GroundTile {
    int32_t mass[GROUND_TILE * GROUND_TILE][GROUND_LAYERS]; ///< quanta
    float density[GROUND_TILE * GROUND_TILE][GROUND_LAYERS]; ///< kg/m3
    uint8_t soil[GROUND_TILE * GROUND_TILE][GROUND_LAYERS];
    uint8_t loose[GROUND_TILE * GROUND_TILE][GROUND_LAYERS]; ///< 1: deposited, slides; 0: intact
    uint8_t count[GROUND_TILE * GROUND_TILE]; ///< layers in use
    uint8_t fresh[GROUND_TILE * GROUND_TILE]; ///< 0 weathered .. 255 just moved, for drawing
    /// m: how far a track has pressed the column down for good, and the height at which it stood then
    float pressed[GROUND_TILE * GROUND_TILE], pressed_top[GROUND_TILE * GROUND_TILE];
    float shorn[GROUND_TILE * GROUND_TILE]; ///< m that it has yet to sink because a track has sheared it
    uint8_t sliding; ///< 1: a slope in it may still have to slide
    uint8_t doubtful; ///< not 0: it has changed since its faces were last judged (face_failure.c)
    /// Derived.
    int32_t original[GROUND_TILE * GROUND_TILE]; ///< quanta of each column before anything touched it
    int64_t original_total; ///< their sum
    float start_height[GROUND_TILE * GROUND_TILE]; ///< m: Ground.height before anything touched it
    uint8_t start_soil[GROUND_TILE * GROUND_TILE], start_fresh[GROUND_TILE * GROUND_TILE]; ///< the same of the top
    int32_t resting[GROUND_TILE * GROUND_TILE]; ///< scratch of soil_get_spill
    /// Bits by row, the lowest of column 0: something has changed near the column since its slopes were found to rest
    uint32_t unsettled[GROUND_TILE];
    /// For face_failure.c, numbers of Ground.face_looks: when each column was touched last, and the last look in which
    /// the faces of the tile were judged.
    uint32_t touched[GROUND_TILE * GROUND_TILE], judged;
    /// Columns from each foot on that were read when the step there was found to stand; 0: it is to be judged
    uint8_t stands[GROUND_TILE * GROUND_TILE][GROUND_STEPS];
    int64_t total; ///< quanta, valid when !changed
    bool changed;
} GroundTile;

/// Columns of a tile that changed in the last tick: the smallest rectangle around them, counted inside the tile; ends
/// are one past the last, 0 = none.
typedef struct GroundMark {
    uint8_t first_row, end_row, first_column, end_column;
} GroundMark;

typedef struct Ground {
    int rows, columns;
    int tile_rows, tile_columns;
    double spacing, area; ///< m, m2 of a column
    double origin_x, origin_y; ///< centre of column (0, 0), ground frame
    double base; ///< m: height of an empty column (bedrock, or a tray's floor)
    double lean[2]; ///< m the ground falls a metre of x and y because it is tilted (a tray); 0: level
    int soil_count;
    SoilParams soils[SCENE_MAX_SOILS];
    double tan_repose[SCENE_MAX_SOILS];
    const SceneGround *scene; ///< NULL: starts empty (a tray)
    SceneAngles angles; ///< of the scene's ground
    uint64_t seed;
    GroundTile **tiles; ///< [tile_rows][tile_columns]; NULL: nothing has touched it
    int *live, live_count; ///< indices of the tiles with memory, ascending
    /// Memory of tiles that were touched before a state was restored in which they are not: what they were at the start
    /// holds in it. NULL where there is none.
    GroundTile **spare;
    GroundTile *stand_in; ///< of a tile that gets no memory, while it is changed; the change is lost
    bool failed; ///< a tile got no memory since the ground was created or restored: mass is missing, heights are wrong
    int64_t untouched_total; ///< quanta in tiles that nothing has touched
    /// Derived, [rows][columns].
    float *height;
    uint8_t *top_soil, *top_fresh;
    uint64_t version;
    int dirty[4]; ///< row min, row max, column min, column max since ground_clear_dirty
    int active_columns; ///< of the last slide
    uint32_t face_looks; ///< looks of face_failure.c; no result follows from it
    GroundCover covers[GROUND_COVERS]; ///< State: of the last tick
    int cover_count;
    GroundMark *marks; ///< [tile_rows][tile_columns] since ground_clear_marks
    int *marked, marked_count; ///< indices of the tiles with a mark, in no order
    uint8_t *barred; ///< [rows][columns] ground_bar of the neighbours behind a fixture; NULL: there is none
    /// m: heights at the start along the edge, as column_grid_height has them. NULL (a tray): beyond the edge the
    /// ground is as high as its outermost columns.
    float *border;
    float *kept; ///< m, [rows][columns]: no column is lowered beyond, -HUGE_VAL: to the base; NULL: none is kept
    SoilCause cause; ///< of what is done now
    SoilAccountEntry *account; ///< [SOIL_CAUSES][rows][columns] for soil_get_account; NULL: none is kept
} Ground;

/// A site from a scene, or (scene_ground NULL) an empty grid of rows x columns whose origin is its middle.
/// NULL when memory is short.
Ground *ground_create(const SceneParams *scene, const SceneGround *scene_ground, uint64_t seed, int rows, int columns,
                      double base);
void ground_destroy(Ground *ground);

/// Bilinear height and unit normal at (x, y), ground frame. Beyond the edge the ground lies as it began, level
/// outwards; between the outermost columns and there the surface is bilinear too.
double ground_height(const Ground *ground, double x, double y);
/// True when (x, y, z) lies more than `distance` (m) from the plane of the surface there; cheaper than ground_surface,
/// and false when in doubt.
bool ground_is_far(const Ground *ground, double x, double y, double z, double distance);
double ground_surface(const Ground *ground, double x, double y, Vec3 *normal);

/// Index of the column that holds (x, y), clamped to the grid.
void ground_column_at(const Ground *ground, double x, double y, int *row, int *column);
/// True when there is a column at a place. Beyond the edge the ground lies as it began, hard, and never changes.
static inline bool ground_has_column(const Ground *ground, double x, double y)
{
    double column = (x - ground->origin_x) / ground->spacing + 0.5,
           row = (y - ground->origin_y) / ground->spacing + 0.5;
    return column >= 0.0 && column < ground->columns && row >= 0.0 && row < ground->rows;
}
/// Both in one: false when there is no column at a place, else the column that holds it.
static inline bool ground_find_column(const Ground *ground, double x, double y, int *row, int *column)
{
    double c = (x - ground->origin_x) / ground->spacing + 0.5, r = (y - ground->origin_y) / ground->spacing + 0.5;
    if (!(c >= 0.0 && c < ground->columns && r >= 0.0 && r < ground->rows)) {
        return false;
    }
    *row = (int)r;
    *column = (int)c;
    return true;
}
static inline int ground_index(const Ground *ground, int row, int column)
{
    return row * ground->columns + column;
}

/// m that a place lies beyond the edge; below 0: inside.
static inline double ground_distance_beyond(const Ground *ground, double x, double y)
{
    double along_x = fabs(x) - 0.5 * ground->columns * ground->spacing;
    double along_y = fabs(y) - 0.5 * ground->rows * ground->spacing;
    return along_x > along_y ? along_x : along_y;
}
/// Height of a column, m; of one beyond the edge that of the outermost column beside it, at the start.
static inline double ground_column_height(const Ground *ground, int row, int column)
{
    return column_grid_height(ground->height, ground->border, ground->rows, ground->columns, row, column);
}
/// Four columns around a place, and where it lies between them.
typedef struct GroundCell {
    int row, column; ///< the lowest of them; beyond the edge too
    double v, u; ///< 0..1 of the way to the next row, the next column
} GroundCell;

/// The lower of the two columns, of `count`, that a place lies between, `u` from the first; `share` of the way to the
/// other, none where both lie beyond the edge.
static inline int ground_lower_of(double u, int count, double *share)
{
    int low = u >= 0.0 && u < count ? (int)u : u >= count ? count : u >= -1.0 ? -1 : -2; // floor may be a call
    *share = low >= -1 && low < count ? u - low : 0.0;
    return low;
}

/// Height of the column that holds (x, y), m, or would beyond the edge.
static inline double ground_height_of_column(const Ground *ground, double x, double y)
{
    double share;
    int column = ground_lower_of((x - ground->origin_x) / ground->spacing + 0.5, ground->columns, &share);
    int row = ground_lower_of((y - ground->origin_y) / ground->spacing + 0.5, ground->rows, &share);
    return ground_column_height(ground, row, column);
}

static inline GroundCell ground_cell_at(const Ground *ground, double x, double y)
{
    GroundCell cell;
    cell.column = ground_lower_of((x - ground->origin_x) / ground->spacing, ground->columns, &cell.u);
    cell.row = ground_lower_of((y - ground->origin_y) / ground->spacing, ground->rows, &cell.v);
    return cell;
}

enum { GROUND_BARS = 0xff }; ///< of a column in a fixture: it neither gives nor takes soil that moves

/// The bit of a column's neighbour, -1..1 rows and columns away.
static inline uint8_t ground_bar(int rows, int columns)
{
    int k = 3 * (rows + 1) + columns + 1;
    return (uint8_t)(1U << (k > 4 ? k - 1 : k));
}
/// True when a fixture stands between a column and its neighbour.
static inline bool ground_is_barred(const Ground *ground, int row, int column, int rows, int columns)
{
    return ground->barred != NULL &&
           (ground->barred[ground_index(ground, row, column)] & ground_bar(rows, columns)) != 0;
}
static inline bool ground_is_inside_fixture(const Ground *ground, int row, int column)
{
    return ground->barred != NULL && ground->barred[ground_index(ground, row, column)] == GROUND_BARS;
}
/// Height that a column is lowered to at most, m: the base, or the upper side of what is buried in it.
static inline double ground_lowest(const Ground *ground, int row, int column)
{
    double kept = ground->kept != NULL ? (double)ground->kept[ground_index(ground, row, column)] : ground->base;
    return kept > ground->base ? kept : ground->base;
}
/// Draws a place (x, y), m, back to the last column before a fixture that stands on the way to it from a column.
void ground_stop_at_fixture(const Ground *ground, int row, int column, double *x, double *y);

/// Takes soil off a column's top down to height `floor` (or what is there). Returns the quanta taken; `soil` receives
/// the soil that makes up most of it, `loose` its state's share (0..1 by mass).
int64_t ground_cut(Ground *ground, int row, int column, double floor, int *soil, double *loose);
/// Height of the top of a column's highest intact layer, m; the base where all is loose.
double ground_firm_top(const Ground *ground, int row, int column);
/// Returns the loose soil on a column whose ground has not changed since the start, m, and the soil of that ground,
/// `under`; -1 where the ground under it was cut or pressed by more than half a millimetre.
/// firm_top  m, of ground_firm_top
double ground_cover(const Ground *ground, int row, int column, double firm_top, int *under);
/// Puts quanta on a column as loose soil, or (`intact`) as bank soil on its highest intact layer: what is loose above
/// that is lifted.
void ground_put(Ground *ground, int row, int column, int soil, int64_t mass, bool intact);
/// Spreads quanta over the columns under a square of side `size` at (x, y), by covered area; no quantum is lost.
/// Columns in fixtures and behind them take none.
void ground_spread(Ground *ground, double x, double y, double size, int soil, int64_t mass);
/// Takes `depth` m off a column's top, and spreads it as loose soil over a square of side `size` at (x, y), all in m.
void ground_move_aside(Ground *ground, int row, int column, double depth, double x, double y, double size);
/// Turns the intact soil of a column above a height into loose soil where it is, with the density it has.
void ground_loosen(Ground *ground, int row, int column, double floor);

enum { GROUND_SLIDES_A_SECOND = 60 };
/// Slides loose soil where it is steeper than its angle of repose, for a number of GROUND_SLIDES_A_SECOND, the first of
/// them the one of that number since the start; mass moves between neighbours only.
void ground_slide(Ground *ground, int64_t first, int slides);

/// Quanta in the ground, summed from the columns.
int64_t ground_total(Ground *ground);
/// Share of loose soil in the top `depth` m of a column, 0..1; loose soil that was compacted counts by the swell it has
/// left.
double ground_looseness(const Ground *ground, int row, int column, double depth);
/// Height of the bottom of a column's top layer, m.
double ground_top_bottom(Ground *ground, int row, int column);
/// The soil of a column at a height (above it: of its top); `loose`: whether it is.
int ground_layer_at(Ground *ground, int row, int column, double z, bool *loose);
int ground_top_soil(const Ground *ground, int row, int column);
double ground_top_density(const Ground *ground, int row, int column); ///< kg/m3, of the top layer
bool ground_is_covered(const Ground *ground, int row, int column); ///< a tool rests on it
void ground_clear_dirty(Ground *ground);
void ground_clear_marks(Ground *ground); ///< at the start of a tick
bool ground_keep_account(Ground *ground); ///< begins it, or begins it anew; false when memory is short

void ground_visit(Ground *ground, StateVisitor *visitor);

bool ground_top_is_loose(const Ground *ground, int row, int column); ///< without touching the tile

/// What stands in a column above a height: read, never touched.

/// A column seen from a height in it.
typedef struct GroundProfile {
    int soil; ///< at the height
    double density; ///< kg/m3, there
    double firmness; ///< of the layer there: 0 as it was put down .. 1 at bank density or intact
    double weight; ///< Pa: of what stands above the height
} GroundProfile;

/// Returns what a column holds at height `z`, m; above its top: its top layer, with no weight.
GroundProfile ground_profile_above(const Ground *ground, int row, int column, double z);

/// Writes the layers of a column, top first, and returns their number: at most GROUND_LAYERS.
int ground_profile_layers(const Ground *ground, int row, int column, SoilLayer layers[GROUND_LAYERS]);

/// m of what lies between two heights of a column (m) that have at least `share` of their soil's bank density.
double ground_dense_thickness(const Ground *ground, int row, int column, double low, double high, double share);

/// ---- layers and tiles ----------------------------------------------------------------------------------------------

/// Layers of one column, wherever they are kept.
typedef struct ColumnLayers {
    int count;
    int32_t mass[GROUND_LAYERS];
    float density[GROUND_LAYERS];
    uint8_t soil[GROUND_LAYERS];
    uint8_t loose[GROUND_LAYERS];
} ColumnLayers;

/// kg/m3: density of soil as it was put down.
static inline double ground_loose_density(const SoilParams *soil)
{
    return soil->bank_density / (1.0 + soil->swell);
}

/// The row or column of tiles that a row or column of the grid, 0 or more, lies in, and its place inside the tile: the
/// division of a number without a sign is a shift.
static inline int ground_tile_of(int along)
{
    return (int)((unsigned)along / GROUND_TILE);
}
static inline int ground_in_tile(int along)
{
    return (int)((unsigned)along % GROUND_TILE);
}

/// Index of a column's tile in Ground.tiles, and the column's slot in that tile.
static inline int ground_tile_index(const Ground *ground, int row, int column)
{
    return ground_tile_of(row) * ground->tile_columns + ground_tile_of(column);
}

static inline int ground_tile_slot(int row, int column)
{
    return ground_in_tile(row) * GROUND_TILE + ground_in_tile(column);
}

/// m: thickness of layer k of a column.
static inline double ground_layer_thickness(const Ground *ground, const GroundTile *tile, int slot, int k)
{
    return tile->mass[slot][k] * SOIL_QUANTUM / ((double)tile->density[slot][k] * ground->area);
}

/// The tile of a column that is about to change, and the column's slot in it; it gets memory if it has none.
GroundTile *ground_touch(Ground *ground, int row, int column, int *slot);
/// Computes a column's surface from its layers, which have changed.
void ground_update_height(Ground *ground, int row, int column);

/// Loops over the columns of a tile that lie inside the grid.
#define FOR_TILE(ground, tile_row, tile_column, row, column)                                                           \
    for (int row = (tile_row)*GROUND_TILE; row < ((tile_row) + 1) * GROUND_TILE && row < (ground)->rows; row++)        \
        for (int column = (tile_column)*GROUND_TILE;                                                                   \
             column < ((tile_column) + 1) * GROUND_TILE && column < (ground)->columns; column++)

/// Marks all columns of a tile as changed: their slopes are judged when the tile slides next.
void ground_unsettle_tile(GroundTile *tile);

/// What a column consists of; one that nothing has touched is read from the scene, and stays so.
void ground_read_layers(const Ground *ground, int row, int column, ColumnLayers *layers);

/// ---- undisturbed ground --------------------------------------------------------------------------------------------

/// Smooth value noise in 0..1 with a period-free lattice of 1 m, over columns beside one another, row after row.
typedef struct GroundNoise {
    uint64_t seed;
    int64_t x[GROUND_TILE], y; ///< of the lattice's squares that the columns lie in
    double share[GROUND_TILE]; ///< 0..1 of the way to the next square along x, smoothed
    double corner[GROUND_TILE][2][2]; ///< [y][x] of each square
    double value[GROUND_TILE]; ///< of the row
} GroundNoise;

/// The undisturbed surface of `count` columns beside one another, row after row.
typedef struct GroundRelief {
    int column, count; ///< the first column; 1..GROUND_TILE
    int row; ///< that was computed last; -1: none
    GroundNoise coarse, fine;
} GroundRelief;

/// Height of the top of these layers, m.
double ground_layers_height(const Ground *ground, const ColumnLayers *layers);

/// Begins the relief of `count` columns from `column` on, 1..GROUND_TILE.
void ground_relief_begin(const Ground *ground, int column, int count, GroundRelief *relief);
/// What one of the relief's columns held before anything touched it; nothing where the ground has no scene (a tray).
void ground_relief_column(const Ground *ground, int row, int column, GroundRelief *relief, ColumnLayers *layers);

/// Keeps the heights along the edge, which the ground beyond it has for good. False when memory is short.
bool ground_keep_border(Ground *ground);

/// ---- compaction ----------------------------------------------------------------------------------------------------

/// Density (kg/m3) to which loose soil compacts under a lasting `pressure` (Pa): from its loose density up to its bank
/// density, never beyond.
double compact_density(const SoilParams *soil, double pressure);

/// Compacts the loose soil at a column's top under a plate `width` m wide that presses with `pressure` (Pa); lowers the
/// surface at most by `most` m. Intact ground keeps its density. Mass stays.
void ground_compact(Ground *ground, int row, int column, double pressure, double width, double most);

#endif
