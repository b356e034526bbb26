/// What the grains of a simulated particle look like: meshes of whole clusters, and how large and angular grains of a
/// soil are. Pure functions, no OpenGL.
///
/// A cluster stands for one particle. Its parts are numbered from the largest; a coarser cluster has the first parts of
/// a finer one, so that they stay where they are when the fineness changes.
#ifndef SPADEWORK_RENDER_GRAIN_MESH_H
#define SPADEWORK_RENDER_GRAIN_MESH_H

#include <stdint.h>

#include "data/schema/soil_params.h"

enum {
    GRAIN_NEAR, ///< GRAIN_NEAR_PARTS parts, the larger ones rounder
    GRAIN_FAR, ///< GRAIN_FAR_PARTS parts
    GRAIN_SHADE, ///< one lump, for the shadow map
    GRAIN_LEVELS
};
enum {
    GRAIN_NEAR_PARTS = 26,
    GRAIN_FAR_PARTS = 9,
    GRAIN_MAX_VERTICES = 224, ///< of a cluster, at least as many as the finest has
    GRAIN_MAX_INDICES = 1008
};

/// A vertex of a cluster.
typedef struct GrainVertex {
    float direction[3]; ///< unit: from the middle of its part
    float place[3]; ///< unit: of its part, from the middle of the cluster
    float part; ///< number
} GrainVertex;

/// A cluster's mesh; triangles run counter-clockwise seen from outside.
typedef struct GrainMesh {
    int vertex_count, index_count;
    GrainVertex vertices[GRAIN_MAX_VERTICES];
    uint16_t indices[GRAIN_MAX_INDICES];
} GrainMesh;

/// Writes the cluster of a level, GRAIN_NEAR..GRAIN_SHADE.
void grain_mesh(int level, GrainMesh *mesh);

enum { GRAIN_SMALL_INDICES = 24 }; ///< of a small grain
/// Writes `parts` (at most GRAIN_MAX_VERTICES / 6) small grains, octahedra, as one mesh, one after the other.
void grain_mesh_small(int parts, GrainMesh *mesh);

/// Returns the number of parts of a level's cluster.
int grain_parts(int level);

/// Writes the direction (unit) of a part from the middle of its cluster: any first so many of them look to all sides.
void grain_place(int part, float place[3]);

/// How grains of a soil look, as the shader reads it.
typedef struct GrainLook {
    float largest; ///< m: radius of the largest part, which fills at most most of its particle
    float decay; ///< part k has (k + 1)^-decay of that
    float angular; ///< share: 0 rounded .. 1 with flat faces
    float spread; ///< particle radii that the outermost grains reach
} GrainLook;

/// Finds it from a soil's figures: cohesion makes clods, without any there is a spray of fine grains; what has none and
/// packs denser than sand is gravel, whose grains are stones.
GrainLook grain_look(const SoilParams *soil);

/// Tells how much of a soil is stones, 0..1: their colours differ from one to the next.
float grain_stones(const SoilParams *soil);

#endif
