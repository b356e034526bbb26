/// What low quality lights the ground by: the direction of each column's normal and how much of the sky it sees, found
/// when the ground changes instead of for each pixel. Pure functions, no OpenGL.
#ifndef SPADEWORK_RENDER_RELIEF_H
#define SPADEWORK_RENDER_RELIEF_H

#include <stdint.h>

#include "render/ground/dirty_rectangle.h"

enum { RELIEF_BLOCK = 16 }; ///< columns along a side of the blocks whose mean heights tell hollows

/// Returns how many blocks a grid has.
size_t relief_block_count(const RenderGrid *grid);
/// Computes the mean heights (m) of the blocks that `changed` touches.
/// means  [relief_block_count], rows of blocks
void relief_mean(const RenderGrid *grid, const DirtyRectangle *changed, float *means);
/// Returns the columns whose relief depends on those that changed, cut to the grid; an empty rectangle stays so.
DirtyRectangle relief_rectangle(const RenderGrid *grid, const DirtyRectangle *changed);
/// Computes the relief of one column: out[0], out[1]: 128 + 127 parts of its normal along the grid's x and y; out[2]:
/// 255 parts of the sky that the ground around leaves open. out[3] is left alone.
/// outline  [4], of outline_compute for the column: a face looks where its outline says
/// means    of relief_mean, for the whole grid
void relief_compute(const RenderGrid *grid, const int8_t outline[4], const float *means, int row, int column,
                    uint8_t out[4]);

#endif
