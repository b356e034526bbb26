/// Heights of a site on a grid, written for programs of survey offices: GeoTIFF, ESRI ASCII grid, LandXML, DXF, XYZ.
///
/// Where a site has a survey, coordinates are the survey's: easting, northing, elevation. Heights belong to the middles
/// of cells. Between them LandXML and DXF have two triangles a cell, cut from the south-west to the north-east of the
/// site.
#ifndef SPADEWORK_DATA_SURVEY_GRID_H
#define SPADEWORK_DATA_SURVEY_GRID_H

#include <stdbool.h>
#include <stddef.h>

#include "data/core/status.h"
#include "data/files/landxml.h"

typedef enum SurveyFormat {
    SURVEY_GEOTIFF, ///< .tif, .tiff: 32-bit floats, deflated; PixelIsArea
    SURVEY_ASCII_GRID, ///< .asc: 0.1 mm; its rows run along the survey's east
    SURVEY_LANDXML, ///< .xml: a TIN, 0.01 mm
    SURVEY_DXF, ///< .dxf: 3DFACE, metres, 0.1 mm
    SURVEY_XYZ, ///< .xyz: a line a height, easting northing elevation, 0.1 mm
} SurveyFormat;

#define SURVEY_GRID_NODATA (-9999.0) ///< m: of a cell without a height, in GeoTIFF and ASCII grids

typedef struct SurveyGrid {
    const char *name; ///< of the surface, for LandXML and the layer of DXF
    int rows, columns; ///< 2 and more
    double spacing; ///< m
    double x, y; ///< m, site: the middle of column (0, 0)
    const float *height; ///< [rows][columns], row-major, row = y; m over the level of the site; NaN: none
    LandXmlPlacement place; ///< where the site's survey lies
} SurveyGrid;

/// Finds the format by a path's ending, in letters of any size. False with `status` (STATUS_BAD_USAGE) for another one.
bool survey_format_of(const char *path, SurveyFormat *format, Status *status);

/// Writes a grid as a file of the format. The bytes are malloc'd and the caller's. `label` names the file in errors.
/// False with `status`: no three cells beside each other have a height, the format cannot hold it (STATUS_BAD_USAGE),
/// or memory lacks (STATUS_LACKING).
bool survey_grid_write(const char *label, const SurveyGrid *grid, SurveyFormat format, char **bytes, size_t *size,
                       Status *status);

#endif
