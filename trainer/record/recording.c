/// Reads an opened recording: keyframes, sessions, orders and controls, metrics, samples and maps of the ground.
#include "trainer/record/recording.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <zstd.h>

#include "data/core/signals.h"
#include "data/core/visible_text.h"
#include "trainer/record/recording_internal.h"

/// ---- keyframes -----------------------------------------------------------------------------------------------------

/// Unpacks into recording->state; `prefix` is what a difference builds on, NULL for a whole state.
static bool unpack_keyframe(Recording *recording, const void *packed, size_t size, const StateBuffer *prefix,
                            int64_t tick, Status *status)
{
    unsigned long long length = ZSTD_getFrameContentSize(packed, size);
    size_t most = recording->state_most > 0 && recording->state_most < RECORDING_STATE_MOST ? recording->state_most
                                                                                            : RECORDING_STATE_MOST;
    if (length == ZSTD_CONTENTSIZE_ERROR || length == ZSTD_CONTENTSIZE_UNKNOWN) {
        return recording_fail(recording, status, "the keyframe of tick %" PRId64 " is damaged: it is not packed", tick);
    }
    if (length > most || size > ZSTD_compressBound(most)) {
        return recording_fail(recording, status,
                              "the keyframe of tick %" PRId64 " is damaged: it has %zu bytes for a state of %llu, "
                              "allowed are states of 1..%zu bytes in this scene",
                              tick, size, length, most);
    }
    recording->state.size = 0;
    recording->zstd = recording->zstd != NULL ? recording->zstd : ZSTD_createDCtx();
    if (recording->zstd == NULL || !state_buffer_reserve(&recording->state, (size_t)length + 1)) {
        return status_fail(status, STATUS_LACKING, "%s: out of memory for a keyframe of %llu bytes", recording->path,
                           length);
    }
    ZSTD_DCtx_reset(recording->zstd, ZSTD_reset_session_and_parameters);
    ZSTD_DCtx_setParameter(recording->zstd, ZSTD_d_windowLogMax, KEYFRAME_WINDOW_LOG);
    if (prefix != NULL) {
        ZSTD_DCtx_refPrefix(recording->zstd, prefix->data, prefix->size);
    }
    size_t got = ZSTD_decompressDCtx(recording->zstd, recording->state.data, (size_t)length, packed, size);
    if (ZSTD_isError(got) || got != length) {
        return recording_fail(recording, status, "the keyframe of tick %" PRId64 " is damaged: %s", tick,
                              ZSTD_isError(got) ? ZSTD_getErrorName(got) : "it is cut");
    }
    recording->state.size = got;
    Status reason;
    return state_is_whole(recording->state.data, got, &reason) ||
           recording_fail(recording, status, "the keyframe of tick %" PRId64 " is damaged: %.200s", tick, reason.text);
}

/// Reads keyframe `index`; a difference builds on what recording->state holds.
static bool load_next_keyframe(Recording *recording, int index, Status *status)
{
    int64_t tick = recording->keyframe_ticks[index];
    bool whole = recording->keyframe_bases[index] == tick;
    recording->state_index = -1;
    if (!whole) {
        StateBuffer before = recording->before;
        recording->before = recording->state;
        recording->state = before;
    }
    sqlite3_bind_int64(recording->keyframe, 1, tick);
    bool good = sqlite3_step(recording->keyframe) == SQLITE_ROW &&
                sqlite3_column_type(recording->keyframe, 0) == SQLITE_BLOB &&
                sqlite3_column_bytes(recording->keyframe, 0) > 0;
    if (!good) {
        recording_fail(recording, status, "the keyframe of tick %" PRId64 " is damaged: it cannot be read", tick);
    } else {
        good = unpack_keyframe(recording, sqlite3_column_blob(recording->keyframe, 0),
                               (size_t)sqlite3_column_bytes(recording->keyframe, 0), whole ? NULL : &recording->before,
                               tick, status);
    }
    sqlite3_reset(recording->keyframe);
    recording->state_index = good ? index : -1;
    return good;
}

bool recording_load_keyframe(Recording *recording, int index, Status *status)
{
    if (recording->keyframe == NULL) {
        recording->keyframe = recording_prepare(recording, "SELECT zstd FROM keyframe WHERE tick=?", status);
    }
    if (recording->keyframe == NULL) {
        return false;
    }
    int at = index;
    while (at != recording->state_index && recording->keyframe_bases[at] != recording->keyframe_ticks[at]) {
        at--;
    }
    bool good = true;
    for (at += at == recording->state_index; good && at <= index; at++) {
        good = load_next_keyframe(recording, at, status);
    }
    return good;
}

