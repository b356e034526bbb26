/// Files of survey offices: LandXML, DXF, ESRI ASCII grids, GeoTIFF and lists of points. Which one a file is, its first
/// bytes say.
///
/// What is done with surfaces is the same for all formats: they are checked and described, or one is written as a
/// LandXML text for a scene to keep.
#ifndef SPADEWORK_DATA_SURVEY_H
#define SPADEWORK_DATA_SURVEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "data/core/status.h"
#include "data/core/survey_info.h"
#include "data/files/landxml.h"
#include "data/files/survey_scan.h"

enum { SURVEY_LEFT_OUT = 512 };

/// True of a file that is read as LandXML; it stands at its beginning afterwards.
bool survey_is_landxml(FILE *file);

/// Checks every surface of a file; there is at least one. A grid of more than TIN_MOST_FACES is measured alone. Faces
/// that had to be left out are a warning in `findings` (or NULL); `info`, which is empty, takes what the file holds.
bool survey_check(const char *label, FILE *file, Findings *findings, SurveyInfo *info, Status *status);

/// Reads what lies within `crop` (NULL: all) of a surface ("" = its only one), puts it where it lies on the site (NULL:
/// where the survey has it), and finishes it (tin_finish). On success the caller ends with tin_free.
/// left_out  [SURVEY_LEFT_OUT] see tin_tell_left_out
bool survey_read(const char *label, FILE *file, const char *name, const SurveyCrop *crop, double longest_edge,
                 const LandXmlPlacement *place, Tin *tin, char *left_out, Status *status);

/// Writes a surface of a file ("" = its only one) as a LandXML text in metres of at most LANDXML_MOST_TEXT bytes, or of
/// it what lies within `crop` (NULL: all of it). The text is malloc'd and the caller's.
/// longest_edge  m: of triangles between points, for formats of points alone; 0: by their distances
/// left_out  [SURVEY_LEFT_OUT] see tin_tell_left_out
bool survey_reduce(const char *label, FILE *file, const char *name, const SurveyCrop *crop, double longest_edge,
                   char **text, size_t *size, char *left_out, Status *status);

#endif
