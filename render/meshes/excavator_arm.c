/// Builds an excavator's arm: boom, stick and bucket. Pins and lengths are those of the machine's file, and the bucket
/// is made of the very pieces that the soil feels; the bend of the boom and the plates' thicknesses are shares of the
/// lengths, chosen by eye for a 22 t machine.
#include "data/excavator_params.h"
#include "render/meshes/machine_mesh.h"

#include <math.h>

#include "render/meshes/fitting_mesh.h"
#include "render/meshes/parts.h"

/// Two straight parts that flow into each other at the bend.
double excavator_boom_line(const MachineParams *params, double share)
{
    const double bend = 0.42, round = 0.34, rise = 0.165 * excavator_boom_length(params);
    double a = share / bend, b = (1.0 - share) / (1.0 - bend);
    double h = fmin(fmax(0.5 + 0.5 * (b - a) / round, 0.0), 1.0);
    return rise * (b + (a - b) * h - round * h * (1.0 - h));
}

double excavator_boom_half(const MachineParams *params, double share)
{
    double from_end = share < 0.42 ? share / 0.42 : (1.0 - share) / 0.58;
    double end = share < 0.42 ? 0.205 : 0.175;
    from_end = from_end * from_end * (3.0 - 2.0 * from_end);
    return (end + (0.355 - end) * from_end) * excavator_boom_length(params) / 5.7;
}

static void add_boom_lamps(const MachineParams *params, Mesh *mesh)
{
    FittingLamp lamps[FITTINGS_MAX_LAMPS];
    int lamp_count = machine_lamps(params, lamps);
    fitting_mesh_lamps(lamps, lamp_count, EXCAVATOR_BOOM, mesh);
    for (int k = 0; k < lamp_count; k++) {
        const Vec3 *at = &lamps[k].at;
        if (lamps[k].body == EXCAVATOR_BOOM) {
            part_box(mesh, at->x - 0.14, at->x - 0.02, fmin(at->y, 0.0), fmax(at->y, 0.0), at->z - 0.12, at->z - 0.10,
                     0.008, &paint_black);
        }
    }
}

void excavator_mesh_boom(const MachineParams *params, Mesh *mesh)
{
    enum { STEPS = 22, CAP = 6 };
    double length = excavator_boom_length(params);
    double outline[MESH_MAX_CORNERS][2];
    int n = 0;
    for (int side = 0; side < 2; side++) {
        for (int k = 0; k <= STEPS; k++) {
            double t = (double)(side == 0 ? k : STEPS - k) / STEPS;
            double slope =
                (excavator_boom_line(params, t + 0.002) - excavator_boom_line(params, t - 0.002)) / (0.004 * length);
            double half = (side == 0 ? -1.0 : 1.0) * excavator_boom_half(params, t), norm = sqrt(1.0 + slope * slope);
            outline[n][0] = t * length - half * slope / norm;
            outline[n++][1] = excavator_boom_line(params, t) + half / norm;
        }
        // A round end.
        double t = side == 0 ? 1.0 : 0.0, half = excavator_boom_half(params, t);
        double start = atan2(outline[n - 1][1], outline[n - 1][0] - t * length);
        for (int k = 1; k < CAP; k++) {
            double angle = start + M_PI * k / CAP;
            outline[n][0] = t * length + half * cos(angle);
            outline[n++][1] = half * sin(angle);
        }
    }
    double half_width = 0.095 * params->upper_width;
    mesh_prism(mesh, MESH_PLANE_XZ, (const double(*)[2])outline, n, -half_width, half_width, 0.022, &paint_yellow);
    // Ears of the stick's cylinder on the back, boss of the boom's cylinders, pins.
    const PlanePoint *ear = &params->joint[EXCAVATOR_JOINT_STICK].cylinder.base,
                     *boss = &params->joint[EXCAVATOR_JOINT_BOOM].cylinder.head;
    double x = fmin(fmax(ear->x, 0.5), length - 0.5);
    const double ears[3][3] = {{ear->x, ear->z, 0.13},
                               {x - 0.45, excavator_boom_line(params, (x - 0.45) / length) + 0.12, 0.08},
                               {x + 0.40, excavator_boom_line(params, (x + 0.40) / length) + 0.12, 0.08}};
    part_plate(mesh, ears, 3, 0.105, 0.155, 0.012, &paint_yellow);
    part_plate(mesh, ears, 3, -0.155, -0.105, 0.012, &paint_yellow);
    part_pin(mesh, ear, 0.18, 0.06, &paint_steel);
    part_pin(mesh, boss, half_width + 0.05, 0.15, &paint_yellow);
    part_pin(mesh, boss, half_width + 0.26, 0.06, &paint_steel);
    const PlanePoint foot = {0.0, 0.0}, tip = {length, 0.0};
    part_pin(mesh, &foot, half_width + 0.05, 0.14, &paint_yellow);
    part_pin(mesh, &tip, half_width + 0.10, 0.085, &paint_steel);
    for (int side = -1; side <= 1; side += 2) {
        const double fork[2][3] = {{length, 0.0, 0.185},
                                   {length - 0.75, excavator_boom_line(params, 1.0 - 0.75 / length), 0.16}};
        double y = side * (half_width + 0.02);
        part_plate(mesh, fork, 2, y - 0.025, y + 0.025, 0.01, &paint_yellow);
        // Hydraulic pipes along the flanks of the back.
        double points[8][3];
        for (int k = 0; k < 8; k++) {
            double t = 0.10 + 0.78 * k / 7.0;
            points[k][0] = t * length;
            points[k][1] = side * 0.17;
            points[k][2] = excavator_boom_line(params, t) + excavator_boom_half(params, t) + 0.035;
        }
        mesh_tube(mesh, (const double(*)[3])points, 8, 0.022, 8, &paint_black);
    }
    add_boom_lamps(params, mesh);
}

