/// Readers of the file formats that people and survey offices write: CSV, OBJ, PNG heights, surveys; and the YAML
/// machinery that data/schema is built on.
///
/// A reader takes a text or a path, checks all of it and returns plain values: numbers are decimal whatever the locale,
/// sizes are bounded, NaN and infinities are refused.
///
///     Status status = {0};
///     CsvFile file = {0};
///     int sum = 0;
///     for (bool good = csv_open(&file, "list.csv", "a list", &status); good && csv_next_row(&file);) {
///         CsvField field = {0};
///         double value = 0.0;
///         good = csv_next_field(&file, &field) &&
///                csv_read_number(&file, field, 0.0, 100.0, "allowed 0 to 100", &value);
///         sum += (int)value;
///     }
///     csv_close(&file);
///
/// Threads    any; an open file, mesh, map or document belongs to one thread at a time.
/// Ownership  what open, parse and read functions return is freed with the function beside them; texts belong to the
///            caller and outlive what was read from them where the header says so.
/// Errors     a Status (STATUS_BAD_FILE): "label:line:column: what was read, what is allowed".
///
/// Headers from bottom to top; each may use those above it:
///     csv_file.h    rows of comma-separated values
///     obj.h         closed surfaces (Wavefront OBJ)
///     height_map.h  heights from grey PNG pictures of 16 bits
///     tin.h         surfaces of triangles, cleaned and checked
///     survey_scan.h what readers of survey files have in common
///     landxml.h     surfaces of LandXML
///     dxf.h         of DXF
///     raster.h      of grids of heights
///     ascii_grid.h  of ESRI ASCII grids
///     geotiff.h     of GeoTIFF
///     delaunay.h    points joined to triangles
///     breaklines.h  points and lines joined, lines as edges
///     points.h      surfaces of lists of points
///     survey.h      surfaces of survey offices, of any of these formats
///     survey_grid.h heights on a grid, written in these formats
/// For data/schema and the sets of tests/validation/measured, which include them one by one, so that nobody else
/// depends on how YAML is read:
///     document.h    a YAML text as a tree with places
///     key_table.h   tables of keys: type, unit, range, meaning
///     references.h  finds, reads and lists data files
#ifndef SPADEWORK_DATA_FILES_DOOR_H
#define SPADEWORK_DATA_FILES_DOOR_H

#include "data/files/csv_file.h"
#include "data/files/obj.h"
#include "data/files/height_map.h"
#include "data/files/landxml.h"
#include "data/files/survey.h"
#include "data/files/survey_grid.h"

#endif
