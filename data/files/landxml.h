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
#include "data/files/survey.h"
#include "data/files/tin.h"

/// Where the survey lies on the site: its place (east, north, elevation) is the site's (x, y, z), and its east points
/// to `heading`. Lengths m.
typedef struct LandXmlPlacement {
    double east, north, elevation;
    double x, y, z;
    double heading; ///< rad, from +x towards +y
} LandXmlPlacement;

#define LANDXML_FARTHEST 1e8 ///< m: largest coordinate allowed, of the survey
enum { LANDXML_LEFT_OUT = 512 };
enum { LANDXML_MOST_TEXT = 8000000 }; ///< bytes: libxml2 takes less than 10 million of a text

/// Reads a surface from `text` of `size` bytes (no NUL needed) and finishes it (tin_finish). On success the caller ends
/// with tin_free.
/// name   of the surface; "" = the only one
/// place  NULL: the points stay where the survey has them, x east and y north
bool landxml_read(const char *label, const char *text, size_t size, const char *name, const LandXmlPlacement *place,
                  Tin *tin, Status *status);

/// A rectangle of the survey, m.
typedef struct LandXmlCrop {
    double east, north; ///< its middle
    double length, width; ///< along east, along north
} LandXmlCrop;

/// Reads a surface from a file of any size, piece by piece, and writes it as a LandXML text in metres of at most
/// LANDXML_MOST_TEXT bytes, or of it what lies within `crop` (NULL: all of it). The text is malloc'd and the caller's.
/// left_out  [LANDXML_LEFT_OUT] see tin_tell_left_out
bool landxml_reduce(const char *label, FILE *file, const char *name, const LandXmlCrop *crop, char **text, size_t *size,
                    char *left_out, Status *status);

/// Checks every TIN surface of a file of any size; there is at least one. What is left out of them is a warning in
/// `findings` (or NULL); `info`, which is empty, takes what the file holds.
bool landxml_check(const char *label, FILE *file, Findings *findings, SurveyInfo *info, Status *status);

#endif
