/// Builds the cab of a dump truck: skin with wheel arches, doors, windows, steps, mirrors, bumper and lamps' housings,
/// and the numbers that tell trucks apart. Sizes are chosen by eye for a three-axled truck of 25 t.
#include "render/meshes/truck_mesh.h"

#include <math.h>

#include "render/meshes/parts.h"

static const double cab_length = 1.75, bumper = 0.10; ///< m; the bumper stands out before the cab
static const double cab_belt = 1.78, cab_roof = 2.86; ///< m over the ground: lower edge of the windows, roof
static const double cab_low = 0.62, cab_floor = 0.98; ///< m over the ground: valance before the wheels, sill behind

enum { ARCH_STEPS = 10 };

void truck_mesh_arch(double x, double z, double radius, double thickness, double y0, double y1, Mesh *mesh)
{
    const double from = 0.16 * M_PI, over = 0.68 * M_PI; // rad
    double outline[2 * ARCH_STEPS + 2][2];
    for (int k = 0; k <= ARCH_STEPS; k++) {
        double angle = from + over * k / ARCH_STEPS, outer = radius + thickness;
        outline[k][0] = x + outer * cos(angle);
        outline[k][1] = z + outer * sin(angle);
        outline[2 * ARCH_STEPS + 1 - k][0] = x + radius * cos(angle);
        outline[2 * ARCH_STEPS + 1 - k][1] = z + radius * sin(angle);
    }
    mesh_prism(mesh, MESH_PLANE_XZ, (const double(*)[2])outline, 2 * ARCH_STEPS + 2, y0, y1, 0.0, &paint_black);
}

/// The skin: its lower edge goes over the front wheel.
static void add_skin(const TruckParams *t, double front, double rear, double half, Mesh *mesh)
{
    double x = t->rear_axle + t->wheelbase, z = 0.5 * t->wheel_diameter, radius = z + 0.13;
    double start = asin((cab_floor - z) / radius);
    double outline[MESH_MAX_CORNERS][2];
    int n = 0;
    const double ends[2] = {fmax(x - radius * cos(start), rear + 0.05), fmin(x + radius * cos(start), front - 0.16)};
    outline[n][0] = rear;
    outline[n++][1] = cab_floor;
    for (int k = 0; k <= ARCH_STEPS; k++) {
        double angle = M_PI - start - (M_PI - 2.0 * start) * k / ARCH_STEPS;
        outline[n][0] = fmin(fmax(x + radius * cos(angle), ends[0]), ends[1]);
        outline[n++][1] = z + radius * sin(angle);
    }
    const double upper[9][2] = {{ends[1] + 0.06, cab_low}, {front - 0.06, cab_low},         {front, cab_low + 0.08},
                                {front, cab_belt},         {front - 0.16, cab_roof - 0.16}, {front - 0.34, cab_roof},
                                {rear + 0.06, cab_roof},   {rear, cab_roof - 0.10},         {rear, cab_floor + 0.4}};
    for (int k = 0; k < 9; k++, n++) {
        outline[n][0] = upper[k][0];
        outline[n][1] = upper[k][1];
    }
    mesh_prism(mesh, MESH_PLANE_XZ, (const double(*)[2])outline, n, -half, half, 0.05, &paint_yellow);
    for (int side = -1; side <= 1; side += 2) {
        double inner = side * (half - 0.30), outer = side * (half + 0.03);
        truck_mesh_arch(x, z, radius - 0.02, 0.04, fmin(inner, outer), fmax(inner, outer), mesh);
    }
}

/// Grille, bumper, visor, wipers, plate.
static void add_face(double front, double half, Mesh *mesh)
{
    part_box(mesh, front - 0.16, front + 0.10, -half - 0.01, half + 0.01, cab_low - 0.18, cab_low + 0.18, 0.05,
             &paint_dark);
    part_box(mesh, front - 0.02, front + 0.022, -0.78, 0.78, cab_low + 0.30, cab_belt - 0.22, 0.02, &paint_black);
    for (int k = 0; k < 4; k++) {
        double z = cab_low + 0.37 + 0.155 * k;
        part_box(mesh, front + 0.012, front + 0.034, -0.74, 0.74, z, z + 0.045, 0.01, &paint_steel);
    }
    part_box(mesh, front + 0.095, front + 0.106, -0.26, 0.26, cab_low - 0.06, cab_low + 0.05, 0.003, &paint_white);
    // A visor over the windscreen, and a beacon.
    const double visor[4][2] = {{front - 0.20, cab_roof - 0.20},
                                {front + 0.05, cab_roof - 0.27},
                                {front + 0.05, cab_roof - 0.24},
                                {front - 0.20, cab_roof - 0.12}};
    mesh_prism(mesh, MESH_PLANE_XZ, visor, 4, -half + 0.12, half - 0.12, 0.01, &paint_dark);
    part_bar(mesh, front - 0.9, 0.0, cab_roof - 0.01, front - 0.9, 0.0, cab_roof + 0.14, 0.06, 12, &paint_orange);
    for (int k = 0; k < 2; k++) {
        double y = k == 0 ? 0.55 : -0.25;
        const Vec3 wiper[3] = {{front + 0.02, y, cab_belt + 0.03},
                               {front + 0.01, y - 0.12, cab_belt + 0.14},
                               {front - 0.04, y - 0.42, cab_belt + 0.42}};
        mesh_sweep(mesh, wiper, 3, vec3(1.0, 0.0, 0.0), 0.010, 4, &paint_black);
    }
    for (int side = -1; side <= 1; side += 2) {
        double y = side * (half - 0.24);
        part_box(mesh, front + 0.085, front + 0.102, y - 0.17, y + 0.17, cab_low - 0.07, cab_low + 0.11, 0.01,
                 &paint_black);
        double turn = side * (half - 0.02);
        part_box(mesh, front + 0.02, front + 0.10, turn - 0.03, turn + 0.035, cab_low - 0.05, cab_low + 0.06, 0.01,
                 &paint_orange);
    }
}

