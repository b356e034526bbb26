/// The columns of a ground whose middles a footprint covers: a rectangle seen from above, turned by its heading.
#ifndef SPADEWORK_SOIL_FOOTPRINT_H
#define SPADEWORK_SOIL_FOOTPRINT_H

#include <math.h>
#include <stdbool.h>

#include "data/core/elementary.h"
#include "soil/ground/ground.h"

/// A walk over the columns that a footprint covers, row by row: begin it, and ask for the next one until there is none.
typedef struct FootprintWalk {
    int row, column; ///< where it is
    double along, across; ///< m from the footprint's middle, along and across its length
    double c, s; ///< of its heading
    int first_row, last_row, first_column, last_column; ///< where covered columns may be
} FootprintWalk;

static inline FootprintWalk footprint_walk(const Ground *ground, const SoilFootprint *footprint)
{
    FootprintWalk walk = {.c = same_cos(footprint->heading), .s = same_sin(footprint->heading)};
    double reach = 0.5 * same_hypot(footprint->length, footprint->width);
    ground_column_at(ground, footprint->middle.x - reach, footprint->middle.y - reach, &walk.first_row,
                     &walk.first_column);
    ground_column_at(ground, footprint->middle.x + reach, footprint->middle.y + reach, &walk.last_row,
                     &walk.last_column);
    walk.row = walk.first_row;
    walk.column = walk.first_column - 1;
    return walk;
}

/// Goes to the next column that is covered; false when there is none.
static inline bool footprint_next(const Ground *ground, const SoilFootprint *footprint, FootprintWalk *walk)
{
    for (;;) {
        if (++walk->column > walk->last_column) {
            walk->column = walk->first_column;
            walk->row++;
        }
        if (walk->row > walk->last_row) {
            return false;
        }
        double dx = ground->origin_x + walk->column * ground->spacing - footprint->middle.x;
        double dy = ground->origin_y + walk->row * ground->spacing - footprint->middle.y;
        walk->along = dx * walk->c + dy * walk->s;
        walk->across = dy * walk->c - dx * walk->s;
        if (fabs(walk->along) <= 0.5 * footprint->length && fabs(walk->across) <= 0.5 * footprint->width) {
            return true;
        }
    }
}

#endif
