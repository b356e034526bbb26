/// Builds the bodies of a dozer: chassis with hood and tank, ripper, push frame, yoke and blade. Pins, ranges and the
/// tool are those of the machine's file, so the picture shows what collides; hood, fenders and brackets are put
/// around them with sizes chosen by eye for a 20 t machine.
#include "data/schema/machine_params.h"
#include "render/meshes/machine_mesh.h"

#include <math.h>

/// Adds the hood over the engine with its grilles and exhaust, and the guard of the radiator before it.
static void add_hood(const MachineParams *params, double low, Mesh *mesh)
{
    double front = 0.5 * params->tracks.length - 0.05, rear = params->cab.corner[0] + params->cab.size[0] - 0.05;
    double top = params->joint[DOZER_JOINT_LIFT].cylinder.base.z + 0.22,
           half = 0.5 * params->joint[DOZER_JOINT_LIFT].cylinder.spacing - 0.12;
    const double outline[5][2] = {
        {rear, low}, {front - 0.25, low}, {front - 0.25, top - 0.16}, {front - 0.5, top - 0.04}, {rear, top}};
    mesh_prism(mesh, MESH_PLANE_XZ, outline, 5, -half, half, 0.05, &paint_yellow);
    part_box(mesh, front - 0.27, front, -half - 0.12, half + 0.12, low - 0.25, top - 0.10, 0.04, &paint_yellow);
    for (int slot = 0; slot < 9; slot++) {
        double z = low - 0.10 + (top - low - 0.25) * slot / 9.0;
        part_box(mesh, front - 0.01, front + 0.02, -half + 0.03, half - 0.03, z, z + 0.04, 0.008, &paint_black);
    }
    for (int side = -1; side <= 1; side += 2) {
        for (int slot = 0; slot < 6; slot++) {
            double x = rear + 0.25 + 0.11 * slot;
            part_box(mesh, x, x + 0.06, side * half - 0.012, side * half + 0.012, low + 0.15, top - 0.22, 0.006,
                     &paint_black);
        }
    }
    // Seen from the driver's eye, exhaust and air cleaner are in front of the blade's back, below its upper edge and
    // inside its corners.
    double aside = half - 0.14;
    part_bar(mesh, 1.00, -aside, top - 0.06, 1.00, -aside, top + 0.13, 0.055, 16, &paint_black);
    part_bar(mesh, 1.00, -aside, top + 0.11, 0.95, -aside, top + 0.21, 0.050, 16, &paint_steel);
    part_bar(mesh, 0.90, aside, top - 0.06, 0.90, aside, top + 0.08, 0.05, 12, &paint_dark);
    part_bar(mesh, 0.90, aside, top + 0.07, 0.90, aside, top + 0.19, 0.085, 16, &paint_black);
}

/// Adds fenders over the tracks, the cab's platform, the tank behind it and the brackets of cylinders and ripper.
static void add_body(const MachineParams *params, double low, Mesh *mesh)
{
    double rear = -params->tail_radius, front = params->cab.corner[0] + params->cab.size[0], deck = low + 0.10;
    double outer = 0.5 * params->upper_width, floor = params->cab.corner[2];
    double inner = 0.5 * (params->tracks.gauge - params->tracks.shoe_width) - 0.06;
    part_box(mesh, rear + 0.15, 1.0, -inner, inner, params->clearance, low, 0.06, &paint_dark);
    part_box(mesh, 0.9, 0.5 * params->tracks.length - 0.1, -inner, inner, params->clearance + 0.25, low, 0.05,
             &paint_dark);
    for (int side = -1; side <= 1; side += 2) {
        double a = fmin(side * inner, side * outer), b = fmax(side * inner, side * outer);
        part_box(mesh, rear + 0.1, front + 0.55, a, b, deck - 0.04, deck + 0.03, 0.015, &paint_yellow);
        part_box(mesh, front - 0.75, front + 0.05, a + 0.04, b - 0.04, deck, deck + 0.34, 0.04, &paint_dark);
    }
    part_box(mesh, rear + 0.3, front - 0.05, -0.80, 0.80, low - 0.05, floor, 0.04, &paint_dark);
    part_box(mesh, rear, rear + 0.62, -0.92, 0.92, deck, floor + 0.28, 0.07, &paint_yellow);
    const PlanePoint *hinge = &params->joint[DOZER_JOINT_RIPPER].origin,
                     *upper = &params->joint[DOZER_JOINT_RIPPER].cylinder.base;
    const double bracket[3][3] = {
        {hinge->x, hinge->z, 0.16}, {upper->x, upper->z, 0.10}, {hinge->x + 0.35, hinge->z + 0.5, 0.1}};
    for (int side = -1; side <= 1; side += 2) {
        part_plate(mesh, bracket, 3, side * 0.20 - 0.03, side * 0.20 + 0.03, 0.012, &paint_dark);
        const PlanePoint *lift = &params->joint[DOZER_JOINT_LIFT].cylinder.base;
        double y = 0.5 * side * params->joint[DOZER_JOINT_LIFT].cylinder.spacing;
        const double ear[2][3] = {{lift->x, lift->z, 0.11}, {lift->x - 0.1, lift->z - 0.4, 0.16}};
        part_plate(mesh, ear, 2, y, y - side * 0.12, 0.012, &paint_dark);
    }
    part_bar(mesh, hinge->x, -0.55, hinge->z, hinge->x, 0.55, hinge->z, 0.07, 16, &paint_steel);
}

