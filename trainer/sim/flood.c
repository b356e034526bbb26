/// A basin grows from its start by the lowest column at its edge, a priority flood (Barnes, Lehman and Mulla, Computers
/// and Geosciences 62, 2014), until it holds the volume. A column lower than one that was passed lies beyond a saddle:
/// the basin is full up to the saddle, and the rest fills the next one. A full basin counts as ground at its level, so
/// that basins which meet grow together and the volume is kept.
#include "trainer/sim/flood.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/// Columns of a basin, columns looked at in a call, and places in the heap: those at the edge of a basin.
enum { MOST_COLUMNS = 8192, MOST_WORK = 32768, MOST_HEAP = 4 * MOST_COLUMNS + 8 };

/// m3: less is no water.
#define LEAST_VOLUME 1e-6

typedef struct Edge {
    double height; ///< m
    int32_t column; ///< index
} Edge;

struct Flood {
    int rows, columns;
    uint32_t pour, growth; ///< number of the call, and of the basin that grows
    uint32_t *seen; ///< [rows][columns]: growth in which a column was last reached
    uint32_t *wet; ///< [rows][columns]: call in which `surface` was set
    double *surface; ///< [rows][columns], m
    int heap_count, basin_count;
    Edge heap[MOST_HEAP];
    int32_t basin[MOST_COLUMNS];
};

Flood *flood_create(int rows, int columns)
{
    size_t count = (size_t)rows * (size_t)columns;
    Flood *flood = calloc(1, sizeof *flood);
    if (flood == NULL) {
        return NULL;
    }
    flood->rows = rows;
    flood->columns = columns;
    flood->seen = calloc(count, sizeof *flood->seen);
    flood->wet = calloc(count, sizeof *flood->wet);
    flood->surface = calloc(count, sizeof *flood->surface);
    if (flood->seen == NULL || flood->wet == NULL || flood->surface == NULL) {
        flood_destroy(flood);
        return NULL;
    }
    return flood;
}

void flood_destroy(Flood *flood)
{
    if (flood != NULL) {
        free(flood->seen);
        free(flood->wet);
        free(flood->surface);
        free(flood);
    }
}

/// ---- the edge of a basin -------------------------------------------------------------------------------------------

/// Lower first; of equals the lower index, so that the order is total.
static bool comes_first(const Edge *a, const Edge *b)
{
    return a->height < b->height || (a->height <= b->height && a->column < b->column);
}

static void push_edge(Flood *flood, Edge edge)
{
    int k = flood->heap_count++;
    while (k > 0 && comes_first(&edge, &flood->heap[(k - 1) / 2])) {
        flood->heap[k] = flood->heap[(k - 1) / 2];
        k = (k - 1) / 2;
    }
    flood->heap[k] = edge;
}

static Edge pop_edge(Flood *flood)
{
    Edge first = flood->heap[0], last = flood->heap[--flood->heap_count];
    int k = 0;
    for (int child = 1; child < flood->heap_count; child = 2 * k + 1) {
        child += child + 1 < flood->heap_count && comes_first(&flood->heap[child + 1], &flood->heap[child]);
        if (!comes_first(&flood->heap[child], &last)) {
            break;
        }
        flood->heap[k] = flood->heap[child];
        k = child;
    }
    flood->heap[k] = last;
    return first;
}

double flood_surface(const Flood *flood, int row, int column)
{
    int32_t index = row * flood->columns + column;
    return flood->wet[index] == flood->pour ? flood->surface[index] : -HUGE_VAL;
}

/// Puts a column at the edge, once: as high as its ground, or as the water of a full basin.
static void reach(Flood *flood, const SoilGridView *grid, int row, int column)
{
    int32_t index = row * flood->columns + column;
    if (flood->seen[index] != flood->growth) {
        flood->seen[index] = flood->growth;
        push_edge(flood, (Edge){fmax((double)grid->height[index], flood_surface(flood, row, column)), index});
    }
}

static bool is_at_edge(const Flood *flood, int32_t column)
{
    int row = column / flood->columns, at = column % flood->columns;
    return row == 0 || at == 0 || row == flood->rows - 1 || at == flood->columns - 1;
}

