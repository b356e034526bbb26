/// The finishes of machines, and the shapes that they are built of.
#ifndef SPADEWORK_RENDER_PAINT_H
#define SPADEWORK_RENDER_PAINT_H

#include "render/gpu/mesh.h"

/// sRGB colour; then gloss, metal, dust, light.
static const MeshMaterial paint_yellow = {{224, 152, 16, 255}, {150, 0, 90, 0}};
static const MeshMaterial paint_dark = {{50, 52, 55, 255}, {110, 0, 110, 0}};
static const MeshMaterial paint_black = {{27, 28, 30, 255}, {80, 0, 100, 0}};
static const MeshMaterial paint_steel = {{108, 104, 98, 255}, {110, 130, 170, 0}};
static const MeshMaterial paint_worn = {{74, 70, 65, 255}, {120, 150, 120, 0}};
static const MeshMaterial paint_edge = {{168, 164, 158, 255}, {150, 200, 90, 0}};
static const MeshMaterial paint_shoe = {{62, 58, 53, 255}, {90, 120, 215, 0}};
static const MeshMaterial paint_chrome = {{216, 220, 224, 255}, {240, 235, 0, 0}};
static const MeshMaterial paint_rubber = {{33, 33, 34, 255}, {45, 0, 105, 0}};
static const MeshMaterial paint_white = {{222, 222, 216, 255}, {140, 0, 90, 0}};
static const MeshMaterial paint_lamp = {{255, 246, 222, 255}, {230, 0, 0, 70}};
static const MeshMaterial paint_red = {{196, 32, 22, 255}, {200, 0, 30, 25}};
static const MeshMaterial paint_orange = {{255, 122, 12, 255}, {220, 0, 0, 60}};
static const MeshMaterial paint_screen = {{64, 120, 148, 255}, {120, 0, 0, 110}};
static const MeshMaterial paint_glass = {{110, 132, 140, 62}, {250, 0, 0, 0}};
static const MeshMaterial paint_seat = {{44, 45, 48, 255}, {30, 0, 0, 0}};

static inline void paint_box(Mesh *mesh, double x0, double x1, double y0, double y1, double z0, double z1, double bevel,
                             const MeshMaterial *material)
{
    const double low[3] = {x0, y0, z0}, high[3] = {x1, y1, z1};
    mesh_box(mesh, low, high, bevel, material);
}

/// A round bar from one place to another, `sides` around.
static inline void paint_bar(Mesh *mesh, double x0, double y0, double z0, double x1, double y1, double z1,
                             double radius, int sides, const MeshMaterial *material)
{
    const double a[3] = {x0, y0, z0}, b[3] = {x1, y1, z1};
    mesh_cylinder(mesh, a, b, radius, 0.2 * radius, sides, material);
}

#endif
