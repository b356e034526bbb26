/// What stands around a site so that its size and distances can be judged: shapes of known size. Each stands at `at`
/// (m, world; z: of the ground), turned by `heading` (rad), and `plain` shapes have fewer triangles. Pure, no OpenGL.
#ifndef SPADEWORK_RENDER_LANDSCAPE_MESH_H
#define SPADEWORK_RENDER_LANDSCAPE_MESH_H

#include "data/core/vec.h"
#include "render/meshes/mesh.h"

/// A tree of `height` m; `look`, 0..1, varies its shape and colour; below 0.3 it is a conifer.
void landscape_tree(Mesh *mesh, Vec3 at, double height, double look, bool plain);
/// A fence from a to b: posts 1.1 m high every 3 m (plain: 6 m), with two rails.
void landscape_fence(Mesh *mesh, Vec3 a, Vec3 b, bool plain);
/// Stakes 1.1 m high from a to b, every 4 m (plain: 8 m), with a red and white tape along them.
void landscape_tape(Mesh *mesh, Vec3 a, Vec3 b, bool plain);
/// An office container: 6.06 m long, 2.44 m wide and 2.6 m high; its door looks to its left.
void landscape_hut(Mesh *mesh, Vec3 at, double heading);
/// A house of 10 m by 8 m, 4.6 m to the eaves and 7.8 m to the ridge.
void landscape_house(Mesh *mesh, Vec3 at, double heading);
/// A car: 4.2 m long, 1.75 m wide and 1.5 m high. `look`, 0..1, chooses its colour.
void landscape_car(Mesh *mesh, Vec3 at, double heading, double look, bool plain);
/// Six concrete pipes of 0.8 m outer diameter and 2.5 m length, stacked.
void landscape_pipes(Mesh *mesh, Vec3 at, double heading, bool plain);
/// A heap of soil, `height` m high.
void landscape_heap(Mesh *mesh, Vec3 at, double height, bool plain);
/// A wooden pole of 8.5 m with an arm across.
void landscape_power_pole(Mesh *mesh, Vec3 at, double heading);
/// A white post of 1 m with a black band, as beside roads.
void landscape_road_post(Mesh *mesh, Vec3 at);
/// A road of `width` m from a to b, in pieces.
void landscape_road(Mesh *mesh, Vec3 a, Vec3 b, double width, int pieces);
/// A shadow of what is `radius` m wide and `height` m high (landscape.glsl lays it away from the sun).
void landscape_shadow(Mesh *mesh, Vec3 at, double radius, double height);

#endif
