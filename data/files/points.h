/// Surfaces of lists of points: XYZ, PTS, CSV and other text with a point in each line.
///
/// Columns are divided by spaces, tabs, commas or semicolons, and are east, north and height, unless the first line
/// names them. A decimal comma is read where commas divide no columns. Lines that begin with # or // are left out, and
/// so are points with the height nan or -9999. The format has no unit: metres are meant. Points that lie on a grid
/// become what the same grid does in another format. Others are joined by Delaunay's rule, without the triangles that
/// span holes and bays (DELAUNAY_LONG).
#ifndef SPADEWORK_DATA_POINTS_H
#define SPADEWORK_DATA_POINTS_H

#include "data/files/survey_scan.h"

/// True when a file begins like a list of points.
bool points_is(const char *first);
/// See SurveyScan. The surface has no name. Of a file that is to be cropped, the points within the crop are joined, and
/// those around it as far as its longer side and POINTS_AROUND.
SurveyScan points_scan;

#define POINTS_AROUND 50.0 ///< m

#endif
