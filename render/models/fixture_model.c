/// Draws fixtures as the solids that they are: a box in concrete, a post in steel with bands of warning colours.
#include "render/models/fixture_model.h"

#include <string.h>

#include "data/scene_fixture.h"
#include "render/models/parts.h"

#define BAND 0.25 ///< m: height of a band of a post

static const MeshMaterial paint_concrete = {{158, 154, 146, 255}, {40, 0, 120, 0}};

void fixture_mesh(const SceneFixture *fixture, Mesh *mesh)
{
    Vec3 points[SCENE_FIXTURE_MAX_POINTS];
    double outline[SCENE_POST_SIDES][2];
    int corners = scene_fixture_points(fixture, points) / 2;
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

void fixture_model_destroy(FixtureModel *model)
{
    solid_meshes_destroy(&model->mesh, 1);
    memset(model, 0, sizeof *model);
}

void fixture_model_follow(FixtureModel *model, const SceneParams *scene)
{
    size_t size = (size_t)scene->fixtures_count * sizeof *scene->fixtures;
    if (model->count == scene->fixtures_count && memcmp(model->fixtures, scene->fixtures, size) == 0) {
        return;
    }
    fixture_model_destroy(model);
    Mesh mesh = {0};
    for (int k = 0; k < scene->fixtures_count; k++) {
        fixture_mesh(&scene->fixtures[k], &mesh);
    }
    solid_mesh_create(&model->mesh, &mesh);
    memcpy(model->fixtures, scene->fixtures, size);
    model->count = scene->fixtures_count;
}

void fixture_model_draw(const FixtureModel *model, const SolidPass *pass)
{
    if (model->count > 0) {
        Pose world = {vec3(0.0, 0.0, 0.0), mat3_yaw(0.0)};
        solid_draw(solid_begin(pass, pass->programs->plain), &model->mesh, &world);
    }
}
