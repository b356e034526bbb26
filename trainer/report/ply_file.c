/// Writes one PLY file: sorts the particles by id, lays their vertices and faces out in memory, and writes header and
/// bytes. The layout is listed once, in VERTEX, for the header and for the bytes.
#include "trainer/report/ply_file.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "data/core/srgb.h"

/// Properties of a vertex in their order: X(type, name, value), where `p` are the particles, `i` is the one at hand and
/// `g` has what is computed of it.
#define VERTEX(X)                                                                                                      \
    X(float, x, g->at[0])                                                                                              \
    X(float, y, g->at[1])                                                                                              \
    X(float, z, g->at[2])                                                                                              \
    X(uchar, red, g->color[0])                                                                                         \
    X(uchar, green, g->color[1])                                                                                       \
    X(uchar, blue, g->color[2])                                                                                        \
    X(float, radius, (double)p->radius[i])                                                                             \
    X(float, quality, g->speed)                                                                                        \
    X(float, scalar_radius, (double)p->radius[i])                                                                      \
    X(float, scalar_speed, g->speed)                                                                                   \
    X(float, scalar_vx, p->vx[i])                                                                                      \
    X(float, scalar_vy, p->vy[i])                                                                                      \
    X(float, scalar_vz, p->vz[i])                                                                                      \
    X(uchar, scalar_soil, p->soil[i])                                                                                  \
    X(int, scalar_id, p->id[i])

enum {
    SIZE_float = 4,
    SIZE_uchar = 1,
    SIZE_int = 4,
#define X(type, name, value) +SIZE_##type
    VERTEX_SIZE = 0 VERTEX(X),
#undef X
    CORNERS = 6,
    FACES = 8,
    FACE_SIZE = 1 + 3 * 4,
};

const char *const ply_color_names[PLY_COLOR_COUNT] = {
#define X(name, word) word,
    PLY_COLORS(X)
#undef X
};

void ply_free(PlyWriter *writer)
{
    free(writer->bytes);
    free(writer->order);
    *writer = (PlyWriter){.style = writer->style};
}

static size_t vertices_size(const PlyStyle *style, int count)
{
    return (size_t)count * VERTEX_SIZE * (style->solid ? CORNERS : 1);
}

static size_t file_size(const PlyStyle *style, int count)
{
    return vertices_size(style, count) + (style->solid ? (size_t)count * FACES * FACE_SIZE : 0);
}

static bool reserve(PlyWriter *writer, int count)
{
    if (count <= writer->capacity) {
        return true;
    }
    int room = count + count / 2 + 256;
    unsigned char *bytes = realloc(writer->bytes, file_size(&writer->style, room));
    if (bytes != NULL) {
        writer->bytes = bytes;
    }
    int32_t *order = realloc(writer->order, (size_t)room * sizeof *order);
    if (order != NULL) {
        writer->order = order;
    }
    if (bytes == NULL || order == NULL) {
        return false;
    }
    writer->capacity = room;
    return true;
}

/// ---- order ---------------------------------------------------------------------------------------------------------

/// Heap sort of `order` by id: qsort could not see the ids without a global.
static void sift(int32_t *order, int32_t from, int32_t count, const uint32_t *id)
{
    int32_t item = order[from];
    for (int32_t child = 2 * from + 1; child < count; child = 2 * from + 1) {
        child += child + 1 < count && id[order[child]] < id[order[child + 1]];
        if (id[order[child]] <= id[item]) {
            break;
        }
        order[from] = order[child];
        from = child;
    }
    order[from] = item;
}

static void sort_by_id(int32_t *order, int32_t count, const uint32_t *id)
{
    for (int32_t k = 0; k < count; k++) {
        order[k] = k;
    }
    for (int32_t k = count / 2; k-- > 0;) {
        sift(order, k, count, id);
    }
    for (int32_t last = count - 1; last > 0; last--) {
        int32_t largest = order[0];
        order[0] = order[last];
        order[last] = largest;
        sift(order, 0, last, id);
    }
}

/// ---- colour --------------------------------------------------------------------------------------------------------

/// The speed at the end of the scale, m/s: about that of grains that fall out of a bucket. Chosen
#define SPEED_MOST 3.0

/// Five colours of viridis (matplotlib, CC0), from dark blue to yellow: even steps to the eye, colour-blind or not.
static const uint8_t scale[][3] = {{68, 1, 84}, {59, 82, 139}, {33, 145, 140}, {94, 201, 98}, {253, 231, 37}};

static void color_by_speed(double speed, uint8_t color[3])
{
    enum { PARTS = sizeof scale / sizeof scale[0] - 1 };
    double place = fmin(speed / SPEED_MOST, 1.0) * PARTS;
    int part = place < PARTS ? (int)place : PARTS - 1;
    for (int k = 0; k < 3; k++) {
        color[k] = (uint8_t)lrint(scale[part][k] + (scale[part + 1][k] - scale[part][k]) * (place - part));
    }
}

static void color_by_soil(const SceneParams *scene, int soil, uint8_t color[3])
{
    for (int k = 0; k < 3; k++) {
        color[k] = srgb_from_linear((double)scene->soils[soil].color_fresh[k]);
    }
}

