/// Writes particles as binary little-endian PLY, sorted by id, so that other programs can follow one grain from file to
/// file.
#include "trainer/report/ply.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FLOATS = 7, VERTEX_SIZE = 4 * FLOATS + 1 + 4 };

void ply_free(PlyWriter *writer)
{
    free(writer->bytes);
    free(writer->order);
    *writer = (PlyWriter){0};
}

static bool reserve(PlyWriter *writer, int count)
{
    if (count <= writer->capacity) {
        return true;
    }
    size_t room = (size_t)count + (size_t)count / 2 + 256;
    unsigned char *bytes = realloc(writer->bytes, room * VERTEX_SIZE);
    if (bytes != NULL) {
        writer->bytes = bytes;
    }
    int32_t *order = realloc(writer->order, room * sizeof *order);
    if (order != NULL) {
        writer->order = order;
    }
    if (bytes == NULL || order == NULL) {
        return false;
    }
    writer->capacity = (int)room;
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

/// ---- bytes ---------------------------------------------------------------------------------------------------------

static unsigned char *put_word(unsigned char *at, uint32_t word)
{
    for (int k = 0; k < 4; k++) {
        *at++ = (unsigned char)(word >> (8 * k));
    }
    return at;
}

static unsigned char *put_vertex(unsigned char *at, const SoilParticleView *p, int32_t i)
{
    const float values[FLOATS] = {(float)p->x[i],  (float)p->y[i],  (float)p->z[i], p->radius[i],
                                  (float)p->vx[i], (float)p->vy[i], (float)p->vz[i]};
    for (int k = 0; k < FLOATS; k++) {
        uint32_t word;
        memcpy(&word, &values[k], sizeof word);
        at = put_word(at, word);
    }
    *at++ = p->soil[i];
    return put_word(at, p->id[i]);
}

static bool write_header(FILE *file, int count, const PlyMoment *moment)
{
    static const char *const properties[] = {"float x",  "float y",  "float z",    "float radius", "float vx",
                                             "float vy", "float vz", "uchar soil", "int id"};
    fprintf(file,
            "ply\nformat binary_little_endian 1.0\ncomment spadework: scene %s, tick %" PRId64
            ", time %.6f s; SI units\n",
            moment->scene->name, moment->tick, moment->time);
    for (int k = 0; k < moment->scene->soil_count; k++) {
        fprintf(file, "comment soil %d %s\n", k, moment->scene->soils[k].name);
    }
    fprintf(file, "element vertex %d\n", count);
    for (size_t k = 0; k < sizeof properties / sizeof properties[0]; k++) {
        fprintf(file, "property %s\n", properties[k]);
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
        end = put_vertex(end, particles, writer->order[k]);
    }
    errno = 0;
    FILE *file = fopen(path, "wbx");
    if (file == NULL) {
        return status_fail(status, STATUS_LACKING, "%s: cannot be made: %s", path, strerror(errno));
    }
    size_t size = (size_t)count * VERTEX_SIZE;
    bool good = write_header(file, count, moment) && (size == 0 || fwrite(writer->bytes, 1, size, file) == size);
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
