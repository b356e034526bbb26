/// Couplers: what a tool hangs on in place of the pins of stick and link.
#include <string.h>

#include "render/meshes/fittings.h"
#include "render/meshes/machine_mesh.h"

void coupler_mesh(const MachineParams *params, int body, Mesh *mesh)
{
    const PlanePoint stick = {0.0, 0.0}, *link = &params->joint[EXCAVATOR_JOINT_BUCKET].linkage.link_pin;
    double half = excavator_stick_half_width(params);
    for (int k = 0; k < params->solid_count; k++) {
        const MachineSolidParams *solid = &params->solid[k];
        if (solid->body == body && strcmp(solid->name, "coupler") == 0) {
            const ToolPiece *piece = &solid->piece;
            mesh_prism(mesh, MESH_PLANE_XZ, piece->corners, piece->corner_count, piece->y_min, piece->y_max, 0.02,
                       &paint_dark);
        }
    }
    // Plates beside the stick and the link carry the machine's pins.
    const double ears[2][3] = {{stick.x, stick.z, 0.12}, {link->x, link->z, 0.11}};
    for (int side = -1; side <= 1; side += 2) {
        double y = side * (half + 0.04);
        part_plate(mesh, ears, 2, y - 0.025, y + 0.025, 0.01, &paint_dark);
    }
    part_pin(mesh, &stick, half + 0.10, 0.055, &paint_steel);
    part_pin(mesh, link, half + 0.10, 0.05, &paint_steel);
}
