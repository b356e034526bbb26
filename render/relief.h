/// What is computed once for each column of a height grid when it changes, instead of for each pixel. Pure functions;
/// none calls OpenGL.
#ifndef SPADEWORK_RENDER_RELIEF_H
#define SPADEWORK_RENDER_RELIEF_H

#include <stdbool.h>
#include <stdint.h>

#include "render/render.h"

/// ---- changed columns -----------------------------------------------------------------------------------------------

enum { GRID_ARRAYS = 6 }; ///< height, soil, loose, strata, cover, marks

/// Columns first .. first + count - 1; empty when a count is 0.
typedef struct DirtyRectangle {
    int first_row, rows, first_column, columns;
} DirtyRectangle;

/// Returns what of a grid must be sent again: everything when `known` is false or the grid says so, else its dirty
/// rectangle cut to the grid.
DirtyRectangle dirty_rectangle(const RenderGrid *grid, bool known);

/// True when there is nothing to send.
static inline bool dirty_is_empty(const DirtyRectangle *rectangle)
{
    return rectangle->rows <= 0 || rectangle->columns <= 0;
}

/// Returns a rectangle with `reach` columns more on each side, cut to the grid; an empty one stays so.
DirtyRectangle dirty_rectangle_grown(const RenderGrid *grid, const DirtyRectangle *changed, int reach);

/// What the columns of a grid held when they were last sent. Zero-initialise; owned by the caller, freed by
/// grid_copy_free.
typedef struct GridCopy {
    int rows, columns;
    uint8_t *bytes[GRID_ARRAYS]; ///< of each array of a RenderGrid; NULL: it had none
} GridCopy;
void grid_copy_free(GridCopy *copy);
/// Finds the columns that are others than in the copy, which then holds the grid's: everything where the copy is of
/// another size or memory is short.
DirtyRectangle grid_copy_update(GridCopy *copy, const RenderGrid *grid);

/// ---- outlines ------------------------------------------------------------------------------------------------------

// Where a height grid steps down steeply its columns stand in a staircase along the edge. An outline holds how far a
// column is shifted aside, and which way its face looks, so that the step is drawn as a face with a smooth outline.

enum { OUTLINE_REACH = 2 }; ///< columns around a changed one whose outline changes with it
/// Columns that a column is shifted by at most; heights stay as they are.
#define OUTLINE_MOST 0.9

/// Computes the outline of one column, parts of 127: out[0], out[1]: shift along x and y in OUTLINE_MOST columns;
/// out[2], out[3]: horizontal direction that its face looks to, towards the lower ground, times how much of a face it
/// is. All 0 where the ground is no step.
void outline_compute(const RenderGrid *grid, int row, int column, int8_t out[4]);

/// ---- relief --------------------------------------------------------------------------------------------------------

// What low quality lights the ground by: the direction of each column's normal and how much of the sky it sees.

enum {
    RELIEF_BLOCK = 16, ///< columns along a side of the blocks whose mean heights show hollows
    RELIEF_REACH = RELIEF_BLOCK + RELIEF_BLOCK / 2 ///< columns around a changed one whose relief changes with it
};

/// Returns how many blocks a grid has.
size_t relief_block_count(const RenderGrid *grid);
/// Computes the mean heights (m) of the blocks that `changed` touches.
/// means  [relief_block_count], rows of blocks
void relief_mean(const RenderGrid *grid, const DirtyRectangle *changed, float *means);
/// Computes the relief of one column: out[0], out[1]: 128 + 127 parts of its normal along the grid's x and y; out[2]:
/// 255 parts of the sky that the ground around leaves open. out[3] is left alone.
/// outline  [4], of outline_compute for the column: a face looks where its outline says
/// means    m: of relief_mean, for the whole grid
void relief_compute(const RenderGrid *grid, const int8_t outline[4], const float *means, int row, int column,
                    uint8_t out[4]);

#endif
