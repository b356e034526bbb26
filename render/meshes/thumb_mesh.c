/// Builds a thumb around its pieces: two tines with a plate between them, on ears beside the tool's on the pin.
#include "render/meshes/fittings.h"
#include "render/meshes/machine_mesh.h"

#define TINE 0.05 ///< m of a tine's thickness, chosen by eye
#define EAR  0.04 ///< m of an ear's thickness, chosen by eye

static void add_ears(const MachineParams *params, const PlanePoint *root, int body, Mesh *mesh)
{
    const PlanePoint pin = {0.0, 0.0}, *head = &pin;
    for (int k = 0; k < params->joint_count; k++) {
        head = params->joint[k].child == body ? &params->joint[k].cylinder.head : head;
    }
    const double ear[3][3] = {{pin.x, pin.z, 0.11}, {head->x, head->z, 0.10}, {root->x, root->z, 0.07}};
    double at = excavator_stick_half_width(params) - 0.06; // inside the bucket's ears
    for (int side = -1; side <= 1; side += 2) {
        part_plate(mesh, ear, 3, side * at - 0.5 * EAR, side * at + 0.5 * EAR, 0.008, &paint_yellow);
    }
    part_pin(mesh, head, at + 0.04, 0.04, &paint_steel);
}

void thumb_mesh(const MachineParams *params, int body, Mesh *mesh)
{
    PlanePoint root = {0.0, 0.0};
    bool first = true;
    for (int k = 0; k < params->solid_count; k++) {
        const ToolPiece *piece = &params->solid[k].piece;
        if (params->solid[k].body != body) {
            continue;
        }
        for (int side = -1; side <= 1; side += 2) {
            double outer = side < 0 ? piece->y_min : piece->y_max, inner = outer - side * TINE;
            mesh_prism(mesh, MESH_PLANE_XZ, piece->corners, piece->corner_count, outer < inner ? outer : inner,
                       outer < inner ? inner : outer, 0.008, &paint_shell);
        }
        if (first) {
            root = piece_middle(piece);
            mesh_prism(mesh, MESH_PLANE_XZ, piece->corners, piece->corner_count, piece->y_min + TINE,
                       piece->y_max - TINE, 0.01, &paint_yellow);
        }
        first = false;
    }
    add_ears(params, &root, body, mesh);
}
