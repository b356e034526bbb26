/// Computes from a height grid what is found once a column when the ground changes: which columns changed, the outlines
/// of steps, and at low quality normals and the sky that each column sees.
#include "render/relief.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int least(int a, int b)
{
    return a < b ? a : b;
}

static int clamp_index(int value, int count)
{
    return value < 0 ? 0 : value >= count ? count - 1 : value;
}

/// The height (m) of a column; beyond the grid that of the nearest one.
static double height_at(const RenderGrid *grid, int row, int column)
{
    row = clamp_index(row, grid->rows);
    column = clamp_index(column, grid->columns);
    return (double)grid->height[(size_t)row * (size_t)grid->columns + (size_t)column];
}

/// ---- changed columns -----------------------------------------------------------------------------------------------

DirtyRectangle dirty_rectangle(const RenderGrid *grid, bool known)
{
    if (!known || grid->all_dirty) {
        return (DirtyRectangle){0, grid->rows, 0, grid->columns};
    }
    int row_min = grid->dirty_row_min > 0 ? grid->dirty_row_min : 0;
    int row_max = grid->dirty_row_max < grid->rows - 1 ? grid->dirty_row_max : grid->rows - 1;
    int column_min = grid->dirty_column_min > 0 ? grid->dirty_column_min : 0;
    int column_max = grid->dirty_column_max < grid->columns - 1 ? grid->dirty_column_max : grid->columns - 1;
    if (row_min > row_max || column_min > column_max) {
        return (DirtyRectangle){0};
    }
    return (DirtyRectangle){row_min, row_max - row_min + 1, column_min, column_max - column_min + 1};
}

void grid_copy_free(GridCopy *copy)
{
    for (int k = 0; k < GRID_ARRAYS; k++) {
        free(copy->bytes[k]);
    }
    *copy = (GridCopy){0};
}

/// Compares and copies a row of an array with `size` bytes a column; widens `first` and `last` to the columns that
/// differ. Returns whether any does.
static bool take_row(uint8_t *kept, const uint8_t *now, size_t size, int columns, int *first, int *last)
{
    if (memcmp(kept, now, size * (size_t)columns) == 0) {
        return false;
    }
    int low = 0, high = columns - 1;
    while (memcmp(kept + size * (size_t)low, now + size * (size_t)low, size) == 0) {
        low++;
    }
    while (memcmp(kept + size * (size_t)high, now + size * (size_t)high, size) == 0) {
        high--;
    }
    memcpy(kept + size * (size_t)low, now + size * (size_t)low, size * (size_t)(high - low + 1));
    *first = low < *first ? low : *first;
    *last = high > *last ? high : *last;
    return true;
}

/// Makes a copy of all arrays; none where memory is short.
static void take_whole(GridCopy *copy, const RenderGrid *grid, const uint8_t *const now[GRID_ARRAYS],
                       const size_t size[GRID_ARRAYS])
{
    size_t columns = (size_t)grid->rows * (size_t)grid->columns;
    grid_copy_free(copy);
    for (int k = 0; k < GRID_ARRAYS; k++) {
        copy->bytes[k] = now[k] != NULL ? malloc(columns * size[k]) : NULL;
        if (now[k] != NULL && copy->bytes[k] == NULL) {
            grid_copy_free(copy);
            return;
        }
        if (now[k] != NULL) {
            memcpy(copy->bytes[k], now[k], columns * size[k]);
        }
    }
    copy->rows = grid->rows;
    copy->columns = grid->columns;
}

DirtyRectangle grid_copy_update(GridCopy *copy, const RenderGrid *grid)
{
    const uint8_t *const now[GRID_ARRAYS] = {(const uint8_t *)grid->height, grid->soil,  grid->loose,
                                             (const uint8_t *)grid->strata, grid->cover, (const uint8_t *)grid->marks};
    const size_t size[GRID_ARRAYS] = {sizeof *grid->height, 1, 1, RENDER_STRATA * sizeof *grid->strata, 1,
                                      sizeof *grid->marks};
    bool alike = copy->rows == grid->rows && copy->columns == grid->columns;
    for (int k = 0; k < GRID_ARRAYS; k++) {
        alike = alike && (now[k] == NULL) == (copy->bytes[k] == NULL);
    }
    if (!alike) {
        take_whole(copy, grid, now, size);
        return (DirtyRectangle){0, grid->rows, 0, grid->columns};
    }
    int row_min = grid->rows, row_max = -1, first = grid->columns, last = -1;
    for (int row = 0; row < grid->rows; row++) {
        size_t at = (size_t)row * (size_t)grid->columns;
        bool differs = false;
        for (int k = 0; k < GRID_ARRAYS; k++) {
            differs = (now[k] != NULL && take_row(copy->bytes[k] + at * size[k], now[k] + at * size[k], size[k],
                                                  grid->columns, &first, &last)) ||
                      differs;
        }
        row_min = differs && row < row_min ? row : row_min;
        row_max = differs ? row : row_max;
    }
    return row_max < 0 ? (DirtyRectangle){0}
                       : (DirtyRectangle){row_min, row_max - row_min + 1, first, last - first + 1};
}

