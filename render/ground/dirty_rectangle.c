/// Finds what of a grid must be sent to the GPU again. The view tells the changed columns as inclusive bounds that may
/// reach beyond the grid or be empty; textures want a first column and a count.
#include "render/ground/dirty_rectangle.h"

DirtyRectangle dirty_rectangle(const RenderGrid *grid, bool known)
{
    if (!known || grid->all_dirty) {
        return (DirtyRectangle){0, grid->rows, 0, grid->columns};
    }
    int row_min = grid->dirty_row_min > 0 ? grid->dirty_row_min : 0;
    int row_max = grid->dirty_row_max < grid->rows - 1 ? grid->dirty_row_max : grid->rows - 1;
    int column_min = grid->dirty_column_min > 0 ? grid->dirty_column_min : 0;
    int column_max = grid->dirty_column_max < grid->columns - 1 ? grid->dirty_column_max : grid->columns - 1;
    if (row_min > row_max || column_min > column_max) {
        return (DirtyRectangle){0};
    }
    return (DirtyRectangle){row_min, row_max - row_min + 1, column_min, column_max - column_min + 1};
}
