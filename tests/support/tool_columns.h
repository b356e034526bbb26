/// Where a tool is in the ground, seen from outside: for tests and experiments.
#ifndef SPADEWORK_TESTS_TOOL_COLUMNS_H
#define SPADEWORK_TESTS_TOOL_COLUMNS_H

#include <math.h>

#include "soil/soil.h"

/// Index of the column that (x, y) is over, -1 outside the grid.
static inline int column_under(const SoilGridView *grid, double x, double y)
{
    int column = (int)floor((x - grid->origin_x) / grid->spacing + 0.5);
    int row = (int)floor((y - grid->origin_y) / grid->spacing + 0.5);
    bool on = row >= 0 && row < grid->rows && column >= 0 && column < grid->columns;
    return on ? row * grid->columns + column : -1;
}

/// Marks the columns that corners and edges of a tool's pieces are in or less than `over` (m) above, with 1 in
/// [rows][columns].
static inline void mark_tool_columns(const Soil *soil, const SoilTool *tool, double over, uint8_t *marked)
{
    enum { ACROSS = 8 };
    SoilGridView grid = soil_get_grid(soil);
    for (int k = 0; k < tool->shape->piece_count; k++) {
        const ToolPiece *piece = &tool->shape->pieces[k];
        for (int n = 0; n < (ACROSS + 1) * piece->corner_count; n++) {
            const double *corner = piece->corners[n % piece->corner_count];
            double y = piece->y_min + (piece->y_max - piece->y_min) * (n / piece->corner_count) / ACROSS;
            Vec3 at = pose_apply(&tool->motion.frame, vec3(corner[0], y, corner[1]));
            int column = column_under(&grid, at.x, at.y);
            if (column >= 0 && at.z < soil_get_height(soil, at.x, at.y) + over) {
                marked[column] = 1;
            }
        }
    }
}

#endif
