/// Trees, hedges and woods: trunks and branches as solids, leaves as cards, which landscape.glsl (LEAVES) cuts out to
/// bunches of leaves or needles. Pure functions of two meshes, no OpenGL.
#ifndef SPADEWORK_RENDER_TREE_MESH_H
#define SPADEWORK_RENDER_TREE_MESH_H

#include "render/meshes/mesh.h"

/// How finely a tree is made: by the distance that it stands at.
typedef enum TreeDetail {
    TREE_FAR, ///< a few large cards
    TREE_MIDDLE, ///< a trunk and cards
    TREE_NEAR, ///< with branches
    TREE_DETAILS
} TreeDetail;

/// Draws numbers for the shapes: the same `seed` and count give the same plant.
typedef struct TreeSeed {
    uint64_t seed, drawn;
} TreeSeed;

/// Adds a tree of `height` m that stands at `at` (m).
/// look  0..1: kind and colour: spruces below 0.3, then broad crowns, slender ones with a pale trunk, round ones
void tree_mesh(Vec3 at, double height, double look, TreeDetail detail, TreeSeed seed, Mesh *wood, Mesh *leaves);

/// Adds a hedge from a to b (m), about `height` m high. `plain`: of fewer cards.
void hedge_mesh(Vec3 a, Vec3 b, double height, bool plain, TreeSeed seed, Mesh *leaves);

#endif
