/// Builds plants. A card's corners carry the direction from the middle of its crown as normals, so that a crown is lit
/// as one round body; its colour is darker inside and below, where little light comes to. Numbers and shares are chosen
/// by eye.
#include "render/meshes/tree_mesh.h"

#include <math.h>
#include <string.h>

#include "data/core/random.h"

enum { LEAF = 255, NEEDLE = 180 }; ///< MeshMaterial.surface[3] of a card: how it is cut out

static const MeshMaterial bark_dark = {{74, 60, 46, 255}, {0, 0, 0, 0}};
static const MeshMaterial bark_grey = {{98, 90, 80, 255}, {0, 0, 0, 0}};
static const MeshMaterial bark_birch = {{196, 192, 182, 255}, {0, 0, 0, 0}};

/// A crown: an ellipsoid that its cards fill.
typedef struct Crown {
    Vec3 middle; ///< m
    double wide, high; ///< m: half its width and height
    double color[3]; ///< sRGB, 0..255
    TreeSeed seed;
} Crown;

static double draw(TreeSeed *seed, double low, double high)
{
    return low + (high - low) * random_unit(seed->seed, 0x7ee5, seed->drawn++);
}

/// A direction of any kind, unit.
static Vec3 draw_direction(TreeSeed *seed)
{
    double z = draw(seed, -1.0, 1.0), turn = draw(seed, 0.0, 2.0 * M_PI), flat = sqrt(fmax(1.0 - z * z, 0.0));
    return vec3(flat * cos(turn), flat * sin(turn), z);
}

/// ---- cards ---------------------------------------------------------------------------------------------------------

/// Light that comes to a place of a crown, 0..1: least inside and below.
static double light_at(const Crown *crown, Vec3 p)
{
    Vec3 d = vec3_sub(p, crown->middle);
    double out = sqrt((d.x * d.x + d.y * d.y) / (crown->wide * crown->wide) + d.z * d.z / (crown->high * crown->high));
    double up = 0.5 + 0.5 * d.z / crown->high;
    return fmin(fmax(0.25 + 0.45 * out + 0.35 * up, 0.35), 1.1);
}

static void paint_card(Crown *crown, int first, int kind, Mesh *mesh)
{
    static const uint8_t corner[4][2] = {{0, 0}, {255, 0}, {255, 255}, {0, 255}};
    uint8_t pattern = (uint8_t)draw(&crown->seed, 0.0, 119.0);
    double tone = draw(&crown->seed, 0.86, 1.14), yellow = draw(&crown->seed, -0.06, 0.06);
    for (int k = 0; k < 4 && first + k < mesh->vertex_count; k++) {
        MeshVertex *vertex = &mesh->vertices[first + k];
        Vec3 p = vec3((double)vertex->position[0], (double)vertex->position[1], (double)vertex->position[2]);
        Vec3 d = vec3_sub(p, crown->middle);
        Vec3 out = vec3_unit(vec3(d.x / crown->wide, d.y / crown->wide, d.z / crown->high + 0.25), vec3(0.0, 0.0, 1.0));
        double light = tone * light_at(crown, p);
        const double hue[3] = {1.0 + yellow, 1.0, 1.0 - yellow};
        for (int c = 0; c < 3; c++) {
            vertex->color[c] = (uint8_t)fmin(light * hue[c] * crown->color[c], 255.0);
        }
        vertex->color[3] = 255;
        memcpy(vertex->normal, (float[]){(float)out.x, (float)out.y, (float)out.z}, sizeof vertex->normal);
        memcpy(vertex->surface, (uint8_t[]){corner[k][0], corner[k][1], pattern, (uint8_t)kind}, 4);
    }
}

/// Adds a card about `middle`, whose half sides are the vectors `a` and `b` (m).
static void add_card(Crown *crown, Vec3 middle, Vec3 a, Vec3 b, int kind, Mesh *mesh)
{
    static const MeshMaterial blank = {{0, 0, 0, 255}, {0, 0, 0, 0}};
    double corners[4][3];
    for (int k = 0; k < 4; k++) {
        Vec3 p = vec3_madd(vec3_madd(middle, k == 0 || k == 3 ? -1.0 : 1.0, a), k < 2 ? -1.0 : 1.0, b);
        memcpy(corners[k], (double[]){p.x, p.y, p.z}, sizeof corners[k]);
    }
    int first = mesh->vertex_count;
    mesh_pane(mesh, (const double(*)[3])corners, &blank);
    paint_card(crown, first, kind, mesh);
}

