/// Slopes of loose soil relax to the angle of repose.
///
/// Between two neighbouring columns at distance s whose heights differ by more than s tan(repose), a share of the
/// excess of loose soil moves down. Pairs are visited in a fixed order, mass moves in whole quanta. A column whose
/// pairs were found to rest is left out until something near it changes, for it would be found so again.
#include <string.h>

#include "soil/ground/ground_internal.h"

/// Neighbours of a column: the first four make each pair once; the others are the same pairs seen from the far side.
enum { SLIDE_FORWARD = 4, SLIDE_DIRECTIONS = 8 };
/// What a pair does: it rests, would move but for a tool, or has moved.
enum { SLIDE_RESTS = 0, SLIDE_HELD = 1, SLIDE_MOVED = 2 };
enum { SLIDE_SEES = 2 }; ///< columns: no pair's slope follows from what is farther away from either of its columns
static const int slide_row[SLIDE_DIRECTIONS] = {0, 1, 1, 1, 0, -1, -1, -1};
static const int slide_column[SLIDE_DIRECTIONS] = {1, 0, 1, -1, -1, 0, -1, 1};

/// m: highest change of a column in one tick and pair: soil flows, it does not jump. Chosen; see test_soil_ground.
#define SLIDE_STEP 0.02
/// Slopes may exceed the tangent of the angle by this factor before they move, so that they come to rest. Chosen; see
/// test_soil_ground.
#define SLIDE_HYSTERESIS 1.02

/// How far a ground falls from one column to another because it is tilted, m a metre.
static double fall_between(const Ground *ground, int row, int column, int other_row, int other_column, double distance)
{
    double along = ground->lean[0] * (other_column - column) + ground->lean[1] * (other_row - row);
    return along * ground->spacing / distance;
}

/// Tangent and cosine of 22.5 degrees: no slope falls farther from the nearest of the eight directions.
#define SLIDE_ASIDE   0.41421356237309503
#define SLIDE_NEAREST 0.92387953251128674

/// How far the ground falls across the way from a column to another, over how far it falls along it, 0..SLIDE_ASIDE: by
/// the flatter of its two sides, or not at all where both rise or fall (a wall beside a slope makes it no steeper).
/// `along` m a metre.
static double fall_aside(const Ground *ground, int row, int column, int other_row, int other_column, double distance,
                         double along)
{
    int up = other_column - column, right = row - other_row; // a quarter turn of the way
    double here = (double)ground->height[ground_index(ground, row, column)] +
                  (double)ground->height[ground_index(ground, other_row, other_column)];
    double lean = fall_between(ground, row, column, row + up, column + right, distance), falls[2];
    for (int k = 0; k < 2; k++) {
        int side = 2 * k - 1;
        int r = row + side * up, c = column + side * right, s = other_row + side * up, d = other_column + side * right;
        if (r < 0 || r >= ground->rows || c < 0 || c >= ground->columns || s < 0 || s >= ground->rows || d < 0 ||
            d >= ground->columns) {
            return 0.0;
        }
        double beside =
            (double)ground->height[ground_index(ground, r, c)] + (double)ground->height[ground_index(ground, s, d)];
        falls[k] = lean + side * 0.5 * (here - beside) / distance;
    }
    double fall = falls[0] * falls[1] <= 0.0 ? 0.0 : fmin(fabs(falls[0]), fabs(falls[1]));
    return fmin(fall / along, SLIDE_ASIDE);
}

