/// Builds what hangs on an excavator's stick, from the very pieces that the soil feels. Steel that soil rubs is bright:
/// teeth, cutting edge, side cutters, wear strips and the shell's inside; paint stays on the outside. Thicknesses of
/// what is bolted or welded on are chosen by eye for a 22 t machine.
#include "data/schema/excavator_params.h"
#include "render/meshes/machine_mesh.h"

#include <math.h>

#include "render/meshes/parts.h"

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

static PlanePoint piece_middle(const ToolPiece *piece)
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

/// The plates; of those that are not the edge the faces that look inside are worn bright.
static void add_shell(const ToolShape *tool, Mesh *mesh)
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

/// A tooth: an adapter that grips the lip, and a pointed tip on it.
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

/// Plates bolted on the front of the side plates, outside, a little ahead of them.
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

/// Strips on the outside of the plates next to the edge, which slide over the ground.
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

/// Ears between the two pins and the plates that are next to them.
static void add_ears(const MachineParams *params, Mesh *mesh)
{
    const ToolShape *tool = &params->tool[0].shape;
    const PlanePoint *link = &params->joint[EXCAVATOR_JOINT_BUCKET].linkage.link_pin;
    const PlanePoint origin = {0.0, 0.0};
    double reach[2] = {1e9, 1e9};
    PlanePoint shell[2] = {{0.2, 0.0}, {link->x + 0.2, link->z}};
    for (int i = 0; i < tool->piece_count; i++) {
        const ToolPiece *piece = &tool->pieces[i];
        PlanePoint middle = piece_middle(piece);
        double to[2] = {hypot(middle.x, middle.z), hypot(middle.x - link->x, middle.z - link->z)};
        for (int k = 0; k < 2 && is_across(tool, piece); k++) {
            if (to[k] < reach[k]) {
                reach[k] = to[k];
                shell[k] = middle;
            }
        }
    }
    const double ears[4][3] = {
        {0.0, 0.0, 0.13}, {link->x, link->z, 0.115}, {shell[0].x, shell[0].z, 0.05}, {shell[1].x, shell[1].z, 0.05}};
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
    if (params->hammer.blow_energy > 0.0) {
        hammer_mesh(params, mesh);
        add_ears(params, mesh);
        return;
    }
    add_shell(tool, mesh);
    if (bucket) {
        add_wear_strips(tool, mesh);
    }
    if (bucket && params->tool[0].teeth > 0) {
        add_side_cutters(tool, mesh);
    }
    add_teeth(tool, params->tool[0].teeth, mesh);
    add_ears(params, mesh);
}
