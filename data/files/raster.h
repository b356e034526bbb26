/// Grids of heights as surfaces: what the readers of grids have in common.
///
/// The heights lie at the middles of cells. Two triangles fill the square between four heights, and one the corner
/// between three. Of a grid that is cropped only the cells within the crop and the next ones are read. A grid with
/// more faces than a surface may have is measured, where that is all that is wanted, or refused.
#ifndef SPADEWORK_DATA_RASTER_H
#define SPADEWORK_DATA_RASTER_H

#include "data/files/survey_scan.h"

enum { RASTER_MOST = 20000 }; ///< columns, rows

typedef struct Raster {
    const char *label; ///< of the file, for errors
    int columns, rows; ///< 2 to RASTER_MOST
    double x,
        y; ///< m: the middle of the first cell of the southernmost row (of one that is turned: seen along its columns)
    double dx, dy; ///< m: from a column to the next, from a row to the next; above 0
    double cosine, sine; ///< of the angle by which columns are turned from east towards north
    bool northward; ///< the first row of the file is the southernmost
} Raster;

/// Reads `count` heights of a row, from column `first` on: m, NAN without one, and where each stands in the file. Rows
/// are asked for as the file has them, from 0, in rising order, and some are left out. False with the status.
typedef bool RasterRead(void *context, int row, int first, int count, double *heights, TinPlace *places);

/// True when a value is the one that stands for no height, also as a float rounds it.
bool raster_is_nodata(double value, double nodata);

/// True when a grid with these places is in degrees and not in a unit of length.
bool raster_seems_geographic(const Raster *raster);

/// Reads a grid and hands its surface over, which has no name.
bool raster_scan(const Raster *raster, RasterRead *read, void *context, const SurveyWish *wish, Status *status);

#endif
