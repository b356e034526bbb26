/// Surfaces of triangles (TIN): made of points and faces as a file has them, then cleaned and checked by their edges.
///
/// What civil programs write and what measures nothing is left out and counted: faces without an area in plan (equal
/// points, slivers, upright walls), and faces that stand there twice. Points that lie on one another in plan are one
/// corner, whatever their heights: a wall is a step between the faces beside it. A surface may have holes and several
/// pieces. What is refused is a surface that has two heights at a place.
#ifndef SPADEWORK_DATA_TIN_H
#define SPADEWORK_DATA_TIN_H

#include <stdbool.h>
#include <stddef.h>

#include "data/core/status.h"

enum {
    TIN_MOST_POINTS = 3000000, ///< three a face, where a format does not share them
    TIN_MOST_FACES = 2000000,
};
/// m: points that are nearer in plan are one, and faces that are narrower have no area. Survey instruments resolve a
/// millimetre.
#define TIN_NEAREST 1e-4

/// A place in the file, from 1.
typedef struct TinPlace {
    int line, column;
} TinPlace;

/// How errors name a place: "x 1.20, y 3.40 on the site".
typedef struct TinAxes {
    const char *x, *y, *where;
} TinAxes;

/// Zero-initialise; free with tin_free.
typedef struct Tin {
    int point_count, point_room; ///< at most TIN_MOST_POINTS
    double (*points)[3]; ///< m: x, y, z
    TinPlace *point_places; ///< where they stand in the file
    int face_count, face_room; ///< at most TIN_MOST_FACES
    int (*faces)[3]; ///< numbers of points, from 0; once it is finished counter-clockwise seen from above
    TinPlace *face_places;
    /// Of a finished surface: the sides of its boundary, loop after loop, each from a point to a point with the surface
    /// on its left. Loops around pieces run counter-clockwise, those around holes clockwise.
    int side_count, loop_count;
    int (*sides)[2];
    int *loops; ///< [loop_count + 1] the first side of each
    int flat_count, twice_count; ///< faces that were left out: without area, and there already
    TinPlace flat_place, twice_place; ///< of the first of them
    /// Of points that were joined: triangles that were left out because they have an edge longer than `longest`, m.
    int long_count;
    double longest;
} Tin;

void tin_free(Tin *tin);

/// Adds a point (m: x, y, z), or a face of three points that are there. False with `status` when there are too many or
/// memory is short; `label` names the file.
bool tin_add_point(Tin *tin, const char *label, const double at[3], TinPlace place, Status *status);
bool tin_add_face(Tin *tin, const char *label, const int corners[3], TinPlace place, Status *status);

/// True when three corners are narrower in plan than TIN_NEAREST.
bool tin_has_no_area(const double a[3], const double b[3], const double c[3]);

/// Keeps of a surface that is not finished what lies within a rectangle of the plan, m: faces that reach out are cut.
bool tin_clip(Tin *tin, const double low[2], const double high[2], const char *label, Status *status);

/// Leaves out what measures nothing, turns the faces, finds the boundary and checks that no two faces lie over one
/// another. False with `status`.
bool tin_finish(Tin *tin, const char *label, const TinAxes *axes, Status *status);

/// Says what a finished surface had to leave out, with the place of the first; empty when that is nothing.
void tin_tell_left_out(const Tin *tin, const char *label, char *text, size_t size);

/// Fails with "label:line:column: text".
bool tin_fail_at(const char *label, TinPlace place, Status *status, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
