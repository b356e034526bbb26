/// Builds a hydraulic hammer around the pieces that touch things: a housing of two side plates around the power cell,
/// held by bolts, a front head and a round chisel with a moil point. Thicknesses are chosen by eye for one of 1.7 t.
#include "render/meshes/machine_mesh.h"

#include <math.h>

#include "render/meshes/parts.h"

/// A round bar along the chisel's axis between two distances from its tip, m.
static void add_round(Mesh *mesh, PlanePoint tip, PlanePoint back, double from, double to, double radius,
                      const MeshMaterial *material)
{
    part_bar(mesh, tip.x + back.x * to, 0.0, tip.z + back.z * to, tip.x + back.x * from, 0.0, tip.z + back.z * from,
             radius, 24, material);
}

/// Side plates, the power cell between them, and the bolts through both.
static void add_housing(const ToolPiece *piece, Mesh *mesh)
{
    double half = piece->y_max, plate = 0.045, middle[2] = {0.0, 0.0};
    int corners = piece->corner_count;
    for (int k = 0; k < corners; k++) {
        middle[0] += piece->corners[k][0] / corners;
        middle[1] += piece->corners[k][1] / corners;
    }
    double inner[TOOL_MAX_CORNERS][2], ring[TOOL_MAX_CORNERS][2];
    for (int k = 0; k < corners; k++) {
        for (int axis = 0; axis < 2; axis++) {
            inner[k][axis] = middle[axis] + 0.93 * (piece->corners[k][axis] - middle[axis]);
            ring[k][axis] = middle[axis] + 0.84 * (piece->corners[k][axis] - middle[axis]);
        }
    }
    mesh_prism(mesh, MESH_PLANE_XZ, (const double(*)[2])inner, corners, -half + plate, half - plate, 0.02,
               &paint_black);
    for (int side = -1; side <= 1; side += 2) {
        double outer = side * half, in = side * (half - plate);
        mesh_prism(mesh, MESH_PLANE_XZ, piece->corners, corners, fmin(outer, in), fmax(outer, in), 0.012,
                   &paint_yellow);
        for (int k = 0; k < corners; k++) {
            for (int third = 0; third < 3; third++) {
                const double *p = ring[k], *q = ring[(k + 1) % corners];
                double x = p[0] + (q[0] - p[0]) * third / 3.0, z = p[1] + (q[1] - p[1]) * third / 3.0;
                part_bar(mesh, x, outer - 0.01, z, x, outer + 0.016 * side, z, 0.026, 6, &paint_dark);
            }
        }
    }
}

void hammer_mesh(const MachineParams *params, Mesh *mesh)
{
    const ToolShape *tool = &params->tool[0].shape;
    const MachineHammer *hammer = &params->hammer;
    PlanePoint tip = {tool->edge[0], tool->edge[1]}, back = {hammer->top.x - tip.x, hammer->top.z - tip.z};
    double reach = hypot(back.x, back.z), radius = 0.5 * hammer->chisel;
    back.x /= reach;
    back.z /= reach;
    double head = 0.0; // m from the tip: where the front head ends
    for (int i = 0; i < tool->piece_count; i++) {
        const ToolPiece *piece = &tool->pieces[i];
        bool chisel = false;
        double nearest = 1e9;
        for (int k = 0; k < piece->corner_count; k++) {
            double along = (piece->corners[k][0] - tip.x) * back.x + (piece->corners[k][1] - tip.z) * back.z;
            nearest = fmin(nearest, along);
            chisel = chisel || fabs(along) < 0.01;
        }
        if (i == 0) {
            add_housing(piece, mesh);
        } else if (!chisel) {
            head = nearest;
            mesh_prism(mesh, MESH_PLANE_XZ, piece->corners, piece->corner_count, piece->y_min, piece->y_max, 0.03,
                       &paint_dark);
        }
    }
    add_round(mesh, tip, back, head - 0.05, head + 0.12, 1.35 * radius, &paint_worn);
    add_round(mesh, tip, back, 0.16, head + 0.30, radius, &paint_lining);
    const double foot[3] = {tip.x + back.x * 0.17, 0.0, tip.z + back.z * 0.17}, point[3] = {tip.x, 0.0, tip.z};
    const double moil[3][2] = {{0.0, radius}, {0.165, 0.012}, {0.17, 0.0}};
    mesh_lathe(mesh, foot, point, moil, 3, 24, &paint_tooth);
}
