/// Triangle meshes built in memory: prisms with bevelled edges, boxes, turned bodies, tubes; the finishes of machines,
/// and the boxes, bars, pins and plates that they are welded from. Lengths in m, in the frame of the mesh. Pure
/// functions of one mesh, no OpenGL.
#ifndef SPADEWORK_RENDER_MESH_H
#define SPADEWORK_RENDER_MESH_H

#include <stdbool.h>
#include <stdint.h>

#include "data/core/vec.h"
#include "data/schema/machine_params.h"

enum { MESH_MAX_CORNERS = 96 }; ///< of an outline: four circles of 20 points and their joints

/// Colour and finish of a surface: colour (sRGB, alpha 255 = opaque) and gloss, metal, dust, light, each 0..255.
typedef struct MeshMaterial {
    uint8_t color[4];
    uint8_t surface[4];
} MeshMaterial;

typedef struct MeshVertex {
    float position[3]; ///< m
    float normal[3]; ///< unit
    uint8_t color[4], surface[4]; ///< as MeshMaterial
} MeshVertex;

/// Zero-initialise; owned by the caller, freed by mesh_free. When memory runs out shapes are left out and `failed` is
/// set.
typedef struct Mesh {
    MeshVertex *vertices;
    int vertex_count, vertex_capacity;
    uint32_t *indices;
    int index_count, index_capacity;
    bool failed;
} Mesh;

/// Frees the mesh and leaves it empty.
void mesh_free(Mesh *mesh);

/// Reverses every triangle whose winding is clockwise on the side that its normals point to, so that backs can be
/// culled.
void mesh_orient(Mesh *mesh);

/// Writes the smallest box around all vertices; zero when the mesh is empty.
void mesh_bounds(const Mesh *mesh, float low[3], float high[3]);

/// Stretches the vertices from `first` on along the axes by `factors`, each above 0, and turns their normals with them.
void mesh_stretch(Mesh *mesh, int first, const double factors[3]);

/// Gives a vertex another material.
void mesh_paint(MeshVertex *vertex, const MeshMaterial *material);

/// Moves the vertices from `first` on as `pose` moves the frame that they were built in.
void mesh_place(Mesh *mesh, int first, const Pose *pose);

/// The plane a prism's outline lies in, and the axis it is extruded along.
typedef enum MeshPlane {
    MESH_PLANE_XZ, ///< outline x, z; extruded along y
    MESH_PLANE_XY, ///< outline x, y; extruded along z
    MESH_PLANE_YZ, ///< outline y, z; extruded along x
} MeshPlane;

/// Adds a simple polygon (3..MESH_MAX_CORNERS corners, counter-clockwise in its plane) extruded from `low` to `high`,
/// its two caps bevelled by `bevel` m. Neighbouring walls that meet under less than about 35 degrees are shaded as one
/// curved wall.
void mesh_prism(Mesh *mesh, MeshPlane plane, const double (*outline)[2], int corners, double low, double high,
                double bevel, const MeshMaterial *material);

/// Adds a box with bevelled edges. The bevel is cut to 0.4 of the shorter of the x and z sides.
void mesh_box(Mesh *mesh, const double low[3], const double high[3], double bevel, const MeshMaterial *material);

/// Adds a body turned about the line from `a` to `b`: profile points are (distance from a along the line, radius), in
/// order.
void mesh_lathe(Mesh *mesh, const double a[3], const double b[3], const double (*profile)[2], int points, int segments,
                const MeshMaterial *material);

/// Adds a closed cylinder with bevelled rims.
void mesh_cylinder(Mesh *mesh, const double a[3], const double b[3], double radius, double bevel, int segments,
                   const MeshMaterial *material);

/// Adds a round bar along a polyline, each part a cylinder of its own.
void mesh_tube(Mesh *mesh, const double (*points)[3], int count, double radius, int segments,
               const MeshMaterial *material);

/// Adds a bent bar without caps through 2 or more points: rings of `segments` around them share their vertices.
/// side  unit: where the ring's first vertex lies, as near as the line lets it; not along the line
void mesh_sweep(Mesh *mesh, const Vec3 *points, int count, Vec3 side, double radius, int segments,
                const MeshMaterial *material);

/// Adds a flat triangle: corners counter-clockwise from outside, `normal` of length 1.
void mesh_triangle(Mesh *mesh, const float (*corners)[3], const float normal[3], const MeshMaterial *material);

/// Adds a flat four-sided pane, corners in order; its normal follows the right hand.
void mesh_pane(Mesh *mesh, const double (*corners)[3], const MeshMaterial *material);

/// ---- finishes and parts --------------------------------------------------------------------------------------------

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
static const MeshMaterial paint_glass = {{110, 132, 140, 62}, {250, 0, 0, 0}};
static const MeshMaterial paint_frame = {{44, 45, 47, 255}, {90, 0, 50, 0}};
static const MeshMaterial paint_trim = {{82, 83, 84, 255}, {35, 0, 25, 0}};
static const MeshMaterial paint_grip = {{24, 24, 26, 255}, {70, 0, 0, 0}};
static const MeshMaterial paint_seat = {{44, 45, 48, 255}, {30, 0, 0, 0}};

/// Adds a box with bevelled edges; y0 and y1 in any order.
void part_box(Mesh *mesh, double x0, double x1, double y0, double y1, double z0, double z1, double bevel,
              const MeshMaterial *material);

/// Adds a round bar from one place to another, `sides` around; its rims are bevelled by a fifth of the radius.
void part_bar(Mesh *mesh, double x0, double y0, double z0, double x1, double y1, double z1, double radius, int sides,
              const MeshMaterial *material);

/// Adds a round pin across the middle plane, from -half_width to half_width.
void part_pin(Mesh *mesh, const PlanePoint *at, double half_width, double radius, const MeshMaterial *material);

/// Adds a plate parallel to the middle plane, from y0 to y1 in any order: the convex hull of `count` circles {x, z,
/// radius}.
void part_plate(Mesh *mesh, const double (*circles)[3], int count, double y0, double y1, double bevel,
                const MeshMaterial *material);

#endif