/// Adds a card of half side `size` m that is turned at random.
static void add_bunch(Crown *crown, Vec3 at, double size, Mesh *leaves)
{
    Vec3 a = draw_direction(&crown->seed), b = draw_direction(&crown->seed);
    b = vec3_unit(vec3_madd(b, -vec3_dot(a, b), a), vec3_unit(vec3_cross(a, vec3(0.3, 0.5, 0.8)), a));
    add_card(crown, at, vec3_scale(a, size), vec3_scale(b, size), LEAF, leaves);
}

/// ---- trees ---------------------------------------------------------------------------------------------------------

static void add_trunk(Vec3 at, double height, double thick, int sides, const MeshMaterial *bark, Mesh *wood)
{
    const double root[3] = {at.x, at.y, at.z - 1.5}, top[3] = {at.x, at.y, at.z + height};
    const double profile[4][2] = {
        {0.0, 1.5 * thick}, {1.7, 1.15 * thick}, {1.5 + 0.3 * height, 0.85 * thick}, {height + 1.5, 0.25 * thick}};
    mesh_lathe(wood, root, top, profile, 4, sides, bark);
}

static void add_branch(Vec3 from, Vec3 to, double thick, const MeshMaterial *bark, Mesh *wood)
{
    const double a[3] = {from.x, from.y, from.z}, b[3] = {to.x, to.y, to.z};
    double length = vec3_length(vec3_sub(to, from));
    mesh_lathe(wood, a, b, (const double[][2]){{0.0, thick}, {length, 0.35 * thick}}, 2, 5, bark);
}

/// Boughs in whorls around the trunk, which hang down; upper ones are shorter.
static void add_spruce(Vec3 at, double height, TreeDetail detail, Crown *crown, Mesh *wood, Mesh *leaves)
{
    static const int whorls[TREE_DETAILS] = {6, 10, 15}, boughs[TREE_DETAILS] = {3, 5, 7};
    add_trunk(at, 0.92 * height, 0.018 * height, detail == TREE_FAR ? 3 : 6, &bark_dark, wood);
    for (int k = 0; k < whorls[detail]; k++) {
        double share = (k + 0.3) / whorls[detail], z = height * (0.10 + 0.90 * share);
        double long_ = height * (0.21 * pow(1.0 - share, 0.8) + 0.012) * draw(&crown->seed, 0.85, 1.15);
        double turn = draw(&crown->seed, 0.0, 2.0 * M_PI);
        for (int n = 0; n < boughs[detail]; n++) {
            double angle = turn + 2.0 * M_PI * n / boughs[detail] + draw(&crown->seed, -0.25, 0.25);
            double droop = -0.18 - 0.30 * (1.0 - share);
            Vec3 out = vec3(cos(angle), sin(angle), droop), along = vec3_scale(out, 0.5 * long_);
            Vec3 aside = vec3_scale(vec3(-sin(angle), cos(angle), draw(&crown->seed, -0.5, 0.5)),
                                    (detail == TREE_FAR ? 0.75 : 0.46) * long_);
            add_card(crown, vec3_add(vec3(at.x, at.y, at.z + z), along), along, aside, NEEDLE, leaves);
        }
    }
    Vec3 tip = vec3(at.x, at.y, at.z + 0.95 * height);
    add_card(crown, tip, vec3(0.0, 0.0, 0.06 * height), vec3(0.02 * height, 0.015 * height, 0.0), NEEDLE, leaves);
}

