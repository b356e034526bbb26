/// Builds the bodies of an excavator: undercarriage, house, boom, stick, and bucket or hammer. Pins, lengths, widths
/// and tail radius are those of the machine's file, and a tool is built of the pieces that touch the soil. Everything
/// else is chosen by eye for a 22 t machine and scaled to the machine's size.
#include "data/schema/machine_params.h"
#include "render/meshes/machine_mesh.h"

#include <math.h>

#include "render/meshes/fittings.h"

/// ---- undercarriage and house ---------------------------------------------------------------------------------------

static const double class_gauge = 2.38; ///< m: of the 22-t class that the undercarriage is drawn in

/// m over the house frame: the deck's lower and upper face.
static const double deck_low = 0.03, deck_high = 0.22;

/// Adds the counterweight, whose back is an arc of the tail radius.
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

/// Adds tank and tool box right of the boom, with steps and rail.
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

/// Adds the plates that hold the boom's foot and the feet of its cylinders.
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

/// Adds the house without the plates of the boom's foot.
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

/// Returns the params of a machine of the class, which stretched by the factors is this one.
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

void excavator_mesh_house(const MachineParams *params, Mesh *mesh)
{
    double house[3];
    excavator_house_factors(params, house);
    const double foot[3] = {house[1], house[1], house[1]};
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

/// ---- boom and stick ------------------------------------------------------------------------------------------------

static void add_boom_lamps(const MachineParams *params, Mesh *mesh)
{
    FittingLamp lamps[FITTINGS_MAX_LAMPS];
    int lamp_count = machine_lamps(params, lamps);
    fitting_mesh_lamps(lamps, lamp_count, EXCAVATOR_BOOM, mesh);
    for (int k = 0; k < lamp_count; k++) {
        const Vec3 *at = &lamps[k].at;
        if (lamps[k].body == EXCAVATOR_BOOM) {
            part_box(mesh, at->x - 0.14, at->x - 0.02, at->y, 0.0, at->z - 0.12, at->z - 0.10, 0.008, &paint_black);
        }
    }
}

/// Adds the pipes between the hoses (fittings.h): two along the middle of the back to the stick's cylinder, two along
/// its edges and over its flanks to the stick.
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
            part_box(mesh, 0.86 * length, 0.875 * length, 0.9 * side * half, side * (half + 0.14 * scale),
                     excavator_boom_line(params, 0.868) - 0.05, excavator_boom_line(params, 0.868) + 0.05, 0.008,
                     &paint_black);
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

/// Adds the pipes from the hoses beside the joint to those of the bucket's cylinder, the blocks that hold them, and the
/// pipes of a hammer.
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
        part_box(mesh, 0.46 * scale, 0.50 * scale, side * half, side * (flank + 0.03), 0.05 * scale, 0.15 * scale,
                 0.008, &paint_black);
        if (params->hammer.blow_energy > 0.0) {
            double y = side * (half + 0.05 * scale), end = 0.80 * excavator_stick_length(params);
            const Vec3 line[3] = {{0.50 * scale, y, 0.05}, {0.5 * end, y, 0.02}, {end, y, 0.02}};
            mesh_sweep(mesh, line, 3, vec3(0.0, 1.0, 0.0), 0.020 * scale, 6, &paint_black);
            part_box(mesh, end - 0.05, end, side * half, y + 0.03 * side, -0.02, 0.06, 0.006, &paint_black);
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

/// ---- tools ---------------------------------------------------------------------------------------------------------

/// Steel that soil rubs is bright: teeth, cutting edge, side cutters, wear strips and the shell's inside; paint stays
/// on the outside.

/// Middle of a polygon's corners.
static PlanePoint middle_of(const double (*corners)[2], int count)
{
    PlanePoint middle = {0.0, 0.0};
    for (int k = 0; k < count; k++) {
        middle.x += corners[k][0] / count;
        middle.z += corners[k][1] / count;
    }
    return middle;
}

PlanePoint piece_middle(const ToolPiece *piece)
{
    return middle_of(piece->corners, piece->corner_count);
}

/// True of plates that go across the tool, false of its side plates.
static bool is_across(const ToolShape *tool, const ToolPiece *piece)
{
    return piece->y_max - piece->y_min > 0.5 * tool->edge_width;
}

static bool has_edge(const ToolShape *tool, const ToolPiece *piece)
{
    for (int k = 0; k < piece->corner_count; k++) {
        if (hypot(piece->corners[k][0] - tool->edge[0], piece->corners[k][1] - tool->edge[1]) < 1e-6) {
            return true;
        }
    }
    return false;
}

/// Direction in which the cutting plate ends: from its middle to the edge.
static PlanePoint edge_direction(const ToolShape *tool)
{
    PlanePoint direction = {1.0, 0.0};
    double nearest = 1e9;
    for (int i = 0; i < tool->piece_count; i++) {
        if (!is_across(tool, &tool->pieces[i])) {
            continue;
        }
        PlanePoint middle = piece_middle(&tool->pieces[i]);
        double dx = tool->edge[0] - middle.x, dz = tool->edge[1] - middle.z, d = hypot(dx, dz);
        if (d > 1e-6 && d < nearest) {
            nearest = d;
            direction = (PlanePoint){dx / d, dz / d};
        }
    }
    return direction;
}

/// Adds the plates; faces on the inside are worn bright, except those of the edge.
static void add_bucket_plates(const ToolShape *tool, Mesh *mesh)
{
    PlanePoint inside = middle_of(tool->inside, tool->inside_count);
    for (int i = 0; i < tool->piece_count; i++) {
        const ToolPiece *piece = &tool->pieces[i];
        bool across = is_across(tool, piece), edge = across && has_edge(tool, piece);
        double side = piece->y_min + piece->y_max;
        int first = mesh->vertex_count;
        mesh_prism(mesh, MESH_PLANE_XZ, piece->corners, piece->corner_count, piece->y_min, piece->y_max, 0.006,
                   edge ? &paint_edge : &paint_shell);
        for (int k = first; k < mesh->vertex_count && !edge && tool->inside_count > 2; k++) {
            MeshVertex *vertex = &mesh->vertices[k];
            const float *p = vertex->position, *n = vertex->normal;
            double inwards = across
                                 ? (double)n[0] * (inside.x - (double)p[0]) + (double)n[2] * (inside.z - (double)p[2])
                                 : -(double)n[1] * side;
            if (inwards > 0.1) {
                mesh_paint(vertex, &paint_lining);
            }
        }
    }
}

/// Adds teeth: an adapter that grips the lip, and a pointed tip on it.
static void add_teeth(const ToolShape *tool, int teeth, Mesh *mesh)
{
    PlanePoint d = edge_direction(tool), n = {-d.z, d.x};
    double x = tool->edge[0], z = tool->edge[1];
    const double along[2][5] = {{-0.26, -0.09, -0.03, -0.03, -0.09}, {-0.10, -0.02, 0.075, 0.075, 0.0}};
    const double across[2][5] = {{-0.030, -0.046, -0.036, 0.052, 0.064}, {-0.042, -0.038, -0.004, 0.010, 0.052}};
    const double rear[2] = {-0.30, -0.10}, back[2] = {0.052, 0.054};
    for (int part = 0; part < 2; part++) {
        double outline[6][2], half = part == 0 ? 0.040 : 0.050;
        for (int k = 0; k < 6; k++) {
            double a = k < 5 ? along[part][k] : rear[part], b = k < 5 ? across[part][k] : back[part];
            outline[k][0] = x + a * d.x + b * n.x;
            outline[k][1] = z + a * d.z + b * n.z;
        }
        for (int k = 0; k < teeth; k++) {
            double y = tool->edge_width * (teeth > 1 ? (double)k / (teeth - 1) - 0.5 : 0.0) * 0.90;
            mesh_prism(mesh, MESH_PLANE_XZ, (const double(*)[2])outline, 6, y - half, y + half, 0.012,
                       part == 0 ? &paint_worn : &paint_tooth);
        }
    }
}

/// Adds the plates that are bolted on the front of the side plates, outside and a little ahead of them.
static void add_side_cutters(const ToolShape *tool, Mesh *mesh)
{
    const double *edge = tool->edge, *rim = tool->inside[tool->inside_count - 1];
    double run = hypot(rim[0] - edge[0], rim[1] - edge[1]);
    PlanePoint d = {(rim[0] - edge[0]) / run, (rim[1] - edge[1]) / run}, n = {d.z, -d.x};
    const double along[5] = {0.06, 0.20, 0.48, 0.50, 0.10}, deep[5] = {-0.006, -0.022, -0.010, 0.075, 0.135};
    double outline[5][2];
    for (int k = 0; k < 5; k++) {
        outline[4 - k][0] = edge[0] + along[k] * run * d.x + deep[k] * n.x;
        outline[4 - k][1] = edge[1] + along[k] * run * d.z + deep[k] * n.z;
    }
    for (int side = -1; side <= 1; side += 2) {
        double y = 0.5 * side * tool->edge_width;
        mesh_prism(mesh, MESH_PLANE_XZ, (const double(*)[2])outline, 5, fmin(y, y + 0.022 * side),
                   fmax(y, y + 0.022 * side), 0.006, &paint_edge);
    }
}

/// Adds strips on the outside of the plates next to the edge, which slide over the ground.
static void add_wear_strips(const ToolShape *tool, Mesh *mesh)
{
    PlanePoint inside = middle_of(tool->inside, tool->inside_count);
    int strips = tool->edge_width > 0.9 ? 4 : 2;
    for (int i = 0; i < tool->piece_count && i < 4; i++) {
        const ToolPiece *piece = &tool->pieces[i];
        if (!is_across(tool, piece) || has_edge(tool, piece) || piece->corner_count < 3) {
            continue;
        }
        const double *p = piece->corners[0], *q = piece->corners[1];
        double run = hypot(q[0] - p[0], q[1] - p[1]), nx = (q[1] - p[1]) / run, nz = -(q[0] - p[0]) / run;
        double out = nx * (p[0] - inside.x) + nz * (p[1] - inside.z) > 0.0 ? 0.012 : -0.012;
        const double outline[4][2] = {
            {p[0], p[1]}, {q[0], q[1]}, {q[0] + out * nx, q[1] + out * nz}, {p[0] + out * nx, p[1] + out * nz}};
        const double turned[4][2] = {{outline[3][0], outline[3][1]},
                                     {outline[2][0], outline[2][1]},
                                     {outline[1][0], outline[1][1]},
                                     {outline[0][0], outline[0][1]}};
        for (int k = 0; k < strips; k++) {
            double y = tool->edge_width * ((k + 0.5) / strips - 0.5);
            mesh_prism(mesh, MESH_PLANE_XZ, out > 0.0 ? turned : outline, 4, y - 0.045, y + 0.045, 0.004,
                       &paint_lining);
        }
    }
}

/// A round bar along the chisel's axis between two distances from its tip, m.
static void add_round_bar(Mesh *mesh, PlanePoint tip, PlanePoint back, double from, double to, double radius,
                          const MeshMaterial *material)
{
    part_bar(mesh, tip.x + back.x * to, 0.0, tip.z + back.z * to, tip.x + back.x * from, 0.0, tip.z + back.z * from,
             radius, 24, material);
}

/// Adds the side plates, the power cell between them, and the bolts through both.
static void add_housing(const ToolPiece *piece, Mesh *mesh)
{
    double half = piece->y_max, plate = 0.045;
    int corners = piece->corner_count;
    PlanePoint at = piece_middle(piece);
    const double middle[2] = {at.x, at.z};
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

/// Adds a hydraulic hammer, without its ears, around the pieces that touch things: a housing, a front head and a round
/// chisel with a moil point. Thicknesses are chosen by eye for a hammer of 1.7 t.
static void add_hammer(const MachineParams *params, Mesh *mesh)
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
    add_round_bar(mesh, tip, back, head - 0.05, head + 0.12, 1.35 * radius, &paint_worn);
    add_round_bar(mesh, tip, back, 0.16, head + 0.30, radius, &paint_lining);
    const double foot[3] = {tip.x + back.x * 0.17, 0.0, tip.z + back.z * 0.17}, point[3] = {tip.x, 0.0, tip.z};
    const double moil[3][2] = {{0.0, radius}, {0.165, 0.012}, {0.17, 0.0}};
    mesh_lathe(mesh, foot, point, moil, 3, 24, &paint_tooth);
}

/// Adds the ears between the two pins and the plates next to them.
void excavator_mesh_ears(const MachineParams *params, const ToolShape *tool, PlanePoint origin, Mesh *mesh)
{
    const PlanePoint *own = &params->joint[EXCAVATOR_JOINT_BUCKET].linkage.link_pin;
    const PlanePoint pin = {origin.x + own->x, origin.z + own->z}, *link = &pin;
    double reach[2] = {1e9, 1e9};
    PlanePoint shell[2] = {{origin.x + 0.2, origin.z}, {link->x + 0.2, link->z}};
    for (int i = 0; i < tool->piece_count; i++) {
        const ToolPiece *piece = &tool->pieces[i];
        PlanePoint middle = piece_middle(piece);
        double to[2] = {hypot(middle.x - origin.x, middle.z - origin.z), hypot(middle.x - link->x, middle.z - link->z)};
        for (int k = 0; k < 2 && is_across(tool, piece); k++) {
            if (to[k] < reach[k]) {
                reach[k] = to[k];
                shell[k] = middle;
            }
        }
    }
    const double ears[4][3] = {{origin.x, origin.z, 0.13},
                               {link->x, link->z, 0.115},
                               {shell[0].x, shell[0].z, 0.05},
                               {shell[1].x, shell[1].z, 0.05}};
    double half = excavator_stick_half_width(params);
    for (int side = -1; side <= 1; side += 2) {
        double y = side * (half + 0.05);
        part_plate(mesh, ears, 4, y - 0.03, y + 0.03, 0.01, &paint_shell);
    }
    part_pin(mesh, &origin, half + 0.12, 0.06, &paint_steel);
    part_pin(mesh, link, half + 0.12, 0.055, &paint_steel);
}

void excavator_mesh_bucket(const MachineParams *params, Mesh *mesh)
{
    const ToolShape *tool = &params->tool[0].shape;
    bool bucket = params->tool[0].capacity > 0.0 && tool->inside_count > 2;
    if (params->coupler[0] != '\0') {
        coupler_mesh(params, params->tool[0].body, mesh);
    }
    if (params->hammer.blow_energy > 0.0) {
        add_hammer(params, mesh);
        excavator_mesh_ears(params, tool, params->tool_origin, mesh);
        return;
    }
    if (!params->tool[0].cuts && params->coupler[0] != '\0') { // the coupler alone, which is the tool
        for (int k = 0; k < tool->piece_count; k++) {
            const ToolPiece *piece = &tool->pieces[k];
            mesh_prism(mesh, MESH_PLANE_XZ, piece->corners, piece->corner_count, piece->y_min, piece->y_max, 0.02,
                       &paint_dark);
        }
        return;
    }
    add_bucket_plates(tool, mesh);
    if (bucket) {
        add_wear_strips(tool, mesh);
    }
    if (bucket && params->tool[0].teeth > 0) {
        add_side_cutters(tool, mesh);
    }
    add_teeth(tool, params->tool[0].teeth, mesh);
    if (!machine_tool_turns(params)) {
        excavator_mesh_ears(params, tool, params->tool_origin, mesh);
    }
}
