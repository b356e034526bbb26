/// Any bytes as a survey surface, LandXML or a height map; what is accepted has one height inside its outline and can
/// be walked around.
#include <math.h>

#include "data/files/height_map.h"
#include "data/files/landxml.h"
#include "tests/fuzz/fuzz.h"

/// Twice the area inside the outline is that of all faces: nothing overlaps, nothing is left out.
static void check_area(const Tin *tin)
{
    double faces = 0.0, outline = 0.0;
    const double *o = tin->points[tin->sides[0]];
    for (int k = 0; k < tin->face_count; k++) {
        const double *a = tin->points[tin->faces[k][0]], *b = tin->points[tin->faces[k][1]],
                     *c = tin->points[tin->faces[k][2]];
        faces += (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    }
    for (int k = 0; k < tin->side_count; k++) {
        const double *a = tin->points[tin->sides[k]], *b = tin->points[tin->sides[(k + 1) % tin->side_count]];
        outline += (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);
    }
    require(faces > 0.0 && fabs(faces - outline) <= 1e-6 * faces);
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
    landxml_check("fuzz.xml", (const char *)data, size, &status);
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
