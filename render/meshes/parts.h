/// The finishes of machines and trucks, and the parts that their meshes are put together from. Lengths in m, in the
/// frame of the mesh. Pure functions, no OpenGL.
#ifndef SPADEWORK_RENDER_PARTS_H
#define SPADEWORK_RENDER_PARTS_H

#include "data/schema/machine_params.h"
#include "render/meshes/mesh.h"

/// sRGB colour and opacity; then gloss, metal, dust, light (MeshMaterial). Chosen; see the pictures that
/// test_render_picture leaves.
static const MeshMaterial paint_yellow = {{224, 152, 16, 255}, {150, 0, 90, 0}};
static const MeshMaterial paint_dark = {{50, 52, 55, 255}, {110, 0, 110, 0}};
static const MeshMaterial paint_black = {{27, 28, 30, 255}, {80, 0, 100, 0}};
static const MeshMaterial paint_steel = {{108, 104, 98, 255}, {110, 130, 170, 0}};
static const MeshMaterial paint_worn = {{74, 70, 65, 255}, {120, 150, 120, 0}};
static const MeshMaterial paint_edge = {{186, 182, 175, 255}, {150, 90, 25, 0}};
static const MeshMaterial paint_tooth = {{206, 203, 196, 255}, {150, 70, 12, 0}};
static const MeshMaterial paint_lining = {{140, 133, 123, 255}, {140, 80, 60, 0}};
static const MeshMaterial paint_shell = {{74, 73, 72, 255}, {95, 0, 120, 0}};
static const MeshMaterial paint_shoe = {{62, 58, 53, 255}, {90, 120, 215, 0}};
static const MeshMaterial paint_grouser = {{150, 145, 138, 255}, {130, 110, 110, 0}};
static const MeshMaterial paint_mud = {{92, 76, 58, 255}, {10, 0, 255, 0}};
static const MeshMaterial paint_chrome = {{216, 220, 224, 255}, {240, 235, 0, 0}};
static const MeshMaterial paint_rubber = {{33, 33, 34, 255}, {45, 0, 105, 0}};
static const MeshMaterial paint_white = {{222, 222, 216, 255}, {140, 0, 90, 0}};
static const MeshMaterial paint_lamp = {{255, 246, 222, 255}, {230, 0, 0, 70}};
static const MeshMaterial paint_red = {{196, 32, 22, 255}, {200, 0, 30, 25}};
static const MeshMaterial paint_orange = {{255, 122, 12, 255}, {220, 0, 0, 60}};
static const MeshMaterial paint_screen = {{64, 120, 148, 255}, {120, 0, 0, 110}};
static const MeshMaterial paint_glass = {{110, 132, 140, 62}, {250, 0, 0, 0}};
static const MeshMaterial paint_frame = {{44, 45, 47, 255}, {90, 0, 50, 0}};
static const MeshMaterial paint_trim = {{82, 83, 84, 255}, {35, 0, 25, 0}};
static const MeshMaterial paint_grip = {{24, 24, 26, 255}, {70, 0, 0, 0}};
static const MeshMaterial paint_seat = {{44, 45, 48, 255}, {30, 0, 0, 0}};

/// Adds a box with bevelled edges.
void part_box(Mesh *mesh, double x0, double x1, double y0, double y1, double z0, double z1, double bevel,
              const MeshMaterial *material);

/// Adds a round bar from one place to another, `sides` around; its rims are bevelled by a fifth of the radius.
void part_bar(Mesh *mesh, double x0, double y0, double z0, double x1, double y1, double z1, double radius, int sides,
              const MeshMaterial *material);

/// Adds a round pin across the middle plane, from -half_width to half_width.
void part_pin(Mesh *mesh, const PlanePoint *at, double half_width, double radius, const MeshMaterial *material);

/// Adds a plate parallel to the middle plane, from y0 to y1: the convex hull of `count` circles {x, z, radius}.
void part_plate(Mesh *mesh, const double (*circles)[3], int count, double y0, double y1, double bevel,
                const MeshMaterial *material);

#endif
