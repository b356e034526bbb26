/// Builds a dump truck around its bed: bed with ribs and tail, chassis with tank and mudguards, cab, panes, wheels.
/// Bed, axles and wheels are those of the truck's file, so the load lies in what is seen; the rest is chosen by eye for
/// a three-axled truck of 25 t.
#include "render/meshes/truck_mesh.h"

#include <math.h>

#include "render/meshes/parts.h"

static const double wall = 0.09; ///< m: of the bed
static const double wheel_width = 0.42; ///< m
static const double cab_length = 1.75, bumper = 0.10; ///< m; the bumper stands out before the cab
static const double cab_belt = 1.78, cab_roof = 2.86; ///< m over the ground: lower edge of the windows, roof

double truck_cab_width(const TruckParams *truck)
{
    return fmin(truck->bed.width, 2.5);
}

void truck_mesh_bed(const TruckParams *t, Mesh *mesh)
{
    double l = 0.5 * t->bed.length, w = 0.5 * t->bed.width, h = t->bed.height;
    part_box(mesh, -l - wall, l + wall, -w - wall, w + wall, -0.14, 0.0, 0.02, &paint_worn);
    part_box(mesh, l, l + wall, -w - wall, w + wall, 0.0, h + 0.10, 0.02, &paint_white);
    for (int side = -1; side <= 1; side += 2) {
        double inner = side * w, outer = side * (w + wall);
        part_box(mesh, -l - wall, l + wall, fmin(inner, outer), fmax(inner, outer), -0.10, h, 0.02, &paint_white);
        // Top rail, lower rail and ribs outside.
        double rail = side * (w + wall + 0.05);
        part_box(mesh, -l - wall, l + wall, fmin(inner, rail), fmax(inner, rail), h - 0.03, h + 0.07, 0.025,
                 &paint_white);
        part_box(mesh, -l - wall, l + wall, fmin(outer, rail), fmax(outer, rail), -0.12, 0.02, 0.02, &paint_white);
        int ribs = (int)(t->bed.length / 0.85) + 1;
        for (int k = 0; k <= ribs; k++) {
            double x = -l + t->bed.length * k / ribs;
            part_box(mesh, x - 0.06, x + 0.06, fmin(outer, rail), fmax(outer, rail), 0.0, h - 0.02, 0.02, &paint_white);
        }
        // Beams under the floor.
        part_box(mesh, -l, l, side * 0.45 - 0.07, side * 0.45 + 0.07, -0.30, -0.12, 0.02, &paint_worn);
    }
    // The canopy over the driver's cab.
    const double canopy[4][2] = {{l, h + 0.02}, {l + 0.95, h + 0.16}, {l + 0.95, h + 0.22}, {l, h + 0.10}};
    mesh_prism(mesh, MESH_PLANE_XZ, canopy, 4, -w, w, 0.02, &paint_white);
}

void truck_mesh_gate(const TruckParams *t, Mesh *mesh)
{
    double w = 0.5 * t->bed.width, h = fmax(t->bed.tail_height - 0.02, 0.1);
    part_box(mesh, -wall, 0.0, -w - wall, w + wall, -h - 0.08, 0.0, 0.02, &paint_white);
    for (int side = -1; side <= 1; side += 2) {
        part_box(mesh, -wall - 0.03, -wall, side * 0.75 * w - 0.12, side * 0.75 * w + 0.12, -0.7 * h, -0.7 * h + 0.10,
                 0.01, &paint_red);
        part_box(mesh, -wall - 0.04, -wall, side * 0.35 * w - 0.05, side * 0.35 * w + 0.05, -h, -0.02, 0.01,
                 &paint_white);
    }
}

