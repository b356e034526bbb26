/// Bends hoses and sends them to the GPU. The memory of their mesh is that of the first frame.
#include "render/models/hose_model.h"

#include <string.h>

#include "render/meshes/mesh.h"

void hose_model_destroy(HoseModel *model)
{
    solid_meshes_destroy(&model->mesh, 1);
    mesh_free(&model->bent);
    memset(model, 0, sizeof *model);
}

/// Adds all hoses, each between the frames of its ends.
static void sweep_all(HoseModel *model, const Pose (*frames)[2], Mesh *mesh)
{
    static const MeshMaterial jacket = {{30, 30, 31, 255}, {70, 0, 70, 0}};
    Vec3 points[HOSE_MAX_POINTS];
    for (int k = 0; k < model->count; k++) {
        const Mat3 *turn = &frames[k][0].rotation;
        hose_curve(&model->hose[k], frames[k], model->points, points);
        mesh_sweep(mesh, points, model->points, vec3(turn->m[0][1], turn->m[1][1], turn->m[2][1]),
                   model->hose[k].radius, model->segments, &jacket);
    }
}

void hose_model_make(HoseModel *model, const MachineParams *params, bool plain)
{
    hose_model_destroy(model);
    model->count = machine_hoses(params, model->hose);
    model->points = plain ? 8 : HOSE_MAX_POINTS;
    model->segments = plain ? 4 : 8;
    Pose frames[HOSES_MAX][2];
    for (int k = 0; k < model->count; k++) {
        frames[k][0] = frames[k][1] = (Pose){vec3(0.0, 0.0, 0.0), mat3_identity()};
    }
    Mesh mesh = {0};
    sweep_all(model, (const Pose(*)[2])frames, &mesh);
    solid_mesh_create(&model->mesh, &mesh);
}

/// The frame of the cylinder that carries an end: of all the one whose base is nearest to where its pin must be.
static Pose cylinder_frame(const MachineParams *params, const HoseEnd *end, const Pose *body, const RenderStrut *struts,
                           int strut_count)
{
    const Mat3 *turn = &body[end->body].rotation;
    Vec3 pin = pose_apply(&body[end->body], hose_cylinder_pin(params, end));
    Vec3 side = vec3(turn->m[0][1], turn->m[1][1], turn->m[2][1]);
    Pose frame = {pin, *turn};
    double nearest = 1e9;
    for (int k = 0; k < strut_count; k++) {
        double apart = vec3_length(vec3_sub(struts[k].a, pin));
        if (!struts[k].bar && apart < nearest) {
            Vec3 x = vec3_unit(vec3_sub(struts[k].b, struts[k].a), vec3(1.0, 0.0, 0.0));
            Vec3 z = vec3_unit(vec3_cross(x, side), vec3(0.0, 0.0, 1.0)), y = vec3_cross(z, x);
            nearest = apart;
            frame = (Pose){struts[k].a, {{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}}};
        }
    }
    return frame;
}

void hose_model_bend(HoseModel *model, const MachineParams *params, const Pose *body, const RenderStrut *struts,
                     int strut_count)
{
    Pose frames[HOSES_MAX][2];
    for (int k = 0; k < model->count; k++) {
        for (int end = 0; end < 2; end++) {
            const HoseEnd *at = &model->hose[k].end[end];
            frames[k][end] = at->joint < 0 ? body[at->body] : cylinder_frame(params, at, body, struts, strut_count);
        }
    }
    model->bent.vertex_count = model->bent.index_count = 0;
    sweep_all(model, (const Pose(*)[2])frames, &model->bent);
    solid_mesh_move(&model->mesh, &model->bent);
}

void hose_model_draw(const HoseModel *model, const SolidProgram *program)
{
    const Pose world = {vec3(0.0, 0.0, 0.0), mat3_identity()};
    solid_draw(program, &model->mesh, &world);
}
