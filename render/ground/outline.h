/// Where a height grid steps down steeply its columns stand in a staircase along the edge. Finds how far each of them
/// is to be shifted aside, and which way its face looks, so that the step is drawn as a face with a smooth outline.
/// Pure functions, no OpenGL.
#ifndef SPADEWORK_RENDER_OUTLINE_H
#define SPADEWORK_RENDER_OUTLINE_H

#include <stdint.h>

#include "render/ground/dirty_rectangle.h"

enum { OUTLINE_REACH = 2 }; ///< columns around a changed one whose outline changes with it
/// Columns that a column is shifted by at most; heights stay as they are.
#define OUTLINE_MOST 0.9

/// Computes the outline of one column, parts of 127: out[0], out[1]: shift along x and y in OUTLINE_MOST columns;
/// out[2], out[3]: horizontal direction that its face looks to, towards the lower ground, times how much of a face it
/// is. All 0 where the ground is no step.
void outline_compute(const RenderGrid *grid, int row, int column, int8_t out[4]);

/// Returns a rectangle with OUTLINE_REACH columns more on each side, cut to the grid; an empty one stays so.
DirtyRectangle outline_rectangle(const RenderGrid *grid, const DirtyRectangle *changed);

#endif
