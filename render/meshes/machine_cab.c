/// Builds a cab around the driver's eye: pillars, sills, roof, panes, mirrors and lamps; inside seat, armrests with
/// joysticks, travel levers with pedals, monitor and side wall. The box is the machine file's (MachineCab). Pillars are
/// thin and where real ones are, because they hide the work from the driver.
#include "data/schema/machine_params.h"
#include "render/meshes/machine_mesh.h"

#include <math.h>

#include "render/meshes/fittings.h"

/// ---- inside --------------------------------------------------------------------------------------------------------

/// Heights count from the eye, for a seated driver of middle size (ISO 3411: eyes 0.75 to 0.8 m over the seat); the
/// seat stays over the floor.
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

void cab_mesh_joystick(Mesh *mesh)
{
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

void cab_mesh_travel_lever(Mesh *mesh)
{
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

/// Adds an armrest on its console, whose front carries a joystick.
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

CabMonitorPlace cab_monitor_place(const MachineParams *params)
{
    // m and shares of the distance ahead, by eye: free of boom cylinder and blade as the driver sees them. Displays of
    // the class are 0.15 to 0.22 m wide (7 to 10 inches).
    const bool dozer = params->type == MACHINE_DOZER;
    const double most = 0.42, wide = dozer ? 0.175 : 0.195, ratio = 224.0 / 140.0;
    const double aside = dozer ? 0.92 : 0.76, below = dozer ? 0.66 : 0.50;
    const MachineCab *cab = &params->cab;
    double ahead = fmin(most, cab->corner[0] + cab->size[0] - 0.20 - cab->eye[0]), size = wide * ahead / most;
    Vec3 eye = vec3(cab->eye[0], cab->eye[1], cab->eye[2]);
    Vec3 at = vec3_madd(eye, ahead, vec3(1.0, -aside, -below));
    return (CabMonitorPlace){fitting_frame(at, vec3_unit(vec3_sub(eye, at), vec3(-1.0, 0.0, 0.0))), size, size / ratio};
}

/// Adds the monitor's housing, its dark screen, and the arm that holds it to the side wall's panel.
static void add_monitor(const MachineParams *params, Mesh *mesh)
{
    CabMonitorPlace place = cab_monitor_place(params);
    double w = 0.5 * place.width, h = 0.5 * place.height, rim = 0.07 * place.width;
    int first = mesh->vertex_count;
    part_box(mesh, -0.045, -0.003, -w - rim, w + rim, -h - rim, h + rim, 0.012, &paint_grip);
    part_box(mesh, -0.006, -0.001, -w, w, -h, h, 0.001, &paint_black);
    mesh_place(mesh, first, &place.glass);
    const Vec3 *at = &place.glass.position;
    double floor = params->cab.corner[2] + 0.04, back = 0.05;
    part_bar(mesh, at->x + back, at->y - 0.02, at->z, at->x + back, at->y - 0.02, floor, 0.016, 8, &paint_grip);
}

static void add_inside(const MachineParams *params, Mesh *mesh)
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
        add_monitor(params, mesh);
        return;
    }
    // The right wall's panel, along which the eye slides to the boom's foot.
    part_box(mesh, x - 0.20, front - 0.30, cab->corner[1] + 0.03, right + 0.02, floor,
             cab->corner[2] + 0.40 * cab->size[2], 0.02, &paint_trim);
    add_monitor(params, mesh);
}

/// ---- frame, shell and panes ----------------------------------------------------------------------------------------

/// The cab's box and the lines that its parts share, in the house frame.
typedef struct CabLines {
    double x0, x1, y0, y1, z0, z1; ///< outside
    double post; ///< m: thickness of a pillar; narrower than the distance between two eyes, for the picture has one
    double sill; ///< z of the side windows' lower edge
    double bar; ///< z of the bar across the windscreen
    double lean; ///< m the windscreen's foot stands behind its widest line
} CabLines;

static CabLines cab_lines(const MachineCab *cab)
{
    CabLines c = {.x0 = cab->corner[0],
                  .x1 = cab->corner[0] + cab->size[0],
                  .y0 = cab->corner[1],
                  .y1 = cab->corner[1] + cab->size[1],
                  .z0 = cab->corner[2],
                  .z1 = cab->corner[2] + cab->size[2],
                  .post = 0.050};
    c.sill = c.z0 + 0.42 * cab->size[2];
    c.bar = c.z0 + 0.30 * cab->size[2];
    c.lean = 0.10 * cab->size[0];
    return c;
}

