/// Builds the jaws of a grab around their pieces: shells with a bright edge, and the arms that carry them on their pin;
/// and the bracket above its rotator.
#include "render/meshes/machine_mesh.h"

#include <math.h>
#include <string.h>

#include "data/schema/coupler_params.h"

#define ARM_HALF    0.05 ///< m of an arm's thickness, chosen by eye
#define ARM_AT      0.38 ///< m of its middle off the middle plane
#define RING_HEIGHT 0.10 ///< m, chosen by eye
#define RING_RADIUS 0.30 ///< m of the slewing ring, chosen by eye

/// The piece whose corner is farthest from the pin has the edge.
static int edge_piece(const MachineParams *params, int body)
{
    int found = -1;
    double farthest = 0.0;
    for (int k = 0; k < params->solid_count; k++) {
        const ToolPiece *piece = &params->solid[k].piece;
        for (int c = 0; c < piece->corner_count && params->solid[k].body == body; c++) {
            double reach = hypot(piece->corners[c][0], piece->corners[c][1]);
            found = reach > farthest ? k : found;
            farthest = fmax(farthest, reach);
        }
    }
    return found;
}

void grab_mesh_jaw(const MachineParams *params, int body, Mesh *mesh)
{
    const PlanePoint pin = {0.0, 0.0}, *head = &pin;
    int edge = edge_piece(params, body);
    for (int k = 0; k < params->joint_count; k++) {
        head = params->joint[k].child == body ? &params->joint[k].cylinder.head : head;
    }
    PlanePoint shell = pin;
    for (int k = 0; k < params->solid_count; k++) {
        const ToolPiece *piece = &params->solid[k].piece;
        if (params->solid[k].body != body) {
            continue;
        }
        mesh_prism(mesh, MESH_PLANE_XZ, piece->corners, piece->corner_count, piece->y_min, piece->y_max, 0.008,
                   k == edge ? &paint_edge : &paint_shell);
        shell = k == edge ? shell : piece_middle(piece);
    }
    const double arm[3][3] = {{pin.x, pin.z, 0.09}, {head->x, head->z, 0.08}, {shell.x, shell.z, 0.07}};
    for (int side = -1; side <= 1; side += 2) {
        double y = side * ARM_AT;
        part_plate(mesh, arm, 3, y - ARM_HALF, y + ARM_HALF, 0.01, &paint_yellow);
    }
    part_pin(mesh, &pin, ARM_AT + 0.09, 0.05, &paint_steel);
    part_pin(mesh, head, ARM_AT, 0.035, &paint_steel);
}

void grab_mesh_bracket(const MachineParams *params, Mesh *mesh)
{
    const MachineJointParams *axis = &params->joint[EXCAVATOR_JOINT_COUNT];
    const PlanePoint ring = axis->origin, down = {sin(axis->lean), -cos(axis->lean)};
    const PlanePoint pin = {ring.x + params->tool_origin.x, ring.z + params->tool_origin.z};
    ToolShape steel = {.piece_count = 0};
    if (params->coupler[0] != '\0') {
        coupler_mesh(params, EXCAVATOR_BUCKET, mesh);
    }
    for (int k = 0; k < params->solid_count; k++) {
        const MachineSolidParams *solid = &params->solid[k];
        if (solid->body == EXCAVATOR_BUCKET && strcmp(solid->name, COUPLER_SOLID) != 0) {
            const ToolPiece *piece = &solid->piece;
            mesh_prism(mesh, MESH_PLANE_XZ, piece->corners, piece->corner_count, piece->y_min, piece->y_max, 0.012,
                       &paint_dark);
            steel.pieces[steel.piece_count++] = *piece;
        }
    }
    mesh_cylinder(mesh, (double[]){ring.x - RING_HEIGHT * down.x, 0.0, ring.z - RING_HEIGHT * down.z},
                  (double[]){ring.x, 0.0, ring.z}, RING_RADIUS, 0.01, 28, &paint_steel);
    excavator_mesh_ears(params, &steel, pin, mesh);
}
