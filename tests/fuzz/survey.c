/// Any bytes as a survey surface (LandXML, DXF, a grid, GeoTIFF, points) or a height map; what is accepted has one
/// height within its outline and can be walked around.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "data/files/height_map.h"
#include "data/files/landxml.h"
#include "data/files/survey.h"
#include "tests/fuzz/fuzz.h"

/// Twice the area inside the outline is that of all faces: nothing overlaps, nothing is left out.
static void check_area(const Tin *tin)
{
    double faces = 0.0, outline = 0.0;
    const double *o = tin->points[tin->sides[0][0]];
    for (int k = 0; k < tin->face_count; k++) {
        const double *a = tin->points[tin->faces[k][0]], *b = tin->points[tin->faces[k][1]],
                     *c = tin->points[tin->faces[k][2]];
        faces += (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    }
    double low[2] = {o[0], o[1]}, high[2] = {o[0], o[1]}, length = 0.0;
    for (int k = 0; k < tin->point_count; k++) {
        for (int axis = 0; axis < 2; axis++) {
            low[axis] = fmin(low[axis], tin->points[k][axis]);
            high[axis] = fmax(high[axis], tin->points[k][axis]);
        }
    }
    for (int k = 0; k < tin->side_count; k++) {
        const double *a = tin->points[tin->sides[k][0]], *b = tin->points[tin->sides[k][1]];
        outline += (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);
        length += hypot(b[0] - a[0], b[1] - a[1]);
    }
    // Points that are one may be TIN_NEAREST apart, and what has no area may be as wide.
    double doubt = 4.0 * TIN_NEAREST * (length + tin->flat_count * hypot(high[0] - low[0], high[1] - low[1]));
    require(faces > 0.0 && fabs(faces - outline) <= 1e-6 * faces + doubt);
}

/// What is said of a file of any format, and what a scene would keep of it.
static void read_file(const uint8_t *data, size_t size)
{
    Status status = {STATUS_GOOD, ""};
    FILE *file = size > 0 ? fmemopen((void *)(uintptr_t)data, size, "r") : NULL;
    if (file == NULL) {
        return;
    }
    const SurveyCrop crop = {.length = 100.0, .width = 100.0, .called = "the crop"};
    SurveyInfo info = {.format = NULL};
    char *text = NULL, left_out[SURVEY_LEFT_OUT];
    Tin tin;
    require(survey_check("fuzz", file, NULL, &info, &status) ? info.count > 0 : status.text[0] != '\0');
    rewind(file);
    if (survey_reduce("fuzz", file, "", &crop, 0.0, &text, &size, left_out, &status)) {
        require(size <= LANDXML_MOST_TEXT);
        if (landxml_read("fuzz.xml", text, size, "", NULL, &tin, &status)) { // what is thin may be rounded away
            check_area(&tin);
            tin_free(&tin);
        }
        free(text);
    }
    fclose(file);
}

void fuzz_landxml(const uint8_t *data, size_t size)
{
    Status status = {STATUS_GOOD, ""};
    Tin tin;
    if (landxml_read("fuzz.xml", (const char *)data, size, "", NULL, &tin, &status)) {
        check_area(&tin);
        tin_free(&tin);
    } else {
        require(status.text[0] != '\0');
    }
    read_file(data, size);
}

void fuzz_dxf(const uint8_t *data, size_t size)
{
    read_file(data, size);
}

void fuzz_grid(const uint8_t *data, size_t size)
{
    read_file(data, size);
}

void fuzz_geotiff(const uint8_t *data, size_t size)
{
    read_file(data, size);
}

void fuzz_points(const uint8_t *data, size_t size)
{
    read_file(data, size);
}

void fuzz_heights(const uint8_t *data, size_t size)
{
    Status status = {STATUS_GOOD, ""};
    HeightMap map;
    if (height_map_read("fuzz.png", (const char *)data, size, &map, &status)) {
        double height = height_map_at(&map, 0.3, 0.7);
        require(height >= 0.0 && height <= 65535.0);
        height_map_free(&map);
    } else {
        require(status.text[0] != '\0');
    }
}