/// Adds a pillar between two points of the x-z plane, `width` m across, from y0 to y1.
static void add_pillar(Mesh *mesh, double xa, double za, double xb, double zb, double width, double y0, double y1)
{
    double length = hypot(xb - xa, zb - za), nx = -(zb - za) / length * 0.5 * width,
           nz = (xb - xa) / length * 0.5 * width;
    const double outline[4][2] = {{xa - nx, za - nz}, {xb - nx, zb - nz}, {xb + nx, zb + nz}, {xa + nx, za + nz}};
    mesh_prism(mesh, MESH_PLANE_XZ, outline, 4, y0, y1, 0.014, &paint_frame);
}

static void add_frame(const CabLines *c, bool split, Mesh *mesh)
{
    double middle = c->x0 + 0.40 * (c->x1 - c->x0);
    for (int side = 0; side < 2; side++) {
        double a = side == 0 ? c->y0 : c->y1 - c->post, b = a + c->post;
        add_pillar(mesh, c->x0 + 0.05, c->z0, c->x0 + 0.05, c->z1 - 0.05, 0.10, a, b);
        add_pillar(mesh, c->x1 - c->lean, c->z0 + 0.05, c->x1 - 0.03, c->bar, c->post, a, b);
        add_pillar(mesh, c->x1 - 0.03, c->bar, c->x1 - 0.26, c->z1 - 0.04, c->post, a, b);
        add_pillar(mesh, c->x0, c->z1 - 0.07, c->x1 - 0.24, c->z1 - 0.07, 0.08, a, b);
        add_pillar(mesh, c->x0, c->sill, side == 0 ? c->x1 - 0.12 : middle, c->sill, 0.05, a, b);
        if (side == 1) {
            add_pillar(mesh, middle, c->z0, middle, c->z1 - 0.07, 0.07, a, b);
            add_pillar(mesh, middle, c->bar - 0.06, c->x1 - 0.06, c->bar - 0.06, 0.05, a, b);
        }
    }
    // Across: bar between the two halves of a windscreen, header, rear sill and header.
    if (split) {
        part_box(mesh, c->x1 - 0.06, c->x1 - 0.025, c->y0, c->y1, c->bar - 0.018, c->bar + 0.018, 0.010, &paint_frame);
    }
    part_box(mesh, c->x1 - 0.32, c->x1 - 0.24, c->y0, c->y1, c->z1 - 0.11, c->z1 - 0.03, 0.015, &paint_frame);
    part_box(mesh, c->x0, c->x0 + 0.08, c->y0, c->y1, c->sill, c->sill + 0.06, 0.015, &paint_frame);
    part_box(mesh, c->x0, c->x0 + 0.08, c->y0, c->y1, c->z1 - 0.12, c->z1 - 0.03, 0.015, &paint_black);
}

static void add_shell(const CabLines *c, Mesh *mesh)
{
    double middle = c->x0 + 0.40 * (c->x1 - c->x0), inner = 0.03;
    part_box(mesh, c->x0, c->x1 - c->lean, c->y0, c->y1, c->z0 - 0.05, c->z0 + 0.05, 0.02, &paint_black);
    part_box(mesh, c->x0, c->x1 - c->lean - 0.03, c->y0, c->y0 + inner, c->z0, c->sill, 0.01, &paint_yellow);
    part_box(mesh, c->x0, middle, c->y1 - inner, c->y1 + 0.006, c->z0, c->sill, 0.01, &paint_yellow);
    part_box(mesh, middle + 0.05, c->x1 - c->lean - 0.05, c->y1 - inner, c->y1 + 0.006, c->z0 + 0.03, c->bar - 0.09,
             0.01, &paint_yellow);
    part_box(mesh, c->x0, c->x0 + inner, c->y0, c->y1, c->z0, c->sill, 0.01, &paint_yellow);
    // The roof and its hatch.
    const double roof[6][2] = {{c->x0 - 0.02, c->z1 - 0.05}, {c->x1 - 0.24, c->z1 - 0.05}, {c->x1 - 0.20, c->z1 - 0.02},
                               {c->x1 - 0.34, c->z1 + 0.03}, {c->x0 + 0.10, c->z1 + 0.03}, {c->x0 - 0.02, c->z1}};
    mesh_prism(mesh, MESH_PLANE_XZ, roof, 6, c->y0 - 0.01, c->y1 + 0.01, 0.03, &paint_yellow);
    part_box(mesh, c->x0 + 0.35, c->x0 + 0.85, c->y0 + 0.2, c->y1 - 0.2, c->z1 + 0.02, c->z1 + 0.05, 0.015,
             &paint_dark);
    const double beacon_a[3] = {c->x0 + 0.18, c->y1 - 0.2, c->z1 + 0.02},
                 beacon_b[3] = {c->x0 + 0.18, c->y1 - 0.2, c->z1 + 0.17};
    mesh_cylinder(mesh, beacon_a, beacon_b, 0.055, 0.02, 16, &paint_orange);
    // Grab rail and door handle.
    const double rail[4][3] = {{c->x1 - 0.02, c->y1 + 0.02, c->bar - 0.10},
                               {c->x1 + 0.03, c->y1 + 0.07, c->bar - 0.10},
                               {c->x1 - 0.06, c->y1 + 0.07, c->z1 - 0.40},
                               {c->x1 - 0.12, c->y1 + 0.02, c->z1 - 0.40}};
    mesh_tube(mesh, rail, 4, 0.016, 8, &paint_black);
    part_box(mesh, middle + 0.06, middle + 0.18, c->y1 + 0.004, c->y1 + 0.03, c->sill - 0.10, c->sill - 0.06, 0.008,
             &paint_black);
}

