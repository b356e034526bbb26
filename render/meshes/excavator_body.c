/// Builds an excavator's undercarriage and house: X frame and slewing ring; deck, counterweight, hood, tank side and
/// the plates of the boom's foot. Tail radius, widths and pins are those of the machine's file; the rest is put between
/// them with sizes chosen by eye for a machine of the 22-t class, and stretched from that class to the machine's own.
#include "data/schema/excavator_params.h"
#include "render/meshes/machine_mesh.h"

#include <math.h>

#include "render/meshes/parts.h"

/// Sizes of the class that the parts are drawn in, m: house behind the swing axis, across, cab's roof over the house
/// frame; tracks.
static const double class_tail = 2.83, class_width = 2.78, class_roof = 1.90, class_gauge = 2.38;

/// Height of the deck's upper face over the house frame.
static const double deck_low = 0.03, deck_high = 0.22;

/// Counterweight: its back an arc of the tail radius.
static void add_counterweight(const MachineParams *params, Mesh *mesh)
{
    double half = 0.5 * params->upper_width, tail = params->tail_radius;
    double front = -tail + 0.78;
    double outline[MESH_MAX_CORNERS][2];
    int n = 0;
    outline[n][0] = front;
    outline[n++][1] = half;
    double edge = asin(fmin((half - 0.10) / tail, 0.9));
    enum { ARC = 14 };
    for (int k = 0; k <= ARC; k++) {
        double angle = M_PI - edge + 2.0 * edge * k / ARC;
        outline[n][0] = tail * cos(angle);
        outline[n++][1] = tail * sin(angle);
    }
    outline[n][0] = front;
    outline[n++][1] = -half;
    mesh_prism(mesh, MESH_PLANE_XY, (const double(*)[2])outline, n, 0.02, 0.30, 0.05, &paint_dark);
    mesh_prism(mesh, MESH_PLANE_XY, (const double(*)[2])outline, n, 0.30, 1.14, 0.10, &paint_yellow);
    // Lifting eyes, warning stripes' plate and lamps.
    for (int side = -1; side <= 1; side += 2) {
        double y = side * 0.62 * half;
        double back = -sqrt(fmax(tail * tail - y * y, 0.0));
        part_box(mesh, back - 0.015, back + 0.2, y - 0.13, y + 0.13, 0.50, 0.60, 0.012, &paint_red);
        part_box(mesh, -tail + 0.34, -tail + 0.56, y - 0.05, y + 0.05, 1.12, 1.20, 0.02, &paint_dark);
    }
}

static void add_hood(const MachineParams *params, Mesh *mesh)
{
    double half = 0.5 * params->upper_width, rear = -params->tail_radius + 0.80;
    double front = -0.42;
    const double outline[7][2] = {{rear, deck_high},   {front, deck_high},  {front, 1.12}, {front - 0.10, 1.26},
                                  {rear + 0.34, 1.26}, {rear + 0.06, 1.18}, {rear, 1.08}};
    mesh_prism(mesh, MESH_PLANE_XZ, outline, 7, -half + 0.03, half - 0.03, 0.06, &paint_yellow);
    // Raised hood lid, side grilles, exhaust.
    const double lid[4][2] = {{rear + 0.30, 1.24}, {front - 0.30, 1.24}, {front - 0.42, 1.40}, {rear + 0.44, 1.40}};
    mesh_prism(mesh, MESH_PLANE_XZ, lid, 4, -0.62, 0.70, 0.05, &paint_dark);
    for (int side = -1; side <= 1; side += 2) {
        for (int slot = 0; slot < 6; slot++) {
            double z = 0.52 + 0.085 * slot, y = side * (half - 0.03);
            part_box(mesh, rear + 0.22, rear + 0.80, y - 0.012, y + 0.012, z, z + 0.05, 0.006, &paint_black);
        }
        part_box(mesh, rear + 0.92, front - 0.06, side * (half - 0.03) - 0.008, side * (half - 0.03) + 0.008, 0.36,
                 1.02, 0.006, &paint_dark);
    }
    part_bar(mesh, rear + 0.55, -0.85, 1.2, rear + 0.55, -0.85, 1.62, 0.07, 10, &paint_black);
    part_bar(mesh, rear + 0.55, -0.85, 1.6, rear + 0.46, -0.85, 1.70, 0.065, 10, &paint_steel);
}

