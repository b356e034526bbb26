/// Builds a dump truck around its bed: bed with ribs, ladder and tail, chassis with tank and mudguards, wheels, and the
/// cab with its number. Bed, axles and wheels are those of the truck's file, so the load lies in the bed that is drawn;
/// the rest is chosen by eye for a three-axled truck of 25 t.
#include "render/meshes/truck_mesh.h"

#include <math.h>

#include "render/meshes/fittings.h"

static const double wall = 0.09; ///< m: of the bed
static const double wheel_width = 0.42; ///< m
static const double bumper = 0.10; ///< m that it stands out before the cab

/// ---- cab -----------------------------------------------------------------------------------------------------------

static const double cab_length = 1.75; ///< m
static const double cab_belt = 1.78, cab_roof = 2.86; ///< m over the ground: lower edge of the windows, roof
static const double cab_low = 0.62, cab_floor = 0.98; ///< m over the ground: valance before the wheels, sill behind

enum { ARCH_STEPS = 10 };

/// Adds a mudguard over a wheel: an arch about the axle at x, z, from y0 to y1.
static void add_arch(double x, double z, double radius, double thickness, double y0, double y1, Mesh *mesh)
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

/// Adds the skin, whose lower edge goes over the front wheel.
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
        add_arch(x, z, radius - 0.02, 0.04, fmin(inner, outer), fmax(inner, outer), mesh);
    }
}

/// Adds grille, bumper, visor, wipers and plate.
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

/// Adds the parts of one side: door with its joints, handle, rail, steps and mirror.
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
        part_box(mesh, rear - 0.02, rear + 0.30, inner, outer, z, z + 0.035, 0.008, &paint_steel);
    }
    double post = side * (half - 0.02);
    part_box(mesh, rear - 0.02, rear, post, side * (half - 0.2), 0.42, cab_floor + 0.05, 0.0, &paint_black);
    double mirror = side * (half + 0.22);
    part_box(mesh, front - 0.22, front - 0.13, mirror - 0.10, mirror + 0.10, cab_belt + 0.05, cab_belt + 0.60, 0.03,
             &paint_black);
    for (int arm = 0; arm < 2; arm++) {
        double z = cab_belt + (arm == 0 ? 0.64 : 0.10);
        part_bar(mesh, front - 0.20, side * half, z, front - 0.17, mirror, z - 0.04, 0.014, 6, &paint_black);
    }
}

static void add_cab(const TruckParams *t, Mesh *mesh)
{
    double front = t->front - bumper, rear = front - cab_length, half = 0.5 * truck_cab_width(t);
    add_skin(t, front, rear, half, mesh);
    add_face(front, half, mesh);
    for (int side = -1; side <= 1; side += 2) {
        add_side(front, rear, half, side, mesh);
    }
    part_bar(mesh, rear - 0.18, -half + 0.2, 1.0, rear - 0.18, -half + 0.2, cab_roof + 0.1, 0.075, 16, &paint_steel);
}

