/// Draws what is around a site: its edge, stakes with a tape, and clear of where machines work a fence, a road with its
/// posts and poles, huts and cars beside it, spare pipes, a heap, trees, hedges, woods, houses, a village. Distances
/// and numbers are chosen by eye; places follow from the seed of the scene.
#include "render/landscape.h"

#include <math.h>
#include <string.h>

#include "data/core/random.h"
#include "render/meshes/mesh.h"
#include "render/meshes/tree_mesh.h"
#include "render/models/person_model.h"

/// ---- shapes --------------------------------------------------------------------------------------------------------

// Trees, huts, cars and the like of few triangles, in sizes that people know: a door, a car, a road post or a pole
// beside the work shows how large and how far it is. Each stands at `at` (m, world; z: of the ground), turned by
// `heading` (rad); `plain` shapes have fewer triangles.

static const MeshMaterial timber = {{150, 124, 88, 255}, {0, 0, 0, 0}};
static const MeshMaterial pole_wood = {{92, 78, 62, 255}, {0, 0, 0, 0}};
static const MeshMaterial hut_blue = {{58, 88, 120, 255}, {0, 0, 0, 0}};
static const MeshMaterial hut_rim = {{40, 60, 84, 255}, {0, 0, 0, 0}};
static const MeshMaterial pane_dark = {{34, 40, 48, 255}, {0, 0, 0, 0}};
static const MeshMaterial door_grey = {{168, 170, 170, 255}, {0, 0, 0, 0}};
static const MeshMaterial wall_white = {{206, 198, 182, 255}, {0, 0, 0, 0}};
static const MeshMaterial roof_red = {{128, 66, 48, 255}, {0, 0, 0, 0}};
static const MeshMaterial roof_slate = {{72, 76, 84, 255}, {0, 0, 0, 0}};
static const MeshMaterial tyre = {{26, 26, 27, 255}, {0, 0, 0, 0}};
static const MeshMaterial concrete = {{158, 154, 146, 255}, {0, 0, 0, 0}};
static const MeshMaterial hollow = {{42, 41, 40, 255}, {0, 0, 0, 0}};
static const MeshMaterial spoil = {{132, 104, 74, 255}, {0, 0, 0, 0}};
static const MeshMaterial post_white = {{224, 224, 218, 255}, {0, 0, 0, 0}};
static const MeshMaterial tape_red = {{196, 30, 24, 255}, {0, 0, 0, 0}};
static const MeshMaterial post_black = {{24, 24, 26, 255}, {0, 0, 0, 0}};
static const MeshMaterial asphalt = {{96, 95, 92, 255}, {0, 0, 0, 0}};

enum { SHADOW_SIDES = 10 };

/// Turns the vertices of a mesh from the `first` on by `heading` (rad) and moves them to `at` (m).
static void place_shape(Mesh *mesh, int first, Vec3 at, double heading)
{
    const Pose pose = {at, mat3_yaw(heading)};
    mesh_place(mesh, first, &pose);
}

/// A shadow of what is `radius` m wide and `height` m high (landscape.glsl lays it away from the sun).
static void build_shadow(Mesh *mesh, Vec3 at, double radius, double height)
{
    static const float up[3] = {0.0f, 0.0f, 1.0f};
    const float middle[3] = {(float)at.x, (float)at.y, (float)at.z + 0.04f};
    const MeshMaterial core = {{8, 9, 8, 120},
                               {(uint8_t)fmin(radius * 20.0, 255.0), (uint8_t)fmin(height * 10.0, 255.0), 255, 0}};
    const float corners[3][3] = {
        {middle[0], middle[1], middle[2]}, {middle[0], middle[1], middle[2]}, {middle[0], middle[1], middle[2]}};
    for (int k = 0; k < SHADOW_SIDES; k++) {
        int first = mesh->vertex_count;
        mesh_triangle(mesh, corners, up, &core);
        for (int c = 0; c < 3 && first + c < mesh->vertex_count; c++) {
            MeshVertex *vertex = &mesh->vertices[first + c];
            double angle = 2.0 * M_PI * (k + (c == 2)) / SHADOW_SIDES;
            const float rim[3] = {(float)cos(angle), (float)sin(angle), 0.0f};
            memcpy(vertex->normal, c == 0 ? (float[]){0.0f, 0.0f, 0.0f} : rim, sizeof rim);
            vertex->color[3] = c == 0 ? core.color[3] : 0;
        }
    }
}