/// Tank and tool box right of the boom, with its steps and rail.
static void add_right_side(const MachineParams *params, Mesh *mesh)
{
    double half = 0.5 * params->upper_width, inner = -0.48;
    double front = fmax(excavator_boom_foot(params).x + 0.95, 0.9);
    const double outline[6][2] = {{-0.40, deck_high},   {front, deck_high}, {front, 0.60},
                                  {front - 0.12, 0.72}, {0.42, 0.92},       {-0.40, 0.92}};
    mesh_prism(mesh, MESH_PLANE_XZ, outline, 6, -half + 0.03, inner, 0.05, &paint_yellow);
    part_box(mesh, front - 0.02, front + 0.42, -half + 0.05, inner - 0.12, deck_high - 0.02, deck_high + 0.24, 0.03,
             &paint_dark);
    part_box(mesh, 0.45, front - 0.2, -half + 0.10, inner - 0.08, 0.80, 0.84, 0.01, &paint_black);
    double y = -half + 0.07;
    const double rail[5][3] = {
        {front - 0.04, y, 0.58}, {front - 0.04, y, 1.32}, {0.05, y, 1.62}, {-0.42, y, 1.62}, {-0.42, y, 1.10}};
    mesh_tube(mesh, rail, 5, 0.021, 8, &paint_black);
    part_bar(mesh, 0.35, y, 0.90, 0.35, y, 1.53, 0.019, 10, &paint_black);
    double rear = -params->tail_radius + 0.9;
    const double back_rail[4][3] = {
        {rear, y + 0.06, 1.16}, {rear, y + 0.06, 1.60}, {-0.62, y + 0.06, 1.60}, {-0.62, y + 0.06, 1.20}};
    mesh_tube(mesh, back_rail, 4, 0.019, 8, &paint_black);
    // The arm of the right mirror (machine_mirrors), which stands on the rail at the front.
    const double arm[3][3] = {{front - 0.04, y, 1.10}, {1.64, -half - 0.04, 1.10}, {1.64, -half - 0.04, 1.16}};
    mesh_tube(mesh, arm, 3, 0.014, 8, &paint_black);
}

/// Plates that hold the boom's foot and the feet of its cylinders.
static void add_boom_foot(const MachineParams *params, Mesh *mesh)
{
    const PlanePoint *foot = &params->joint[EXCAVATOR_JOINT_BOOM].origin,
                     *cylinder = &params->joint[EXCAVATOR_JOINT_BOOM].cylinder.base;
    const double circles[4][3] = {{foot->x, foot->z, 0.20},
                                  {foot->x - 0.38, deck_high, 0.05},
                                  {fmax(cylinder->x - 0.1, foot->x + 0.3), deck_high, 0.05},
                                  {cylinder->x, cylinder->z, 0.13}};
    for (int side = -1; side <= 1; side += 2) {
        double y = side * 0.29;
        part_plate(mesh, circles, 4, y - 0.03, y + 0.03, 0.012, &paint_dark);
    }
    part_bar(mesh, foot->x, -0.36, foot->z, foot->x, 0.36, foot->z, 0.075, 10, &paint_steel);
    part_bar(mesh, cylinder->x, -0.40, cylinder->z, cylinder->x, 0.40, cylinder->z, 0.055, 10, &paint_steel);
    part_box(mesh, foot->x - 0.3, cylinder->x + 0.06, -0.36, 0.36, deck_low + 0.01, deck_high + 0.10, 0.02,
             &paint_dark);
}

/// The house but for the plates of the boom's foot.
static void add_house(const MachineParams *params, Mesh *mesh)
{
    double half = 0.5 * params->upper_width, rear = -params->tail_radius + 0.5;
    double right = fmax(excavator_boom_foot(params).x + 0.95, 0.9),
           left = params->cab.corner[0] + 0.88 * params->cab.size[0];
    // The deck: a middle part under the boom's foot, and one arm each under the cab and under the tank.
    part_box(mesh, rear, params->joint[EXCAVATOR_JOINT_BOOM].cylinder.base.x + 0.12, -half + 0.02, half - 0.02,
             deck_low, deck_high, 0.03, &paint_dark);
    part_box(mesh, 0.0, left, params->cab.corner[1] - 0.02, half - 0.02, deck_low, deck_high - 0.10, 0.03, &paint_dark);
    part_box(mesh, 0.0, right, -half + 0.02, -0.46, deck_low, deck_high, 0.03, &paint_dark);
    add_counterweight(params, mesh);
    add_hood(params, mesh);
    add_right_side(params, mesh);
    // Between the hood and the cab: the air cleaner's box on the left.
    double cab_rear = params->cab.corner[0];
    if (cab_rear > -0.35) {
        part_box(mesh, -0.44, cab_rear - 0.03, 0.46, half - 0.04, deck_high, 1.16, 0.05, &paint_yellow);
    }
}

