/// TIN surfaces of LandXML files (1.0 to 1.2), which survey offices hand to machine control.
///
/// Read are `Units` (metres and their parts, feet, US survey feet, inches, miles become metres) and of each
/// `Surfaces/Surface` the `Definition surfType="TIN"` with its points (`Pnts/P id`: northing, easting, elevation) and
/// faces (`Faces/F`: three ids; those with i="1" are invisible and left out). Everything else is passed over. Nothing
/// but the text itself is read: a DOCTYPE, and with it every entity of one's own, is refused.
///
/// Failures read `label:line:column: what was read, what is allowed`.
#ifndef SPADEWORK_DATA_LANDXML_H
#define SPADEWORK_DATA_LANDXML_H

#include <stddef.h>

#include "data/files/tin.h"

/// Where the survey lies on the site: its place (east, north, elevation) is the site's (x, y, z), and its east points
/// to `heading`. Lengths m.
typedef struct LandXmlPlacement {
    double east, north, elevation;
    double x, y, z;
    double heading; ///< rad, from +x towards +y
} LandXmlPlacement;

#define LANDXML_FARTHEST 1e8 ///< m: largest coordinate allowed, of the survey

/// Reads a surface from `text` of `size` bytes (no NUL needed) and checks it (tin_check). On success the caller ends
/// with tin_free.
/// name   of the surface; "" = the only one
/// place  NULL: the points stay where the survey has them, x east and y north
bool landxml_read(const char *label, const char *text, size_t size, const char *name, const LandXmlPlacement *place,
                  Tin *tin, Status *status);

/// Checks every TIN surface of a file; there is at least one.
bool landxml_check(const char *label, const char *text, size_t size, Status *status);

#endif