/// A fence from a to b: posts 1.1 m high every 3 m (plain: 6 m), with two rails.
static void build_fence(Mesh *mesh, Vec3 a, Vec3 b, bool plain)
{
    int first = mesh->vertex_count;
    Vec3 span = vec3_sub(b, a);
    double length = vec3_length(span);
    int fields = (int)ceil(length / (plain ? 6.0 : 3.0));
    double step = length / fields;
    for (int k = 0; k < fields; k++) {
        part_box(mesh, k * step - 0.05, k * step + 0.05, -0.05, 0.05, -0.5, 1.1, 0.0, &timber);
    }
    part_box(mesh, 0.0, length, -0.015, 0.015, 0.92, 1.04, 0.0, &timber);
    part_box(mesh, 0.0, length, -0.015, 0.015, 0.45, 0.57, 0.0, &timber);
    place_shape(mesh, first, a, atan2(span.y, span.x));
}

/// Stakes 1.1 m high from a to b, every 4 m (plain: 8 m), with a red and white tape along them.
static void build_tape(Mesh *mesh, Vec3 a, Vec3 b, bool plain)
{
    const double bands[4] = {-0.5, 0.5, 0.8, 1.1};
    int first = mesh->vertex_count;
    Vec3 span = vec3_sub(b, a);
    double length = vec3_length(span);
    int stakes = (int)ceil(length / (plain ? 8.0 : 4.0)), pieces = (int)ceil(length / (plain ? 4.0 : 1.0));
    for (int k = 0; k < stakes; k++) {
        double x = k * length / stakes;
        for (int band = 0; band < 3; band++) {
            part_box(mesh, x - 0.04, x + 0.04, -0.04, 0.04, bands[band], bands[band + 1], 0.0,
                     band % 2 == 0 ? &post_white : &tape_red);
        }
    }
    for (int k = 0; k < pieces; k++) {
        part_box(mesh, k * length / pieces, (k + 1) * length / pieces, -0.01, 0.01, 0.92, 1.0, 0.0,
                 k % 2 == 0 ? &tape_red : &post_white);
    }
    place_shape(mesh, first, a, atan2(span.y, span.x));
}

/// An office container: 6.06 m long, 2.44 m wide and 2.6 m high; its door looks to its left.
static void build_hut(Mesh *mesh, Vec3 at, double heading)
{
    int first = mesh->vertex_count;
    const double l = 3.03, w = 1.22;
    part_box(mesh, -l, l, -w, w, -0.3, 2.6, 0.0, &hut_blue);
    part_box(mesh, -l - 0.03, l + 0.03, -w - 0.03, w + 0.03, 2.45, 2.62, 0.0, &hut_rim);
    part_box(mesh, -2.2, -1.3, -w + 0.1, w + 0.03, 0.1, 2.1, 0.0, &door_grey);
    part_box(mesh, -0.4, 0.8, -w + 0.1, w + 0.03, 1.0, 2.0, 0.0, &pane_dark);
    part_box(mesh, 1.4, 2.6, -w + 0.1, w + 0.03, 1.0, 2.0, 0.0, &pane_dark);
    place_shape(mesh, first, at, heading);
    build_shadow(mesh, at, 3.3, 2.6);
}

