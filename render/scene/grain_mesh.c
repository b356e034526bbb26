/// Clusters are put together from three shapes: a split icosahedron for the largest part, icosahedra, and octahedra for
/// the many small ones; the shader dents, turns and sizes each part by its number and that of the particle.
#include "render/scene/grain_mesh.h"

#include <math.h>
#include <string.h>

#include "render/soil_look.h"

enum { SHAPE_POINTS = 42, SHAPE_TRIANGLES = 80, ROUND_PARTS = 5 /* of a near cluster: finer than octahedra */ };

typedef struct Shape {
    int point_count, triangle_count;
    float points[SHAPE_POINTS][3]; ///< unit
    uint8_t triangles[SHAPE_TRIANGLES][3];
} Shape;

static void octahedron(Shape *shape)
{
    static const float points[6][3] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    static const uint8_t triangles[8][3] = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4},
                                            {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
    shape->point_count = 6;
    shape->triangle_count = 8;
    memcpy(shape->points, points, sizeof(points));
    memcpy(shape->triangles, triangles, sizeof(triangles));
}

static void icosahedron(Shape *shape)
{
    static const uint8_t triangles[20][3] = {{0, 11, 5}, {0, 5, 1},  {0, 1, 7},   {0, 7, 10}, {0, 10, 11},
                                             {1, 5, 9},  {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
                                             {3, 9, 4},  {3, 4, 2},  {3, 2, 6},   {3, 6, 8},  {3, 8, 9},
                                             {4, 9, 5},  {2, 4, 11}, {6, 2, 10},  {8, 6, 7},  {9, 8, 1}};
    const float g = 0.85065081f, s = 0.52573111f; // golden rectangle's corners on the unit sphere
    const float points[12][3] = {{-s, g, 0},  {s, g, 0},  {-s, -g, 0}, {s, -g, 0}, {0, -s, g},  {0, s, g},
                                 {0, -s, -g}, {0, s, -g}, {g, 0, -s},  {g, 0, s},  {-g, 0, -s}, {-g, 0, s}};
    shape->point_count = 12;
    shape->triangle_count = 20;
    memcpy(shape->points, points, sizeof(points));
    memcpy(shape->triangles, triangles, sizeof(triangles));
}

/// Returns the number of the point of the sphere between a and b, which is added unless it is there.
static uint8_t midpoint(Shape *shape, int a, int b)
{
    float p[3], length = 0.0f;
    for (int k = 0; k < 3; k++) {
        p[k] = shape->points[a][k] + shape->points[b][k];
        length += p[k] * p[k];
    }
    for (int k = 0; k < 3; k++) {
        p[k] /= sqrtf(length);
    }
    for (int i = 12; i < shape->point_count; i++) {
        const float *q = shape->points[i];
        if (fabsf(q[0] - p[0]) + fabsf(q[1] - p[1]) + fabsf(q[2] - p[2]) < 1e-4f) {
            return (uint8_t)i;
        }
    }
    memcpy(shape->points[shape->point_count], p, sizeof(p));
    return (uint8_t)shape->point_count++;
}

static void split_icosahedron(Shape *shape)
{
    Shape whole;
    icosahedron(&whole);
    *shape = whole;
    shape->triangle_count = 0;
    for (int f = 0; f < whole.triangle_count; f++) {
        uint8_t a = whole.triangles[f][0], b = whole.triangles[f][1], c = whole.triangles[f][2];
        uint8_t ab = midpoint(shape, a, b), bc = midpoint(shape, b, c), ca = midpoint(shape, c, a);
        const uint8_t split[4][3] = {{a, ab, ca}, {b, bc, ab}, {c, ca, bc}, {ab, bc, ca}};
        memcpy(shape->triangles[shape->triangle_count], split, sizeof(split));
        shape->triangle_count += 4;
    }
}

void grain_place(int part, float place[3])
{
    // Roberts' R2 sequence: no gaps and no clusters, however many of its points are taken.
    double a = fmod(0.5 + 0.7548776662466927 * part, 1.0), b = fmod(0.5 + 0.5698402909980532 * part, 1.0);
    double z = 1.0 - 2.0 * a, side = sqrt(1.0 - z * z);
    place[0] = (float)(side * cos(2.0 * M_PI * b));
    place[1] = (float)(side * sin(2.0 * M_PI * b));
    place[2] = (float)z;
}

int grain_parts(int level)
{
    return level == GRAIN_NEAR ? GRAIN_NEAR_PARTS : level == GRAIN_FAR ? GRAIN_FAR_PARTS : 1;
}

static void add_part(GrainMesh *mesh, const Shape *shape, int part)
{
    int first = mesh->vertex_count;
    GrainVertex vertex = {.part = (float)part};
    grain_place(part, vertex.place);
    for (int k = 0; k < shape->point_count; k++) {
        memcpy(vertex.direction, shape->points[k], sizeof(vertex.direction));
        mesh->vertices[mesh->vertex_count++] = vertex;
    }
    for (int k = 0; k < 3 * shape->triangle_count; k++) {
        mesh->indices[mesh->index_count++] = (uint16_t)(first + shape->triangles[k / 3][k % 3]);
    }
}

void grain_mesh(int level, GrainMesh *mesh)
{
    Shape fine, middle, coarse;
    split_icosahedron(&fine);
    icosahedron(&middle);
    octahedron(&coarse);
    mesh->vertex_count = mesh->index_count = 0;
    add_part(mesh, level == GRAIN_NEAR ? &fine : &middle, 0);
    for (int part = 1; part < grain_parts(level); part++) {
        add_part(mesh, level == GRAIN_NEAR && part < ROUND_PARTS ? &middle : &coarse, part);
    }
}

void grain_mesh_small(int parts, GrainMesh *mesh)
{
    Shape shape;
    octahedron(&shape);
    mesh->vertex_count = mesh->index_count = 0;
    for (int part = 0; part < parts; part++) {
        add_part(mesh, &shape, part);
    }
}

static float ramp(double low, double high, double value)
{
    return (float)fmin(fmax((value - low) / (high - low), 0.0), 1.0);
}

static float blend(float a, float b, float share)
{
    return a + (b - a) * share;
}

float grain_stones(const SoilParams *soil)
{
    return soil_look(soil).stones;
}

GrainLook grain_look(const SoilParams *soil)
{
    float lumps = soil_look(soil).lumps, held = ramp(0.0, 2e3, soil->cohesion), stones = grain_stones(soil);
    GrainLook fine = {.largest = 0.030f, .decay = 0.10f, .angular = 0.0f, .spread = 1.30f};
    GrainLook clods = {.largest = blend(0.055f, 0.120f, lumps),
                       .decay = blend(0.34f, 0.60f, lumps),
                       .angular = blend(0.75f, 0.90f, lumps),
                       .spread = blend(1.28f, 1.10f, lumps)};
    GrainLook gravel = {.largest = 0.050f, .decay = 0.34f, .angular = 0.45f, .spread = 1.25f};
    GrainLook loose = {.largest = blend(fine.largest, gravel.largest, stones),
                       .decay = blend(fine.decay, gravel.decay, stones),
                       .angular = blend(fine.angular, gravel.angular, stones),
                       .spread = blend(fine.spread, gravel.spread, stones)};
    return (GrainLook){.largest = blend(loose.largest, clods.largest, held),
                       .decay = blend(loose.decay, clods.decay, held),
                       .angular = blend(loose.angular, clods.angular, held),
                       .spread = blend(loose.spread, clods.spread, held)};
}
