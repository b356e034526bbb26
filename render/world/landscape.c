/// Lays out the edge of a site, stakes with a tape, and what is around it, clear of where machines work: a fence, a
/// road with its posts and poles, huts and cars beside it, spare pipes, a heap, single trees and lines of them, houses.
/// Distances and numbers are chosen by eye; places follow from the seed of the scene.
#include "render/landscape.h"

#include <math.h>
#include <string.h>

#include "data/core/random.h"
#include "render/models/fixture_model.h"
#include "render/world/landscape_mesh.h"

#define ROAD_AWAY  22.0 ///< m from the site's edge to the road's middle
#define ROAD_WIDE  6.0 ///< m
#define ROAD_LONG  360.0 ///< m
#define TREES_AWAY 34.0 ///< m from the site's edge to the nearest single tree

/// A site and what is built around it.
typedef struct Site {
    double half_x, half_y; ///< m
    uint64_t seed, drawn; ///< numbers drawn so far
    bool plain;
    Mesh *mesh;
} Site;

/// The next number of the seed, low..high.
static double draw(Site *site, double low, double high)
{
    return low + (high - low) * random_unit(site->seed, 0x1a4d, site->drawn++);
}

/// A place `away` m beyond the middle of one of the four sides (0 east, 1 north, 2 west, 3 south), and `along` m to the
/// left of it as one looks out.
static Vec3 beyond(const Site *site, int side, double along, double away)
{
    double out = (side % 2 == 0 ? site->half_x : site->half_y) + away;
    static const int cosine[4] = {1, 0, -1, 0}, sine[4] = {0, 1, 0, -1};
    return vec3(cosine[side] * out - sine[side] * along, sine[side] * out + cosine[side] * along, 0.0);
}

static double half_along(const Site *site, int side)
{
    return side % 2 == 0 ? site->half_y : site->half_x;
}

static void add_fence(Site *site)
{
    const double away = 2.6;
    for (int side = 0; side < 4; side++) {
        double half = half_along(site, side) + away;
        landscape_fence(site->mesh, beyond(site, side, -half, away), beyond(site, side, half, away), site->plain);
    }
}

/// A tree, with its shadow where it is near enough for one.
static void add_tree(Site *site, Vec3 at, double height)
{
    double look = draw(site, 0.0, 1.0);
    landscape_tree(site->mesh, at, height, look, site->plain);
    if (!site->plain) {
        landscape_shadow(site->mesh, at, 0.32 * height, 0.8 * height);
    }
}

/// The road along one side, with what stands beside it.
static void add_road(Site *site, int side)
{
    const double half = 0.5 * ROAD_LONG;
    double facing = 0.5 * M_PI * (side + 1);
    landscape_road(site->mesh, beyond(site, side, -half, ROAD_AWAY), beyond(site, side, half, ROAD_AWAY), ROAD_WIDE,
                   24);
    for (double along = -100.0; along <= 100.0; along += site->plain ? 50.0 : 25.0) {
        landscape_road_post(site->mesh, beyond(site, side, along, ROAD_AWAY - 0.5 * ROAD_WIDE - 0.6));
        landscape_road_post(site->mesh, beyond(site, side, along, ROAD_AWAY + 0.5 * ROAD_WIDE + 0.6));
    }
    for (double along = -160.0; along <= 160.0; along += 40.0) {
        landscape_power_pole(site->mesh, beyond(site, side, along, ROAD_AWAY + 6.0), facing);
    }
    landscape_car(site->mesh, beyond(site, side, draw(site, 16.0, 40.0), ROAD_AWAY - 1.5), facing, draw(site, 0.0, 1.0),
                  site->plain);
}

/// Huts, a car and people between fence and road.
static void add_yard(Site *site, int side)
{
    double along = half_along(site, side) * draw(site, -0.6, 0.6), facing = 0.5 * M_PI * (side + 1);
    landscape_hut(site->mesh, beyond(site, side, along, 9.0), facing);
    landscape_hut(site->mesh, beyond(site, side, along + 6.6, 9.0), facing);
    landscape_car(site->mesh, beyond(site, side, along - 7.0, 9.0), facing + M_PI, draw(site, 0.0, 1.0), site->plain);
    for (int k = 0; k < 2 && !site->plain; k++) {
        Vec3 at = beyond(site, side, along + 1.5 + 1.1 * k, 5.2 + 0.5 * k);
        ScenePerson person = {.x = at.x, .y = at.y, .radius = 0.25, .height = 1.75};
        person_mesh(&person, 0.0, atan2(-at.y, -at.x), site->mesh); // they watch the site
        landscape_shadow(site->mesh, at, 0.35, 1.75);
    }
}