/// A house of 10 m by 8 m, 4.6 m to the eaves and 7.8 m to the ridge.
static void build_house(Mesh *mesh, Vec3 at, double heading)
{
    int first = mesh->vertex_count;
    const double gable[3][2] = {{-4.5, 4.5}, {4.5, 4.5}, {0.0, 7.8}};
    part_box(mesh, -5.0, 5.0, -4.0, 4.0, -2.0, 4.6, 0.0, &wall_white);
    mesh_prism(mesh, MESH_PLANE_YZ, gable, 3, -5.4, 5.4, 0.0, &roof_red);
    for (int k = 0; k < 3; k++) {
        double x = -3.6 + 3.0 * k;
        part_box(mesh, x, x + 1.2, -4.15, 4.15, 0.9, 2.2, 0.0, &pane_dark);
    }
    place_shape(mesh, first, at, heading);
}

/// A church: a nave of 16 m by 9 m and a tower of 24 m with its spire.
static void build_church(Mesh *mesh, Vec3 at, double heading)
{
    int first = mesh->vertex_count;
    const double gable[3][2] = {{-4.9, 7.0}, {4.9, 7.0}, {0.0, 12.0}};
    part_box(mesh, -4.0, 12.0, -4.5, 4.5, -2.0, 7.1, 0.0, &wall_white);
    mesh_prism(mesh, MESH_PLANE_YZ, gable, 3, -4.2, 12.4, 0.0, &roof_red);
    part_box(mesh, -9.0, -4.0, -2.5, 2.5, -2.0, 16.0, 0.0, &wall_white);
    const double foot[3] = {-6.5, 0.0, 15.9}, tip[3] = {-6.5, 0.0, 24.0};
    mesh_lathe(mesh, foot, tip, (const double[][2]){{0.0, 3.4}, {8.1, 0.0}}, 2, 4, &roof_slate);
    place_shape(mesh, first, at, heading);
}

/// A car: 4.2 m long, 1.75 m wide and 1.5 m high. `look`, 0..1, chooses its colour.
static void build_car(Mesh *mesh, Vec3 at, double heading, double look, bool plain)
{
    static const uint8_t colors[4][3] = {{150, 26, 24}, {200, 202, 204}, {34, 62, 112}, {70, 74, 78}};
    const uint8_t *rgb = colors[(int)(look * 3.99)];
    const MeshMaterial paint = {{rgb[0], rgb[1], rgb[2], 255}, {0, 0, 0, 0}};
    const double hull[6][2] = {{-2.1, 0.3}, {2.1, 0.3}, {2.1, 0.72}, {1.0, 0.95}, {-2.0, 1.0}, {-2.1, 0.9}};
    const double cabin[4][2] = {{-2.0, 0.95}, {1.1, 0.95}, {0.35, 1.45}, {-1.6, 1.48}};
    const double roof[4][2] = {{-1.65, 1.42}, {0.42, 1.42}, {0.3, 1.5}, {-1.55, 1.52}};
    int first = mesh->vertex_count;
    mesh_prism(mesh, MESH_PLANE_XZ, hull, 6, -0.87, 0.87, 0.0, &paint);
    mesh_prism(mesh, MESH_PLANE_XZ, cabin, 4, -0.74, 0.74, 0.0, &pane_dark);
    mesh_prism(mesh, MESH_PLANE_XZ, roof, 4, -0.76, 0.76, 0.0, &paint);
    for (int k = 0; k < 4; k++) {
        double x = k < 2 ? 1.3 : -1.3, y = k % 2 == 0 ? 0.80 : -0.80;
        part_bar(mesh, x, y - 0.1, 0.31, x, y + 0.1, 0.31, 0.31, plain ? 6 : 12, &tyre);
    }
    place_shape(mesh, first, at, heading);
    build_shadow(mesh, at, 2.2, 1.2);
}