/// Branches from the trunk to the bunches of a crown, on and inside its ellipsoid.
static void add_broadleaf(Vec3 at, double height, double slender, TreeDetail detail, Crown *crown, Mesh *wood,
                          Mesh *leaves)
{
    static const int boughs[TREE_DETAILS] = {5, 9, 17}, bunches[TREE_DETAILS] = {2, 4, 7};
    static const double size[TREE_DETAILS] = {0.86, 0.60, 0.44}; // of the crown's half width
    const MeshMaterial *bark = slender > 0.5 ? &bark_birch : &bark_grey;
    double thick = (0.022 - 0.008 * slender) * height;
    add_trunk(at, 0.72 * height, thick, detail == TREE_FAR ? 3 : 7, bark, wood);
    for (int k = 0; k < boughs[detail]; k++) {
        // Golden angle: no side is bare.
        double share = (k + 0.5) / boughs[detail], z = 1.0 - 1.75 * share,
               turn = 2.39996 * k + (double)(crown->seed.drawn % 7U);
        double flat = sqrt(fmax(1.0 - z * z, 0.0)), reach = draw(&crown->seed, 0.5, 0.82);
        Vec3 out = vec3(flat * cos(turn) * crown->wide, flat * sin(turn) * crown->wide, z * crown->high);
        Vec3 end = vec3_madd(crown->middle, reach, out);
        if (detail == TREE_NEAR) {
            double foot = fmin(fmax(end.z - at.z - 0.5 * crown->wide, 0.22 * height), 0.66 * height);
            add_branch(vec3(at.x, at.y, at.z + foot), end, 0.32 * thick, bark, wood);
        }
        for (int n = 0; n < bunches[detail]; n++) {
            double apart = 0.36 * crown->wide;
            Vec3 bunch = vec3_madd(end, apart * draw(&crown->seed, 0.2, 1.0), draw_direction(&crown->seed));
            add_bunch(crown, bunch, size[detail] * crown->wide * draw(&crown->seed, 0.75, 1.15), leaves);
        }
    }
}

void tree_mesh(Vec3 at, double height, double look, TreeDetail detail, TreeSeed seed, Mesh *wood, Mesh *leaves)
{
    static const double greens[5][3] = {
        {44.0, 62.0, 40.0}, {84.0, 98.0, 44.0}, {104.0, 112.0, 52.0}, {72.0, 92.0, 40.0}, {112.0, 106.0, 46.0}};
    Crown crown = {.seed = seed};
    int kind = look < 0.3 ? 0 : look < 0.52 ? 1 : look < 0.68 ? 2 : look < 0.92 ? 3 : 4;
    memcpy(crown.color, greens[kind], sizeof crown.color);
    if (kind == 0) {
        crown.middle = vec3(at.x, at.y, at.z + 0.45 * height);
        crown.wide = 0.2 * height;
        crown.high = 0.6 * height;
        add_spruce(at, height, detail, &crown, wood, leaves);
        return;
    }
    double slender = kind == 2 ? 1.0 : 0.0;
    crown.wide = height * (kind == 2 ? 0.18 : kind == 1 ? 0.38 : 0.31);
    crown.high = height * (kind == 2 ? 0.43 : kind == 1 ? 0.38 : 0.40);
    crown.middle = vec3(at.x, at.y, at.z + height - crown.high);
    add_broadleaf(at, height, slender, detail, &crown, wood, leaves);
}

/// ---- hedges --------------------------------------------------------------------------------------------------------

void hedge_mesh(Vec3 a, Vec3 b, double height, bool plain, TreeSeed seed, Mesh *leaves)
{
    Vec3 span = vec3_sub(b, a), along = vec3_unit(span, vec3(1.0, 0.0, 0.0)), aside = vec3(-along.y, along.x, 0.0);
    double step = (plain ? 1.6 : 0.75) * height;
    int pieces = (int)fmax(ceil(vec3_length(span) / step), 1.0);
    for (int k = 0; k < pieces; k++) {
        Crown crown = {.wide = 0.8 * height, .high = 0.7 * height, .color = {74.0, 88.0, 44.0}, .seed = seed};
        double here = height * draw(&seed, 0.75, 1.2);
        Vec3 foot = vec3_madd(vec3_madd(a, (k + 0.5) / pieces, span), draw(&seed, -0.15, 0.15) * height, aside);
        crown.middle = vec3(foot.x, foot.y, foot.z + 0.45 * here);
        crown.seed.drawn = seed.drawn * 16U;
        Vec3 up = vec3(0.0, 0.0, 0.62 * here), lean = vec3_scale(aside, draw(&seed, -0.3, 0.3) * here);
        Vec3 middle = vec3(foot.x, foot.y, foot.z + 0.5 * here);
        add_card(&crown, middle, vec3_scale(along, 0.72 * step), vec3_add(up, lean), LEAF, leaves);
        if (!plain) {
            Vec3 turned = vec3_add(vec3_scale(along, 0.35 * step), vec3_scale(aside, 0.42 * here));
            add_card(&crown, middle, turned, up, LEAF, leaves);
        }
    }
}