void excavator_mesh_stick(const MachineParams *params, Mesh *mesh)
{
    double length = excavator_stick_length(params), half = 0.075 * params->upper_width;
    const PlanePoint *head = &params->joint[EXCAVATOR_JOINT_STICK].cylinder.head,
                     *base = &params->joint[EXCAVATOR_JOINT_BUCKET].cylinder.base;
    const PlanePoint *rocker = &params->joint[EXCAVATOR_JOINT_BUCKET].linkage.rocker_pivot;
    const double body[5][3] = {{head->x, head->z, 0.13},
                               {0.0, 0.02, 0.25},
                               {base->x, fmin(base->z, 0.45) - 0.12, 0.16},
                               {length, 0.0, 0.12},
                               {rocker->x, 0.5 * rocker->z, 0.12}};
    part_plate(mesh, body, 5, -half, half, 0.02, &paint_yellow);
    const double ears[2][3] = {{base->x, base->z, 0.12}, {base->x + 0.1, base->z - 0.35, 0.22}};
    for (int side = -1; side <= 1; side += 2) {
        part_plate(mesh, ears, 2, side * 0.125 - 0.022, side * 0.125 + 0.022, 0.01, &paint_yellow);
    }
    part_pin(mesh, head, half + 0.04, 0.062, &paint_steel);
    part_pin(mesh, base, 0.18, 0.055, &paint_steel);
    part_pin(mesh, rocker, half + 0.12, 0.055, &paint_steel);
    const PlanePoint origin = {0.0, 0.0}, tip = {length, 0.0};
    part_pin(mesh, &origin, half + 0.05, 0.15, &paint_yellow);
    part_pin(mesh, &tip, half + 0.08, 0.12, &paint_yellow);
    part_pin(mesh, &tip, half + 0.16, 0.06, &paint_steel);
}

/// Middle of a tool piece's corners.
static PlanePoint piece_middle(const ToolPiece *piece)
{
    PlanePoint middle = {0.0, 0.0};
    for (int k = 0; k < piece->corner_count; k++) {
        middle.x += piece->corners[k][0] / piece->corner_count;
        middle.z += piece->corners[k][1] / piece->corner_count;
    }
    return middle;
}