void dozer_mesh_chassis(const MachineParams *params, Mesh *mesh)
{
    double low = params->tracks.height; // of the hood: over the tracks
    machine_mesh_track_frames(params, mesh);
    add_body(params, low, mesh);
    add_hood(params, low, mesh);
    // Trunnions stand out of the track frames.
    const PlanePoint *at = &params->joint[DOZER_JOINT_LIFT].origin;
    double outer = 0.5 * (params->tracks.gauge + params->tracks.shoe_width) + 0.16;
    part_bar(mesh, at->x, -outer, at->z, at->x, outer, at->z, 0.10, 16, &paint_steel);
}

void dozer_mesh_ripper(const MachineParams *params, Mesh *mesh)
{
    const ToolShape *shank = &params->tool[DOZER_TOOL_RIPPER].shape;
    const PlanePoint *head = &params->joint[DOZER_JOINT_RIPPER].cylinder.head;
    double beam = -1.05; // m: middle of the beam that holds the shank
    for (int side = -1; side <= 1; side += 2) {
        double y = side * 0.42;
        const double arm[2][3] = {{0.0, 0.0, 0.13}, {beam, 0.15, 0.14}};
        part_plate(mesh, arm, 2, y - 0.05, y + 0.05, 0.012, &paint_yellow);
        const double ear[2][3] = {{head->x, head->z, 0.10}, {beam, 0.12, 0.14}};
        part_plate(mesh, ear, 2, side * 0.11 - 0.025, side * 0.11 + 0.025, 0.012, &paint_yellow);
    }
    part_box(mesh, beam - 0.17, beam + 0.17, -0.95, 0.95, 0.0, 0.30, 0.04, &paint_yellow);
    for (int i = 0; i < shank->piece_count; i++) {
        const ToolPiece *piece = &shank->pieces[i];
        mesh_prism(mesh, MESH_PLANE_XZ, piece->corners, piece->corner_count, piece->y_min, piece->y_max, 0.012,
                   i == 0 ? &paint_worn : &paint_edge);
    }
}

void dozer_mesh_push_frame(const MachineParams *params, Mesh *mesh)
{
    double length = params->joint[DOZER_JOINT_ANGLE].origin.x;
    double y = 0.5 * (params->tracks.gauge + params->tracks.shoe_width) + 0.16;
    double corner =
        0.5 * params->tracks.length - params->joint[DOZER_JOINT_LIFT].origin.x + 0.08; // ahead of the tracks
    for (int side = -1; side <= 1; side += 2) {
        const double arm[2][3] = {{0.0, 0.0, 0.16}, {corner + 0.08, 0.0, 0.14}};
        part_plate(mesh, arm, 2, side * y - 0.08, side * y + 0.08, 0.012, &paint_yellow);
        const PlanePoint *lift = &params->joint[DOZER_JOINT_LIFT].cylinder.head;
        double at = 0.5 * side * params->joint[DOZER_JOINT_LIFT].cylinder.spacing;
        const double ear[2][3] = {{lift->x, lift->z, 0.09}, {corner + 0.10, 0.02, 0.12}};
        part_plate(mesh, ear, 2, at - 0.07, at + 0.07, 0.012, &paint_yellow);
    }
    const double beam[6][2] = {{corner, -y - 0.08},   {corner + 0.18, -y - 0.08}, {length - 0.03, -0.25},
                               {length - 0.03, 0.25}, {corner + 0.18, y + 0.08},  {corner, y + 0.08}};
    mesh_prism(mesh, MESH_PLANE_XY, beam, 6, -0.15, 0.15, 0.03, &paint_yellow);
    const PlanePoint *angle = &params->joint[DOZER_JOINT_ANGLE].cylinder.base;
    part_box(mesh, angle->x - 0.1, corner + 0.05, -angle->z - 0.08, angle->z + 0.08, -0.05, 0.07, 0.02, &paint_dark);
}