/// Six concrete pipes of 0.8 m outer diameter and 2.5 m length, stacked.
static void build_pipes(Mesh *mesh, Vec3 at, double heading, bool plain)
{
    int first = mesh->vertex_count, sides = plain ? 7 : 14;
    const double r = 0.4;
    for (int row = 0; row < 3; row++) {
        for (int k = 0; k < 3 - row; k++) {
            double x = (2.0 * k + row - 2.0) * r, z = r + row * r * sqrt(3.0);
            part_bar(mesh, x, -1.25, z, x, 1.25, z, r, sides, &concrete);
            part_bar(mesh, x, -1.26, z, x, 1.26, z, 0.8 * r, sides, &hollow);
        }
    }
    place_shape(mesh, first, at, heading);
    build_shadow(mesh, at, 1.5, 1.6);
}

/// A heap of soil, `height` m high.
static void build_heap(Mesh *mesh, Vec3 at, double height, bool plain)
{
    const double foot = 1.6 * height, a[3] = {at.x, at.y, at.z - 0.1}, b[3] = {at.x, at.y, at.z + height};
    const double profile[4][2] = {{0.0, foot}, {0.45 * height, 0.62 * foot}, {0.9 * height, 0.2 * foot}, {height, 0.0}};
    int first = mesh->vertex_count;
    mesh_lathe(mesh, a, b, profile, 4, plain ? 9 : 18, &spoil);
    for (int k = first; k < mesh->vertex_count; k++) { // dents by direction, the same for vertices at one place
        float *p = mesh->vertices[k].position;
        double angle = atan2((double)p[1] - at.y, (double)p[0] - at.x), share = ((double)p[2] - at.z) / height;
        double dent = 1.0 + (1.0 - share) * (0.12 * sin(3.0 * angle + at.x) + 0.08 * sin(5.0 * angle + at.y));
        p[0] = (float)(at.x + dent * ((double)p[0] - at.x));
        p[1] = (float)(at.y + dent * ((double)p[1] - at.y));
    }
    build_shadow(mesh, at, foot, 0.4 * height);
}

/// A wooden pole of 8.5 m with an arm across.
static void build_power_pole(Mesh *mesh, Vec3 at, double heading)
{
    int first = mesh->vertex_count;
    part_bar(mesh, 0.0, 0.0, -1.5, 0.0, 0.0, 8.5, 0.14, 6, &pole_wood);
    part_box(mesh, -0.06, 0.06, -1.1, 1.1, 7.7, 7.85, 0.0, &pole_wood);
    place_shape(mesh, first, at, heading);
}

/// A white post of 1 m with a black band, as beside roads.
static void build_road_post(Mesh *mesh, Vec3 at)
{
    int first = mesh->vertex_count;
    part_box(mesh, -0.06, 0.06, -0.06, 0.06, -0.4, 0.72, 0.0, &post_white);
    part_box(mesh, -0.06, 0.06, -0.06, 0.06, 0.72, 0.9, 0.0, &post_black);
    part_box(mesh, -0.06, 0.06, -0.06, 0.06, 0.9, 1.0, 0.0, &post_white);
    place_shape(mesh, first, at, 0.0);
}

/// A road of `width` m from a to b, in pieces.
static void build_road(Mesh *mesh, Vec3 a, Vec3 b, double width, int pieces)
{
    static const float up[3] = {0.0f, 0.0f, 1.0f};
    Vec3 span = vec3_sub(b, a), along = vec3_unit(span, vec3(1.0, 0.0, 0.0));
    Vec3 aside = vec3(-0.5 * width * along.y, 0.5 * width * along.x, 0.0);
    for (int k = 0; k < pieces; k++) {
        Vec3 from = vec3_madd(a, (double)k / pieces, span), to = vec3_madd(a, (k + 1.0) / pieces, span);
        const Vec3 at[4] = {vec3_sub(from, aside), vec3_sub(to, aside), vec3_add(to, aside), vec3_add(from, aside)};
        static const int order[2][3] = {{0, 1, 2}, {0, 2, 3}};
        for (int half = 0; half < 2; half++) {
            float corners[3][3];
            for (int c = 0; c < 3; c++) {
                const Vec3 *p = &at[order[half][c]];
                corners[c][0] = (float)p->x;
                corners[c][1] = (float)p->y;
                corners[c][2] = (float)p->z + 0.05f;
            }
            mesh_triangle(mesh, (const float(*)[3])corners, up, &asphalt);
        }
    }
}

