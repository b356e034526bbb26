/// Builds an excavator's arm: boom and stick. Pins and lengths are those of the machine's file; the bend of the boom
/// and the plates' thicknesses are shares of the lengths, chosen by eye for a 22 t machine.
#include "data/schema/excavator_params.h"
#include "render/meshes/machine_mesh.h"

#include <math.h>

#include "render/meshes/fitting_mesh.h"
#include "render/meshes/hoses.h"
#include "render/meshes/parts.h"

/// Two straight parts that flow into each other at the bend.
double excavator_boom_line(const MachineParams *params, double share)
{
    const double bend = 0.42, round = 0.34, rise = 0.150 * excavator_boom_length(params);
    double a = share / bend, b = (1.0 - share) / (1.0 - bend);
    double h = fmin(fmax(0.5 + 0.5 * (b - a) / round, 0.0), 1.0);
    return rise * (b + (a - b) * h - round * h * (1.0 - h));
}

double excavator_boom_half_width(const MachineParams *params)
{
    double beside_cab = params->cab.corner[1] - 0.005; // m
    return fmin(0.083 * params->upper_width, fmax(beside_cab, 0.05 * params->upper_width));
}

double excavator_stick_half_width(const MachineParams *params)
{
    return 0.9 * excavator_boom_half_width(params);
}

double excavator_boom_half(const MachineParams *params, double share)
{
    double from_end = share < 0.42 ? share / 0.42 : (1.0 - share) / 0.58;
    double end = share < 0.42 ? 0.205 : 0.175;
    from_end = from_end * from_end * (3.0 - 2.0 * from_end);
    return (end + (0.355 - end) * from_end) * excavator_boom_length(params) / 5.7;
}

