/// ESRI ASCII grids as surfaces: heights at the middles of cells, rows from north to south.
///
/// The header says ncols, nrows, xllcorner or xllcenter, yllcorner or yllcenter, cellsize (or dx and dy) and
/// NODATA_value (-9999 where it is missing), in any order and letters of any size. The format has no unit: metres are
/// meant. Cells without a value, or with one that rounding has moved off the NODATA_value, have no height; a triangle
/// needs three that have.
#ifndef SPADEWORK_DATA_ASCII_GRID_H
#define SPADEWORK_DATA_ASCII_GRID_H

#include "data/files/survey_scan.h"

/// True when a file begins like a grid.
bool ascii_grid_is(const char *first);
/// See SurveyScan. The surface has no name.
SurveyScan ascii_grid_scan;

#endif
