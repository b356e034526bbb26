/// The bodies of a machine of any type, and the pieces of its cylinders and bars. The meshes of a type are in
/// excavator_mesh.c or dozer_mesh.c, which fill the table of bodies.
#include "render/meshes/machine_mesh.h"

#include <stddef.h>

/// What hangs on the stick and the link: the tool, the bracket of a rotator, or the upper part of a tiltrotator.
static void mesh_on_link(const MachineParams *params, Mesh *mesh)
{
    if (params->tool[0].body == EXCAVATOR_BUCKET) {
        excavator_mesh_bucket(params, mesh);
    } else if (machine_tool_turns(params)) {
        grab_mesh_bracket(params, mesh);
    } else {
        coupler_mesh(params, EXCAVATOR_BUCKET, mesh);
    }
}

/// What comes next: the housing of a tiltrotator, or a tool below its rotator.
static void mesh_below_link(const MachineParams *params, Mesh *mesh)
{
    if (machine_tool_turns(params)) {
        excavator_mesh_bucket(params, mesh);
    } else {
        coupler_mesh_housing(params, mesh);
    }
}

/// Builders of a type's bodies, in the order of MachineParams.body.
static const MachineMeshBuilder body_builders[][MACHINE_MAX_BODIES] = {
    [MACHINE_EXCAVATOR] = {excavator_mesh_undercarriage, excavator_mesh_house, excavator_mesh_boom,
                           excavator_mesh_stick, mesh_on_link, mesh_below_link, excavator_mesh_bucket},
    [MACHINE_DOZER] = {dozer_mesh_chassis, dozer_mesh_ripper, dozer_mesh_push_frame, dozer_mesh_yoke, dozer_mesh_blade},
};

/// Adds a body of a type of machine that has no meshes of its own: the box of equal inertia, and the body's tools.
static void build_plain_body(const MachineParams *params, int body, Mesh *mesh)
{
    const double *c = params->body[body].center, *s = params->body[body].inertia_size;
    part_box(mesh, c[0] - 0.5 * s[0], c[0] + 0.5 * s[0], c[1] - 0.5 * s[1], c[1] + 0.5 * s[1], c[2] - 0.5 * s[2],
             c[2] + 0.5 * s[2], 0.03, &paint_yellow);
    for (int k = 0; k < params->tool_count; k++) {
        const ToolShape *shape = &params->tool[k].shape;
        for (int i = 0; i < shape->piece_count && params->tool[k].body == body; i++) {
            const ToolPiece *piece = &shape->pieces[i];
            mesh_prism(mesh, MESH_PLANE_XZ, piece->corners, piece->corner_count, piece->y_min, piece->y_max, 0.006,
                       &paint_worn);
        }
    }
}

void machine_mesh_body(const MachineParams *params, int body, Mesh *mesh)
{
    bool known = (size_t)params->type < sizeof body_builders / sizeof *body_builders;
    if (body >= params->body_count - params->jaw_count && body < params->body_count) {
        (params->thumb ? thumb_mesh : grab_mesh_jaw)(params, body, mesh);
    } else if (known && body_builders[params->type][body] != NULL) {
        body_builders[params->type][body](params, mesh);
    } else {
        build_plain_body(params, body, mesh);
    }
}

void strut_mesh_barrel(Mesh *mesh)
{
    const double a[3] = {0.0, 0.0, 0.0}, b[3] = {1.0, 0.0, 0.0};
    const double profile[8][2] = {{0.0, 0.0},   {0.0, 0.9},    {0.02, 1.0}, {0.90, 1.0},
                                  {0.90, 1.13}, {0.985, 1.13}, {1.0, 1.0},  {1.0, 0.0}};
    mesh_lathe(mesh, a, b, profile, 8, 24, &paint_dark);
    // The pipe to the port at the rod's end, between two blocks.
    const Vec3 pipe[2] = {{0.30, 0.0, 1.28}, {0.89, 0.0, 1.28}};
    mesh_sweep(mesh, pipe, 2, vec3(0.0, 1.0, 0.0), 0.18, 6, &paint_black);
    part_box(mesh, 0.28, 0.31, -0.3, 0.3, 0.8, 1.5, 0.0, &paint_black);
    part_box(mesh, 0.88, 0.91, -0.3, 0.3, 0.8, 1.5, 0.0, &paint_black);
}

void strut_mesh_rod(Mesh *mesh)
{
    mesh_cylinder(mesh, (double[]){0.0, 0.0, 0.0}, (double[]){1.0, 0.0, 0.0}, 1.0, 0.0, 20, &paint_chrome);
}

void strut_mesh_bar(Mesh *mesh)
{
    part_box(mesh, 0.0, 1.0, -1.0, 1.0, -1.0, 1.0, 0.03, &paint_dark);
}

void strut_mesh_eye(Mesh *mesh)
{
    mesh_cylinder(mesh, (double[]){-1.0, 0.0, 0.0}, (double[]){1.0, 0.0, 0.0}, 1.0, 0.12, 20, &paint_dark);
}
