/// Builds rocks: each face of the hull is divided into small triangles, which are moved towards the middle of the rock,
/// most along sharp edges, by noise that depends on the place alone, so that faces stay joined at their edges.
#include "render/models/rock_mesh.h"

#include <math.h>
#include <string.h>

#include "data/core/random.h"

#define CELL      0.11 ///< m: sides of the small triangles. Chosen
#define EDGE_WIDE 0.055 ///< m beside a sharp edge that is worn, at most
#define EDGE_DEEP 0.016 ///< m that an edge is worn down, at most
#define SHARP     0.96 ///< cosine between two faces: a flatter edge is none
enum { MOST_CELLS = 8 }; ///< along an edge

/// A face while its surface is made.
typedef struct Face {
    Vec3 corner[3], normal; ///< m; unit
    bool sharp[3]; ///< the edge from corner k to the next is one
    uint64_t rock; ///< seed of the rock's noise
    Vec3 middle; ///< m, of the rock
} Face;

static Vec3 from_floats(const float v[3])
{
    return vec3((double)v[0], (double)v[1], (double)v[2]);
}

/// Value noise, -1..1, with cells of `size` m; the same at a place for all faces.
static double noise_at(Vec3 p, double size, uint64_t seed)
{
    const double at[3] = {p.x / size + 512.0, p.y / size + 512.0, p.z / size + 512.0};
    double sum = 0.0;
    for (int k = 0; k < 8; k++) {
        double weight = 1.0;
        uint64_t cell = 0;
        for (int axis = 0; axis < 3; axis++) {
            double low = floor(at[axis]), share = at[axis] - low;
            share = share * share * (3.0 - 2.0 * share);
            bool upper = (k >> axis & 1) != 0;
            weight *= upper ? share : 1.0 - share;
            cell = cell << 12 | ((uint64_t)low + (upper ? 1U : 0U));
        }
        sum += weight * (2.0 * random_unit(seed, 0x70c4, cell) - 1.0);
    }
    return sum;
}

/// m from a place of a face to the nearest sharp edge, EDGE_WIDE at most.
static double edge_distance(const Face *face, Vec3 p)
{
    double nearest = EDGE_WIDE;
    for (int k = 0; k < 3; k++) {
        Vec3 along = vec3_unit(vec3_sub(face->corner[(k + 1) % 3], face->corner[k]), vec3(1.0, 0.0, 0.0));
        Vec3 from = vec3_sub(p, face->corner[k]);
        double away = vec3_length(vec3_madd(from, -vec3_dot(from, along), along));
        nearest = face->sharp[k] ? fmin(nearest, away) : nearest;
    }
    return nearest;
}

/// Where a place of the hull is drawn: worn edges lie inside of it.
static Vec3 worn_place(const Face *face, Vec3 p)
{
    double chip = 0.5 + 0.5 * noise_at(p, 0.16, face->rock), wide = EDGE_WIDE * (0.35 + 0.65 * chip);
    double share = fmin(edge_distance(face, p) / wide, 1.0), worn = (1.0 - share) * (1.0 - share);
    double rough = 0.55 * noise_at(p, 0.21, face->rock + 1) + 0.3 * noise_at(p, 0.09, face->rock + 2);
    double inward = EDGE_DEEP * (0.3 + 0.7 * chip) * worn - 0.006 * rough * share;
    Vec3 out = vec3_unit(vec3_sub(p, face->middle), face->normal);
    return vec3_madd(p, -fmin(inward, 0.9 * ROCK_ROUGHNESS), out);
}

/// The direction of the drawn surface at a place, from two places beside it.
static Vec3 worn_normal(const Face *face, Vec3 p)
{
    const double step = 0.02; // m
    Vec3 inside = vec3_scale(vec3_add(face->corner[0], vec3_add(face->corner[1], face->corner[2])), 1.0 / 3.0);
    Vec3 a = vec3_unit(vec3_sub(inside, p), vec3_sub(face->corner[1], face->corner[0])); // into the face
    Vec3 b = vec3_cross(face->normal, a);
    Vec3 here = worn_place(face, p), first = worn_place(face, vec3_madd(p, step, a));
    Vec3 second = worn_place(face, vec3_madd(p, step, b)), third = worn_place(face, vec3_madd(p, -step, b));
    Vec3 out = vec3_unit(vec3_cross(vec3_sub(first, here), vec3_sub(second, third)), face->normal);
    return vec3_dot(out, face->normal) > 0.3 ? out : face->normal; // a corner that is worn from all sides
}

static void add_worn_triangle(const Face *face, const Vec3 corners[3], const MeshMaterial *stone, Mesh *mesh)
{
    float places[3][3], up[3] = {(float)face->normal.x, (float)face->normal.y, (float)face->normal.z};
    for (int k = 0; k < 3; k++) {
        Vec3 p = worn_place(face, corners[k]);
        places[k][0] = (float)p.x;
        places[k][1] = (float)p.y;
        places[k][2] = (float)p.z;
    }
    int first = mesh->vertex_count;
    mesh_triangle(mesh, (const float(*)[3])places, up, stone);
    for (int k = 0; k < 3 && first + k < mesh->vertex_count; k++) {
        Vec3 n = worn_normal(face, corners[k]);
        memcpy(mesh->vertices[first + k].normal, (float[]){(float)n.x, (float)n.y, (float)n.z}, sizeof up);
    }
}

