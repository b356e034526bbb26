/// Builds a cab around the driver's eye: pillars, sills, roof and its panes. The box is
/// the machine file's (MachineCab); pillars are kept thin and where real ones are, because they hide the work from the
/// driver.
#include "render/meshes/machine_mesh.h"

#include <math.h>

#include "render/meshes/fitting_mesh.h"
#include "render/meshes/parts.h"

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

/// A pillar between two points of the x-z plane, `width` m across, from y0 to y1.
static void pillar(Mesh *mesh, double xa, double za, double xb, double zb, double width, double y0, double y1)
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
        pillar(mesh, c->x0 + 0.05, c->z0, c->x0 + 0.05, c->z1 - 0.05, 0.10, a, b);
        pillar(mesh, c->x1 - c->lean, c->z0 + 0.05, c->x1 - 0.03, c->bar, c->post, a, b);
        pillar(mesh, c->x1 - 0.03, c->bar, c->x1 - 0.26, c->z1 - 0.04, c->post, a, b);
        pillar(mesh, c->x0, c->z1 - 0.07, c->x1 - 0.24, c->z1 - 0.07, 0.08, a, b);
        pillar(mesh, c->x0, c->sill, side == 0 ? c->x1 - 0.12 : middle, c->sill, 0.05, a, b);
        if (side == 1) {
            pillar(mesh, middle, c->z0, middle, c->z1 - 0.07, 0.07, a, b);
            pillar(mesh, middle, c->bar - 0.06, c->x1 - 0.06, c->bar - 0.06, 0.05, a, b);
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

/// Lamps over the windows, mirrors and the arms that hold them.
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
    cab_mesh_inside(params, mesh);
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