/// What is on one side: door with its joints, handle, rail, steps and mirror.
static void add_side(double front, double rear, double half, double side, Mesh *mesh)
{
    double y = side * (half + 0.003), out = 0.004, door[2] = {rear + 0.42, front - 0.20}, sill = 1.32;
    for (int k = 0; k < 2; k++) {
        part_box(mesh, door[k] - 0.006, door[k] + 0.006, y - out, y + out, sill, cab_roof - 0.16, 0.0, &paint_black);
    }
    part_box(mesh, door[0], door[1], y - out, y + out, sill - 0.006, sill + 0.006, 0.0, &paint_black);
    part_box(mesh, door[0] + 0.06, door[0] + 0.20, y - 0.018, y + 0.018, cab_belt - 0.24, cab_belt - 0.20, 0.008,
             &paint_black);
    const Vec3 rail[4] = {{rear + 0.30, side * half, 1.25},
                          {rear + 0.30, side * (half + 0.06), 1.28},
                          {rear + 0.30, side * (half + 0.06), 2.15},
                          {rear + 0.30, side * half, 2.18}};
    mesh_sweep(mesh, rail, 4, vec3(1.0, 0.0, 0.0), 0.014, 6, &paint_black);
    for (int step = 0; step < 2; step++) {
        double z = 0.42 + 0.34 * step, outer = side * (half + 0.03 - 0.02 * step), inner = side * (half - 0.20);
        part_box(mesh, rear - 0.02, rear + 0.30, fmin(inner, outer), fmax(inner, outer), z, z + 0.035, 0.008,
                 &paint_steel);
    }
    double post = side * (half - 0.02);
    part_box(mesh, rear - 0.02, rear, fmin(post, side * (half - 0.2)), fmax(post, side * (half - 0.2)), 0.42,
             cab_floor + 0.05, 0.0, &paint_black);
    double mirror = side * (half + 0.22);
    part_box(mesh, front - 0.22, front - 0.13, mirror - 0.10, mirror + 0.10, cab_belt + 0.05, cab_belt + 0.60, 0.03,
             &paint_black);
    for (int arm = 0; arm < 2; arm++) {
        double z = cab_belt + (arm == 0 ? 0.64 : 0.10);
        part_bar(mesh, front - 0.20, side * half, z, front - 0.17, mirror, z - 0.04, 0.014, 6, &paint_black);
    }
}

void truck_mesh_cab(const TruckParams *t, Mesh *mesh)
{
    double front = t->front - bumper, rear = front - cab_length, half = 0.5 * truck_cab_width(t);
    add_skin(t, front, rear, half, mesh);
    add_face(front, half, mesh);
    for (int side = -1; side <= 1; side += 2) {
        add_side(front, rear, half, side, mesh);
    }
    part_bar(mesh, rear - 0.18, -half + 0.2, 1.0, rear - 0.18, -half + 0.2, cab_roof + 0.1, 0.075, 16, &paint_steel);
}

/// A digit of seven strokes, `height` m high, in the plane y: `side` +1 is read from the left of the truck.
static void add_digit(Mesh *mesh, int digit, double x, double y, double z, double height, double side)
{
    // Strokes: top, upper left, upper right, middle, lower left, lower right, bottom.
    static const uint8_t strokes[10] = {0x77, 0x24, 0x5d, 0x6d, 0x2e, 0x6b, 0x7b, 0x25, 0x7f, 0x6f};
    static const double boxes[7][4] = {{-0.5, 0.5, 0.9, 1.0},   {-0.5, -0.3, 0.5, 1.0}, {0.3, 0.5, 0.5, 1.0},
                                       {-0.5, 0.5, 0.45, 0.55}, {-0.5, -0.3, 0.0, 0.5}, {0.3, 0.5, 0.0, 0.5},
                                       {-0.5, 0.5, 0.0, 0.1}};
    for (int k = 0; k < 7; k++) {
        if ((strokes[digit] & (1 << k)) != 0) {
            // Seen from the left, ahead is on the left.
            double a = x - side * boxes[k][0] * 0.5 * height, b = x - side * boxes[k][1] * 0.5 * height;
            part_box(mesh, fmin(a, b), fmax(a, b), y - 0.003, y + 0.003, z + boxes[k][2] * height,
                     z + boxes[k][3] * height, 0.0, &paint_black);
        }
    }
}

void truck_mesh_number(const TruckParams *t, int number, Mesh *mesh)
{
    double x = t->front - bumper - 0.75, half = 0.5 * truck_cab_width(t), height = 0.26;
    for (int side = -1; side <= 1; side += 2) {
        for (int k = 0; k < 2; k++) {
            int digit = k == 0 ? number / 10 % 10 : number % 10;
            add_digit(mesh, digit, x - side * (k == 0 ? -0.09 : 0.09), side * (half + 0.003), 1.42, height, side);
        }
    }
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
