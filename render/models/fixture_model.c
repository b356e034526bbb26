/// Draws fixtures as solids: a box in concrete, a post in steel with bands of warning colours, a pipe in blue; and
/// rocks.
#include "render/models/fixture_model.h"

#include <math.h>
#include <string.h>

#include "data/schema/scene_site.h"
#include "render/meshes/mesh.h"
#include "render/models/rock_mesh.h"

#define BAND 0.25 ///< m: height of a band of a post

/// m by which a pipe is drawn thicker, so that it is visible under a film of soil (SCENE_EXPOSED_FILM).
#define COAT 0.03

enum { PIPE_SIDES = 32 };

static const MeshMaterial paint_pipe = {{34, 92, 168, 255}, {110, 0, 60, 0}};
static const MeshMaterial paint_concrete = {{158, 154, 146, 255}, {40, 0, 120, 0}};

/// Adds a fixture's mesh. Pure.
static void fixture_mesh(const SceneFixture *fixture, const MeshMaterial *pipe, Mesh *mesh)
{
    if (fixture->shape == SCENE_FIXTURE_PIPE) {
        double half = 0.5 * fixture->length, c = half * cos(fixture->heading), s = half * sin(fixture->heading);
        mesh_cylinder(mesh, (const double[]){fixture->x - c, fixture->y - s, fixture->z},
                      (const double[]){fixture->x + c, fixture->y + s, fixture->z}, fixture->radius + COAT, 0.01,
                      PIPE_SIDES, pipe);
        return;
    }
    Vec3 points[SCENE_POST_SIDES];
    double outline[SCENE_POST_SIDES][2];
    int corners = scene_fixture_outline(fixture, points);
    for (int k = 0; k < corners; k++) {
        outline[k][0] = points[k].x;
        outline[k][1] = points[k].y;
    }
    if (fixture->shape == SCENE_FIXTURE_BOX) {
        mesh_prism(mesh, MESH_PLANE_XY, (const double(*)[2])outline, corners, fixture->bottom, fixture->top, 0.02,
                   &paint_concrete);
        return;
    }
    int bands = (int)((fixture->top - fixture->bottom) / BAND) + 1;
    for (int k = 0; k < bands; k++) {
        double low = fixture->bottom + k * BAND, high = fmin(low + BAND, fixture->top);
        if (high > low) {
            mesh_prism(mesh, MESH_PLANE_XY, (const double(*)[2])outline, corners, low, high, 0.0,
                       k % 2 == 0 ? &paint_red : &paint_white);
        }
    }
}

/// ---- fixtures on the GPU -------------------------------------------------------------------------------------------

void fixture_model_destroy(FixtureModel *model)
{
    solid_meshes_destroy(&model->mesh, 1);
    memset(model, 0, sizeof *model);
}

void fixture_model_follow(FixtureModel *model, const SceneParams *scene, const RenderFall *falls)
{
    size_t fixtures = (size_t)scene->fixtures_count;
    if (model->count == scene->fixtures_count &&
        memcmp(model->fixtures, scene->fixtures, fixtures * sizeof *scene->fixtures) == 0 &&
        memcmp(model->falls, falls, sizeof model->falls) == 0) {
        return;
    }
    solid_meshes_destroy(&model->mesh, 1);
    Mesh mesh = {0};
    for (int k = 0; k < scene->fixtures_count; k++) {
        const SceneFixture *fixture = &scene->fixtures[k];
        SceneFixture now = falls[k].lies ? scene_fixture_lying(fixture, falls[k].heading) : *fixture;
        fixture_mesh(&now, fixture->shape == SCENE_FIXTURE_POST ? &paint_red : &paint_pipe, &mesh);
    }
    solid_mesh_create(&model->mesh, &mesh);
    memcpy(model->fixtures, scene->fixtures, sizeof model->fixtures);
    memcpy(model->falls, falls, sizeof model->falls);
    model->count = scene->fixtures_count;
}

void fixture_model_draw(const FixtureModel *model, const SolidPass *pass)
{
    if (model->count > 0) {
        Pose world = {vec3(0.0, 0.0, 0.0), mat3_yaw(0.0)};
        solid_draw(solid_begin(pass, pass->programs->plain), &model->mesh, &world);
    }
}

/// ---- rocks ---------------------------------------------------------------------------------------------------------

/// Several rocks share a shape, so the meshes belong to shapes and are kept until these change.

void rock_model_destroy(RockModel *model)
{
    solid_meshes_destroy(model->mesh, model->count);
    memset(model, 0, sizeof(*model));
}

/// Rocks that break add shapes, so only what is another shape than before is made.
void rock_model_follow(RockModel *model, const RenderRocks *rocks, bool plain)
{
    for (int k = rocks->shape_count; k < model->count; k++) {
        solid_meshes_destroy(&model->mesh[k], 1);
    }
    for (int k = 0; k < rocks->shape_count; k++) {
        const RenderRockShape *shape = &rocks->shapes[k];
        if (k < model->count && memcmp(&model->shape[k], shape, sizeof *shape) == 0) {
            continue;
        }
        Mesh mesh = {0};
        rock_mesh(shape, k, plain, &mesh);
        solid_meshes_destroy(&model->mesh[k], 1);
        solid_mesh_create(&model->mesh[k], &mesh);
        model->shape[k] = *shape;
    }
    model->count = rocks->shape_count;
}

void rock_model_draw(const RockModel *model, const SolidPass *pass, const RenderRocks *rocks)
{
    const SolidProgram *program = solid_begin(pass, pass->programs->stone);
    for (int k = 0; k < rocks->count; k++) {
        solid_draw(program, &model->mesh[rocks->rocks[k].shape], &rocks->rocks[k].frame);
    }
}
