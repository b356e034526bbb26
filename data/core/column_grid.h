/// Heights of a grid of columns [rows][columns], and beyond its edge.
#ifndef SPADEWORK_DATA_COLUMN_GRID_H
#define SPADEWORK_DATA_COLUMN_GRID_H

#include <stddef.h>

/// Height of a column, m; of one beyond the edge that of the outermost column beside it.
/// border  m: heights that count beyond the edge: [columns] of row 0 and of the last row, [rows] of column 0 and of the
///         last column; NULL: those of the outermost columns themselves
static inline double column_grid_height(const float *height, const float *border, int rows, int columns, int row,
                                        int column)
{
    int r = row < 0 ? 0 : row < rows ? row : rows - 1, c = column < 0 ? 0 : column < columns ? column : columns - 1;
    if (border == NULL || (r == row && c == column)) {
        return (double)height[(size_t)r * (size_t)columns + (size_t)c];
    }
    return (double)border[r != row ? (r > 0 ? columns : 0) + c : 2 * columns + (c > 0 ? rows : 0) + r];
}

#endif