/// ---- layout --------------------------------------------------------------------------------------------------------

#define ROAD_AWAY  22.0 ///< m from the site's edge to the road's middle
#define ROAD_WIDE  6.0 ///< m
#define ROAD_LONG  360.0 ///< m
#define TREES_AWAY 34.0 ///< m from the site's edge to the nearest single tree
// Rows of fields, as far_fields of common.glsl has them.
#define FIELD_DEEP   64.0 ///< m
#define FIELD_COSINE 0.9553 ///< of the angle that they are turned by
#define FIELD_SINE   0.2955

/// A site and what is built around it.
typedef struct Site {
    double half_x, half_y; ///< m
    uint64_t seed, drawn; ///< numbers drawn so far
    bool plain;
    Mesh *mesh, *leaves;
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
        build_fence(site->mesh, beyond(site, side, -half, away), beyond(site, side, half, away), site->plain);
    }
}

/// A tree, with its shadow where it is near enough for one.
static void add_tree(Site *site, Vec3 at, double height, TreeDetail detail)
{
    double look = draw(site, 0.0, 1.0);
    TreeSeed seed = {site->seed, 4096U * ++site->drawn};
    tree_mesh(at, height, look, site->plain ? TREE_FAR : detail, seed, site->mesh, site->leaves);
    if (!site->plain && detail == TREE_NEAR) {
        build_shadow(site->mesh, at, 0.32 * height, 0.8 * height);
    }
}

/// The road along one side, with what stands beside it.
static void add_road(Site *site, int side)
{
    const double half = 0.5 * ROAD_LONG;
    double facing = 0.5 * M_PI * (side + 1);
    build_road(site->mesh, beyond(site, side, -half, ROAD_AWAY), beyond(site, side, half, ROAD_AWAY), ROAD_WIDE, 24);
    for (double along = -100.0; along <= 100.0; along += site->plain ? 50.0 : 25.0) {
        build_road_post(site->mesh, beyond(site, side, along, ROAD_AWAY - 0.5 * ROAD_WIDE - 0.6));
        build_road_post(site->mesh, beyond(site, side, along, ROAD_AWAY + 0.5 * ROAD_WIDE + 0.6));
    }
    for (double along = -160.0; along <= 160.0; along += 40.0) {
        build_power_pole(site->mesh, beyond(site, side, along, ROAD_AWAY + 6.0), facing);
    }
    build_car(site->mesh, beyond(site, side, draw(site, 16.0, 40.0), ROAD_AWAY - 1.5), facing, draw(site, 0.0, 1.0),
              site->plain);
}

/// Huts, a car and people between fence and road.
static void add_yard(Site *site, int side)
{
    double along = half_along(site, side) * draw(site, -0.6, 0.6), facing = 0.5 * M_PI * (side + 1);
    build_hut(site->mesh, beyond(site, side, along, 9.0), facing);
    build_hut(site->mesh, beyond(site, side, along + 6.6, 9.0), facing);
    build_car(site->mesh, beyond(site, side, along - 7.0, 9.0), facing + M_PI, draw(site, 0.0, 1.0), site->plain);
    for (int k = 0; k < 2 && !site->plain; k++) {
        Vec3 at = beyond(site, side, along + 1.5 + 1.1 * k, 5.2 + 0.5 * k);
        ScenePerson person = {.x = at.x, .y = at.y, .radius = 0.25, .height = 1.75};
        person_mesh(&person, 0.0, atan2(-at.y, -at.x), site->mesh); // they watch the site
        build_shadow(site->mesh, at, 0.35, 1.75);
    }
}