Vec3 excavator_boom_back(const MachineParams *params, double share, double y, double over, Vec3 *along)
{
    double length = excavator_boom_length(params), lift = excavator_boom_half(params, share) + over;
    double rise = excavator_boom_line(params, share + 0.01) - excavator_boom_line(params, share - 0.01);
    *along = vec3_unit(vec3(0.02 * length, 0.0, rise), vec3(1.0, 0.0, 0.0));
    return vec3(share * length - lift * along->z, y, excavator_boom_line(params, share) + lift * along->x);
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

/// Pipes between the hoses (hoses.h): two along the middle of the back to the stick's cylinder, two along its edges and
/// over its flanks to the stick.
static void add_boom_pipes(const MachineParams *params, Mesh *mesh)
{
    enum { POINTS = 12 };
    double length = excavator_boom_length(params), half = excavator_boom_half_width(params), scale = length / 5.7;
    for (int k = 0; k < 4; k++) {
        double side = k < 2 ? 1.0 : -1.0;
        bool outer = k % 2 == 0;
        Vec3 points[POINTS], along;
        int count = outer ? POINTS : POINTS - 4;
        for (int i = 0; i < count; i++) {
            double share =
                outer ? 0.125 + 0.675 * fmin(i, POINTS - 4) / (POINTS - 4.0) : 0.125 + 0.275 * i / (count - 1.0);
            points[i] = excavator_boom_back(params, share, side * half * (outer ? 0.80 : 0.24), 0.03, &along);
        }
        if (outer) {
            double flank = side * (half + 0.10 * scale);
            points[POINTS - 3] = excavator_boom_back(params, 0.822, side * half, 0.01, &along);
            points[POINTS - 2] = vec3(0.845 * length, flank,
                                      excavator_boom_line(params, 0.845) + 0.6 * excavator_boom_half(params, 0.845));
            points[POINTS - 1] = vec3(0.875 * length, flank, excavator_boom_line(params, 0.875));
        }
        mesh_sweep(mesh, points, count, vec3(0.0, 1.0, 0.0), 0.020 * scale, 6, &paint_black);
        if (outer) {
            part_box(mesh, 0.86 * length, 0.875 * length, fmin(0.9 * side * half, side * (half + 0.14 * scale)),
                     fmax(0.9 * side * half, side * (half + 0.14 * scale)), excavator_boom_line(params, 0.868) - 0.05,
                     excavator_boom_line(params, 0.868) + 0.05, 0.008, &paint_black);
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
    double half_width = excavator_boom_half_width(params);
    mesh_prism(mesh, MESH_PLANE_XZ, (const double(*)[2])outline, n, -half_width, half_width, 0.022, &paint_yellow);
    // Ears of the stick's cylinder on the back, boss of the boom's cylinders, pins.
    const PlanePoint foot_pin = excavator_stick_cylinder_foot(params), *ear = &foot_pin,
                     *boss = &params->joint[EXCAVATOR_JOINT_BOOM].cylinder.head;
    double x = fmin(fmax(ear->x, 0.5), length - 0.5);
    const double ears[3][3] = {{ear->x, ear->z, 0.13},
                               {x - 0.45, excavator_boom_line(params, (x - 0.45) / length) + 0.12, 0.08},
                               {x + 0.40, excavator_boom_line(params, (x + 0.40) / length) + 0.12, 0.08}};
    double inner = 0.5 * params->joint[EXCAVATOR_JOINT_STICK].cylinder.bore + 0.032; // beside the barrel
    part_plate(mesh, ears, 3, inner, inner + 0.045, 0.012, &paint_yellow);
    part_plate(mesh, ears, 3, -inner - 0.045, -inner, 0.012, &paint_yellow);
    part_pin(mesh, ear, inner + 0.07, 0.06, &paint_steel);
    part_pin(mesh, boss, half_width + 0.05, 0.15, &paint_yellow);
    part_pin(mesh, boss, half_width + 0.17, 0.06, &paint_steel);
    const PlanePoint foot = {0.0, 0.0}, tip = {length, 0.0};
    part_pin(mesh, &foot, half_width + 0.05, 0.14, &paint_yellow);
    part_pin(mesh, &tip, half_width + 0.10, 0.085, &paint_steel);
    for (int side = -1; side <= 1; side += 2) {
        const double fork[2][3] = {{length, 0.0, 0.0325 * length},
                                   {0.868 * length, excavator_boom_line(params, 0.868), 0.028 * length}};
        double y = side * (half_width + 0.02);
        part_plate(mesh, fork, 2, y - 0.025, y + 0.025, 0.01, &paint_yellow);
    }
    add_boom_pipes(params, mesh);
    add_boom_lamps(params, mesh);
}

/// Pipes from the hoses beside the joint to those of the bucket's cylinder, the blocks that hold them, and the pipes of
/// a hammer.
static void add_stick_pipes(const MachineParams *params, Mesh *mesh)
{
    const PlanePoint *base = &params->joint[EXCAVATOR_JOINT_BUCKET].cylinder.base;
    double half = excavator_stick_half_width(params);
    double scale = excavator_boom_length(params) / 5.7, flank = excavator_boom_half_width(params) + 0.10 * scale;
    for (int side = -1; side <= 1; side += 2) {
        const Vec3 pipe[4] = {{0.46 * scale, side * flank, 0.10 * scale},
                              {0.56 * scale, side * (half + 0.09 * scale), 0.11 * scale},
                              {base->x + 0.16 * scale, side * (half + 0.06 * scale), base->z - 0.40 * scale},
                              {base->x + 0.10 * scale, side * (half + 0.06 * scale), base->z - 0.26 * scale}};
        mesh_sweep(mesh, pipe, 4, vec3(0.0, 1.0, 0.0), 0.020 * scale, 6, &paint_black);
        part_box(mesh, 0.46 * scale, 0.50 * scale, fmin(side * half, side * (flank + 0.03)),
                 fmax(side * half, side * (flank + 0.03)), 0.05 * scale, 0.15 * scale, 0.008, &paint_black);
        if (params->hammer.blow_energy > 0.0) {
            double y = side * (half + 0.05 * scale), end = 0.80 * excavator_stick_length(params);
            const Vec3 line[3] = {{0.50 * scale, y, 0.05}, {0.5 * end, y, 0.02}, {end, y, 0.02}};
            mesh_sweep(mesh, line, 3, vec3(0.0, 1.0, 0.0), 0.020 * scale, 6, &paint_black);
            part_box(mesh, end - 0.05, end, fmin(side * half, y + 0.03 * side), fmax(side * half, y + 0.03 * side),
                     -0.02, 0.06, 0.006, &paint_black);
        }
    }
}

void excavator_mesh_stick(const MachineParams *params, Mesh *mesh)
{
    double length = excavator_stick_length(params), half = excavator_stick_half_width(params);
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
    double ear = 0.5 * params->joint[EXCAVATOR_JOINT_BUCKET].cylinder.bore + 0.06; // beside the barrel
    for (int side = -1; side <= 1; side += 2) {
        part_plate(mesh, ears, 2, side * ear - 0.022, side * ear + 0.022, 0.01, &paint_yellow);
    }
    part_pin(mesh, head, half + 0.04, 0.062, &paint_steel);
    part_pin(mesh, base, ear + 0.055, 0.055, &paint_steel);
    part_pin(mesh, rocker, half + 0.12, 0.055, &paint_steel);
    const PlanePoint origin = {0.0, 0.0}, tip = {length, 0.0};
    part_pin(mesh, &origin, half + 0.05, 0.15, &paint_yellow);
    part_pin(mesh, &tip, half + 0.018, 0.14, &paint_yellow);
    add_stick_pipes(params, mesh);
}
