/// Draws fixtures as the solids that they are: a box in concrete, a post in steel with bands of warning colours, a pipe
/// in blue; and
/// persons as simple figures in hi-vis clothes, as tall and as wide as their capsules, in proportions chosen by eye.
#include "render/models/fixture_model.h"

#include <math.h>
#include <string.h>

#include "data/scene_fixture.h"
#include "render/meshes/parts.h"

#define BAND 0.25 ///< m: height of a band of a post

/// m that a pipe is drawn thicker than it is, so that it shows where no more than a film of soil is on it
/// (SCENE_EXPOSED_FILM).
#define COAT 0.03

enum { PIPE_SIDES = 32 };

static const MeshMaterial paint_pipe = {{34, 92, 168, 255}, {110, 0, 60, 0}};
static const MeshMaterial paint_concrete = {{158, 154, 146, 255}, {40, 0, 120, 0}};

void fixture_mesh(const SceneFixture *fixture, Mesh *mesh)
{
    if (fixture->shape == SCENE_FIXTURE_PIPE) {
        double half = 0.5 * fixture->length, c = half * cos(fixture->heading), s = half * sin(fixture->heading);
        mesh_cylinder(mesh, (const double[]){fixture->x - c, fixture->y - s, fixture->z},
                      (const double[]){fixture->x + c, fixture->y + s, fixture->z}, fixture->radius + COAT, 0.01,
                      PIPE_SIDES, &paint_pipe);
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

/// ---- persons -------------------------------------------------------------------------------------------------------

static const MeshMaterial cloth_orange = {{255, 96, 10, 255}, {25, 0, 20, 40}};
static const MeshMaterial cloth_stripe = {{235, 238, 220, 255}, {200, 0, 0, 60}};
static const MeshMaterial cloth_dark = {{38, 44, 62, 255}, {20, 0, 60, 0}};
static const MeshMaterial skin = {{205, 160, 128, 255}, {40, 0, 0, 0}};
static const MeshMaterial helmet = {{245, 240, 228, 255}, {190, 0, 20, 10}};

/// The figure is drawn so large, m, and then stretched.
#define FIGURE_HEIGHT 1.80
#define FIGURE_RADIUS 0.25

static void add_round(Mesh *mesh, const double (*profile)[2], int points, const MeshMaterial *material)
{
    mesh_lathe(mesh, (double[]){0, 0, 0}, (double[]){0, 0, 1}, profile, points, 16, material);
}

static void add_trunk(Mesh *mesh)
{
    static const double hips[][2] = {{0.80, 0.0}, {0.80, 0.155}, {0.92, 0.165}, {0.92, 0.0}};
    static const double belly[][2] = {{0.92, 0.0}, {0.92, 0.172}, {1.05, 0.165}, {1.05, 0.0}};
    static const double stripe[][2] = {{1.05, 0.0}, {1.05, 0.170}, {1.12, 0.175}, {1.12, 0.0}};
    static const double chest[][2] = {{1.12, 0.0},  {1.12, 0.175}, {1.36, 0.19},
                                      {1.46, 0.13}, {1.50, 0.06},  {1.50, 0.0}};
    static const double head[][2] = {{1.46, 0.05}, {1.54, 0.06}, {1.58, 0.09}, {1.66, 0.10}, {1.70, 0.10}, {1.70, 0.0}};
    static const double hat[][2] = {{1.68, 0.0},   {1.68, 0.145}, {1.70, 0.145}, {1.705, 0.12},
                                    {1.76, 0.105}, {1.79, 0.06},  {1.80, 0.0}};
    add_round(mesh, hips, 4, &cloth_dark);
    add_round(mesh, belly, 4, &cloth_orange);
    add_round(mesh, stripe, 4, &cloth_stripe);
    add_round(mesh, chest, 6, &cloth_orange);
    add_round(mesh, head, 6, &skin);
    add_round(mesh, hat, 7, &helmet);
}

static void add_limbs(Mesh *mesh)
{
    for (int side = -1; side <= 1; side += 2) {
        double y = 0.085 * side, arm = 0.215 * side;
        part_bar(mesh, 0.0, y, 0.05, 0.0, y, 0.84, 0.078, 12, &cloth_dark);
        part_bar(mesh, 0.0, y, 0.40, 0.0, y, 0.48, 0.083, 12, &cloth_stripe);
        part_box(mesh, -0.09, 0.17, y - 0.055, y + 0.055, 0.0, 0.09, 0.02, &paint_black);
        part_bar(mesh, 0.0, arm, 1.40, 0.02, arm, 0.94, 0.055, 10, &cloth_orange);
        part_bar(mesh, 0.01, arm, 1.18, 0.013, arm, 1.12, 0.059, 10, &cloth_stripe);
        part_bar(mesh, 0.02, arm, 0.94, 0.03, arm, 0.84, 0.045, 10, &skin);
    }
}

void person_mesh(const ScenePerson *person, double ground, Mesh *mesh)
{
    int first = mesh->vertex_count;
    double wide = person->radius / FIGURE_RADIUS;
    add_trunk(mesh);
    add_limbs(mesh);
    mesh_stretch(mesh, first, (double[]){wide, wide, person->height / FIGURE_HEIGHT});
    for (int k = first; k < mesh->vertex_count; k++) {
        mesh->vertices[k].position[0] += (float)person->x;
        mesh->vertices[k].position[1] += (float)person->y;
        mesh->vertices[k].position[2] += (float)ground;
    }
}

/// ---- the model -----------------------------------------------------------------------------------------------------

void fixture_model_destroy(FixtureModel *model)
{
    solid_meshes_destroy(&model->mesh, 1);
    memset(model, 0, sizeof *model);
}

static bool is_made_of(const FixtureModel *model, const SceneParams *scene, const double *ground)
{
    size_t fixtures = (size_t)scene->fixtures_count, persons = (size_t)scene->persons_count;
    return model->count == scene->fixtures_count && model->person_count == scene->persons_count &&
           memcmp(model->fixtures, scene->fixtures, fixtures * sizeof *scene->fixtures) == 0 &&
           memcmp(model->persons, scene->persons, persons * sizeof *scene->persons) == 0 &&
           memcmp(model->ground, ground, persons * sizeof *ground) == 0;
}

void fixture_model_follow(FixtureModel *model, const SceneParams *scene, const double *ground)
{
    if (is_made_of(model, scene, ground)) {
        return;
    }
    fixture_model_destroy(model);
    Mesh mesh = {0};
    for (int k = 0; k < scene->fixtures_count; k++) {
        fixture_mesh(&scene->fixtures[k], &mesh);
    }
    for (int k = 0; k < scene->persons_count; k++) {
        person_mesh(&scene->persons[k], ground[k], &mesh);
    }
    solid_mesh_create(&model->mesh, &mesh);
    memcpy(model->fixtures, scene->fixtures, sizeof model->fixtures);
    memcpy(model->persons, scene->persons, sizeof model->persons);
    memcpy(model->ground, ground, sizeof model->ground);
    model->count = scene->fixtures_count;
    model->person_count = scene->persons_count;
}

void fixture_model_draw(const FixtureModel *model, const SolidPass *pass)
{
    if (model->count + model->person_count > 0) {
        Pose world = {vec3(0.0, 0.0, 0.0), mat3_yaw(0.0)};
        solid_draw(solid_begin(pass, pass->programs->plain), &model->mesh, &world);
    }
}
