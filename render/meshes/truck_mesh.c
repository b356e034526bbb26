/// Builds a dump truck around its bed: bed with ribs, ladder and tail, chassis with tank and mudguards, wheels.
/// Bed, axles and wheels are those of the truck's file, so the load lies in what is seen; the rest is chosen by eye for
/// a three-axled truck of 25 t.
#include "render/meshes/truck_mesh.h"

#include <math.h>

#include "render/meshes/parts.h"

static const double wall = 0.09; ///< m: of the bed
static const double wheel_width = 0.42; ///< m
static const double bumper = 0.10; ///< m that it stands out before the cab

/// Gives what faces of the mesh from `first` on look along `axis` in the direction `sign` the finish of rubbed steel.
static void rub(Mesh *mesh, int first, int axis, double sign)
{
    for (int k = first; k < mesh->vertex_count; k++) {
        if (sign * (double)mesh->vertices[k].normal[axis] > 0.9) {
            mesh_paint(&mesh->vertices[k], &paint_lining);
        }
    }
}

double truck_cab_width(const TruckParams *truck)
{
    return fmin(truck->bed.width, 2.5);
}

void truck_mesh_bed(const TruckParams *t, Mesh *mesh)
{
    double l = 0.5 * t->bed.length, w = 0.5 * t->bed.width, h = t->bed.height;
    int first = mesh->vertex_count;
    part_box(mesh, -l - wall, l + wall, -w - wall, w + wall, -0.14, 0.0, 0.02, &paint_worn);
    rub(mesh, first, 2, 1.0);
    first = mesh->vertex_count;
    part_box(mesh, l, l + wall, -w - wall, w + wall, 0.0, h + 0.10, 0.02, &paint_white);
    rub(mesh, first, 0, -1.0);
    for (int side = -1; side <= 1; side += 2) {
        double inner = side * w, outer = side * (w + wall);
        first = mesh->vertex_count;
        part_box(mesh, -l - wall, l + wall, fmin(inner, outer), fmax(inner, outer), -0.10, h, 0.02, &paint_white);
        rub(mesh, first, 1, -side);
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
    for (int bolt = 0; bolt < 10; bolt++) { // seen to turn
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
        truck_mesh_arch(wheels[k].at.x, r, r + 0.06, 0.02, y - 0.24, y + 0.24, mesh);
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
    truck_mesh_cab(truck, mesh);
}
