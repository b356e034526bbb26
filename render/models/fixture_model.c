/// Draws fixtures as solids: a box in concrete, a post in steel with bands of warning colours, a pipe in blue; persons
/// as simple figures in hi-vis clothes, as tall and as wide as their capsules, in proportions chosen by eye; and rocks.
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

/// ---- persons -------------------------------------------------------------------------------------------------------

static const MeshMaterial cloth_orange = {{255, 96, 10, 255}, {25, 0, 20, 40}};
static const MeshMaterial cloth_stripe = {{235, 238, 220, 255}, {200, 0, 0, 60}};
static const MeshMaterial cloth_dark = {{38, 44, 62, 255}, {20, 0, 60, 0}};
static const MeshMaterial skin = {{205, 160, 128, 255}, {40, 0, 0, 0}};
static const MeshMaterial helmet = {{245, 240, 228, 255}, {190, 0, 20, 10}};

/// m: size in which the figure is built, before it is stretched.
#define FIGURE_HEIGHT 1.80
#define FIGURE_RADIUS 0.25

static void add_round(Mesh *mesh, const double (*profile)[2], int points, const MeshMaterial *material)
{
    mesh_lathe(mesh, (double[]){0, 0, 0}, (double[]){0, 0, 1}, profile, points, 16, material);
}

/// Adds trunk and head: bodies turned about the middle; the trunk is flattened from front to back.
static void add_trunk(Mesh *mesh)
{
    static const double hips[][2] = {{0.80, 0.0}, {0.80, 0.150}, {0.92, 0.175}, {0.94, 0.175}, {0.94, 0.0}};
    static const double belly[][2] = {{0.90, 0.0}, {0.90, 0.188}, {1.05, 0.184}, {1.05, 0.0}};
    static const double stripe[][2] = {{1.05, 0.0}, {1.05, 0.188}, {1.11, 0.192}, {1.11, 0.0}};
    static const double chest[][2] = {{1.11, 0.0},   {1.11, 0.190}, {1.34, 0.212}, {1.42, 0.200},
                                      {1.46, 0.150}, {1.49, 0.075}, {1.50, 0.0}};
    static const double neck[][2] = {{1.47, 0.062}, {1.56, 0.058}};
    static const double head[][2] = {{1.53, 0.0},   {1.54, 0.055}, {1.58, 0.082}, {1.64, 0.096},
                                     {1.70, 0.098}, {1.74, 0.07},  {1.75, 0.0}};
    static const double hat[][2] = {{1.685, 0.0},  {1.685, 0.128}, {1.70, 0.128}, {1.708, 0.118},
                                    {1.75, 0.112}, {1.785, 0.075}, {1.80, 0.0}};
    int first = mesh->vertex_count;
    add_round(mesh, hips, 5, &cloth_dark);
    add_round(mesh, belly, 4, &cloth_orange);
    add_round(mesh, stripe, 4, &cloth_stripe);
    add_round(mesh, chest, 7, &cloth_orange);
    mesh_stretch(mesh, first, (double[]){0.68, 1.0, 1.0});
    for (int side = -1; side <= 1; side += 2) { // stripes over the shoulders
        const Vec3 brace[7] = {{0.136, side * 0.085, 1.10}, {0.150, side * 0.09, 1.30},   {0.128, side * 0.088, 1.42},
                               {0.02, side * 0.085, 1.487}, {-0.128, side * 0.088, 1.42}, {-0.150, side * 0.09, 1.30},
                               {-0.136, side * 0.085, 1.10}};
        mesh_sweep(mesh, brace, 7, vec3(0.0, 1.0, 0.0), 0.022, 5, &cloth_stripe);
    }
    add_round(mesh, neck, 2, &skin);
    add_round(mesh, head, 7, &skin);
    part_box(mesh, 0.080, 0.112, -0.014, 0.014, 1.605, 1.650, 0.010, &skin); // nose
    add_round(mesh, hat, 7, &helmet);
    const double peak[4][2] = {{0.06, 1.686}, {0.175, 1.676}, {0.175, 1.684}, {0.06, 1.704}};
    mesh_prism(mesh, MESH_PLANE_XZ, peak, 4, -0.085, 0.085, 0.004, &helmet);
}

/// Adds a limb of three joints, with a stripe round the middle of its second part.
static void add_limb(Mesh *mesh, const Vec3 joint[3], const double radius[3], const MeshMaterial *cloth)
{
    for (int part = 0; part < 2; part++) {
        const double a[3] = {joint[part].x, joint[part].y, joint[part].z};
        const double b[3] = {joint[part + 1].x, joint[part + 1].y, joint[part + 1].z};
        double r = radius[part], s = radius[part + 1], length = vec3_length(vec3_sub(joint[part + 1], joint[part]));
        const double profile[6][2] = {{-0.9 * r, 0.0}, {-0.5 * r, 0.8 * r},         {0.0, r},
                                      {length, s},     {length + 0.5 * s, 0.8 * s}, {length + 0.6 * s, 0.0}};
        mesh_lathe(mesh, a, b, profile, 6, 12, cloth);
    }
    Vec3 from = vec3_madd(joint[1], 0.30, vec3_sub(joint[2], joint[1])),
         to = vec3_madd(joint[1], 0.48, vec3_sub(joint[2], joint[1]));
    part_bar(mesh, from.x, from.y, from.z, to.x, to.y, to.z, 0.5 * (radius[1] + radius[2]) + 0.007, 12, &cloth_stripe);
}