/// Spare pipes and a heap of topsoil, by another side.
static void add_stores(Site *site, int side)
{
    double half = half_along(site, side), facing = 0.5 * M_PI * side;
    landscape_pipes(site->mesh, beyond(site, side, 0.35 * half, 5.5), facing, site->plain);
    landscape_pipes(site->mesh, beyond(site, side, 0.35 * half + 3.4, 5.5), facing, site->plain);
    landscape_heap(site->mesh, beyond(site, side, -0.45 * half, 10.0), draw(site, 2.0, 2.8), site->plain);
}

/// Single trees and lines of them on the sides without the road, houses behind.
static void add_country(Site *site, int road)
{
    int single = site->plain ? 8 : 22, row = site->plain ? 11 : 30;
    for (int k = 0; k < single; k++) {
        int side = (road + 1 + k % 3) % 4;
        double away = TREES_AWAY + 90.0 * pow(draw(site, 0.0, 1.0), 1.5);
        add_tree(site, beyond(site, side, draw(site, -70.0, 70.0), away), draw(site, 5.0, 13.0));
    }
    for (int line = 0; line < 4; line++) {
        int side = (road + line) % 4;
        double away = draw(site, 120.0, 210.0), tilt = draw(site, -0.25, 0.25);
        for (int k = 0; k < row; k++) {
            double along = (k - 0.5 * row) * 260.0 / row + draw(site, -3.0, 3.0);
            Vec3 at = beyond(site, side, along, away + tilt * along + draw(site, -4.0, 4.0));
            landscape_tree(site->mesh, at, draw(site, 8.0, 15.0), draw(site, 0.0, 1.0), site->plain);
        }
    }
    for (int k = 0; k < 3; k++) {
        double along = draw(site, -90.0, 90.0), away = draw(site, 70.0, 110.0);
        landscape_house(site->mesh, beyond(site, (road + 3 * (k == 2)) % 4, along, away), draw(site, 0.0, M_PI));
    }
}

void landscape_edge_mesh(double size_x, double size_y, bool plain, Mesh *mesh)
{
    const Site site = {0.5 * size_x, 0.5 * size_y, 0, 0, plain, mesh};
    for (int side = 0; side < 4; side++) {
        double half = half_along(&site, side);
        landscape_tape(mesh, beyond(&site, side, -half, 0.0), beyond(&site, side, half, 0.0), plain);
    }
}

void landscape_mesh(double size_x, double size_y, uint64_t seed, bool plain, Mesh *mesh)
{
    Site site = {0.5 * size_x, 0.5 * size_y, seed, 0, plain, mesh};
    int road = (int)draw(&site, 0.0, 3.999);
    add_fence(&site);
    add_road(&site, road);
    add_yard(&site, road);
    add_stores(&site, (road + 1) % 4);
    add_country(&site, road);
}

bool landscape_create(Landscape *landscape, bool plain, const GlShaders *shaders, Status *status)
{
    landscape->plain = plain;
    landscape->program = gl_program_create(shaders, "landscape", "", status);
    landscape->site_radius = glGetUniformLocation(landscape->program, "site_radius");
    landscape->reach = glGetUniformLocation(landscape->program, "reach");
    return landscape->program != 0;
}

void landscape_destroy(Landscape *landscape)
{
    solid_meshes_destroy(&landscape->mesh, 1);
    glDeleteProgram(landscape->program);
    *landscape = (Landscape){0};
}

void landscape_follow(Landscape *landscape, const SceneParams *scene)
{
    const SceneGround *ground = &scene->ground;
    if (landscape->mesh.count > 0 && landscape->seed == scene->seed && landscape->size_x == ground->size_x &&
        landscape->size_y == ground->size_y) {
        return;
    }
    solid_meshes_destroy(&landscape->mesh, 1);
    Mesh mesh = {0};
    landscape_mesh(ground->size_x, ground->size_y, scene->seed, landscape->plain, &mesh);
    landscape_edge_mesh(ground->size_x, ground->size_y, landscape->plain, &mesh);
    solid_mesh_create(&landscape->mesh, &mesh);
    landscape->seed = scene->seed;
    landscape->size_x = ground->size_x;
    landscape->size_y = ground->size_y;
}

void landscape_draw(const Landscape *landscape, double reach)
{
    glUseProgram(landscape->program);
    glUniform1f(landscape->site_radius, (float)(0.5 * hypot(landscape->size_x, landscape->size_y)));
    glUniform1f(landscape->reach, (float)reach);
    glEnable(GL_CULL_FACE);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    glBindVertexArray(landscape->mesh.array);
    glDrawElements(GL_TRIANGLES, landscape->mesh.count, GL_UNSIGNED_INT, NULL);
    glDisable(GL_BLEND);
    glDisable(GL_CULL_FACE);
}
