/// Furnishes a cab around the driver's eye: seat, armrests with joysticks, travel levers with pedals, monitor, side
/// wall. Heights count from the eye, for a seated driver of middle size (ISO 3411: eyes 0.75 to 0.8 m over the seat),
/// but the seat stays over the floor.
#include "data/schema/dozer_params.h"
#include "render/meshes/machine_mesh.h"

#include "render/meshes/parts.h"

static const double seat_below = 0.78, seat_least = 0.30; ///< m: under the eye; over the floor
static const double console_below = 0.68, console_aside = 0.325; ///< m: under the eye; from the middle of the driver
static const double joystick_ahead = 0.33; ///< m: of the eye

static double seat_height(const MachineCab *cab)
{
    return fmax(cab->corner[2] + seat_least, cab->eye[2] - seat_below);
}

int cab_levers(const MachineParams *params, CabLever levers[CAB_MAX_LEVERS])
{
    const MachineCab *cab = &params->cab;
    double console = cab->eye[2] - console_below, x = cab->eye[0], y = cab->eye[1];
    bool dozer = params->type == MACHINE_DOZER;
    for (int k = 0; k < 2; k++) {
        double side = k == 0 ? 1.0 : -1.0;
        levers[k] = (CabLever){vec3(x + joystick_ahead, y + side * console_aside, console), false, 1.0};
        levers[2 + k] =
            (CabLever){vec3(cab->corner[0] + cab->size[0] - 0.36, y + side * 0.10, cab->corner[2] + 0.06), true, 1.0};
    }
    if (dozer) {
        levers[2] = (CabLever){vec3(x + 0.05, y - console_aside - 0.02, console), false, 0.7};
        return dozer_has_ripper(params) ? 3 : 2;
    }
    return 4;
}

void cab_mesh_joystick(const MachineParams *params, Mesh *mesh)
{
    (void)params;
    const double a[3] = {0.0, 0.0, -0.005}, b[3] = {0.0, 0.0, 0.07}, top[3] = {0.018, 0.0, 0.235};
    const double boot[6][2] = {{0.0, 0.052},   {0.018, 0.050}, {0.026, 0.038},
                               {0.040, 0.036}, {0.048, 0.024}, {0.075, 0.012}};
    mesh_lathe(mesh, a, b, boot, 6, 12, &paint_grip);
    part_bar(mesh, 0.0, 0.0, 0.05, 0.004, 0.0, 0.12, 0.010, 8, &paint_grip);
    const double grip[6][2] = {{0.0, 0.016},   {0.02, 0.024},  {0.07, 0.021},
                               {0.105, 0.026}, {0.125, 0.024}, {0.135, 0.0}};
    const double foot[3] = {0.004, 0.0, 0.105};
    mesh_lathe(mesh, foot, top, grip, 6, 12, &paint_grip);
    part_box(mesh, -0.014, 0.006, -0.009, 0.009, 0.225, 0.236, 0.003, &paint_orange);
}

void cab_mesh_travel_lever(const MachineParams *params, Mesh *mesh)
{
    (void)params;
    const Vec3 rod[3] = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.40}, {-0.05, 0.0, 0.52}};
    mesh_sweep(mesh, rod, 3, vec3(0.0, 1.0, 0.0), 0.010, 8, &paint_grip);
    part_bar(mesh, -0.05, 0.0, 0.52, -0.06, 0.0, 0.64, 0.017, 8, &paint_grip);
    const double plate[4][2] = {{-0.12, 0.03}, {0.12, 0.055}, {0.12, 0.07}, {-0.12, 0.045}};
    mesh_prism(mesh, MESH_PLANE_XZ, plate, 4, -0.045, 0.045, 0.005, &paint_trim);
    for (int rib = -2; rib <= 2; rib++) {
        double x = 0.045 * rib;
        part_box(mesh, x - 0.008, x + 0.008, -0.04, 0.04, 0.055 + 0.1 * x, 0.064 + 0.1 * x, 0.002, &paint_grip);
    }
}

static void add_seat(double x, double y, double seat, double floor, Mesh *mesh)
{
    const double cushion[6][2] = {{x - 0.26, seat - 0.11}, {x + 0.22, seat - 0.11}, {x + 0.27, seat - 0.06},
                                  {x + 0.24, seat + 0.02}, {x + 0.12, seat},        {x - 0.26, seat - 0.02}};
    mesh_prism(mesh, MESH_PLANE_XZ, cushion, 6, y - 0.24, y + 0.24, 0.04, &paint_seat);
    const double back[5][2] = {{x - 0.26, seat - 0.03},
                               {x - 0.15, seat},
                               {x - 0.22, seat + 0.30},
                               {x - 0.30, seat + 0.62},
                               {x - 0.40, seat + 0.60}};
    mesh_prism(mesh, MESH_PLANE_XZ, back, 5, y - 0.23, y + 0.23, 0.05, &paint_seat);
    part_box(mesh, x - 0.41, x - 0.32, y - 0.13, y + 0.13, seat + 0.62, seat + 0.80, 0.035, &paint_seat);
    part_box(mesh, x - 0.20, x + 0.16, y - 0.18, y + 0.18, floor, seat - 0.1, 0.03, &paint_trim);
}