/// Direction in which the cutting plate ends: from its middle to the edge.
static PlanePoint edge_direction(const ToolShape *tool)
{
    PlanePoint direction = {1.0, 0.0};
    double nearest = 1e9;
    for (int i = 0; i < tool->piece_count; i++) {
        const ToolPiece *piece = &tool->pieces[i];
        if (piece->y_max - piece->y_min < 0.5 * tool->edge_width) {
            continue;
        }
        PlanePoint middle = piece_middle(piece);
        double dx = tool->edge[0] - middle.x, dz = tool->edge[1] - middle.z, d = hypot(dx, dz);
        if (d > 1e-6 && d < nearest) {
            nearest = d;
            direction = (PlanePoint){dx / d, dz / d};
        }
    }
    return direction;
}

static void add_teeth(const ToolShape *tool, int teeth, Mesh *mesh)
{
    PlanePoint d = edge_direction(tool), n = {-d.z, d.x};
    double x = tool->edge[0], z = tool->edge[1];
    const double tooth[5][2] = {{x - 0.20 * d.x - 0.035 * n.x, z - 0.20 * d.z - 0.035 * n.z},
                                {x - 0.02 * d.x - 0.032 * n.x, z - 0.02 * d.z - 0.032 * n.z},
                                {x + 0.07 * d.x, z + 0.07 * d.z},
                                {x - 0.02 * d.x + 0.042 * n.x, z - 0.02 * d.z + 0.042 * n.z},
                                {x - 0.20 * d.x + 0.046 * n.x, z - 0.20 * d.z + 0.046 * n.z}};
    for (int k = 0; k < teeth; k++) {
        double y = tool->edge_width * (teeth > 1 ? (double)k / (teeth - 1) - 0.5 : 0.0) * 0.90;
        mesh_prism(mesh, MESH_PLANE_XZ, tooth, 5, y - 0.048, y + 0.048, 0.012, &paint_edge);
    }
}

void excavator_mesh_bucket(const MachineParams *params, Mesh *mesh)
{
    const ToolShape *tool = &params->tool[0].shape;
    for (int i = 0; i < tool->piece_count; i++) {
        const ToolPiece *piece = &tool->pieces[i];
        mesh_prism(mesh, MESH_PLANE_XZ, piece->corners, piece->corner_count, piece->y_min, piece->y_max, 0.006,
                   &paint_worn);
    }
    add_teeth(tool, params->tool[0].teeth, mesh);
    // Ears between the two pins and the shell below them.
    const PlanePoint *link = &params->joint[EXCAVATOR_JOINT_BUCKET].linkage.link_pin;
    const PlanePoint origin = {0.0, 0.0};
    double reach[2] = {1e9, 1e9};
    PlanePoint shell[2] = {{0.2, 0.0}, {link->x + 0.2, link->z}};
    for (int i = 0; i < tool->piece_count; i++) {
        const ToolPiece *piece = &tool->pieces[i];
        PlanePoint middle = piece_middle(piece);
        double to[2] = {hypot(middle.x, middle.z), hypot(middle.x - link->x, middle.z - link->z)};
        for (int k = 0; k < 2 && piece->y_max - piece->y_min > 0.5 * tool->edge_width; k++) {
            if (to[k] < reach[k]) {
                reach[k] = to[k];
                shell[k] = middle;
            }
        }
    }
    const double ears[4][3] = {
        {0.0, 0.0, 0.13}, {link->x, link->z, 0.115}, {shell[0].x, shell[0].z, 0.05}, {shell[1].x, shell[1].z, 0.05}};
    double half = 0.075 * params->upper_width;
    for (int side = -1; side <= 1; side += 2) {
        double y = side * (half + 0.05);
        part_plate(mesh, ears, 4, y - 0.03, y + 0.03, 0.01, &paint_worn);
    }
    part_pin(mesh, &origin, half + 0.12, 0.06, &paint_steel);
    part_pin(mesh, link, half + 0.12, 0.055, &paint_steel);
}
