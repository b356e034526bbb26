/// Outlines of steps. The height of a column near a step decides whether it belongs to the upper or the lower ground;
/// blurred over 5 x 5 columns, that share crosses one half along a smooth line (as a distance field does: Frisken et
/// al., SIGGRAPH 2000). Columns next to the step are shifted onto the line, the upper ones a little this side of it and
/// the lower ones a little that side: the face between them stands upright.
#include "render/ground/outline.h"

#include <math.h>
#include <string.h>

#define LEAST_DROP  1.6 ///< m a metre between neighbours: less is a slope, which needs no outline
#define FULL_DROP   2.6 ///< m a metre: from here on the shift is whole
#define LEAST_SHARE 0.40 ///< of the height around that one drop must make up: else it is a long steep slope
#define FULL_SHARE  0.65
#define LEAN        0.08 ///< columns that upper and lower edge keep from the line
#define EDGE        0.2 ///< share of the height within which a column is upper or lower ground

enum { SIDE = 2 * OUTLINE_REACH + 1 };

/// Binomial blur and its derivative, over five columns.
static const double blur[SIDE] = {1.0 / 16, 4.0 / 16, 6.0 / 16, 4.0 / 16, 1.0 / 16};
static const double slope[SIDE] = {-1.0 / 8, -2.0 / 8, 0.0, 2.0 / 8, 1.0 / 8};

static int clamp_index(int value, int count)
{
    return value < 0 ? 0 : value >= count ? count - 1 : value;
}

static double ramp(double low, double high, double value)
{
    double share = (value - low) / (high - low);
    return share < 0.0 ? 0.0 : share > 1.0 ? 1.0 : share;
}

static double height_at(const RenderGrid *grid, int row, int column)
{
    row = clamp_index(row, grid->rows);
    column = clamp_index(column, grid->columns);
    return (double)grid->height[(size_t)row * (size_t)grid->columns + (size_t)column];
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

static int8_t to_part(double value)
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
    double around[SIDE][SIDE], low = HUGE_VAL, high = -HUGE_VAL;
    for (int j = 0; j < SIDE; j++) {
        for (int i = 0; i < SIDE; i++) {
            around[j][i] = height_at(grid, row + j - OUTLINE_REACH, column + i - OUTLINE_REACH);
            low = fmin(low, around[j][i]);
            high = fmax(high, around[j][i]);
        }
    }
    double range = high - low, share = 0.0, along_x = 0.0, along_y = 0.0;
    for (int j = 0; j < SIDE; j++) {
        for (int i = 0; i < SIDE; i++) {
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
    out[0] = to_part(whole * way * along_x / steepness / OUTLINE_MOST);
    out[1] = to_part(whole * way * along_y / steepness / OUTLINE_MOST);
    out[2] = to_part(-whole * along_x / steepness);
    out[3] = to_part(-whole * along_y / steepness);
}

DirtyRectangle outline_rectangle(const RenderGrid *grid, const DirtyRectangle *changed)
{
    if (dirty_is_empty(changed)) {
        return *changed;
    }
    int row = changed->first_row - OUTLINE_REACH, row_end = changed->first_row + changed->rows + OUTLINE_REACH;
    int column = changed->first_column - OUTLINE_REACH;
    int column_end = changed->first_column + changed->columns + OUTLINE_REACH;
    row = row > 0 ? row : 0;
    column = column > 0 ? column : 0;
    row_end = row_end < grid->rows ? row_end : grid->rows;
    column_end = column_end < grid->columns ? column_end : grid->columns;
    return (DirtyRectangle){row, row_end - row, column, column_end - column};
}
