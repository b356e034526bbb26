/// Reads a recording's samples and maps of the ground, which are checked as they are read.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "trainer/record/recording_internal.h"

#define COLUMNS_MOST 4e6 ///< of a site: data/schema

static sqlite3_stmt *prepare(Recording *recording, const char *sql, Status *status)
{
    sqlite3_stmt *row = NULL;
    if (sqlite3_prepare_v2(recording->db, sql, -1, &row, NULL) != SQLITE_OK) {
        recording_fail(recording, status, "is damaged: %s", sqlite3_errmsg(recording->db));
    }
    return row;
}

/// ---- samples -------------------------------------------------------------------------------------------------------

/// Appends the samples of a row; `before`: tick of the last one so far.
static bool read_row(Recording *recording, sqlite3_stmt *row, int64_t most, TraceSample *samples, int64_t *count,
                     Status *status)
{
    const unsigned char *bytes = sqlite3_column_blob(row, 1);
    int size = sqlite3_column_bytes(row, 1);
    if (sqlite3_column_type(row, 1) != SQLITE_BLOB || bytes == NULL || size % TRACE_BYTES != 0 ||
        *count + size / TRACE_BYTES > most) {
        return recording_fail(recording, status, "is damaged: the samples from tick %" PRId64 " on are %d bytes",
                              (int64_t)sqlite3_column_int64(row, 0), size);
    }
    for (int k = 0; k < size / TRACE_BYTES; k++) {
        TraceSample *sample = &samples[*count];
        bool finite = trace_unpack(bytes + (size_t)k * TRACE_BYTES, sample);
        int64_t least = *count > 0 ? sample[-1].tick + 1 : recording->first_tick;
        if (!finite || sample->tick < least || sample->tick > recording->last_tick) {
            return recording_fail(recording, status, "is damaged: sample %" PRId64 " is of tick %" PRId64 "%s", *count,
                                  sample->tick, finite ? "" : " and holds what is no number");
        }
        (*count)++;
    }
    return true;
}

/// How many samples the rows hold, by their size, at most those of its length. -1 with `status`.
static int64_t count_samples(Recording *recording, Status *status)
{
    int64_t ticks = recording->last_tick - recording->first_tick;
    int64_t most = ticks / trace_interval(recording->tick_rate) + 2; // one at its beginning, wherever that is
    sqlite3_stmt *row = prepare(recording, "SELECT ifnull(sum(length(samples)), 0) FROM trace WHERE tick <= ?", status);
    if (row == NULL) {
        return -1;
    }
    sqlite3_bind_int64(row, 1, seal_moment_last_row(&recording->moment, SEAL_OF_trace));
    int64_t bytes = sqlite3_step(row) == SQLITE_ROW ? sqlite3_column_int64(row, 0) : 0;
    sqlite3_finalize(row);
    return bytes / TRACE_BYTES < most ? bytes / TRACE_BYTES : most;
}

int64_t recording_trace(Recording *recording, TraceSample **samples, Status *status)
{
    int64_t most = count_samples(recording, status), count = 0;
    *samples = NULL;
    if (most < 0) {
        return -1;
    }
    *samples = calloc((size_t)most + 1, sizeof **samples);
    if (*samples == NULL) {
        status_fail(status, STATUS_LACKING, "%s: out of memory for its samples", recording->path);
        return -1;
    }
    sqlite3_stmt *row = prepare(recording, "SELECT tick, samples FROM trace WHERE tick <= ? ORDER BY tick", status);
    bool good = row != NULL;
    if (good) {
        sqlite3_bind_int64(row, 1, seal_moment_last_row(&recording->moment, SEAL_OF_trace));
    }
    int code = SQLITE_DONE;
    while (good && (code = sqlite3_step(row)) == SQLITE_ROW) {
        good = read_row(recording, row, most, *samples, &count, status);
    }
    if (good && code != SQLITE_DONE) {
        good = recording_fail(recording, status, "is damaged: %s", sqlite3_errmsg(recording->db));
    }
    sqlite3_finalize(row);
    if (!good) {
        free(*samples);
        *samples = NULL;
        return -1;
    }
    return count;
}

/// ---- the ground ----------------------------------------------------------------------------------------------------

static bool unpack_ground(Recording *recording, sqlite3_stmt *row, TraceGround *ground, Status *status)
{
    int64_t rows = sqlite3_column_int64(row, 1), columns = sqlite3_column_int64(row, 2);
    *ground = (TraceGround){.tick = sqlite3_column_int64(row, 0),
                            .spacing = sqlite3_column_double(row, 3),
                            .origin_x = sqlite3_column_double(row, 4),
                            .origin_y = sqlite3_column_double(row, 5)};
    double most = recording->columns_most > 0 ? (double)recording->columns_most : COLUMNS_MOST;
    bool fits = rows > 0 && columns > 0 && (double)rows * (double)columns <= most && ground->spacing > 0.0 &&
                ground->spacing <= 0.5 && ground->origin_x >= -100.0 && ground->origin_x <= 100.0 &&
                ground->origin_y >= -100.0 && ground->origin_y <= 100.0;
    if (!fits) {
        return recording_fail(recording, status,
                              "is damaged: its ground at tick %" PRId64 " has %" PRId64 " x %" PRId64 " columns",
                              ground->tick, rows, columns);
    }
    ground->rows = (int)rows;
    ground->columns = (int)columns;
    size_t count = (size_t)rows * (size_t)columns;
    ground->height = malloc(count * sizeof *ground->height);
    if (ground->height == NULL) {
        return status_fail(status, STATUS_LACKING, "%s: out of memory for its ground", recording->path);
    }
    unsigned char *bytes = (unsigned char *)ground->height;
    const void *packed = sqlite3_column_blob(row, 6);
    size_t size = packed != NULL ? ZSTD_decompress(bytes, 2 * count, packed, (size_t)sqlite3_column_bytes(row, 6)) : 0;
    if (ZSTD_isError(size) || size != 2 * count) {
        free(ground->height);
        ground->height = NULL;
        return recording_fail(recording, status, "is damaged: its ground at tick %" PRId64 " cannot be unpacked",
                              ground->tick);
    }
    for (size_t k = 0; k < count; k++) {
        uint16_t bits = (uint16_t)(bytes[2 * k] | bytes[2 * k + 1] << 8);
        int16_t height;
        memcpy(&height, &bits, sizeof height);
        ground->height[k] = height;
    }
    return true;
}

bool recording_ground(Recording *recording, int64_t tick, TraceGround *ground, Status *status)
{
    *ground = (TraceGround){0};
    sqlite3_stmt *row = prepare(recording,
                                "SELECT * FROM ground WHERE tick = ifnull((SELECT max(tick) FROM ground WHERE tick <= "
                                "?1), (SELECT min(tick) FROM ground))",
                                status);
    if (row == NULL) {
        return false;
    }
    int64_t last = seal_moment_last_row(&recording->moment, SEAL_OF_ground);
    sqlite3_bind_int64(row, 1, tick < last ? tick : last);
    bool good = sqlite3_step(row) == SQLITE_ROW
                    ? unpack_ground(recording, row, ground, status)
                    : recording_fail(recording, status, "is damaged: it has no map of the ground");
    sqlite3_finalize(row);
    return good;
}
