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

#include <stdbool.h>
#include <stddef.h>

#include "data/core/status.h"

enum {
    TIN_MOST_POINTS = 20000,
    TIN_MOST_FACES = 40000,
};
#define TIN_NEAREST 1e-4 ///< m: points that are nearer in plan are one, and faces that are narrower have no area

/// A place in the file, from 1.
typedef struct TinPlace {
    int line, column;
} TinPlace;

/// Zero-initialise; free with tin_free.
typedef struct Tin {
    int point_count, point_room; ///< at most TIN_MOST_POINTS
    double (*points)[3]; ///< m: x, y, z
    TinPlace *point_places; ///< where they stand in the file
    int face_count, face_room; ///< at most TIN_MOST_FACES
    int (*faces)[3]; ///< numbers of points, from 0; counter-clockwise seen from above
    TinPlace *face_places;
    int side_count; ///< filled when the surface was checked
    int *sides; ///< the points of the outline, counter-clockwise seen from above
} Tin;

void tin_free(Tin *tin);

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
