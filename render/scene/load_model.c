/// Draws pipes and their slings. A pipe is open at both ends; where a sling holds it there is a band around it.
#include "render/scene/load_model.h"

#include <string.h>

#include "render/meshes/mesh.h"

#define WALL_SHARE 0.93 ///< of the outer radius: the inner one
#define ROPE       0.014 ///< m: radius, a little thicker than it is, so that it is seen
#define BAND       0.10 ///< m along the pipe
#define BAND_OVER  1.02 ///< of the pipe's radius

static const MeshMaterial pipe_paint = {{122, 128, 134, 255}, {120, 60, 60, 0}};

static void make(Mesh *mesh, LoadPart part)
{
    const double a[3] = {0.0, 0.0, 0.0}, b[3] = {1.0, 0.0, 0.0};
    const double ring[5][2] = {{0.0, WALL_SHARE}, {0.0, 1.0}, {1.0, 1.0}, {1.0, WALL_SHARE}, {0.0, WALL_SHARE}};
    if (part == LOAD_PART_PIPE) {
        mesh_lathe(mesh, a, b, ring, 5, 40, &pipe_paint);
    } else {
        mesh_cylinder(mesh, a, b, 1.0, 0.0, 24, part == LOAD_PART_ROPE ? &paint_steel : &paint_dark);
    }
}

void load_model_destroy(LoadModel *model)
{
    solid_meshes_destroy(model->part, LOAD_PART_COUNT);
    memset(model, 0, sizeof *model);
}

void load_model_follow(LoadModel *model, int load_count)
{
    for (int k = 0; load_count > 0 && !model->made && k < LOAD_PART_COUNT; k++) {
        Mesh mesh = {0};
        make(&mesh, (LoadPart)k);
        solid_mesh_create(&model->part[k], &mesh);
    }
    model->made = model->made || load_count > 0;
}

static void draw_between(const SolidProgram *program, const SolidMesh *mesh, Vec3 a, Vec3 b, double radius)
{
    Vec3 span = vec3_sub(b, a);
    double length = vec3_length(span);
    if (length > 0.0) {
        Vec3 axis = vec3_scale(span, 1.0 / length);
        Vec3 side = fabs(axis.z) < 0.9 ? vec3(0.0, 0.0, 1.0) : vec3(1.0, 0.0, 0.0);
        side = vec3_unit(vec3_madd(side, -vec3_dot(side, axis), axis), side);
        solid_draw_stretched(program, mesh, a, axis, side, vec3(length, radius, radius));
    }
}

void load_model_draw(const LoadModel *model, const SolidPass *pass, const RenderView *view)
{
    const SolidProgram *program = solid_begin(pass, pass->programs->plain);
    for (int k = 0; k < view->load_count; k++) {
        const RenderLoad *load = &view->loads[k];
        draw_between(program, &model->part[LOAD_PART_PIPE], load->end[0], load->end[1], load->radius);
        Vec3 axis = vec3_unit(vec3_sub(load->end[1], load->end[0]), vec3(1.0, 0.0, 0.0));
        for (int n = 0; n < load->leg_count; n++) {
            draw_between(program, &model->part[LOAD_PART_ROPE], load->eye, load->hitch[n], ROPE);
            double along = vec3_dot(vec3_sub(load->hitch[n], load->end[0]), axis);
            Vec3 low = vec3_madd(load->end[0], along - 0.5 * BAND, axis);
            draw_between(program, &model->part[LOAD_PART_BAND], low, vec3_madd(low, BAND, axis),
                         BAND_OVER * load->radius);
        }
    }
}
