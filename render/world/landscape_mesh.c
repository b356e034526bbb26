/// Trees, fences, huts, cars and the like from few triangles, in sizes that people know: a door, a car, a road post or
/// a pole beside the work tell how large and how far it is.
#include "render/world/landscape_mesh.h"

#include <math.h>
#include <string.h>

#include "render/meshes/mesh.h"

static const MeshMaterial bark = {{74, 60, 46, 255}, {0, 0, 0, 0}};
static const MeshMaterial timber = {{150, 124, 88, 255}, {0, 0, 0, 0}};
static const MeshMaterial pole_wood = {{92, 78, 62, 255}, {0, 0, 0, 0}};
static const MeshMaterial hut_blue = {{58, 88, 120, 255}, {0, 0, 0, 0}};
static const MeshMaterial hut_rim = {{40, 60, 84, 255}, {0, 0, 0, 0}};
static const MeshMaterial pane_dark = {{34, 40, 48, 255}, {0, 0, 0, 0}};
static const MeshMaterial door_grey = {{168, 170, 170, 255}, {0, 0, 0, 0}};
static const MeshMaterial wall_white = {{206, 198, 182, 255}, {0, 0, 0, 0}};
static const MeshMaterial roof_red = {{128, 66, 48, 255}, {0, 0, 0, 0}};
static const MeshMaterial tyre = {{26, 26, 27, 255}, {0, 0, 0, 0}};
static const MeshMaterial concrete = {{158, 154, 146, 255}, {0, 0, 0, 0}};
static const MeshMaterial hollow = {{42, 41, 40, 255}, {0, 0, 0, 0}};
static const MeshMaterial spoil = {{132, 104, 74, 255}, {0, 0, 0, 0}};
static const MeshMaterial post_white = {{224, 224, 218, 255}, {0, 0, 0, 0}};
static const MeshMaterial tape_red = {{196, 30, 24, 255}, {0, 0, 0, 0}};
static const MeshMaterial post_black = {{24, 24, 26, 255}, {0, 0, 0, 0}};
static const MeshMaterial asphalt = {{96, 95, 92, 255}, {0, 0, 0, 0}};

enum { SHADOW_SIDES = 10, LEAVES = 255 };

static void stand(Mesh *mesh, int first, Vec3 at, double heading)
{
    const Pose pose = {at, mat3_yaw(heading)};
    mesh_place(mesh, first, &pose);
}

void landscape_shadow(Mesh *mesh, Vec3 at, double radius, double height)
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

static MeshMaterial leaf_color(double look, double shade)
{
    const double from[3] = {54.0, 78.0, 40.0}, to[3] = {104.0, 112.0, 50.0};
    MeshMaterial material = {{0, 0, 0, 255}, {0, 0, 0, LEAVES}};
    for (int k = 0; k < 3; k++) {
        material.color[k] = (uint8_t)(shade * (from[k] + look * (to[k] - from[k])));
    }
    return material;
}

static void add_crown(Mesh *mesh, Vec3 low, double radius, double height, const MeshMaterial *leaves, bool plain)
{
    const double profile[5][2] = {{0.0, 0.15 * radius},
                                  {0.22 * height, 0.88 * radius},
                                  {0.50 * height, radius},
                                  {0.80 * height, 0.66 * radius},
                                  {height, 0.0}};
    const double few[4][2] = {
        {0.0, 0.3 * radius}, {0.30 * height, 0.95 * radius}, {0.70 * height, 0.80 * radius}, {height, 0.0}};
    const double a[3] = {low.x, low.y, low.z}, b[3] = {low.x, low.y, low.z + height};
    mesh_lathe(mesh, a, b, plain ? few : profile, plain ? 4 : 5, plain ? 6 : 9, leaves);
}