/// ---- basins --------------------------------------------------------------------------------------------------------

/// Fills the basin that has grown up to `level`; the one that holds the most is kept in `pool`.
static void settle_basin(Flood *flood, const SoilGridView *grid, double level, double *most, FloodPool *pool)
{
    double lowest = level, water = 0.0;
    int rows[2] = {flood->rows, -1}, columns[2] = {flood->columns, -1};
    for (int k = 0; k < flood->basin_count; k++) {
        int32_t column = flood->basin[k];
        double ground = (double)grid->height[column];
        int row = column / flood->columns, at = column % flood->columns;
        flood->wet[column] = flood->pour;
        flood->surface[column] = level;
        water += level - ground;
        lowest = fmin(lowest, ground);
        rows[0] = row < rows[0] ? row : rows[0];
        rows[1] = row > rows[1] ? row : rows[1];
        columns[0] = at < columns[0] ? at : columns[0];
        columns[1] = at > columns[1] ? at : columns[1];
    }
    if (water > *most) {
        *most = water;
        pool->level = level;
        pool->depth = level - lowest;
        for (int k = 0; k < 2; k++) {
            double side = (k - 0.5) * grid->spacing; // the outer sides of the outermost columns
            double *corner = k == 0 ? pool->low : pool->high;
            corner[0] = grid->origin_x + columns[k] * grid->spacing + side;
            corner[1] = grid->origin_y + rows[k] * grid->spacing + side;
        }
    }
}

/// How a basin's growth ended.
typedef struct Growth {
    double volume; ///< m3 that it took
    int32_t next; ///< column beyond its saddle, where the rest goes; -1: the rest runs off
} Growth;

/// Grows a basin from a column for `volume` m3, and fills it.
static Growth grow_basin(Flood *flood, const SoilGridView *grid, int32_t start, double volume, int *work, double *most,
                         FloodPool *pool)
{
    const double area = grid->spacing * grid->spacing;
    double sum = 0.0, passed = -HUGE_VAL;
    flood->growth++;
    flood->heap_count = flood->basin_count = 0;
    reach(flood, grid, start / flood->columns, start % flood->columns);
    for (;;) {
        Edge edge = pop_edge(flood);
        int n = flood->basin_count;
        bool beyond = edge.height < passed, off = is_at_edge(flood, edge.column) || n == MOST_COLUMNS;
        double level = beyond ? passed : edge.height;
        double room = area * (n * level - sum);
        ++*work;
        if (n > 0 && room >= volume) {
            settle_basin(flood, grid, (volume / area + sum) / n, most, pool);
            return (Growth){volume, -1};
        }
        if (beyond || off) {
            settle_basin(flood, grid, level, most, pool);
            return (Growth){n > 0 ? room : 0.0, beyond ? edge.column : -1};
        }
        passed = level;
        sum += level;
        flood->basin[flood->basin_count++] = edge.column;
        int row = edge.column / flood->columns, column = edge.column % flood->columns;
        reach(flood, grid, row - 1, column);
        reach(flood, grid, row + 1, column);
        reach(flood, grid, row, column - 1);
        reach(flood, grid, row, column + 1);
    }
}

FloodPool flood_pour(Flood *flood, const SoilGridView *grid, double x, double y, double volume)
{
    FloodPool pool = {0};
    double most = 0.0, rest = volume;
    int work = 0, last_row = flood->rows - 1, last_column = flood->columns - 1;
    int row = (int)fmax(0.0, fmin(last_row, floor((y - grid->origin_y) / grid->spacing + 0.5)));
    int column = (int)fmax(0.0, fmin(last_column, floor((x - grid->origin_x) / grid->spacing + 0.5)));
    int32_t start = row * flood->columns + column;
    flood->pour++;
    while (rest > LEAST_VOLUME && start >= 0 && work < MOST_WORK) {
        Growth growth = grow_basin(flood, grid, start, rest, &work, &most, &pool);
        rest -= growth.volume;
        start = growth.next;
    }
    pool.run_off = rest > LEAST_VOLUME ? rest : 0.0;
    pool.volume = volume - pool.run_off;
    return pool;
}