/// Adds lamps over the windows, mirrors and the arms that hold them.
static void add_fittings(const MachineParams *params, const CabLines *c, Mesh *mesh)
{
    FittingLamp lamps[FITTINGS_MAX_LAMPS];
    FittingMirror mirrors[FITTINGS_MAX_MIRRORS];
    fitting_mesh_lamps(lamps, machine_lamps(params, lamps), params->cab_body, mesh);
    fitting_mesh_mirrors(params, mesh);
    const Vec3 *at = &mirrors[0].glass.position;
    if (machine_mirrors(params, mirrors) > 1) {
        const double arm[4][3] = {{c->x1 - 0.16, c->y1, c->z1 - 0.24},
                                  {at->x + 0.04, at->y, c->z1 - 0.24},
                                  {at->x + 0.04, at->y, at->z - 0.5 * mirrors[0].height - 0.06},
                                  {c->x1 - 0.05, c->y1, at->z - 0.5 * mirrors[0].height - 0.10}};
        mesh_tube(mesh, arm, 4, 0.012, 8, &paint_black);
    } else {
        part_bar(mesh, at->x, at->y, at->z, at->x + 0.03, at->y, c->z1 - 0.05, 0.012, 8, &paint_black);
    }
}

void machine_mesh_cab(const MachineParams *params, Mesh *mesh)
{
    CabLines c = cab_lines(&params->cab);
    add_frame(&c, params->type == MACHINE_EXCAVATOR, mesh);
    add_shell(&c, mesh);
    add_inside(params, mesh);
    add_fittings(params, &c, mesh);
}

void machine_mesh_glass(const MachineParams *params, Mesh *mesh)
{
    CabLines c = cab_lines(&params->cab);
    double middle = c.x0 + 0.40 * (c.x1 - c.x0), top = c.z1 - 0.08;
    const double panes[7][4][3] = {
        {{c.x1 - 0.04, c.y0, c.bar}, {c.x1 - 0.04, c.y1, c.bar}, {c.x1 - 0.27, c.y1, top}, {c.x1 - 0.27, c.y0, top}},
        {{c.x1 - c.lean, c.y0, c.z0 + 0.05},
         {c.x1 - c.lean, c.y1, c.z0 + 0.05},
         {c.x1 - 0.04, c.y1, c.bar},
         {c.x1 - 0.04, c.y0, c.bar}},
        {{c.x0, c.y1 - 0.02, c.sill},
         {middle, c.y1 - 0.02, c.sill},
         {middle, c.y1 - 0.02, top},
         {c.x0, c.y1 - 0.02, top}},
        {{middle, c.y1 - 0.02, c.bar - 0.08},
         {c.x1 - 0.06, c.y1 - 0.02, c.bar - 0.08},
         {c.x1 - 0.05, c.y1 - 0.02, c.bar},
         {middle, c.y1 - 0.02, c.bar}},
        {{middle, c.y1 - 0.02, c.bar},
         {c.x1 - 0.05, c.y1 - 0.02, c.bar},
         {c.x1 - 0.28, c.y1 - 0.02, top},
         {middle, c.y1 - 0.02, top}},
        {{c.x0, c.y0 + 0.02, c.sill},
         {c.x1 - 0.08, c.y0 + 0.02, c.sill},
         {c.x1 - 0.28, c.y0 + 0.02, top},
         {c.x0, c.y0 + 0.02, top}},
        {{c.x0 + 0.02, c.y0, c.sill}, {c.x0 + 0.02, c.y1, c.sill}, {c.x0 + 0.02, c.y1, top}, {c.x0 + 0.02, c.y0, top}},
    };
    for (int k = 0; k < 7; k++) {
        mesh_pane(mesh, panes[k], &paint_glass);
    }
}