/// Spare pipes and a heap of topsoil, by another side.
static void add_stores(Site *site, int side)
{
    double half = half_along(site, side), facing = 0.5 * M_PI * side;
    build_pipes(site->mesh, beyond(site, side, 0.35 * half, 5.5), facing, site->plain);
    build_pipes(site->mesh, beyond(site, side, 0.35 * half + 3.4, 5.5), facing, site->plain);
    build_heap(site->mesh, beyond(site, side, -0.45 * half, 10.0), draw(site, 2.0, 2.8), site->plain);
}

/// Hedges along borders of fields (far_fields of common.glsl has the same), where they are clear of the site.
static void add_hedges(Site *site)
{
    const Vec3 along = vec3(FIELD_COSINE, -FIELD_SINE, 0.0), across = vec3(FIELD_SINE, FIELD_COSINE, 0.0);
    double clear = hypot(site->half_x, site->half_y) + 34.0;
    for (int row = -4; row <= 4; row++) {
        for (double x = -240.0; x < 240.0; x += 24.0) {
            Vec3 a = vec3_madd(vec3_scale(across, row * FIELD_DEEP), x, along), b = vec3_madd(a, 24.0, along);
            bool there = draw(site, 0.0, 1.0) < 0.55;
            double tall = draw(site, 1.2, 2.4), trees = draw(site, 0.0, 1.0);
            if (fmin(vec3_length(a), vec3_length(b)) < clear || !there) {
                continue;
            }
            site->drawn++;
            hedge_mesh(a, b, tall, site->plain, (TreeSeed){site->seed, 64U * site->drawn}, site->leaves);
            if (trees < 0.35) {
                add_tree(site, vec3_madd(a, 60.0 * trees, along), draw(site, 6.0, 12.0), TREE_MIDDLE);
            }
        }
    }
}

/// A wood on a side: rows of trees, high ones behind.
static void add_wood(Site *site, int side)
{
    double from = draw(site, -120.0, -20.0), long_ = draw(site, 90.0, 150.0), away = draw(site, 150.0, 200.0);
    int trees = site->plain ? 24 : 90;
    for (int k = 0; k < trees; k++) {
        double deep = 34.0 * (k % 3) / 2.0 + draw(site, -5.0, 5.0), along = from + long_ * (k + 0.5) / trees;
        add_tree(site, beyond(site, side, along, away + deep), draw(site, 11.0, 17.0) + 0.1 * deep, TREE_FAR);
    }
}

/// Houses around a church.
static void add_village(Site *site, int side)
{
    double along = draw(site, -80.0, 80.0), away = draw(site, 170.0, 210.0);
    build_church(site->mesh, beyond(site, side, along, away), draw(site, 0.0, M_PI));
    for (int k = 0; k < 9; k++) {
        double aside = along + (k - 4) * 15.0 + draw(site, -4.0, 4.0);
        build_house(site->mesh, beyond(site, side, aside, away + draw(site, -28.0, 24.0)), draw(site, 0.0, M_PI));
        if (k % 2 == 0) {
            add_tree(site, beyond(site, side, aside + 7.0, away - draw(site, 10.0, 30.0)), draw(site, 7.0, 11.0),
                     TREE_MIDDLE);
        }
    }
}

/// Single trees and lines of them on the sides without the road, houses, a village, a wood and hedges behind.
static void add_country(Site *site, int road)
{
    int single = site->plain ? 8 : 22, row = site->plain ? 11 : 30;
    for (int k = 0; k < single; k++) {
        int side = (road + 1 + k % 3) % 4;
        double away = TREES_AWAY + 90.0 * pow(draw(site, 0.0, 1.0), 1.5);
        add_tree(site, beyond(site, side, draw(site, -70.0, 70.0), away), draw(site, 5.0, 13.0),
                 away < TREES_AWAY + 30.0 ? TREE_NEAR : TREE_MIDDLE);
    }
    for (int line = 0; line < 4; line++) {
        int side = (road + line) % 4;
        double away = draw(site, 120.0, 210.0), tilt = draw(site, -0.25, 0.25);
        for (int k = 0; k < row; k++) {
            double along = (k - 0.5 * row) * 260.0 / row + draw(site, -3.0, 3.0);
            Vec3 at = beyond(site, side, along, away + tilt * along + draw(site, -4.0, 4.0));
            add_tree(site, at, draw(site, 8.0, 15.0), TREE_FAR);
        }
    }
    for (int k = 0; k < 3; k++) {
        double along = draw(site, -90.0, 90.0), away = draw(site, 70.0, 110.0);
        build_house(site->mesh, beyond(site, (road + 3 * (k == 2)) % 4, along, away), draw(site, 0.0, M_PI));
    }
    add_village(site, (road + 2) % 4);
    add_wood(site, (road + 1) % 4);
    add_wood(site, (road + 3) % 4);
    add_hedges(site);
}

