/// Stretches a flat square over the box of the water. The ground that is higher than its level hides the rest.
#include "render/models/water_model.h"

#include <string.h>

#include "render/meshes/mesh.h"

static const MeshMaterial muddy = {{62, 68, 66, 255}, {252, 0, 0, 0}};
static const double thickness = 0.01; ///< m below the surface
static const double least_depth = 0.004; ///< m: less is a wet floor

void water_model_destroy(WaterModel *model)
{
    solid_meshes_destroy(&model->mesh, 1);
    memset(model, 0, sizeof *model);
}

void water_model_follow(WaterModel *model, const RenderWater *water)
{
    if (water->depth > least_depth && !model->made) {
        Mesh mesh = {0};
        mesh_box(&mesh, (double[]){-0.5, -0.5, -thickness}, (double[]){0.5, 0.5, 0.0}, 0.0, &muddy);
        solid_mesh_create(&model->mesh, &mesh);
        model->made = true;
    }
}

void water_model_draw(const WaterModel *model, const SolidPass *pass, const RenderWater *water)
{
    if (!(water->depth > least_depth) || pass->depth) {
        return;
    }
    const SolidProgram *program = solid_begin(pass, pass->programs->plain);
    const double *low = water->low, *high = water->high;
    Vec3 middle = vec3(0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1]), water->level);
    solid_draw_stretched(program, &model->mesh, middle, vec3(1.0, 0.0, 0.0), vec3(0.0, 1.0, 0.0),
                         vec3(high[0] - low[0], high[1] - low[1], 1.0));
}