/// m: what the heights of two columns may differ by where the ground falls, for a tangent of the steepest slope.
static double allowed_difference(double steepest, double fall, double distance)
{
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

void ground_unsettle_tile(GroundTile *tile)
{
    memset(tile->unsettled, 0xff, sizeof tile->unsettled);
}

void ground_unsettle(Ground *ground, int row, int column)
{
    const int c = column % GROUND_TILE, tile_column = column / GROUND_TILE;
    const uint64_t around = (2ULL << (2 * SLIDE_SEES)) - 1; // from SLIDE_SEES columns before to as many behind
    const uint64_t shifted = around << (GROUND_TILE + c - SLIDE_SEES); // bit GROUND_TILE is this tile's column 0
    const uint32_t bits[3] = {(uint32_t)shifted, (uint32_t)(shifted >> GROUND_TILE),
                              (uint32_t)(around >> (GROUND_TILE - c + SLIDE_SEES))};
    for (int r = row - SLIDE_SEES; r <= row + SLIDE_SEES; r++) {
        for (int k = 0; k < 3 && r >= 0 && r < ground->rows; k++) {
            int beside = tile_column + k - 1;
            bool inside = bits[k] != 0 && beside >= 0 && beside < ground->tile_columns;
            GroundTile *tile = inside ? ground->tiles[r / GROUND_TILE * ground->tile_columns + beside] : NULL;
            if (tile != NULL) {
                tile->unsettled[r % GROUND_TILE] |= bits[k];
            }
        }
    }
}

/// Looks at a column again in the next tick, if its tile slides then.
static void keep_looking(const Ground *ground, int row, int column)
{
    GroundTile *tile = ground->tiles[ground_tile_index(ground, row, column)];
    if (tile != NULL) {
        tile->unsettled[row % GROUND_TILE] |= 1U << column % GROUND_TILE;
    }
}

/// Moves the excess from a column to its lower neighbour.
static int slide_pair(Ground *ground, int row, int column, int other_row, int other_column, double distance)
{
    double difference = (double)ground->height[ground_index(ground, row, column)] -
                        (double)ground->height[ground_index(ground, other_row, other_column)];
    double fall = fall_between(ground, row, column, other_row, other_column, distance);
    if (difference + fall * distance < 0.0) {
        int swap_row = row, swap_column = column;
        row = other_row;
        column = other_column;
        other_row = swap_row;
        other_column = swap_column;
        difference = -difference;
        fall = -fall;
    }
    int soil = ground_top_soil(ground, row, column);
    double steepest = ground->tan_repose[soil];
    if (difference <= allowed_difference(steepest * SLIDE_NEAREST, fall, distance) * SLIDE_HYSTERESIS) {
        return SLIDE_RESTS; // too flat whichever way it falls
    }
    if (!ground_top_is_loose(ground, row, column)) {
        return SLIDE_RESTS;
    }
    double aside = fall_aside(ground, row, column, other_row, other_column, distance, difference / distance + fall);
    double allowed = allowed_difference(steepest / sqrt(1.0 + aside * aside), fall, distance);
    if (difference <= allowed * SLIDE_HYSTERESIS) {
        return SLIDE_RESTS;
    }
    if (ground_is_covered(ground, other_row, other_column)) {
        return SLIDE_HELD;
    }
    int slot;
    GroundTile *tile = ground_touch(ground, row, column, &slot);
    int k = tile->count[slot] - 1;
    double step = 0.2 * (difference - allowed);
    step = step > SLIDE_STEP ? SLIDE_STEP : step;
    step = fmin(step, (double)ground->height[ground_index(ground, row, column)] - ground_lowest(ground, row, column));
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
    ground_put(ground, other_row, other_column, soil, part, false);
    return SLIDE_MOVED;
}

/// True when a column lies in a tile that slides by itself.
static bool slides_itself(const Ground *ground, int row, int column)
{
    const GroundTile *tile = ground->tiles[row / GROUND_TILE * ground->tile_columns + column / GROUND_TILE];
    return tile != NULL && tile->sliding;
}

static bool is_at_border(int row, int column)
{
    int last = GROUND_TILE - 1, r = row % GROUND_TILE, c = column % GROUND_TILE;
    return r == 0 || r == last || c == 0 || c == last;
}

/// Slides the pairs of one column. Backward pairs are its own only where they cross into a tile that is not sliding.
/// Returns true when anything moved.
static bool slide_column_pairs(Ground *ground, int row, int column, double rests)
{
    bool moved = false;
    const int directions = is_at_border(row, column) ? SLIDE_DIRECTIONS : SLIDE_FORWARD;
    for (int d = 0; d < directions; d++) {
        int r = row + slide_row[d], c = column + slide_column[d];
        if (r < 0 || r >= ground->rows || c < 0 || c >= ground->columns) {
            continue;
        }
        bool crosses = r / GROUND_TILE != row / GROUND_TILE || c / GROUND_TILE != column / GROUND_TILE;
        if (d >= SLIDE_FORWARD && (!crosses || slides_itself(ground, r, c))) {
            continue;
        }
        bool straight = slide_row[d] == 0 || slide_column[d] == 0;
        double distance = ground->spacing * (straight ? 1.0 : 1.4142135623730951);
        double difference = (double)ground->height[ground_index(ground, row, column)] -
                            (double)ground->height[ground_index(ground, r, c)];
        bool steep = fabs(difference) > rests * distance &&
                     !ground_is_barred(ground, row, column, slide_row[d], slide_column[d]);
        int what = steep ? slide_pair(ground, row, column, r, c, distance) : SLIDE_RESTS;
        if (what == SLIDE_HELD) { // until the tool goes; whose the pair is may change meanwhile
            keep_looking(ground, row, column);
            keep_looking(ground, r, c);
        }
        moved |= what == SLIDE_MOVED;
    }
    return moved;
}

/// Slides all pairs of a tile, also those across its border. Returns true when anything moved.
static bool slide_tile(Ground *ground, GroundTile *tile, int tile_row, int tile_column)
{
    const double rests = rests_below(ground);
    bool moved = false;
    FOR_TILE(ground, tile_row, tile_column, row, column)
    {
        uint32_t *unsettled = &tile->unsettled[row % GROUND_TILE], bit = 1U << column % GROUND_TILE;
        if ((*unsettled & bit) == 0) {
            continue;
        }
        *unsettled &= ~bit; // what moves sets it again
        moved |= slide_column_pairs(ground, row, column, rests);
    }
    return moved;
}

void ground_slide(Ground *ground)
{
    ground->active_columns = 0;
    for (int tile_row = 0; tile_row < ground->tile_rows; tile_row++) {
        for (int tile_column = 0; tile_column < ground->tile_columns; tile_column++) {
            GroundTile *tile = ground->tiles[tile_row * ground->tile_columns + tile_column];
            if (tile == NULL || !tile->sliding) {
                continue;
            }
            ground->active_columns += GROUND_TILE * GROUND_TILE;
            tile->sliding = slide_tile(ground, tile, tile_row, tile_column);
        }
    }
}