void landscape_edge_mesh(double size_x, double size_y, bool plain, Mesh *mesh)
{
    const Site site = {0.5 * size_x, 0.5 * size_y, 0, 0, plain, mesh, NULL};
    for (int side = 0; side < 4; side++) {
        double half = half_along(&site, side);
        build_tape(mesh, beyond(&site, side, -half, 0.0), beyond(&site, side, half, 0.0), plain);
    }
}

void landscape_mesh(double size_x, double size_y, uint64_t seed, bool plain, Mesh *mesh, Mesh *leaves)
{
    Site site = {0.5 * size_x, 0.5 * size_y, seed, 0, plain, mesh, leaves};
    int road = (int)draw(&site, 0.0, 3.999);
    add_fence(&site);
    add_road(&site, road);
    add_yard(&site, road);
    add_stores(&site, (road + 1) % 4);
    add_country(&site, road);
}

/// False with `status` set when it does not compile.
static bool create_program(struct LandscapeProgram *out, const GlShaders *shaders, const char *defines, Status *status)
{
    out->program = gl_program_create(shaders, "landscape", defines, status);
    out->site_radius = glGetUniformLocation(out->program, "site_radius");
    out->reach = glGetUniformLocation(out->program, "reach");
    return out->program != 0;
}

bool landscape_create(Landscape *landscape, bool plain, const GlShaders *shaders, Status *status)
{
    landscape->plain = plain;
    return create_program(&landscape->solids, shaders, "", status) &&
           create_program(&landscape->cards, shaders, "#define LEAVES\n", status);
}

void landscape_destroy(Landscape *landscape)
{
    solid_meshes_destroy(&landscape->mesh, 1);
    solid_meshes_destroy(&landscape->leaves, 1);
    glDeleteProgram(landscape->solids.program);
    glDeleteProgram(landscape->cards.program);
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
    solid_meshes_destroy(&landscape->leaves, 1);
    Mesh mesh = {0}, leaves = {0};
    landscape_mesh(ground->size_x, ground->size_y, scene->seed, landscape->plain, &mesh, &leaves);
    landscape_edge_mesh(ground->size_x, ground->size_y, landscape->plain, &mesh);
    solid_mesh_create(&landscape->mesh, &mesh);
    solid_mesh_create(&landscape->leaves, &leaves);
    landscape->seed = scene->seed;
    landscape->size_x = ground->size_x;
    landscape->size_y = ground->size_y;
}

static void draw_mesh(const Landscape *landscape, const struct LandscapeProgram *program, const SolidMesh *mesh,
                      double reach)
{
    glUseProgram(program->program);
    glUniform1f(program->site_radius, (float)(0.5 * hypot(landscape->size_x, landscape->size_y)));
    glUniform1f(program->reach, (float)reach);
    glBindVertexArray(mesh->array);
    glDrawElements(GL_TRIANGLES, mesh->count, GL_UNSIGNED_INT, NULL);
}

void landscape_draw(const Landscape *landscape, double reach)
{
    draw_mesh(landscape, &landscape->cards, &landscape->leaves, reach); // both sides of each
    glEnable(GL_CULL_FACE);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    draw_mesh(landscape, &landscape->solids, &landscape->mesh, reach);
    glDisable(GL_BLEND);
    glDisable(GL_CULL_FACE);
}
