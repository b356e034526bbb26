/// Couplers: what a tool hangs on in place of the pins of stick and link, and the parts of a tiltrotator.
#include <math.h>
#include <string.h>

#include "data/schema/coupler_params.h"
#include "render/meshes/fittings.h"
#include "render/meshes/machine_mesh.h"

static void add_pieces(const MachineParams *params, int body, const MeshMaterial *material, Mesh *mesh)
{
    for (int k = 0; k < params->solid_count; k++) {
        const MachineSolidParams *solid = &params->solid[k];
        if (solid->body == body && strcmp(solid->name, COUPLER_SOLID) == 0) {
            const ToolPiece *piece = &solid->piece;
            mesh_prism(mesh, MESH_PLANE_XZ, piece->corners, piece->corner_count, piece->y_min, piece->y_max, 0.02,
                       material);
        }
    }
}

/// Plates beside the stick and the link, which carry the machine's pins.
static void add_pins(const MachineParams *params, Mesh *mesh)
{
    const PlanePoint stick = {0.0, 0.0}, *link = &params->joint[EXCAVATOR_JOINT_BUCKET].linkage.link_pin;
    const double ears[2][3] = {{stick.x, stick.z, 0.12}, {link->x, link->z, 0.11}};
    double half = excavator_stick_half_width(params);
    for (int side = -1; side <= 1; side += 2) {
        double y = side * (half + 0.04);
        part_plate(mesh, ears, 2, y - 0.025, y + 0.025, 0.01, &paint_dark);
    }
    part_pin(mesh, &stick, half + 0.10, 0.055, &paint_steel);
    part_pin(mesh, link, half + 0.10, 0.05, &paint_steel);
}

void coupler_mesh(const MachineParams *params, int body, Mesh *mesh)
{
    add_pieces(params, body, &paint_dark, mesh);
    if (body == EXCAVATOR_BUCKET) {
        add_pins(params, mesh);
    }
}

/// A shaft of a tiltrotator along its axis, whose direction in the x-z plane is (x, z).
static void add_shaft(Mesh *mesh, double x, double z, double from, double to, double radius,
                      const MeshMaterial *material)
{
    mesh_cylinder(mesh, (double[]){from * x, 0.0, from * z}, (double[]){to * x, 0.0, to * z}, radius, 0.02, 28,
                  material);
}

void coupler_mesh_housing(const MachineParams *params, Mesh *mesh)
{
    const MachineJointParams *tilt = &params->joint[EXCAVATOR_JOINT_TILT],
                             *turn = &params->joint[EXCAVATOR_JOINT_ROTATE];
    double x = cos(tilt->lean), z = sin(tilt->lean), drop = hypot(turn->origin.x, turn->origin.z);
    add_pieces(params, tilt->child, &paint_yellow, mesh);
    add_shaft(mesh, x, z, -0.34, 0.34, 0.075, &paint_steel);
    add_shaft(mesh, z, -x, 0.4 * drop, 0.78 * drop, 0.29, &paint_dark); // the ring gear's rim, out to the hitch
    for (int side = -1; side <= 1; side += 2) { // eyes of the tilt cylinders
        Vec3 head = vec3(-z * tilt->rotary.head.z, side * tilt->rotary.head.x, x * tilt->rotary.head.z);
        mesh_cylinder(mesh, (double[]){head.x - 0.06 * x, head.y, head.z - 0.06 * z},
                      (double[]){head.x + 0.06 * x, head.y, head.z + 0.06 * z}, 0.06, 0.01, 16, &paint_dark);
    }
}