DirtyRectangle dirty_rectangle_grown(const RenderGrid *grid, const DirtyRectangle *changed, int reach)
{
    if (dirty_is_empty(changed)) {
        return *changed;
    }
    int row = clamp_index(changed->first_row - reach, grid->rows);
    int column = clamp_index(changed->first_column - reach, grid->columns);
    int row_end = least(changed->first_row + changed->rows + reach, grid->rows);
    int column_end = least(changed->first_column + changed->columns + reach, grid->columns);
    return (DirtyRectangle){row, row_end - row, column, column_end - column};
}

/// ---- outlines ------------------------------------------------------------------------------------------------------

// The height of a column near a step decides whether it belongs to the upper or the lower ground; blurred over 5 x 5
// columns, that share crosses one half along a smooth line (as a distance field does: Frisken et al., SIGGRAPH 2000).
// Columns next to the step are shifted onto the line, the upper ones a little this side of it and the lower ones a
// little that side: the face between them stands upright.

#define LEAST_DROP  1.6 ///< m a metre between neighbours: less is a slope, which needs no outline
#define FULL_DROP   2.6 ///< m a metre: from here on the shift is whole
#define LEAST_SHARE 0.40 ///< of the height around that one drop must make up: else it is a long steep slope
#define FULL_SHARE  0.65
#define LEAN        0.08 ///< columns that upper and lower edge keep from the line
#define EDGE        0.2 ///< share of the height within which a column is upper or lower ground

enum { OUTLINE_SIDE = 2 * OUTLINE_REACH + 1 };

/// Binomial blur and its derivative, over five columns.
static const double blur[OUTLINE_SIDE] = {1.0 / 16, 4.0 / 16, 6.0 / 16, 4.0 / 16, 1.0 / 16};
static const double slope[OUTLINE_SIDE] = {-1.0 / 8, -2.0 / 8, 0.0, 2.0 / 8, 1.0 / 8};

static double ramp(double low, double high, double value)
{
    double share = (value - low) / (high - low);
    return share < 0.0 ? 0.0 : share > 1.0 ? 1.0 : share;
}

/// The greatest difference (m) between a column and one of its eight neighbours, a diagonal one's as over one column.
static double greatest_drop(const RenderGrid *grid, int row, int column)
{
    double middle = height_at(grid, row, column), most = 0.0;
    for (int j = -1; j <= 1; j++) {
        for (int i = -1; i <= 1; i++) {
            double drop = fabs(height_at(grid, row + j, column + i) - middle);
            most = fmax(most, i != 0 && j != 0 ? drop * M_SQRT1_2 : drop);
        }
    }
    return most;
}

static int8_t to_signed_part(double value)
{
    return (int8_t)lrint(127.0 * fmax(-1.0, fmin(1.0, value)));
}

void outline_compute(const RenderGrid *grid, int row, int column, int8_t out[4])
{
    memset(out, 0, 4);
    double drop = greatest_drop(grid, row, column);
    double whole = ramp(LEAST_DROP, FULL_DROP, drop / grid->spacing);
    if (whole <= 0.0) {
        return;
    }
    double around[OUTLINE_SIDE][OUTLINE_SIDE], low = HUGE_VAL, high = -HUGE_VAL;
    for (int j = 0; j < OUTLINE_SIDE; j++) {
        for (int i = 0; i < OUTLINE_SIDE; i++) {
            around[j][i] = height_at(grid, row + j - OUTLINE_REACH, column + i - OUTLINE_REACH);
            low = fmin(low, around[j][i]);
            high = fmax(high, around[j][i]);
        }
    }
    double range = high - low, share = 0.0, along_x = 0.0, along_y = 0.0;
    for (int j = 0; j < OUTLINE_SIDE; j++) {
        for (int i = 0; i < OUTLINE_SIDE; i++) {
            double upper = ramp(EDGE, 1.0 - EDGE, (around[j][i] - low) / range);
            share += blur[j] * blur[i] * upper;
            along_x += blur[j] * slope[i] * upper;
            along_y += slope[j] * blur[i] * upper;
        }
    }
    double steepness = hypot(along_x, along_y);
    if (steepness < 0.05) { // a lone pit or peak: it has no outline
        return;
    }
    double own = (around[OUTLINE_REACH][OUTLINE_REACH] - low) / range;
    double wanted = own > 1.0 - EDGE ? LEAN : own < EDGE ? -LEAN : LEAN * (2.0 * own - 1.0);
    double way = wanted - (share - 0.5) / steepness; // columns, towards the upper ground
    whole *= ramp(LEAST_SHARE, FULL_SHARE, drop / range);
    out[0] = to_signed_part(whole * way * along_x / steepness / OUTLINE_MOST);
    out[1] = to_signed_part(whole * way * along_y / steepness / OUTLINE_MOST);
    out[2] = to_signed_part(-whole * along_x / steepness);
    out[3] = to_signed_part(-whole * along_y / steepness);
}