/// An armrest on its console, whose front carries a joystick.
static void add_console(const CabLever *lever, double x, double floor, Mesh *mesh)
{
    double y = lever->pivot.y, top = lever->pivot.z, front = lever->pivot.x + 0.085;
    const double outline[7][2] = {{x - 0.24, top - 0.16}, {front - 0.04, top - 0.16}, {front, top - 0.09},
                                  {front, top - 0.01},    {front - 0.02, top},        {front - 0.20, top},
                                  {x - 0.24, top + 0.01}};
    mesh_prism(mesh, MESH_PLANE_XZ, outline, 7, y - 0.078, y + 0.078, 0.018, &paint_trim);
    part_box(mesh, x - 0.22, front - 0.24, y - 0.05, y + 0.05, top - 0.02, top + 0.055, 0.025, &paint_seat);
    part_box(mesh, x - 0.20, x + 0.10, y - 0.06, y + 0.06, floor, top - 0.14, 0.02, &paint_trim);
    for (int k = 0; k < 4; k++) { // switches
        double at = front - 0.215 + 0.028 * k;
        part_box(mesh, at, at + 0.018, y - 0.065, y - 0.045, top - 0.002, top + 0.008, 0.003, &paint_grip);
    }
}

/// A monitor on its arm, turned to the driver's eye.
static void add_monitor(const MachineCab *cab, Vec3 at, Mesh *mesh)
{
    Vec3 eye = vec3(cab->eye[0], cab->eye[1], cab->eye[2]);
    Vec3 x = vec3_unit(vec3_sub(eye, at), vec3(-1.0, 0.0, 0.0));
    Vec3 y = vec3_unit(vec3_cross(vec3(0.0, 0.0, 1.0), x), vec3(0.0, 1.0, 0.0)), z = vec3_cross(x, y);
    Pose pose = {at, {{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}}};
    int first = mesh->vertex_count;
    part_box(mesh, -0.045, 0.0, -0.115, 0.115, -0.085, 0.075, 0.015, &paint_grip);
    part_box(mesh, -0.002, 0.003, -0.100, 0.100, -0.050, 0.062, 0.001, &paint_screen);
    for (int k = 0; k < 3; k++) { // bars of temperatures and fuel, and the picture of the rear
        part_box(mesh, 0.002, 0.0036, -0.088 + 0.022 * k, -0.076 + 0.022 * k, -0.036, 0.010 + 0.016 * k, 0.0005,
                 &paint_white);
    }
    part_box(mesh, 0.002, 0.0036, -0.014, 0.090, -0.036, 0.046, 0.0005, &paint_trim);
    for (int k = 0; k < 5; k++) {
        double at_y = -0.08 + 0.04 * k;
        part_box(mesh, -0.002, 0.004, at_y - 0.012, at_y + 0.012, -0.074, -0.060, 0.002, &paint_trim);
    }
    mesh_place(mesh, first, &pose);
}

void cab_mesh_inside(const MachineParams *params, Mesh *mesh)
{
    const MachineCab *cab = &params->cab;
    CabLever levers[CAB_MAX_LEVERS];
    cab_levers(params, levers);
    double x = cab->eye[0] - 0.10, y = cab->eye[1], floor = cab->corner[2] + 0.04,
           front = cab->corner[0] + cab->size[0];
    double right = cab->corner[1] + 0.05;
    add_seat(x, y, seat_height(cab), floor, mesh);
    for (int k = 0; k < 2; k++) {
        add_console(&levers[k], x, floor, mesh);
    }
    // A rubber mat with ribs.
    part_box(mesh, x + 0.05, front - 0.24, cab->corner[1] + 0.07, cab->corner[1] + cab->size[1] - 0.07, floor,
             floor + 0.015, 0.004, &paint_rubber);
    if (params->type == MACHINE_DOZER) {
        for (int k = -1; k <= 1; k += 2) { // decelerator and brake, and the panel behind them
            const double pedal[4][2] = {{front - 0.34, floor + 0.10},
                                        {front - 0.31, floor + 0.08},
                                        {front - 0.25, floor + 0.22},
                                        {front - 0.28, floor + 0.24}};
            mesh_prism(mesh, MESH_PLANE_XZ, pedal, 4, y - 0.16 * k - 0.05, y - 0.16 * k + 0.05, 0.006, &paint_grip);
        }
        part_box(mesh, front - 0.24, front - 0.14, cab->corner[1] + 0.05, cab->corner[1] + cab->size[1] - 0.05, floor,
                 floor + 0.34, 0.03, &paint_trim);
        add_monitor(cab, vec3(front - 0.24, y - 0.42, floor + 0.42), mesh);
        return;
    }
    // The right wall's panel, along which the eye slides to the boom's foot, and the monitor at its front.
    part_box(mesh, x - 0.20, front - 0.30, cab->corner[1] + 0.03, right + 0.02, floor,
             cab->corner[2] + 0.40 * cab->size[2], 0.02, &paint_trim);
    double low = cab->corner[2] + 0.30 * cab->size[2];
    add_monitor(cab, vec3(front - 0.24, right + 0.12, low + 0.02), mesh);
    part_bar(mesh, front - 0.20, right + 0.09, low - 0.16, front - 0.20, right + 0.10, low - 0.02, 0.014, 8,
             &paint_grip);
    part_bar(mesh, front - 0.20, right + 0.09, low - 0.16, front - 0.14, right - 0.02, low - 0.17, 0.014, 8,
             &paint_grip);
}
