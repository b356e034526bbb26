/// Builds the parts that machines and trucks are welded from, each a call of mesh.h with its places spelt out, so that
/// a machine's file reads as a list of sheets, bars, pins and plates.
#include "render/meshes/parts.h"

void part_box(Mesh *mesh, double x0, double x1, double y0, double y1, double z0, double z1, double bevel,
              const MeshMaterial *material)
{
    const double low[3] = {x0, y0, z0}, high[3] = {x1, y1, z1};
    mesh_box(mesh, low, high, bevel, material);
}

void part_bar(Mesh *mesh, double x0, double y0, double z0, double x1, double y1, double z1, double radius, int sides,
              const MeshMaterial *material)
{
    const double a[3] = {x0, y0, z0}, b[3] = {x1, y1, z1};
    mesh_cylinder(mesh, a, b, radius, 0.2 * radius, sides, material);
}

void part_pin(Mesh *mesh, const PlanePoint *at, double half_width, double radius, const MeshMaterial *material)
{
    const double a[3] = {at->x, -half_width, at->z}, b[3] = {at->x, half_width, at->z};
    mesh_cylinder(mesh, a, b, radius, 0.15 * radius, 20, material);
}

void part_plate(Mesh *mesh, const double (*circles)[3], int count, double y0, double y1, double bevel,
                const MeshMaterial *material)
{
    double outline[MESH_MAX_CORNERS][2];
    int n = mesh_hull_of_circles(circles, count, 20, outline);
    mesh_prism(mesh, MESH_PLANE_XZ, (const double(*)[2])outline, n, y0, y1, bevel, material);
}