/// The place of a face `i` of `cells` towards its second corner and `j` towards its third.
static Vec3 place_in(const Face *face, int i, int j, int cells)
{
    double a = (double)i / cells, b = (double)j / cells;
    return vec3_madd(vec3_madd(vec3_scale(face->corner[0], 1.0 - a - b), a, face->corner[1]), b, face->corner[2]);
}

/// cells  along each edge; the same for all faces, so that neighbours share the corners on their edge
static void add_face(const Face *face, int cells, const MeshMaterial *stone, Mesh *mesh)
{
    for (int i = 0; i < cells; i++) {
        for (int j = 0; i + j < cells; j++) {
            const Vec3 low[3] = {place_in(face, i, j, cells), place_in(face, i + 1, j, cells),
                                 place_in(face, i, j + 1, cells)};
            add_worn_triangle(face, low, stone, mesh);
            if (i + j + 1 < cells) {
                const Vec3 high[3] = {low[1], place_in(face, i + 1, j + 1, cells), low[2]};
                add_worn_triangle(face, high, stone, mesh);
            }
        }
    }
}

/// Small triangles along each edge of a shape: so many that an edge of mean length has one each CELL.
static int cells_of(const RenderRockShape *shape)
{
    double sum = 0.0;
    for (int face = 0; face < shape->triangle_count; face++) {
        for (int k = 0; k < 3; k++) {
            sum += vec3_length(
                vec3_sub(from_floats(shape->triangle[face][(k + 1) % 3]), from_floats(shape->triangle[face][k])));
        }
    }
    double mean = sum / fmax(3.0 * shape->triangle_count, 1.0);
    return (int)fmin(fmax(ceil(mean / CELL), 2.0), MOST_CELLS);
}

/// Whether the hull has a sharp edge from `from` to `to`: what lies beyond it looks elsewhere than `normal`.
static bool is_sharp(const RenderRockShape *shape, const float from[3], const float to[3], Vec3 normal)
{
    for (int face = 0; face < shape->triangle_count; face++) {
        for (int k = 0; k < 3; k++) {
            if (memcmp(shape->triangle[face][k], to, sizeof(float[3])) == 0 &&
                memcmp(shape->triangle[face][(k + 1) % 3], from, sizeof(float[3])) == 0) {
                return vec3_dot(from_floats(shape->normal[face]), normal) < SHARP;
            }
        }
    }
    return true;
}

static Vec3 middle_of(const RenderRockShape *shape)
{
    Vec3 sum = vec3(0.0, 0.0, 0.0);
    for (int face = 0; face < shape->triangle_count; face++) {
        for (int k = 0; k < 3; k++) {
            sum = vec3_add(sum, from_floats(shape->triangle[face][k]));
        }
    }
    return vec3_scale(sum, 1.0 / fmax(3.0 * shape->triangle_count, 1.0));
}

/// Grey to brown, as stones of one quarry; hardly any gloss, dust on upper faces. Of one rock some faces are split
/// freshly, by the direction that they look in. Chosen; see pictures of boulders.
static MeshMaterial stone_of(const Face *face, int number)
{
    static const uint8_t tones[4][3] = {{132, 124, 113}, {110, 107, 102}, {142, 128, 108}, {124, 117, 105}};
    Vec3 n = face->normal;
    int64_t toward = lround(2.0 * n.x) * 25 + lround(2.0 * n.y) * 5 + lround(2.0 * n.z);
    double split = random_unit(face->rock, 0x5b11, (uint64_t)(toward + 1000));
    const uint8_t *tone = tones[number % 4];
    return (MeshMaterial){{tone[0], tone[1], tone[2], 255}, {18, split > 0.55 ? 230 : 40, 80, 0}};
}

void rock_mesh(const RenderRockShape *shape, int number, bool plain, Mesh *mesh)
{
    Vec3 middle = middle_of(shape);
    int cells = cells_of(shape);
    for (int k = 0; k < shape->triangle_count; k++) {
        Face face = {.normal = from_floats(shape->normal[k]), .rock = (uint64_t)number * 16U + 7U, .middle = middle};
        for (int n = 0; n < 3; n++) {
            face.corner[n] = from_floats(shape->triangle[k][n]);
            face.sharp[n] = is_sharp(shape, shape->triangle[k][n], shape->triangle[k][(n + 1) % 3], face.normal);
        }
        MeshMaterial stone = stone_of(&face, number);
        if (plain) {
            mesh_triangle(mesh, shape->triangle[k], shape->normal[k], &stone);
        } else {
            add_face(&face, cells, &stone, mesh);
        }
    }
}