int recording_keyframe_before(const Recording *recording, int64_t tick)
{
    int low = 0, high = recording->keyframe_count - 1;
    while (low < high) {
        int middle = (low + high + 1) / 2;
        if (recording->keyframe_ticks[middle] <= tick) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    return low;
}

/// ---- orders --------------------------------------------------------------------------------------------------------

const RecordedOrder *recording_orders_of(const Recording *recording, int64_t tick, int *count)
{
    int64_t low = 0, high = recording->order_count;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (recording->orders[middle].tick < tick) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    *count = 0;
    while (low + *count < recording->order_count && recording->orders[low + *count].tick == tick) {
        ++*count;
    }
    return *count > 0 ? &recording->orders[low] : NULL;
}

bool recording_advance(Recording *recording, Session *session, Status *status)
{
    int64_t tick = session_frame(session)->tick;
    OperatorControls controls;
    if (!recording_controls(recording, tick, &controls, status)) {
        return false;
    }
    int count;
    const RecordedOrder *rows = recording_orders_of(recording, tick, &count);
    for (int k = 0; k < count; k++) {
        Status reason;
        if (!session_order(session, &rows[k].order, &reason)) {
            return recording_fail(recording, status, "order %" PRId64 " of tick %" PRId64 " cannot be given: %.300s",
                                  rows[k].number, tick, reason.text);
        }
    }
    session_tick(session, &controls);
    return !session_has_failed(session) ||
           status_fail(status, STATUS_LACKING, "out of memory for the soil in tick %" PRId64, tick);
}

#define COLUMNS_MOST 4e6 ///< of a site: data/schema

/// ---- samples -------------------------------------------------------------------------------------------------------

/// Appends the samples of a row; `before`: tick of the last one so far.
static bool read_samples(Recording *recording, sqlite3_stmt *row, int64_t most, TraceSample *samples, int64_t *count,
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
    sqlite3_stmt *row =
        recording_prepare(recording, "SELECT ifnull(sum(length(samples)), 0) FROM trace WHERE tick <= ?", status);
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
    sqlite3_stmt *row =
        recording_prepare(recording, "SELECT tick, samples FROM trace WHERE tick <= ? ORDER BY tick", status);
    bool good = row != NULL;
    if (good) {
        sqlite3_bind_int64(row, 1, seal_moment_last_row(&recording->moment, SEAL_OF_trace));
    }
    int code = SQLITE_DONE;
    while (good && (code = sqlite3_step(row)) == SQLITE_ROW) {
        good = read_samples(recording, row, most, *samples, &count, status);
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
    sqlite3_stmt *row =
        recording_prepare(recording,
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

/// ---- meta ----------------------------------------------------------------------------------------------------------

int64_t recording_ticks(const Recording *recording)
{
    return recording->last_tick;
}

int recording_tick_rate(const Recording *recording)
{
    return recording->tick_rate;
}

int64_t recording_first_tick(const Recording *recording)
{
    return recording->first_tick;
}

void recording_credit(Recording *recording, Credit *credit)
{
    *credit = (Credit){.driver = CREDIT_PERSON};
    const char *told = recording_meta(recording, "driver");
    if (told != NULL && credit_driver_named(told, &credit->driver)) {
        told = recording_meta(recording, "clumsy");
        credit->clumsy = told != NULL ? strtod(told, NULL) : 0.0;
    } else {
        told = recording_meta(recording, "operator");
        credit_of_operator(told != NULL ? told : "", credit);
    }
    credit_begin_in(credit, recording_meta(recording, "parent"), (double)recording->first_tick / recording->tick_rate);
}

/// ---- sessions ------------------------------------------------------------------------------------------------------

static bool restore_keyframe(Recording *recording, Session *session, int index, Status *status)
{
    Status reason;
    if (!recording_load_keyframe(recording, index, status)) {
        return false;
    }
    if (!state_restore(session, recording->state.data, recording->state.size, &reason)) {
        return recording_fail(recording, status, "the keyframe of tick %" PRId64 " cannot be restored: %.300s",
                              recording->keyframe_ticks[index], reason.text);
    }
    int64_t tick = session_frame(session)->tick;
    return tick == recording->keyframe_ticks[index] ||
           recording_fail(recording, status, "the keyframe of tick %" PRId64 " holds tick %" PRId64,
                          recording->keyframe_ticks[index], tick);
}

Session *recording_create_session(Recording *recording, int threads, Status *status)
{
    SessionParams params = {.has_seed = true,
                            .seed = recording->seed,
                            .solver = recording->solver,
                            .threads = threads,
                            .files = &recording->files};
    Status reason;
    Session *session = session_create(&params, &reason);
    if (session == NULL) {
        status_fail(status, reason.code, "%s: %.900s", recording->path, reason.text);
        return NULL;
    }
    bool good = session_scene(session)->rates.tick_rate == recording->tick_rate ||
                recording_fail(recording, status, "is damaged: its scene has %d ticks a second, its meta %d",
                               session_scene(session)->rates.tick_rate, recording->tick_rate);
    good = good && recording_check_events(recording, &session_scene(session)->exercise, status);
    if (good) {
        SoilGridView grid = soil_get_grid(session_soil(session));
        recording->state_most = state_size_most(session);
        recording->columns_most = (int64_t)grid.rows * grid.columns;
    }
    if (!good || (recording->first_tick > 0 && !restore_keyframe(recording, session, 0, status))) {
        session_destroy(session);
        return NULL;
    }
    return session;
}

const DataFiles *recording_files(const Recording *recording)
{
    return &recording->files;
}

/// What a scene asks for stands in it and in the file of its surface.
static bool is_asked(const DataFile *file)
{
    return strcmp(file->kind, "scenes") == 0 || strcmp(file->kind, "surfaces") == 0 ||
           strcmp(file->kind, "heights") == 0;
}

/// Copies those texts of a set that say what is asked for, or the others.
static bool copy_files(const DataFiles *from, bool asked, DataFiles *to, Status *status)
{
    for (int k = 0; k < from->count; k++) {
        const DataFile *file = &from->files[k];
        if (is_asked(file) != asked) {
            continue;
        }
        char *copy = malloc(file->size + 1);
        if (copy == NULL) {
            return status_fail(status, STATUS_LACKING, "out of memory for the texts of a recording");
        }
        memcpy(copy, file->text, file->size);
        copy[file->size] = '\0';
        if (!data_files_add(to, file->kind, file->name, copy, file->size, status)) {
            return false;
        }
    }
    return true;
}

Session *recording_create_session_of(Recording *recording, const DataFiles *asked, int threads, Status *status)
{
    DataFiles files = {0};
    Session *session = NULL;
    if (copy_files(&recording->files, false, &files, status) && copy_files(asked, true, &files, status)) {
        SessionParams params = {.has_seed = true,
                                .seed = recording->seed,
                                .solver = recording->solver,
                                .threads = threads,
                                .files = &files};
        session = session_create(&params, status);
    }
    data_files_free(&files);
    return session;
}

bool recording_controls(Recording *recording, int64_t tick, OperatorControls *controls, Status *status)
{
    if (tick < recording->first_tick || tick >= recording->last_tick) {
        return status_fail(status, STATUS_BAD_USAGE, "%s: no input at tick %" PRId64 ", allowed %" PRId64 "..%" PRId64,
                           recording->path, tick, recording->first_tick, recording->last_tick - 1);
    }
    *controls = recording->controls[tick - recording->first_tick];
    return true;
}

uint64_t recording_state_hash(const Recording *recording, int64_t tick)
{
    assert(tick >= recording->first_tick && tick <= recording->last_tick);
    return recording->hashes[tick - recording->first_tick];
}

bool recording_seek(Recording *recording, Session *session, int64_t tick, Status *status)
{
    if (tick < recording->first_tick || tick > recording->last_tick) {
        return status_fail(status, STATUS_BAD_USAGE,
                           "%s: tick %" PRId64 " is not recorded, allowed %" PRId64 "..%" PRId64, recording->path, tick,
                           recording->first_tick, recording->last_tick);
    }
    int index = recording_keyframe_before(recording, tick);
    if (!restore_keyframe(recording, session, index, status)) {
        return false;
    }
    for (int64_t at = recording->keyframe_ticks[index]; at < tick; at++) {
        if (!signals_go_on(recording->path, status)) {
            return false;
        }
        if (!recording_advance(recording, session, status)) {
            return false;
        }
    }
    return true;
}

bool recording_check_keyframes(Recording *recording, Session *session, RecordingProgress *progress, void *context,
                               Status *status)
{
    bool good = true;
    for (int k = 0; k < recording->keyframe_count && good; k++) {
        good = signals_go_on(recording->path, status) && restore_keyframe(recording, session, k, status);
        if (progress != NULL && good) {
            progress(context, k + 1, recording->keyframe_count);
        }
    }
    return good;
}

/// ---- results -------------------------------------------------------------------------------------------------------

/// Copies a column's text, cut to `size`; anything else than text is "".
static void copy_text(sqlite3_stmt *row, int column, char *text, size_t size)
{
    const char *value =
        sqlite3_column_type(row, column) == SQLITE_TEXT ? (const char *)sqlite3_column_text(row, column) : NULL;
    visible_text_show(value != NULL ? value : "", false, text, size);
}

int recording_metrics(Recording *recording, ExerciseMetric *metrics, int capacity)
{
    sqlite3_stmt *row = NULL;
    int count = 0;
    if (sqlite3_prepare_v2(recording->db, "SELECT name, unit, value FROM metric WHERE rowid <= ? ORDER BY rowid", -1,
                           &row, NULL) == SQLITE_OK) {
        sqlite3_bind_int64(row, 1, seal_moment_last_row(&recording->moment, SEAL_OF_metric));
        while (count < capacity && sqlite3_step(row) == SQLITE_ROW) {
            ExerciseMetric *metric = &metrics[count++];
            copy_text(row, 0, metric->name, sizeof metric->name);
            copy_text(row, 1, metric->unit, sizeof metric->unit);
            metric->value = sqlite3_column_double(row, 2);
        }
    }
    sqlite3_finalize(row);
    return count;
}
