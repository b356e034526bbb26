/// A closed surface of triangles, read from a Wavefront OBJ text.
///
/// Read are `v x y z` and `f` with three or more corners (`n`, `n/t`, `n//m`, `n/t/m`; negative numbers count from the
/// last vertex); polygons become fans of triangles. Texture places, normals, groups, materials and smoothing are passed
/// over. The surface must be closed: every edge belongs to an even number of faces, so that a ray through it crosses it
/// in pairs.
#ifndef SPADEWORK_DATA_OBJ_H
#define SPADEWORK_DATA_OBJ_H

#include <stdbool.h>
#include <stddef.h>

#include "data/core/status.h"

#define OBJ_FARTHEST 1e4 ///< largest coordinate allowed, in the file's unit

typedef struct ObjMesh {
    int vertex_count, triangle_count; ///< at least 4 each
    double (*vertices)[3]; ///< x, y, z
    int (*triangles)[3]; ///< numbers of vertices, from 0
} ObjMesh;

/// Parses `text` of `size` bytes (no NUL needed). On success the caller ends with obj_free. Errors read
/// `label:line: what was read, what is allowed`.
bool obj_parse(const char *label, const char *text, size_t size, ObjMesh *mesh, Status *status);
/// A box around the origin's upper side: x and y from -half to half, z from 0 up. Lengths m. Free with obj_free.
bool obj_box(const double size[3], ObjMesh *mesh, Status *status);
void obj_free(ObjMesh *mesh);

#endif
