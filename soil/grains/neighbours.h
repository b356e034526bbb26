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
    int32_t *start; ///< [cells + 1] first of each cell in `item`, by rank
    int32_t start_capacity;
    CellContents *contents; ///< [cells] of those that hold particles
    int block_count; ///< blocks that hold particles
    int32_t *block_first; ///< [block_count + 1] first particle of each such block
    int colour_first[NEIGHBOUR_COLOURS + 1]; ///< first such block of each colour
} Neighbours;

bool neighbours_create(Neighbours *neighbours, int particle_capacity, double reach);
void neighbours_destroy(Neighbours *neighbours);

/// Finds which particles are in which cell of side `cell` (m), or a multiple of it where those would be too many. The
/// particles keep their places; `item` names them. Takes a number a particle from `scratch` while it works. False when
/// the memory for the cells is not there.
bool neighbours_place(Neighbours *neighbours, const Particles *particles, double cell, Team *team, Scratch *scratch);

/// Sorts the particles (they are reordered) into cells of side `cell` (m), or a multiple of it where those would be
/// too many. `order`: [particles->count], out: the index that each particle had. Takes as much from `scratch` while it
/// works as particles_permute. False when the memory for the cells is not there.
bool neighbours_sort(Neighbours *neighbours, Particles *particles, double cell, int32_t *order, Team *team,
                     Scratch *scratch);

/// Rank of cell (cx, cy) in the sort order, or -1 outside.
int neighbours_rank(const Neighbours *neighbours, int cx, int cy);
void neighbours_cell_of(const Neighbours *neighbours, double x, double y, int *cx, int *cy);

#endif
