/// Counts particles into coarse cells once a tick, so that asking whether a rock has grains near it costs a few cells.
#include "trainer/sim/moving_soil_map.h"

#include <math.h>
#include <stdlib.h>

#define CELL   0.5 ///< m
#define MARGIN 0.2 ///< m

typedef struct Cell {
    float low, high; ///< m: heights of its particles; low > high: none
} Cell;

struct RockNear {
    int rows, columns;
    double x, y; ///< m: corner of the first cell
    Cell *cell; ///< [rows][columns]
};

RockNear *rock_near_create(double size_x, double size_y)
{
    RockNear *near = calloc(1, sizeof *near);
    if (near == NULL) {
        return NULL;
    }
    near->rows = (int)(size_y / CELL) + 2;
    near->columns = (int)(size_x / CELL) + 2;
    near->x = -0.5 * size_x - 0.5 * CELL;
    near->y = -0.5 * size_y - 0.5 * CELL;
    near->cell = calloc((size_t)near->rows * (size_t)near->columns, sizeof *near->cell);
    if (near->cell == NULL) {
        free(near);
        return NULL;
    }
    return near;
}

void rock_near_destroy(RockNear *near)
{
    if (near != NULL) {
        free(near->cell);
        free(near);
    }
}

/// What lies beyond the site counts to its edge.
static int index_of(double at, int count)
{
    double cell = floor(at / CELL);
    return cell < 0.0 ? 0 : cell >= count ? count - 1 : (int)cell;
}

void rock_near_mark(RockNear *near, const SoilParticleView *particles)
{
    for (int k = 0; k < near->rows * near->columns; k++) {
        near->cell[k] = (Cell){HUGE_VALF, -HUGE_VALF};
    }
    for (int i = 0; i < particles->count; i++) {
        int row = index_of(particles->y[i] - near->y, near->rows);
        int column = index_of(particles->x[i] - near->x, near->columns);
        Cell *cell = &near->cell[row * near->columns + column];
        float z = (float)particles->z[i];
        cell->low = z < cell->low ? z : cell->low;
        cell->high = z > cell->high ? z : cell->high;
    }
}

bool rock_near_soil(const RockNear *near, Vec3 middle, double radius)
{
    double reach = radius + MARGIN;
    int row_end = index_of(middle.y + reach - near->y, near->rows);
    int column_end = index_of(middle.x + reach - near->x, near->columns);
    for (int row = index_of(middle.y - reach - near->y, near->rows); row <= row_end; row++) {
        for (int column = index_of(middle.x - reach - near->x, near->columns); column <= column_end; column++) {
            const Cell *cell = &near->cell[row * near->columns + column];
            if ((double)cell->low < middle.z + reach && (double)cell->high > middle.z - reach) {
                return true;
            }
        }
    }
    return false;
}
