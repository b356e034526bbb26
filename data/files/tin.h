/// A surface of triangles over the plane (TIN), as survey offices hand it over, and whether it can be built to: one
/// piece without holes, nowhere folded, nowhere two heights at one place.
#ifndef SPADEWORK_DATA_TIN_H
#define SPADEWORK_DATA_TIN_H

#include <stdbool.h>

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
    int (*faces)[3]; ///< numbers of points, from 0; after tin_check counter-clockwise seen from above
    TinPlace *face_places;
    int side_count; ///< filled by tin_check
    int *sides; ///< the points of the outline, counter-clockwise seen from above
} Tin;

void tin_free(Tin *tin);
/// Adds a point or a face; false with the status filled when there are too many, or memory is short.
/// label  what errors call the file
bool tin_add_point(Tin *tin, const char *label, const double at[3], TinPlace place, Status *status);
bool tin_add_face(Tin *tin, const char *label, const int corners[3], TinPlace place, Status *status);

/// How errors name a place: "x 1.20, y 3.40 on the site".
typedef struct TinAxes {
    const char *x, *y, *where;
} TinAxes;

/// Turns the faces counter-clockwise, finds the outline and refuses what cannot be built to. Points that no face names
/// do not count. Failures read `label:line:column: ...` and name the place by `axes`.
bool tin_check(Tin *tin, const char *label, const TinAxes *axes, Status *status);

#endif