void truck_mesh_wheel(const TruckParams *t, Mesh *mesh)
{
    double r = 0.5 * t->wheel_diameter, w = wheel_width, outer = 0.5 * w;
    const double a[3] = {0.0, -outer, 0.0}, b[3] = {0.0, outer, 0.0};
    const double tire[8][2] = {{0.0, 0.55 * r}, {0.0, 0.86 * r},      {0.10 * w, 0.97 * r}, {0.20 * w, r},
                               {0.80 * w, r},   {0.90 * w, 0.97 * r}, {w, 0.86 * r},        {w, 0.55 * r}};
    mesh_lathe(mesh, a, b, tire, 8, 36, &paint_rubber);
    const double rim[6][2] = {{w, 0.58 * r},        {0.93 * w, 0.55 * r}, {0.72 * w, 0.40 * r},
                              {0.72 * w, 0.26 * r}, {1.02 * w, 0.20 * r}, {1.04 * w, 0.0}};
    mesh_lathe(mesh, a, b, rim, 6, 28, &paint_white);
    const double back[2][2] = {{0.05 * w, 0.56 * r}, {0.05 * w, 0.0}};
    mesh_lathe(mesh, a, b, back, 2, 24, &paint_black);
    for (int bolt = 0; bolt < 8; bolt++) { // seen to turn
        double angle = 0.25 * M_PI * bolt, x = 0.33 * r * cos(angle), z = 0.33 * r * sin(angle);
        part_box(mesh, x - 0.025, x + 0.025, outer - 0.3 * w, outer - 0.2 * w, z - 0.025, z + 0.025, 0.008,
                 &paint_steel);
    }
    for (int lug = 0; lug < 26; lug++) {
        double angle = 2.0 * M_PI * lug / 26.0, half = 0.06;
        for (int side = -1; side <= 1; side += 2) {
            double shifted = angle + (side > 0 ? M_PI / 26.0 : 0.0);
            const double corners[4][2] = {
                {(r - 0.02) * cos(shifted - half), (r - 0.02) * sin(shifted - half)},
                {(r + 0.014) * cos(shifted - 0.7 * half), (r + 0.014) * sin(shifted - 0.7 * half)},
                {(r + 0.014) * cos(shifted + 0.7 * half), (r + 0.014) * sin(shifted + 0.7 * half)},
                {(r - 0.02) * cos(shifted + half), (r - 0.02) * sin(shifted + half)}};
            double y0 = side * 0.02, y1 = side * 0.40 * w;
            mesh_prism(mesh, MESH_PLANE_XZ, corners, 4, fmin(y0, y1), fmax(y0, y1), 0.008, &paint_rubber);
        }
    }
}

void truck_wheels(const TruckParams *t, TruckWheel wheels[TRUCK_WHEELS])
{
    double y = 0.5 * t->chassis.gauge, z = 0.5 * t->wheel_diameter;
    double apart = 0.61 * t->wheel_diameter;
    const double axles[3] = {t->rear_axle - apart, t->rear_axle + apart, t->rear_axle + t->wheelbase};
    for (int k = 0; k < TRUCK_WHEELS; k++) {
        bool left = k % 2 == 0;
        wheels[k] = (TruckWheel){.at = vec3(axles[k / 2], left ? y : -y, z), .left = left, .steers = k / 2 == 2};
    }
}

static void add_frame(const TruckParams *t, Mesh *mesh)
{
    double l = 0.5 * t->bed.length, f = t->bed.floor_height, front = t->front - bumper, r = 0.5 * t->wheel_diameter;
    double beam = fmin(0.95, f - 0.25);
    for (int side = -1; side <= 1; side += 2) {
        part_box(mesh, -l, front - 0.2, side * 0.43 - 0.06, side * 0.43 + 0.06, beam - 0.26, beam, 0.02, &paint_black);
        // Tank and mudguards.
        double tank = side * 0.80;
        const double a[3] = {l - 1.30, tank, beam - 0.22}, b[3] = {l - 0.15, tank, beam - 0.22};
        mesh_cylinder(mesh, a, b, 0.29, 0.05, 28, side > 0 ? &paint_steel : &paint_dark);
        part_box(mesh, -l - 0.05, -l + 0.02, side * 0.62 - 0.30, side * 0.62 + 0.30, 0.30, beam - 0.10, 0.01,
                 &paint_rubber);
        // The bed's hinges.
        part_box(mesh, -l - 0.02, -l + 0.25, side * 0.45 - 0.06, side * 0.45 + 0.06, beam - 0.10, f - 0.12, 0.02,
                 &paint_black);
    }
    TruckWheel wheels[TRUCK_WHEELS];
    truck_wheels(t, wheels);
    for (int k = 0; k < TRUCK_WHEELS; k += 2) {
        const double a[3] = {wheels[k].at.x, -0.9, r}, b[3] = {wheels[k].at.x, 0.9, r};
        mesh_cylinder(mesh, a, b, 0.13, 0.02, 16, &paint_black);
    }
    part_box(mesh, -l - 0.05, -l + 0.05, -0.9, 0.9, beam - 0.35, beam - 0.20, 0.02, &paint_black);
}

