/// Any bytes as a survey surface; what is accepted has one height inside its outline and can be walked around. The
/// first byte says whether they are read as LandXML or as a height map.
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "data/survey/height_map.h"
#include "data/survey/landxml.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

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
    if (!(faces > 0.0) || !(fabs(faces - outline) <= 1e-6 * faces)) {
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Status status;
    if (size == 0) {
        return 0;
    }
    const char *text = (const char *)data + 1;
    if (data[0] == 'p') {
        HeightMap map;
        if (height_map_read("fuzz.png", text, size - 1, &map, &status)) {
            double height = height_map_at(&map, 0.3, 0.7);
            if (!(height >= 0.0 && height <= 65535.0)) {
                abort();
            }
            height_map_free(&map);
        }
        return 0;
    }
    Tin tin;
    if (landxml_read("fuzz.xml", text, size - 1, "", NULL, &tin, &status)) {
        check_area(&tin);
        tin_free(&tin);
    }
    landxml_check("fuzz.xml", text, size - 1, &status);
    return 0;
}
