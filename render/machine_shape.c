/// Puts the meshes of a machine together, which pictures draw apart: the cab on its body, the shoes on their belt, eyes
/// on cylinders and bars.
#include "render/machine_shape.h"

#include "render/meshes/fittings.h"
#include "render/meshes/machine_mesh.h"

/// Moves the vertices from `first` on, built in a frame of unit sizes: scaled along x, y and z, then with x along
/// `axis` and y along `side` (unit, square to each other) from `origin` on.
static void put(Mesh *mesh, int first, Vec3 origin, Vec3 axis, Vec3 side, Vec3 scale)
{
    Vec3 up = vec3_cross(axis, side);
    Pose pose = {origin, {{{axis.x, side.x, up.x}, {axis.y, side.y, up.y}, {axis.z, side.z, up.z}}}};
    mesh_stretch(mesh, first, (double[]){scale.x, scale.y, scale.z});
    mesh_place(mesh, first, &pose);
}

static const Vec3 ahead = {1.0, 0.0, 0.0}, left = {0.0, 1.0, 0.0};

static void put_eye(Mesh *mesh, double x, double half_width, double radius)
{
    int first = mesh->vertex_count;
    strut_mesh_eye(mesh);
    put(mesh, first, vec3(x, 0.0, 0.0), left, ahead, vec3(half_width, radius, radius));
}

/// ---- bodies and belts ----------------------------------------------------------------------------------------------

static void add_levers(const MachineParams *params, Mesh *mesh)
{
    CabLever levers[CAB_MAX_LEVERS];
    int count = cab_levers(params, levers);
    for (int k = 0; k < count; k++) {
        int first = mesh->vertex_count;
        if (levers[k].pedal) {
            cab_mesh_travel_lever(mesh);
        } else {
            cab_mesh_joystick(mesh);
        }
        put(mesh, first, levers[k].pivot, ahead, left, vec3(levers[k].size, levers[k].size, levers[k].size));
    }
}

static void add_lenses(const MachineParams *params, int body, Mesh *mesh)
{
    FittingLamp lamps[FITTINGS_MAX_LAMPS];
    int count = machine_lamps(params, lamps);
    for (int k = 0; k < count; k++) {
        if (lamps[k].body == body) {
            Pose frame = fitting_frame(lamps[k].at, lamps[k].direction);
            int first = mesh->vertex_count;
            fitting_mesh_lens(false, mesh);
            mesh_place(mesh, first, &frame);
        }
    }
}

static void add_body(const MachineParams *params, int body, Mesh *mesh)
{
    machine_mesh_body(params, body, mesh);
    add_lenses(params, body, mesh);
    if (body == params->cab_body) {
        machine_mesh_cab(params, mesh);
        add_levers(params, mesh);
        machine_mesh_glass(params, mesh);
    }
}

static void add_belt(const MachineParams *params, int side, Mesh *mesh)
{
    TrackPath path = track_path(&params->tracks);
    double y = (side == 0 ? 0.5 : -0.5) * params->tracks.gauge;
    for (int k = 0; k < path.shoes; k++) {
        float at[4];
        track_path_at(&path, k * path.pitch, at);
        double c = (double)at[2], s = (double)at[3];
        int first = mesh->vertex_count;
        machine_mesh_plain_shoe(params, mesh);
        put(mesh, first, vec3((double)at[0], y, (double)at[1]), vec3(c, 0.0, s), left, vec3(1.0, 1.0, 1.0));
    }
}

/// ---- cylinders and bars --------------------------------------------------------------------------------------------

static void add_barrel(double length, double radius, Mesh *mesh)
{
    int first = mesh->vertex_count;
    strut_mesh_barrel(mesh);
    put(mesh, first, vec3(0.0, 0.0, 0.0), ahead, left, vec3(length, radius, radius));
    put_eye(mesh, 0.0, radius, 1.15 * radius);
}

static void add_rod(double length, double radius, Mesh *mesh)
{
    int first = mesh->vertex_count;
    strut_mesh_rod(mesh);
    put(mesh, first, vec3(0.0, 0.0, 0.0), ahead, left, vec3(length, radius, radius));
    put_eye(mesh, 0.0, 1.4 * radius, 1.5 * radius);
}

/// Two plates outside the stick, on common pins (render/models/machine_model.c draws them alike).
static void add_bar(const MachineParams *params, double length, double radius, Mesh *mesh)
{
    double half = excavator_stick_half_width(params) + 0.055;
    for (int side = -1; side <= 1; side += 2) {
        int first = mesh->vertex_count;
        strut_mesh_bar(mesh);
        put(mesh, first, vec3(-1.2 * radius, side * half, 0.0), ahead, left,
            vec3(length + 2.4 * radius, 0.022, 1.25 * radius));
    }
    put_eye(mesh, 0.0, half + 0.05, radius);
    put_eye(mesh, length, half + 0.05, radius);
}

bool render_shape_build(const MachineParams *params, const RenderShape *shape, Mesh *mesh)
{
    switch (shape->kind) {
    case RENDER_SHAPE_BODY:
        add_body(params, shape->index, mesh);
        break;
    case RENDER_SHAPE_BELT:
        add_belt(params, shape->index, mesh);
        break;
    case RENDER_SHAPE_BARREL:
        add_barrel(shape->length, shape->radius, mesh);
        break;
    case RENDER_SHAPE_ROD:
        add_rod(shape->length, shape->radius, mesh);
        break;
    case RENDER_SHAPE_BAR:
        add_bar(params, shape->length, shape->radius, mesh);
        break;
    }
    mesh_orient(mesh);
    return !mesh->failed;
}