static void add_cab(const TruckParams *t, Mesh *mesh)
{
    double front = t->front - bumper, rear = front - cab_length, half = 0.5 * truck_cab_width(t);
    double low = 0.62, belt = cab_belt, roof = cab_roof;
    const double outline[8][2] = {{rear, low + 0.25},  {front - 0.10, low},         {front, low + 0.10},
                                  {front, belt},       {front - 0.16, roof - 0.16}, {front - 0.34, roof},
                                  {rear + 0.06, roof}, {rear, roof - 0.10}};
    mesh_prism(mesh, MESH_PLANE_XZ, outline, 8, -half, half, 0.07, &paint_yellow);
    part_box(mesh, front - 0.12, front + 0.10, -half - 0.01, half + 0.01, low - 0.18, low + 0.22, 0.05, &paint_dark);
    part_box(mesh, front - 0.02, front + 0.025, -0.70, 0.70, low + 0.34, belt - 0.20, 0.02, &paint_black);
    for (int k = 0; k < 4; k++) {
        double z = low + 0.42 + 0.16 * k;
        part_box(mesh, front + 0.015, front + 0.035, -0.66, 0.66, z, z + 0.05, 0.01, &paint_steel);
    }
    for (int side = -1; side <= 1; side += 2) {
        double y = side * (half - 0.24);
        part_box(mesh, front + 0.085, front + 0.102, y - 0.17, y + 0.17, low - 0.07, low + 0.11, 0.01, &paint_black);
        double mirror = side * (half + 0.20);
        part_box(mesh, front - 0.22, front - 0.12, mirror - 0.10, mirror + 0.10, belt + 0.05, belt + 0.60, 0.03,
                 &paint_black);
        const double arm[2][3] = {{front - 0.17, side * half, belt + 0.64}, {front - 0.17, mirror, belt + 0.56}};
        mesh_tube(mesh, arm, 2, 0.018, 8, &paint_black);
        part_box(mesh, front - 0.9, front - 0.35, side * half - 0.05, side * half + 0.05, low - 0.22, low - 0.16, 0.01,
                 &paint_black);
    }
    const double stack_a[3] = {rear - 0.18, -half + 0.2, 1.0}, stack_b[3] = {rear - 0.18, -half + 0.2, roof + 0.1};
    mesh_cylinder(mesh, stack_a, stack_b, 0.075, 0.01, 16, &paint_steel);
}

void truck_mesh_chassis(const TruckParams *truck, Mesh *mesh)
{
    add_frame(truck, mesh);
    add_cab(truck, mesh);
}

void truck_mesh_glass(const TruckParams *truck, Mesh *mesh)
{
    // Panes lie just outside the cab's skin; tinted, so that the cab need not be hollow.
    static const MeshMaterial tinted = {{20, 26, 30, 255}, {245, 0, 25, 0}};
    double front = truck->front - bumper, rear = front - cab_length;
    double half = 0.5 * truck_cab_width(truck), belt = cab_belt, roof = cab_roof, out = 0.006;
    double x0 = front + out - 0.16 * 0.08, x1 = front - 0.16 * 0.88 + out;
    const double screen[4][3] = {{x0, -half + 0.14, belt + 0.07},
                                 {x0, half - 0.14, belt + 0.07},
                                 {x1, half - 0.20, roof - 0.26},
                                 {x1, -half + 0.20, roof - 0.26}};
    mesh_pane(mesh, screen, &tinted);
    for (int side = -1; side <= 1; side += 2) {
        double y = side * (half + out);
        const double door[4][3] = {{rear + 0.45, y, belt - 0.12},
                                   {front - 0.10, y, belt - 0.12},
                                   {front - 0.24, y, roof - 0.28},
                                   {rear + 0.45, y, roof - 0.28}};
        mesh_pane(mesh, door, &tinted);
    }
}
