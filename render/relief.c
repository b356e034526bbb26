/// Normals from differences of heights over two columns; hollows from the mean heights of blocks around, blended
/// between the blocks' middles: what lies lower than its surroundings sees less of the sky.
#include "render/relief.h"

#include <math.h>

#define HOLLOW 1.75 ///< 1/m: how fast the sky closes over what lies deeper than its surroundings. Chosen by eye

static int least(int a, int b)
{
    return a < b ? a : b;
}

static int clamp_index(int value, int count)
{
    return value < 0 ? 0 : value >= count ? count - 1 : value;
}

static double height_at(const RenderGrid *grid, int row, int column)
{
    row = clamp_index(row, grid->rows);
    column = clamp_index(column, grid->columns);
    return (double)grid->height[(size_t)row * (size_t)grid->columns + (size_t)column];
}

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

DirtyRectangle relief_rectangle(const RenderGrid *grid, const DirtyRectangle *changed)
{
    if (dirty_is_empty(changed)) {
        return *changed;
    }
    // A block counts as far as to the middles of its neighbours.
    const int reach = RELIEF_BLOCK + RELIEF_BLOCK / 2;
    int row = clamp_index(changed->first_row - reach, grid->rows);
    int column = clamp_index(changed->first_column - reach, grid->columns);
    int row_end = least(changed->first_row + changed->rows + reach, grid->rows);
    int column_end = least(changed->first_column + changed->columns + reach, grid->columns);
    return (DirtyRectangle){row, row_end - row, column, column_end - column};
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
