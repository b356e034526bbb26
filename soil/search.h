/// Neighbours of a particle, many tested at once: what all solvers make their lists with.
///
/// Particles are sorted by cell and by height (neighbours.h), so that those near one are found by walking five short stretches of
/// memory. The test is in single precision and with single reaches: it rules most pairs out, and the caller tests the rest exactly.
#ifndef SPADEWORK_SOIL_SEARCH_H
#define SPADEWORK_SOIL_SEARCH_H

#include <stdbool.h>
#include <stdint.h>

#include "soil/neighbours.h"

enum {
    SEARCH_LANES = 16
}; ///< at most: so many numbers may be written behind the end of a list, and read behind an array
/// m: more than single precision loses on a site of 200 m.
#define SEARCH_ROUNDING 1e-4F

/// Particles as the search sees them, [capacity + SEARCH_LANES], m.
typedef struct SearchPlaces {
    float *x, *y, *z; ///< from the grid's corner
    float *margin; ///< how far the particle may move within the tick
    float *reach; ///< two are near each other when they are no farther apart than their reaches together
} SearchPlaces;

/// A cell, which comes first, and four of the eight around it. Particles come cell by cell and by height, so that what lies
/// too low for one particle lies too low for the next.
typedef struct SearchAround {
    int cells;
    struct {
        int32_t low, end; ///< particles, without those that lie too low
        float reach; ///< m: longest of the cell
        float below; ///< m: particles so far below one of the middle cell are not near it
    } cell[5];
} SearchAround;

/// Writes those of the particles around that may be near particle i to `list` (room for `room`): of its own cell those behind it.
/// Particles of a cell are asked for in turn. Returns their number.
typedef int32_t SearchFunction(const SearchPlaces *place, SearchAround *around, int32_t i, int32_t *list, int32_t room);

/// Splits memory (of at least SEARCH_FIELDS (capacity + SEARCH_LANES) numbers) into the arrays.
enum { SEARCH_FIELDS = 5 };
void search_place_arrays(SearchPlaces *place, float *memory, int32_t capacity);

/// Sets the place of particle i. Its reach is its radius, `skin` (m) and `margin` (m).
void search_place_particle(SearchPlaces *place, const Neighbours *grid, const Particles *particles, int32_t i,
                           float skin, float margin);
/// The cells around cell (cx, cy), which holds particles.
void search_look_around(const SearchPlaces *place, const Neighbours *grid, int cx, int cy, SearchAround *around);
/// Most numbers that a search of one particle may write.
int32_t search_room(const SearchAround *around);

#endif
