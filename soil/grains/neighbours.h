/// Neighbour search: particles sorted into a grid of upright cells (x, y), by height inside a cell.
///
/// Cells are grouped in blocks of NEIGHBOUR_BLOCK x NEIGHBOUR_BLOCK cells and the blocks in four colours (a 2 x 2
/// chequer). The sort order is colour, block, cell, height: the particles of a block lie together, and two blocks of
/// one colour are so far apart that no particle can touch particles of both. That is what lets Gauss-Seidel run in
/// parallel with one result.
#ifndef SPADEWORK_SOIL_NEIGHBOURS_H
#define SPADEWORK_SOIL_NEIGHBOURS_H

#include <stdbool.h>
#include <stdint.h>

#include "soil/grains/particles.h"

enum { NEIGHBOUR_BLOCK = 4, NEIGHBOUR_COLOURS = 4 };

/// What is in a cell.
typedef struct CellContents {
    float velocity[3]; ///< m/s, mean
    float deviation; ///< m/s: most that a particle's velocity differs from it
    float radius; ///< m, of the largest
} CellContents;

typedef struct Neighbours {
    double reach; ///< m from the origin that the grid covers at most; what lies beyond counts to the cells at its edge
    double cell; ///< m, side of a cell
    double corner_x, corner_y; ///< lower corner of cell (0, 0)
    int blocks_x, blocks_y; ///< padded to even
    int cells; ///< in rank order (see neighbours_rank)
    int32_t *item; ///< [particle capacity] the particles, cell by cell and by height
    int32_t *start; ///< [cells + 1] first of each cell in `item`, by rank; behind `contents`, of one piece
    int32_t start_capacity;
    CellContents *contents; ///< [cells] of those that hold particles
    int block_count; ///< blocks that hold particles
    int32_t *block_first; ///< [block_count + 1] first particle of each such block
    int colour_first[NEIGHBOUR_COLOURS + 1]; ///< first such block of each colour
} Neighbours;

bool neighbours_create(Neighbours *neighbours, int particle_capacity, double reach);
void neighbours_destroy(Neighbours *neighbours);
/// Gives the memory of the grid, which holds nothing until the particles are placed again, back to the system.
void neighbours_give_back(Neighbours *neighbours, int particle_capacity);

/// Finds which particles, all within `extent`, are in which cell of side `cell` (m), or a multiple of it where those
/// would be too many. The particles keep their places; `item` names them. Takes a number a particle from `scratch`
/// while it works. False when the memory for the cells is not there.
bool neighbours_place(Neighbours *neighbours, const Particles *particles, const ParticlesExtent *extent, double cell,
                      Team *team, Scratch *scratch);

/// Sorts the particles (they are reordered) into cells of side `cell` (m), or a multiple of it where those would be
/// too many. `order`: [particles->count], out: the index that each particle had. Takes as much from `scratch` while it
/// works as particles_permute. False when the memory for the cells is not there.
bool neighbours_sort(Neighbours *neighbours, Particles *particles, const ParticlesExtent *extent, double cell,
                     int32_t *order, Team *team, Scratch *scratch);

/// Rank of cell (cx, cy) in the sort order, or -1 outside.
int neighbours_rank(const Neighbours *neighbours, int cx, int cy);
void neighbours_cell_of(const Neighbours *neighbours, double x, double y, int *cx, int *cy);

/// Neighbours of a particle, many tested at once: what all solvers make their lists with.
///
/// Particles are sorted by cell and by height (neighbours.h), so that those near one are found by walking a few short
/// stretches of memory. Two are near each other when they are no farther apart than their reaches together and what
/// they may close in the tick, which is the difference of their ways: soil that moves as a whole has no more
/// neighbours than soil at rest. In single precision, with SEARCH_ROUNDING to spare.

enum {
    SEARCH_LANES = 16
}; ///< at most: so many numbers may be written behind the end of a list, and read behind an array
/// m: more than single precision loses on a site of 200 m.
#define SEARCH_ROUNDING 1e-4F

/// Numbers a particle in SearchPlaces.
enum { SEARCH_FIELDS = 7 };

/// Particles as the search sees them, [capacity + SEARCH_LANES], m: in the order of the grid (Neighbours.item), so that
/// those of a cell follow one another. What follows numbers them in that order.
typedef struct SearchPlaces {
    float *x, *y, *z; ///< from the grid's corner
    float *way_x, *way_y, *way_z; ///< velocity times `time`
    float *reach; ///< radius and half of what is listed beyond touching
    double skin; ///< most of what reaches are longer than radii
    double time; ///< s that the list has to last: for the caller to set before the particles, as `skin`
} SearchPlaces;

/// SEARCH_NEAR: a cell and four of the eight around it, in which lie all that are nearer than a cell. SEARCH_FAR:
/// those, and of the sixteen cells around them the eight on the same side, as far as something in them moves fast
/// enough to come. SEARCH_ALL: all of the 25 cells, as far as they are not empty and something in them may come.
typedef enum SearchExtent { SEARCH_NEAR = 5, SEARCH_FAR = 13, SEARCH_ALL = 26 } SearchExtent;

/// Cells around one, which comes first; arrays by field, for cells are tested many at once. Particles come cell by cell
/// and by height, so that what lies too low for one particle lies too low for the next.
enum { SEARCH_CELLS = 32 }; ///< room for SEARCH_ALL cells, in whole vectors of lanes
typedef struct SearchAround {
    int cells; ///< what lies behind them in the arrays is anything
    int32_t low[SEARCH_CELLS], end[SEARCH_CELLS]; ///< particles, without those that lie too low
    float below[SEARCH_CELLS]; ///< m: particles so far below one of the middle cell are not near it
    float reach[SEARCH_CELLS]; ///< m: longest of the cell
    float way_x[SEARCH_CELLS], way_y[SEARCH_CELLS], way_z[SEARCH_CELLS]; ///< m: mean way of the cell's particles
    float deviation[SEARCH_CELLS]; ///< m: most that one's way differs from it
    float from_x[SEARCH_CELLS], to_x[SEARCH_CELLS]; ///< m: where the cell begins and ends
    float from_y[SEARCH_CELLS], to_y[SEARCH_CELLS]; ///< m
} SearchAround;

/// Writes those of the particles around that are near particle i to `list` (room for `room`): of its own cell those
/// behind it, or, after SEARCH_ALL, all (itself too). Call it for the particles of a cell in their order. Returns their
/// number.
typedef int32_t SearchFunction(const SearchPlaces *place, SearchAround *around, int32_t i, int32_t *list, int32_t room);

/// Takes the arrays from `scratch` as one piece, for particles 0..capacity-1.
void search_take_places(SearchPlaces *place, Scratch *scratch, int32_t capacity);
void search_give_back_places(SearchPlaces *place, Scratch *scratch);
/// Bytes that search_take_places takes.
size_t search_places_room(int32_t capacity);

/// Sets place k, of particle grid->item[k], whose reach is its radius and `skin` (m).
void search_place_particle(SearchPlaces *place, const Neighbours *grid, const Particles *particles, int32_t k,
                           double skin);
/// The cells around cell (cx, cy), which holds particles.
void search_look_around(const SearchPlaces *place, const Neighbours *grid, int cx, int cy, SearchExtent extent,
                        SearchAround *around);
/// Most numbers that a search of one particle may write.
int32_t search_room(const SearchAround *around);

#endif
