/// TIN surfaces of LandXML files (1.0 to 2.0 and Inframodel), which survey offices hand to machine control.
///
/// Read are `Units` (metres and their parts, feet, US survey feet, inches, miles become metres) and of each
/// `Surfaces/Surface` the `Definition surfType="TIN"` with its points (`Pnts/P id`: northing, easting, elevation) and
/// faces (`Faces/F`: three ids; those with i="1" or "true" are invisible and left out). Everything else is passed over,
/// but a `CoordinateSystem` that is turned and an `elevationUnit` of its own are refused. Nothing
/// but the text itself is read: a DOCTYPE, and with it every entity of one's own, is refused.
///
/// Failures read `label:line:column: what was read, what is allowed`.
#ifndef SPADEWORK_DATA_LANDXML_H
#define SPADEWORK_DATA_LANDXML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "data/core/status.h"
#include "data/files/survey_scan.h"

/// Where the survey lies on the site: its place (east, north, elevation) is the site's (x, y, z), and its east points
/// to `heading`. Lengths m.
typedef struct LandXmlPlacement {
    double east, north, elevation;
    double x, y, z;
    double heading; ///< rad, from +x towards +y
} LandXmlPlacement;

/// Moves a surface that is not finished from the survey to the site.
void landxml_place(Tin *tin, const LandXmlPlacement *place);

enum { LANDXML_MOST_TEXT = 8000000 }; ///< bytes: libxml2 takes less than 10 million of a text

/// Reads a surface from `text` of `size` bytes (no NUL needed) and finishes it (tin_finish). On success the caller ends
/// with tin_free.
/// name   of the surface; "" = the only one
/// place  NULL: the points stay where the survey has them, x east and y north
bool landxml_read(const char *label, const char *text, size_t size, const char *name, const LandXmlPlacement *place,
                  Tin *tin, Status *status);

/// See SurveyScan. The first bytes of such a file are text whose first sign is `<`.
SurveyScan landxml_scan;

/// Writes a surface (m; x east, y north) as a file of its own, with the points that its faces need. The text is
/// malloc'd and the caller's. `label` names the file in errors.
bool landxml_write(const char *label, const Tin *tin, const char *name, char **text, size_t *size, Status *status);

#endif
