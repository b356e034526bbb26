/// Marks on the ground, as a height grid has them a column (RenderGrid.marks). Pure functions, no OpenGL.
#ifndef SPADEWORK_RENDER_GROUND_TRACE_H
#define SPADEWORK_RENDER_GROUND_TRACE_H

#include <stdint.h>

/// What has left a mark.
typedef enum RenderTraceKind {
    RENDER_TRACE_BELT = 1, ///< bars across the way
    RENDER_TRACE_TEETH, ///< grooves along it
    RENDER_TRACE_BLADE ///< smooth, with a line along each end of the edge
} RenderTraceKind;
enum { RENDER_TRACE_FULL = 63 }; ///< strength of a mark that is fresh

/// Packs a mark in a column: its way by `heading` (rad); `turns` of the pattern at the column's middle, whole ones left
/// away; how far the column lies to the left of the middle, as a share of the width of belt or blade, -0.5..0.5.
/// strength  1..RENDER_TRACE_FULL
uint32_t render_mark(RenderTraceKind kind, int strength, double heading, double turns, double left);
/// The same mark with another strength; 0: none is left.
uint32_t render_mark_faded(uint32_t mark, int strength);

#endif
