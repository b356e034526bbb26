/// Surfaces of GeoTIFF files: one band of heights at the middles of pixels, by libtiff, libgeotiff and PROJ.
///
/// Samples are integers of 8 to 32 bits or floats of 32 or 64, in strips or tiles, in any compression that libtiff
/// reads. Where pixels lie is said by ModelPixelScale and ModelTiepoint or by ModelTransformation, without rotation; a
/// tiepoint is a corner of its pixel, or its middle where GTRasterTypeGeoKey says PixelIsPoint. The units of the plan
/// and of the heights are those of the keys, of the coordinate systems that these name, or of the band. Pixels that
/// hold GDAL_NODATA, NaN, or that a sparse file leaves out have no height. Places in errors are row and column, from 1.
#ifndef SPADEWORK_DATA_GEOTIFF_H
#define SPADEWORK_DATA_GEOTIFF_H

#include "data/files/survey_scan.h"

/// True when a file begins like a TIFF or a BigTIFF. `first` has at least four bytes.
bool geotiff_is(const char *first);
/// See SurveyScan. The surface has no name.
SurveyScan geotiff_scan;

#endif