static void divide(PlanePoint *point, double x, double z)
{
    point->x /= x;
    point->z /= z;
}

/// The params of a machine of the class, which stretched by the factors is this one.
static MachineParams unstretched(const MachineParams *params, const double factors[3])
{
    MachineParams drawn = *params;
    drawn.tail_radius /= factors[0];
    drawn.upper_width /= factors[1];
    for (int axis = 0; axis < 3; axis++) {
        drawn.cab.corner[axis] /= factors[axis];
        drawn.cab.size[axis] /= factors[axis];
    }
    divide(&drawn.joint[EXCAVATOR_JOINT_BOOM].origin, factors[0], factors[2]);
    divide(&drawn.joint[EXCAVATOR_JOINT_BOOM].cylinder.base, factors[0], factors[2]);
    return drawn;
}

void excavator_house_factors(const MachineParams *params, double factors[3])
{
    factors[0] = params->tail_radius / class_tail;
    factors[1] = params->upper_width / class_width;
    factors[2] = (params->cab.corner[2] + params->cab.size[2]) / class_roof;
}

void excavator_mesh_house(const MachineParams *params, Mesh *mesh)
{
    double house[3], across = params->upper_width / class_width;
    excavator_house_factors(params, house);
    const double foot[3] = {across, across, across};
    int first = mesh->vertex_count;
    MachineParams drawn = unstretched(params, house);
    add_house(&drawn, mesh);
    mesh_stretch(mesh, first, house);
    first = mesh->vertex_count;
    drawn = unstretched(params, foot);
    add_boom_foot(&drawn, mesh);
    mesh_stretch(mesh, first, foot);
}

void excavator_mesh_undercarriage(const MachineParams *params, Mesh *mesh)
{
    const MachineTracks *tracks = &params->tracks;
    double across = tracks->gauge / class_gauge, y = 0.5 * class_gauge;
    machine_mesh_track_frames(params, mesh);
    int first = mesh->vertex_count;
    double low = fmin(params->clearance, excavator_swing_height(params) - 0.3),
           high = excavator_swing_height(params) - 0.16;
    // The X frame: a middle drum and four legs to the track frames.
    const double drum[8][2] = {{-0.75, -0.45}, {-0.45, -0.75}, {0.45, -0.75}, {0.75, -0.45},
                               {0.75, 0.45},   {0.45, 0.75},   {-0.45, 0.75}, {-0.75, 0.45}};
    mesh_prism(mesh, MESH_PLANE_XY, drum, 8, low, high, 0.04, &paint_dark);
    for (int side = -1; side <= 1; side += 2) {
        for (int end = -1; end <= 1; end += 2) {
            double inner = side * 0.55, outer = side * (y - 0.12);
            const double leg[4][2] = {
                {end * 0.30, inner}, {end * 0.75, inner}, {end * 1.25, outer}, {end * 0.80, outer}};
            const double turned[4][2] = {
                {end * 0.30, inner}, {end * 0.80, outer}, {end * 1.25, outer}, {end * 0.75, inner}};
            mesh_prism(mesh, MESH_PLANE_XY, side * end > 0 ? turned : leg, 4, low + 0.04, low + 0.34, 0.03,
                       &paint_dark);
        }
    }
    const double ring_a[3] = {0.0, 0.0, high - 0.02}, ring_b[3] = {0.0, 0.0, excavator_swing_height(params) + 0.01};
    mesh_cylinder(mesh, ring_a, ring_b, 0.66, 0.02, 40, &paint_steel);
    double step = track_path(tracks).center_z;
    part_box(mesh, 0.25, 0.75, y + 0.17, y + 0.28, step, step + 0.04, 0.01, &paint_black);
    mesh_stretch(mesh, first, (const double[3]){across, across, 1.0});
}
