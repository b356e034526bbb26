/// Triangle meshes built in memory from a few shapes: prisms with bevelled edges, boxes, turned bodies, tubes. Lengths
/// in m, in the frame of the mesh. Pure functions of one mesh, no OpenGL.
#ifndef SPADEWORK_RENDER_MESH_H
#define SPADEWORK_RENDER_MESH_H

#include <stdbool.h>
#include <stdint.h>

#include "data/core/vec.h"

enum { MESH_MAX_CORNERS = 96 }; ///< of an outline: four circles of 20 points and their joints

/// How a surface looks: colour (sRGB, alpha 255 = opaque) and gloss, metal, dust, light, each 0..255.
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

/// Turns every triangle round that is clockwise where its vertices' normals look from, so that backs can be left out.
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

/// Adds a flat triangle as it is: corners counter-clockwise seen from outside, `normal` of length 1.
void mesh_triangle(Mesh *mesh, const float (*corners)[3], const float normal[3], const MeshMaterial *material);

/// Adds a flat four-sided pane, corners in order; its normal follows the right hand.
void mesh_pane(Mesh *mesh, const double (*corners)[3], const MeshMaterial *material);

/// Finds the outline (counter-clockwise) of the convex hull of circles (x, y, radius); each circle is taken as
/// `segments` points. Returns the number of corners written, at most MESH_MAX_CORNERS.
int mesh_hull_of_circles(const double (*circles)[3], int count, int segments, double (*outline)[2]);

#endif
