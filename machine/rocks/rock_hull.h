/// A convex hull as rocks and obstacles are made of: faces and edges from points, volume and inertia. Pure functions.
#ifndef SPADEWORK_MACHINE_ROCK_HULL_H
#define SPADEWORK_MACHINE_ROCK_HULL_H

#include <stdbool.h>
#include <stdint.h>

#include "data/core/vec.h"

enum { ROCK_MAX_POINTS = 24, ROCK_MAX_FACES = 2 * ROCK_MAX_POINTS - 4, ROCK_MAX_EDGES = 3 * ROCK_MAX_POINTS - 6 };

/// Faces are convex polygons, counter-clockwise seen from outside. Built by rock_hull_build.
typedef struct RockHull {
    int point_count, face_count, edge_count;
    Vec3 point[ROCK_MAX_POINTS]; ///< m: corners; points inside the hull or its faces are dropped
    Vec3 normal[ROCK_MAX_FACES]; ///< unit, outwards
    uint8_t face_size[ROCK_MAX_FACES];
    uint8_t face_point[ROCK_MAX_FACES][ROCK_MAX_POINTS];
    uint8_t edge_point[ROCK_MAX_EDGES][2];
    uint8_t edge_face[ROCK_MAX_EDGES][2]; ///< the face to the left of the edge's direction, the one to its right
} RockHull;

/// Integrals over a solid of density 1, about the origin of its points.
typedef struct RockIntegrals {
    double volume; ///< m3
    Vec3 first; ///< m4: of x, y, z; divided by the volume: the centroid
    double second[3][3]; ///< m5: of x_i x_j
} RockIntegrals;

/// Builds the hull of `count` points. False, with a reason, for fewer than 4 or more than ROCK_MAX_POINTS points,
/// numbers that are not finite, and points that all lie in one plane.
bool rock_hull_build(const Vec3 *points, int count, RockHull *hull, const char **reason);
/// Adds the hull's integrals to `sum`.
void rock_hull_integrate(const RockHull *hull, RockIntegrals *sum);

#endif