/// Adds a digit of seven strokes, `height` m high, in the plane y: `side` +1 is read from the left of the truck.
static void add_digit(Mesh *mesh, int digit, double x, double y, double z, double height, double side)
{
    // Strokes: top, upper left, upper right, middle, lower left, lower right, bottom.
    static const uint8_t strokes[10] = {0x77, 0x24, 0x5d, 0x6d, 0x2e, 0x6b, 0x7b, 0x25, 0x7f, 0x6f};
    static const double boxes[7][4] = {{-0.5, 0.5, 0.9, 1.0},   {-0.5, -0.3, 0.5, 1.0}, {0.3, 0.5, 0.5, 1.0},
                                       {-0.5, 0.5, 0.45, 0.55}, {-0.5, -0.3, 0.0, 0.5}, {0.3, 0.5, 0.0, 0.5},
                                       {-0.5, 0.5, 0.0, 0.1}};
    for (int k = 0; k < 7; k++) {
        if ((strokes[digit] & (1 << k)) != 0) {
            // From the left side, ahead is on the left.
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

/// ---- bed, wheels and chassis ---------------------------------------------------------------------------------------

/// Paints faces from vertex `first` on whose normal points along `axis` in the direction `sign` as rubbed steel.
static void paint_rubbed(Mesh *mesh, int first, int axis, double sign)
{
    for (int k = first; k < mesh->vertex_count; k++) {
        if (sign * (double)mesh->vertices[k].normal[axis] > 0.9) {
            mesh_paint(&mesh->vertices[k], &paint_lining);
        }
    }
}

void truck_mesh_bed(const TruckParams *t, Mesh *mesh)
{
    double l = 0.5 * t->bed.length, w = 0.5 * t->bed.width, h = t->bed.height;
    int first = mesh->vertex_count;
    part_box(mesh, -l - wall, l + wall, -w - wall, w + wall, -0.14, 0.0, 0.02, &paint_worn);
    paint_rubbed(mesh, first, 2, 1.0);
    first = mesh->vertex_count;
    part_box(mesh, l, l + wall, -w - wall, w + wall, 0.0, h + 0.10, 0.02, &paint_white);
    paint_rubbed(mesh, first, 0, -1.0);
    for (int side = -1; side <= 1; side += 2) {
        double inner = side * w, outer = side * (w + wall);
        first = mesh->vertex_count;
        part_box(mesh, -l - wall, l + wall, inner, outer, -0.10, h, 0.02, &paint_white);
        paint_rubbed(mesh, first, 1, -side);
        // Top rail, lower rail and ribs outside.
        double rail = side * (w + wall + 0.05);
        part_box(mesh, -l - wall, l + wall, inner, rail, h - 0.03, h + 0.07, 0.025, &paint_white);
        part_box(mesh, -l - wall, l + wall, outer, rail, -0.12, 0.02, 0.02, &paint_white);
        int ribs = (int)(t->bed.length / 0.85) + 1;
        for (int k = 0; k <= ribs; k++) {
            double x = -l + t->bed.length * k / ribs;
            part_box(mesh, x - 0.06, x + 0.06, outer, rail, 0.0, h - 0.02, 0.02, &paint_white);
        }
        // Beams under the floor.
        part_box(mesh, -l, l, side * 0.45 - 0.07, side * 0.45 + 0.07, -0.30, -0.12, 0.02, &paint_worn);
    }
    // The ladder on the left at the front, and lamps that mark the sides.
    double foot = l - 0.42, out = w + wall + 0.13;
    for (int post = 0; post < 2; post++) {
        double x = foot + 0.36 * post;
        part_bar(mesh, x, out, -0.35, x, out, h + 0.02, 0.016, 8, &paint_steel);
    }
    for (int rung = 0; rung < 6; rung++) {
        double z = -0.28 + 0.28 * rung;
        part_bar(mesh, foot, out, z, foot + 0.36, out, z, 0.013, 8, &paint_steel);
        if (rung % 4 == 1) {
            part_bar(mesh, foot + 0.18, w + wall, z, foot + 0.18, out, z, 0.013, 8, &paint_steel);
        }
    }
    for (int k = 0; k < 6; k++) {
        double x = (k % 3 - 1) * 0.8 * l, y = (k < 3 ? 1.0 : -1.0) * (w + wall + 0.052);
        part_box(mesh, x - 0.05, x + 0.05, y - 0.008, y + 0.008, -0.08, -0.04, 0.004, &paint_orange);
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
    for (int bolt = 0; bolt < 10; bolt++) { // make the turning visible
        double angle = 0.2 * M_PI * bolt, x = 0.33 * r * cos(angle), z = 0.33 * r * sin(angle);
        part_bar(mesh, x, outer - 0.30 * w, z, x, outer - 0.20 * w, z, 0.022, 6, &paint_steel);
        // Openings of the rim's disc.
        double next = angle + 0.1 * M_PI, u = 0.47 * r * cos(next), v = 0.47 * r * sin(next);
        part_bar(mesh, u, outer - 0.22 * w, v, u, outer - 0.10 * w, v, 0.026, 6, &paint_black);
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
    for (int k = 0; k < 4; k++) {
        double y = wheels[k].at.y;
        add_arch(wheels[k].at.x, r, r + 0.06, 0.02, y - 0.24, y + 0.24, mesh);
    }
    for (int k = 0; k < TRUCK_WHEELS; k += 2) {
        const double a[3] = {wheels[k].at.x, -0.9, r}, b[3] = {wheels[k].at.x, 0.9, r};
        mesh_cylinder(mesh, a, b, 0.13, 0.02, 16, &paint_black);
    }
    part_box(mesh, -l - 0.05, -l + 0.05, -0.9, 0.9, beam - 0.35, beam - 0.20, 0.02, &paint_black);
}

void truck_mesh_chassis(const TruckParams *truck, Mesh *mesh)
{
    add_frame(truck, mesh);
    add_cab(truck, mesh);
}