void dozer_mesh_yoke(const MachineParams *params, Mesh *mesh)
{
    const PlanePoint *angle = &params->joint[DOZER_JOINT_ANGLE].cylinder.head,
                     *tilt = &params->joint[DOZER_JOINT_TILT].cylinder.base;
    const double ball[3] = {-0.14, 0.0, 0.0}, ball_end[3] = {0.14, 0.0, 0.0};
    mesh_cylinder(mesh, ball, ball_end, 0.16, 0.05, 24, &paint_steel);
    part_box(mesh, -0.10, 0.02, -angle->z - 0.1, angle->z + 0.1, -0.10, 0.20, 0.03, &paint_dark);
    double outer = fmin(tilt->x, 0.0) - 0.12;
    part_box(mesh, -0.09, 0.03, outer, outer + 0.28, 0.10, tilt->z + 0.10, 0.03, &paint_dark);
}

/// Adds a scale behind both ends of the blade, from its edge up: bands of 0.1 m, red in the first half metre and black
/// in the second, so that the driver reads how far the edge lies below the ground beside it.
static void add_scale(const ToolShape *tool, Mesh *mesh)
{
    static const MeshMaterial red = {{206, 26, 20, 255}, {60, 0, 10, 22}}, black = {{16, 16, 18, 255}, {60, 0, 10, 0}};
    static const MeshMaterial white = {{238, 238, 232, 255}, {60, 0, 10, 22}};
    for (int band = 0; band < 10; band++) {
        const MeshMaterial *paint = band % 2 != 0 ? &white : band < 5 ? &red : &black;
        double low = tool->edge[1] + 0.1 * band, outer = 0.5 * tool->edge_width;
        for (int side = -1; side <= 1; side += 2) {
            double a = side * outer, b = side * (outer - 0.13);
            part_box(mesh, 0.0, 0.02, a, b, low, low + 0.1, 0.0, paint);
        }
    }
}

void dozer_mesh_blade(const MachineParams *params, Mesh *mesh)
{
    const ToolShape *tool = &params->tool[0].shape;
    double top = tool->edge[1], back = tool->edge[0];
    for (int i = 0; i < tool->piece_count; i++) {
        const ToolPiece *piece = &tool->pieces[i];
        bool cutting = false, side = piece->y_max - piece->y_min < 0.5 * tool->edge_width;
        int first = mesh->vertex_count;
        for (int k = 0; k < piece->corner_count; k++) {
            cutting |= piece->corners[k][0] == tool->edge[0] && piece->corners[k][1] == tool->edge[1];
            top = fmax(top, piece->corners[k][1]);
            back = fmin(back, piece->corners[k][0]);
        }
        cutting = cutting && !side;
        mesh_prism(mesh, MESH_PLANE_XZ, piece->corners, piece->corner_count, piece->y_min, piece->y_max, 0.006,
                   cutting ? &paint_edge : &paint_yellow);
        // Soil rubs the face bright, and the inside of the plates at its ends, except the uppermost fifth.
        for (int k = first; k < mesh->vertex_count && !cutting && i != tool->piece_count - 3; k++) {
            MeshVertex *vertex = &mesh->vertices[k];
            double inwards =
                side ? -(double)vertex->normal[1] * (piece->y_min + piece->y_max) : (double)vertex->normal[0];
            if (inwards > 0.3) {
                mesh_paint(vertex, &paint_lining);
            }
        }
        // End bits: the corners of the edge, thicker than it.
        for (int end = -1; end <= 1 && cutting; end += 2) {
            double y = 0.5 * end * tool->edge_width, inner = y - 0.30 * end;
            double bit[TOOL_MAX_CORNERS][2];
            for (int k = 0; k < piece->corner_count; k++) {
                bit[k][0] = piece->corners[k][0] + 0.012;
                bit[k][1] = piece->corners[k][1];
            }
            mesh_prism(mesh, MESH_PLANE_XZ, (const double(*)[2])bit, piece->corner_count, fmin(y, inner),
                       fmax(y, inner), 0.004, &paint_tooth);
        }
    }
    // Ribs of the back, from the ball joint's height up.
    double half = 0.5 * tool->edge_width - 0.05;
    part_box(mesh, 0.03, back + 0.03, -half, half, -0.16, -0.02, 0.02, &paint_yellow);
    part_box(mesh, 0.03, back + 0.03, -half, half, 0.42, 0.55, 0.02, &paint_yellow);
    for (int k = -2; k <= 2; k++) {
        double y = 0.24 * k * tool->edge_width;
        part_box(mesh, 0.04, back + 0.03, y - 0.04, y + 0.04, -0.10, fmin(0.8, top - 0.15), 0.015, &paint_yellow);
    }
    add_scale(tool, mesh);
    const PlanePoint *tilt = &params->joint[DOZER_JOINT_TILT].cylinder.head;
    part_box(mesh, -0.08, back + 0.02, tilt->x - 0.09, tilt->x + 0.09, tilt->z - 0.09, tilt->z + 0.09, 0.02,
             &paint_dark);
}
