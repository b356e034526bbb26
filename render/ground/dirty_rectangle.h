/// Rectangles of changed columns. Pure functions, no OpenGL.
#ifndef SPADEWORK_RENDER_DIRTY_H
#define SPADEWORK_RENDER_DIRTY_H

#include <stdbool.h>

#include "render/render.h"

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

#endif