/// ---- bytes ---------------------------------------------------------------------------------------------------------

static unsigned char *put_uchar(unsigned char *at, uint8_t value)
{
    *at = value;
    return at + 1;
}

static unsigned char *put_int(unsigned char *at, uint32_t value)
{
    for (int k = 0; k < 4; k++) {
        *at++ = (unsigned char)(value >> (8 * k));
    }
    return at;
}

static unsigned char *put_float(unsigned char *at, double value)
{
    float number = (float)value;
    uint32_t word;
    memcpy(&word, &number, sizeof word);
    return put_int(at, word);
}

/// What is computed of a grain.
typedef struct Grain {
    double at[3]; ///< m, of the vertex at hand
    double speed; ///< m/s
    uint8_t color[3];
} Grain;

static unsigned char *put_vertex(unsigned char *at, const SoilParticleView *p, int32_t i, const Grain *g)
{
#define X(type, name, value) at = put_##type(at, value);
    VERTEX(X)
#undef X
    return at;
}

static unsigned char *put_grain(unsigned char *at, const PlyStyle *style, const SoilParticleView *p, int32_t i,
                                const SceneParams *scene)
{
    Grain grain = {
        {p->x[i], p->y[i], p->z[i]}, sqrt(p->vx[i] * p->vx[i] + p->vy[i] * p->vy[i] + p->vz[i] * p->vz[i]), {0}};
    if (style->color == PLY_COLOR_SPEED) {
        color_by_speed(grain.speed, grain.color);
    } else {
        color_by_soil(scene, p->soil[i], grain.color);
    }
    for (int corner = 0; style->solid && corner < CORNERS; corner++) {
        Grain vertex = grain;
        vertex.at[corner / 2] += corner % 2 == 0 ? (double)p->radius[i] : -(double)p->radius[i];
        at = put_vertex(at, p, i, &vertex);
    }
    return style->solid ? at : put_vertex(at, p, i, &grain);
}

/// Corners 0 to 5 lie on +x, -x, +y, -y, +z, -z; faces turn left seen from outside.
static unsigned char *put_faces(unsigned char *at, int32_t grain)
{
    static const uint8_t faces[FACES][3] = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4},
                                            {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
    for (int face = 0; face < FACES; face++) {
        at = put_uchar(at, 3);
        for (int k = 0; k < 3; k++) {
            at = put_int(at, (uint32_t)grain * CORNERS + faces[face][k]);
        }
    }
    return at;
}

static bool write_header(FILE *file, const PlyStyle *style, int count, const PlyMoment *moment)
{
    fprintf(file,
            "ply\nformat binary_little_endian 1.0\ncomment spadework: scene %s, tick %" PRId64
            ", time %.6f s; SI units\n",
            moment->scene->name, moment->tick, moment->time);
    for (int k = 0; k < moment->scene->soil_count; k++) {
        fprintf(file, "comment soil %d %s\n", k, moment->scene->soils[k].name);
    }
    if (style->color == PLY_COLOR_SPEED) {
        fprintf(file, "comment color: speed, from 0 (dark blue) to %g m/s (yellow)\n", SPEED_MOST);
    } else {
        fprintf(file, "comment color: soil\n");
    }
    fprintf(file, "element vertex %" PRId64 "\n", (int64_t)count * (style->solid ? CORNERS : 1));
#define X(type, name, value) fputs("property " #type " " #name "\n", file);
    VERTEX(X)
#undef X
    if (style->solid) {
        fprintf(file, "element face %" PRId64 "\nproperty list uchar int vertex_indices\n", (int64_t)count * FACES);
    }
    return fputs("end_header\n", file) >= 0;
}

bool ply_write(PlyWriter *writer, const char *path, const SoilParticleView *particles, const PlyMoment *moment,
               Status *status)
{
    int count = particles->count;
    if (!reserve(writer, count)) {
        return status_fail(status, STATUS_LACKING, "%s: out of memory for %d particles", path, count);
    }
    sort_by_id(writer->order, count, particles->id);
    unsigned char *end = writer->bytes;
    for (int32_t k = 0; k < count; k++) {
        end = put_grain(end, &writer->style, particles, writer->order[k], moment->scene);
    }
    for (int32_t k = 0; writer->style.solid && k < count; k++) {
        end = put_faces(end, k);
    }
    errno = 0;
    FILE *file = fopen(path, "wbx");
    if (file == NULL) {
        return status_fail(status, STATUS_LACKING, "%s: cannot be made: %s", path, strerror(errno));
    }
    size_t size = file_size(&writer->style, count);
    bool good = write_header(file, &writer->style, count, moment) &&
                (size == 0 || fwrite(writer->bytes, 1, size, file) == size);
    good = good && ferror(file) == 0;
    int reason = errno;
    if (fclose(file) != 0 && good) {
        reason = errno;
        good = false;
    }
    if (!good) {
        unlink(path);
        return status_fail(status, STATUS_LACKING, "%s: cannot be written: %s", path, strerror(reason));
    }
    return true;
}
