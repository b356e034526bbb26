/// The drawn surface of a rock: its hull with worn and chipped edges and uneven faces, which stay within ROCK_ROUGHNESS
/// of the hull that machines and soil touch. Pure; no OpenGL.
#ifndef SPADEWORK_RENDER_ROCK_MESH_H
#define SPADEWORK_RENDER_ROCK_MESH_H

#include "render/meshes/mesh.h"
#include "render/site.h"

#define ROCK_ROUGHNESS 0.02 ///< m between the drawn surface and the hull, at most; outwards half of that

/// Adds a rock's mesh, in its own frame. Its `surface` is read by solid.glsl (STONE): gloss, share of a face that is
/// freshly split, dust, unused.
/// number  of the shape: kind of rock, split faces and chips vary by it
/// plain   at low quality: the hull itself, each face in plain triangles
void rock_mesh(const RenderRockShape *shape, int number, bool plain, Mesh *mesh);

#endif