static void add_limbs(Mesh *mesh)
{
    static const double leg[3] = {0.088, 0.066, 0.056}, arm[3] = {0.062, 0.050, 0.042}; // m
    for (int side = -1; side <= 1; side += 2) {
        // One foot and one hand a little ahead, as people stand.
        double ahead = side > 0 ? 0.05 : -0.02, y = 0.092 * side;
        const Vec3 hip[3] = {{0.0, y, 0.84}, {0.5 * ahead + 0.015, 1.08 * y, 0.46}, {ahead, 1.2 * y, 0.08}};
        add_limb(mesh, hip, leg, &cloth_dark);
        const double boot[6][2] = {{ahead - 0.085, 0.0},  {ahead + 0.185, 0.0}, {ahead + 0.195, 0.045},
                                   {ahead + 0.10, 0.085}, {ahead + 0.05, 0.15}, {ahead - 0.085, 0.15}};
        mesh_prism(mesh, MESH_PLANE_XZ, boot, 6, 1.2 * y - 0.05, 1.2 * y + 0.05, 0.02, &paint_black);
        double out = 0.212 * side, hand = side > 0 ? 0.12 : 0.05;
        const Vec3 shoulder[3] = {{0.0, out, 1.38}, {-0.02, 1.06 * out, 1.12}, {hand, 1.04 * out, 0.90}};
        add_limb(mesh, shoulder, arm, &cloth_orange);
        const double palm[3] = {hand, 1.04 * out, 0.90}, tips[3] = {hand + 0.07, 1.0 * out, 0.78};
        const double glove[5][2] = {{0.0, 0.036}, {0.03, 0.045}, {0.10, 0.040}, {0.14, 0.02}, {0.145, 0.0}};
        mesh_lathe(mesh, palm, tips, glove, 5, 8, &paint_black);
    }
}

void person_mesh(const ScenePerson *person, double ground, double facing, Mesh *mesh)
{
    int first = mesh->vertex_count;
    double wide = person->radius / FIGURE_RADIUS;
    add_trunk(mesh);
    add_limbs(mesh);
    mesh_stretch(mesh, first, (double[]){wide, wide, person->height / FIGURE_HEIGHT});
    const Pose stands = {vec3(person->x, person->y, ground), mat3_yaw(facing)};
    mesh_place(mesh, first, &stands);
}

/// ---- fixtures and persons on the GPU -------------------------------------------------------------------------------

void fixture_model_destroy(FixtureModel *model)
{
    solid_meshes_destroy(&model->mesh, 1);
    solid_meshes_destroy(&model->walker, 1);
    memset(model, 0, sizeof *model);
}

static bool is_made_of(const FixtureModel *model, const SceneParams *scene, const double *ground)
{
    size_t fixtures = (size_t)scene->fixtures_count, persons = (size_t)scene->persons_count;
    return model->watched[0] == scene->machine.x && model->watched[1] == scene->machine.y &&
           model->count == scene->fixtures_count && model->person_count == scene->persons_count &&
           memcmp(model->fixtures, scene->fixtures, fixtures * sizeof *scene->fixtures) == 0 &&
           memcmp(model->persons, scene->persons, persons * sizeof *scene->persons) == 0 &&
           memcmp(model->ground, ground, persons * sizeof *ground) == 0;
}

void fixture_model_follow(FixtureModel *model, const SceneParams *scene, const double *ground, const RenderFall *falls)
{
    if (!model->has_walker) {
        Mesh walker = {0};
        person_mesh(&(ScenePerson){.radius = FIGURE_RADIUS, .height = FIGURE_HEIGHT}, 0.0, 0.0, &walker);
        solid_mesh_create(&model->walker, &walker);
        model->has_walker = true;
    }
    if (is_made_of(model, scene, ground) && memcmp(model->falls, falls, sizeof model->falls) == 0) {
        return;
    }
    solid_meshes_destroy(&model->mesh, 1);
    Mesh mesh = {0};
    for (int k = 0; k < scene->fixtures_count; k++) {
        const SceneFixture *fixture = &scene->fixtures[k];
        SceneFixture now = falls[k].lies ? scene_fixture_lying(fixture, falls[k].heading) : *fixture;
        fixture_mesh(&now, fixture->shape == SCENE_FIXTURE_POST ? &paint_red : &paint_pipe, &mesh);
    }
    for (int k = 0; k < scene->persons_count; k++) {
        // Persons face the place where the machine starts.
        const ScenePerson *person = &scene->persons[k];
        person_mesh(person, ground[k], atan2(scene->machine.y - person->y, scene->machine.x - person->x), &mesh);
    }
    solid_mesh_create(&model->mesh, &mesh);
    memcpy(model->fixtures, scene->fixtures, sizeof model->fixtures);
    memcpy(model->persons, scene->persons, sizeof model->persons);
    memcpy(model->falls, falls, sizeof model->falls);
    memcpy(model->ground, ground, sizeof model->ground);
    model->watched[0] = scene->machine.x;
    model->watched[1] = scene->machine.y;
    model->count = scene->fixtures_count;
    model->person_count = scene->persons_count;
}

void fixture_model_draw(const FixtureModel *model, const Pose *walker, const SolidPass *pass)
{
    if (walker != NULL) {
        solid_draw(solid_begin(pass, pass->programs->plain), &model->walker, walker);
    }
    if (model->count + model->person_count > 0) {
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