void landscape_tree(Mesh *mesh, Vec3 at, double height, double look, bool plain)
{
    const MeshMaterial leaves = leaf_color(look, 1.0), dark = leaf_color(look, 0.8);
    const double root[3] = {at.x, at.y, at.z - 1.5}, stem[3] = {at.x, at.y, at.z + 0.5 * height};
    mesh_lathe(mesh, root, stem, (const double[][2]){{0.0, 0.028 * height}, {0.5 * height + 1.5, 0.014 * height}}, 2,
               plain ? 4 : 6, &bark);
    if (look < 0.3) {
        const double foot[3] = {at.x, at.y, at.z + 0.1 * height}, tip[3] = {at.x, at.y, at.z + height};
        const double cone[3][2] = {{0.0, 0.04 * height}, {0.04 * height, 0.19 * height}, {0.9 * height, 0.0}};
        const MeshMaterial needles = leaf_color(0.0, 0.62 + 0.6 * look);
        mesh_lathe(mesh, foot, tip, cone, 3, plain ? 5 : 8, &needles);
        return;
    }
    double wide = (0.26 + 0.14 * look) * height;
    add_crown(mesh, vec3(at.x, at.y, at.z + 0.22 * height), wide, 0.78 * height, &leaves, plain);
    if (!plain) {
        double turn = 40.0 * look, c = 0.5 * wide * cos(turn), s = 0.5 * wide * sin(turn);
        add_crown(mesh, vec3(at.x + c, at.y + s, at.z + 0.20 * height), 0.72 * wide, 0.50 * height, &dark, false);
        add_crown(mesh, vec3(at.x - 0.8 * c, at.y - 0.8 * s, at.z + 0.34 * height), 0.66 * wide, 0.50 * height, &leaves,
                  false);
    }
}

void landscape_fence(Mesh *mesh, Vec3 a, Vec3 b, bool plain)
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
    stand(mesh, first, a, atan2(span.y, span.x));
}

void landscape_tape(Mesh *mesh, Vec3 a, Vec3 b, bool plain)
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
    stand(mesh, first, a, atan2(span.y, span.x));
}

void landscape_hut(Mesh *mesh, Vec3 at, double heading)
{
    int first = mesh->vertex_count;
    const double l = 3.03, w = 1.22;
    part_box(mesh, -l, l, -w, w, -0.3, 2.6, 0.0, &hut_blue);
    part_box(mesh, -l - 0.03, l + 0.03, -w - 0.03, w + 0.03, 2.45, 2.62, 0.0, &hut_rim);
    part_box(mesh, -2.2, -1.3, -w + 0.1, w + 0.03, 0.1, 2.1, 0.0, &door_grey);
    part_box(mesh, -0.4, 0.8, -w + 0.1, w + 0.03, 1.0, 2.0, 0.0, &pane_dark);
    part_box(mesh, 1.4, 2.6, -w + 0.1, w + 0.03, 1.0, 2.0, 0.0, &pane_dark);
    stand(mesh, first, at, heading);
    landscape_shadow(mesh, at, 3.3, 2.6);
}

void landscape_house(Mesh *mesh, Vec3 at, double heading)
{
    int first = mesh->vertex_count;
    const double gable[3][2] = {{-4.5, 4.5}, {4.5, 4.5}, {0.0, 7.8}};
    part_box(mesh, -5.0, 5.0, -4.0, 4.0, -2.0, 4.6, 0.0, &wall_white);
    mesh_prism(mesh, MESH_PLANE_YZ, gable, 3, -5.4, 5.4, 0.0, &roof_red);
    for (int k = 0; k < 3; k++) {
        double x = -3.6 + 3.0 * k;
        part_box(mesh, x, x + 1.2, -4.15, 4.15, 0.9, 2.2, 0.0, &pane_dark);
    }
    stand(mesh, first, at, heading);
}

void landscape_car(Mesh *mesh, Vec3 at, double heading, double look, bool plain)
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
    stand(mesh, first, at, heading);
    landscape_shadow(mesh, at, 2.2, 1.2);
}

void landscape_pipes(Mesh *mesh, Vec3 at, double heading, bool plain)
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
    stand(mesh, first, at, heading);
    landscape_shadow(mesh, at, 1.5, 1.6);
}

void landscape_heap(Mesh *mesh, Vec3 at, double height, bool plain)
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
    landscape_shadow(mesh, at, foot, 0.4 * height);
}

void landscape_power_pole(Mesh *mesh, Vec3 at, double heading)
{
    int first = mesh->vertex_count;
    part_bar(mesh, 0.0, 0.0, -1.5, 0.0, 0.0, 8.5, 0.14, 6, &pole_wood);
    part_box(mesh, -0.06, 0.06, -1.1, 1.1, 7.7, 7.85, 0.0, &pole_wood);
    stand(mesh, first, at, heading);
}

void landscape_road_post(Mesh *mesh, Vec3 at)
{
    int first = mesh->vertex_count;
    part_box(mesh, -0.06, 0.06, -0.06, 0.06, -0.4, 0.72, 0.0, &post_white);
    part_box(mesh, -0.06, 0.06, -0.06, 0.06, 0.72, 0.9, 0.0, &post_black);
    part_box(mesh, -0.06, 0.06, -0.06, 0.06, 0.9, 1.0, 0.0, &post_white);
    stand(mesh, first, at, 0.0);
}

void landscape_road(Mesh *mesh, Vec3 a, Vec3 b, double width, int pieces)
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