/// ---- relief --------------------------------------------------------------------------------------------------------

// Normals come from differences of heights over two columns; hollows from the mean heights of blocks around, blended
// between the blocks' middles: what lies lower than its surroundings sees less of the sky.

#define HOLLOW 1.75 ///< 1/m: how fast the sky closes over what lies deeper than its surroundings. Chosen by eye

static int blocks_along(int columns)
{
    return (columns + RELIEF_BLOCK - 1) / RELIEF_BLOCK;
}

size_t relief_block_count(const RenderGrid *grid)
{
    return (size_t)blocks_along(grid->rows) * (size_t)blocks_along(grid->columns);
}

static float mean_of_block(const RenderGrid *grid, int b, int a)
{
    int row_end = least((b + 1) * RELIEF_BLOCK, grid->rows);
    int column_end = least((a + 1) * RELIEF_BLOCK, grid->columns);
    double sum = 0.0;
    for (int j = b * RELIEF_BLOCK; j < row_end; j++) {
        for (int i = a * RELIEF_BLOCK; i < column_end; i++) {
            sum += height_at(grid, j, i);
        }
    }
    return (float)(sum / ((row_end - b * RELIEF_BLOCK) * (column_end - a * RELIEF_BLOCK)));
}

void relief_mean(const RenderGrid *grid, const DirtyRectangle *changed, float *means)
{
    if (dirty_is_empty(changed)) {
        return;
    }
    int last_b = (changed->first_row + changed->rows - 1) / RELIEF_BLOCK;
    int last_a = (changed->first_column + changed->columns - 1) / RELIEF_BLOCK;
    for (int b = changed->first_row / RELIEF_BLOCK; b <= last_b; b++) {
        for (int a = changed->first_column / RELIEF_BLOCK; a <= last_a; a++) {
            means[b * blocks_along(grid->columns) + a] = mean_of_block(grid, b, a);
        }
    }
}

/// Finds the two blocks whose middles a column lies between, and the share of the second.
static double between(int at, int count, int *first, int *second)
{
    double place = ((double)at + 0.5) / RELIEF_BLOCK - 0.5;
    int low = (int)floor(place);
    *first = clamp_index(low, count);
    *second = clamp_index(low + 1, count);
    return place - low;
}

static double mean_around(const RenderGrid *grid, const float *means, int row, int column)
{
    int across = blocks_along(grid->columns), a0, a1, b0, b1;
    double x = between(column, across, &a0, &a1), y = between(row, blocks_along(grid->rows), &b0, &b1);
    const float *low = means + (size_t)b0 * (size_t)across, *high = means + (size_t)b1 * (size_t)across;
    return (1.0 - y) * ((1.0 - x) * (double)low[a0] + x * (double)low[a1]) +
           y * ((1.0 - x) * (double)high[a0] + x * (double)high[a1]);
}

static uint8_t to_part(double value)
{
    return (uint8_t)(128.5 + 127.0 * fmax(-1.0, fmin(1.0, value)));
}

void relief_compute(const RenderGrid *grid, const int8_t outline[4], const float *means, int row, int column,
                    uint8_t out[4])
{
    double slope_x = (height_at(grid, row, column + 1) - height_at(grid, row, column - 1)) / (2.0 * grid->spacing);
    double slope_y = (height_at(grid, row + 1, column) - height_at(grid, row - 1, column)) / (2.0 * grid->spacing);
    double fall = hypot(slope_x, slope_y);
    double face_x = outline[2] / 127.0, face_y = outline[3] / 127.0, faced = fmin(hypot(face_x, face_y), 1.0);
    slope_x += faced * (-face_x * fall - slope_x);
    slope_y += faced * (-face_y * fall - slope_y);
    double upward = 1.0 / sqrt(1.0 + slope_x * slope_x + slope_y * slope_y);
    double hollow = fmax(mean_around(grid, means, row, column) - height_at(grid, row, column), 0.0);
    out[0] = to_part(-slope_x * upward);
    out[1] = to_part(-slope_y * upward);
    out[2] = (uint8_t)(0.5 + 255.0 / (1.0 + HOLLOW * hollow));
}
