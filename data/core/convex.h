/// Convex hulls, of which rocks and obstacles are made: faces and edges from points, volume and inertia. Pure
/// functions.
#ifndef SPADEWORK_DATA_CONVEX_H
#define SPADEWORK_DATA_CONVEX_H

#include <stdbool.h>
#include <stdint.h>

#include "data/core/vec.h"

enum {
    CONVEX_MAX_POINTS = 24,
    CONVEX_MAX_FACES = 2 * CONVEX_MAX_POINTS - 4,
    CONVEX_MAX_EDGES = 3 * CONVEX_MAX_POINTS - 6
};

/// Faces are convex polygons, counter-clockwise seen from outside. Built by convex_build.
typedef struct ConvexHull {
    int point_count, face_count, edge_count;
    Vec3 point[CONVEX_MAX_POINTS]; ///< m: corners; points inside the hull or its faces are dropped
    Vec3 normal[CONVEX_MAX_FACES]; ///< unit, outwards
    uint8_t face_size[CONVEX_MAX_FACES];
    uint8_t face_point[CONVEX_MAX_FACES][CONVEX_MAX_POINTS];
    uint8_t edge_point[CONVEX_MAX_EDGES][2];
    uint8_t edge_face[CONVEX_MAX_EDGES][2]; ///< the face to the left of the edge's direction, the one to its right
} ConvexHull;

/// Integrals over a solid of density 1, about the origin of its points.
typedef struct ConvexIntegrals {
    double volume; ///< m3
    Vec3 first; ///< m4: of x, y, z; divided by the volume: the centroid
    double second[3][3]; ///< m5: of x_i x_j
} ConvexIntegrals;

/// Builds the hull of `count` points. False, with a reason, for fewer than 4 or more than CONVEX_MAX_POINTS points,
/// numbers that are not finite, and points that all lie in one plane.
bool convex_build(const Vec3 *points, int count, ConvexHull *hull, const char **reason);
/// Adds the hull's integrals to `sum`.
void convex_integrate(const ConvexHull *hull, ConvexIntegrals *sum);

#endif
