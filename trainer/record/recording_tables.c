/// A recording's tables, read and checked once at opening.
#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trainer/record/recording_limits.h"
#include "trainer/record/recording_internal.h"

#define TICKS_MOST (INT64_C(1) << 40)

static sqlite3_stmt *prepare(const Recording *recording, const char *sql, Status *status)
{
    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v2(recording->db, sql, -1, &statement, NULL) != SQLITE_OK) {
        recording_fail(recording, status, "is damaged: %s", sqlite3_errmsg(recording->db));
    }
    return statement;
}

/// Finalises a statement that was stepped until `code`.
static bool conclude(const Recording *recording, sqlite3_stmt *statement, int code, bool good, Status *status)
{
    if (good && code != SQLITE_DONE) {
        good = recording_fail(recording, status, "is damaged: %s", sqlite3_errmsg(recording->db));
    }
    sqlite3_finalize(statement);
    return good;
}

static int64_t count_rows(const Recording *recording, const char *sql)
{
    sqlite3_stmt *statement = NULL;
    int64_t count = -1;
    if (sqlite3_prepare_v2(recording->db, sql, -1, &statement, NULL) == SQLITE_OK &&
        sqlite3_step(statement) == SQLITE_ROW) {
        count = sqlite3_column_int64(statement, 0);
    }
    sqlite3_finalize(statement);
    return count;
}

/// ---- files and meta ------------------------------------------------------------------------------------------------

static bool read_file_row(Recording *recording, sqlite3_stmt *row, Status *status)
{
    DataFiles *files = &recording->files;
    if (files->count == DATA_MAX_FILES) {
        return recording_fail(recording, status, "is damaged: more than %d stored files", DATA_MAX_FILES);
    }
    DataFile *file = &files->files[files->count];
    const char *column[3];
    int size[3];
    for (int k = 0; k < 3; k++) {
        // Pictures are kept as bytes.
        bool bytes = k == 2 && sqlite3_column_type(row, k) == SQLITE_BLOB;
        bool text = sqlite3_column_type(row, k) == SQLITE_TEXT;
        column[k] = text    ? (const char *)sqlite3_column_text(row, k)
                    : bytes ? (const char *)sqlite3_column_blob(row, k)
                            : NULL;
        size[k] = sqlite3_column_bytes(row, k);
    }
    if (column[0] == NULL || column[1] == NULL || column[2] == NULL || size[0] >= (int)sizeof file->kind ||
        size[1] >= (int)sizeof file->name) {
        return recording_fail(recording, status, "is damaged: stored file %d is not text", files->count);
    }
    *file = (DataFile){.text = malloc((size_t)size[2] + 1), .size = (size_t)size[2]};
    if (file->text == NULL) {
        return status_fail(status, STATUS_LACKING, "%s: out of memory for its files", recording->path);
    }
    memcpy(file->text, column[2], (size_t)size[2]);
    file->text[size[2]] = '\0';
    snprintf(file->kind, sizeof file->kind, "%s", column[0]);
    snprintf(file->name, sizeof file->name, "%s", column[1]);
    files->count++;
    return true;
}

static bool read_files(Recording *recording, Status *status)
{
    sqlite3_stmt *row = prepare(recording, "SELECT kind, name, text FROM file ORDER BY rowid", status);
    int code = SQLITE_ERROR;
    bool good = row != NULL;
    while (good && (code = sqlite3_step(row)) == SQLITE_ROW) {
        good = read_file_row(recording, row, status);
    }
    return row != NULL && conclude(recording, row, code, good, status);
}

static bool read_number(Recording *recording, const char *key, uint64_t most, uint64_t *number, Status *status)
{
    const char *text = recording_meta(recording, key);
    char *end = NULL;
    errno = 0;
    bool digits = text != NULL && text[0] >= '0' && text[0] <= '9';
    *number = digits ? strtoull(text, &end, 10) : 0;
    return (digits && errno == 0 && *end == '\0' && *number <= most) ||
           recording_fail(recording, status, "is damaged: meta %s is %.40s, allowed 0..%" PRIu64, key,
                          text != NULL ? text : "missing", most);
}

static bool read_solver(Recording *recording, Status *status)
{
    static const char *const names[] = {
        [SOIL_SOLVER_DEFAULT] = "default", [SOIL_SOLVER_P2] = "p2", [SOIL_SOLVER_GS] = "gs"};
    const char *text = recording_meta(recording, "solver");
    for (int k = 0; text != NULL && k < 3; k++) {
        if (strcmp(text, names[k]) == 0) {
            recording->solver = (SoilSolver)k;
            return true;
        }
    }
    return recording_fail(recording, status, "is damaged: meta solver is %.40s, allowed default, p2, gs",
                          text != NULL ? text : "missing");
}

/// A key that no recorder writes is not believed, whatever it says.
static bool check_meta_keys(const Recording *recording, Status *status)
{
    sqlite3_stmt *row = prepare(recording, "SELECT key FROM meta ORDER BY rowid", status);
    int code = SQLITE_ERROR;
    bool good = row != NULL;
    while (good && (code = sqlite3_step(row)) == SQLITE_ROW) {
        const char *key = (const char *)sqlite3_column_text(row, 0);
        good = (key != NULL && recording_is_meta_key(key)) ||
               recording_fail(recording, status, "is damaged: meta has the key %.40s, which no recording has",
                              key != NULL ? key : "NULL");
    }
    return row != NULL && conclude(recording, row, code, good, status);
}

static bool read_meta(Recording *recording, Status *status)
{
    uint64_t format, rate, files_hash;
    if (!check_meta_keys(recording, status)) {
        return false;
    }
    recording->meta = prepare(recording, "SELECT value FROM meta WHERE key=?", status);
    if (recording->meta == NULL || !read_number(recording, "format", UINT64_MAX, &format, status) ||
        !read_number(recording, "seed", UINT64_MAX, &recording->seed, status) ||
        !read_number(recording, "tick_rate", 100000, &rate, status) ||
        !read_number(recording, "files_hash", UINT64_MAX, &files_hash, status) || !read_solver(recording, status)) {
        return false;
    }
    recording->tick_rate = (int)rate;
    if (format != RECORDING_VERSION || rate == 0) {
        return recording_fail(recording, status, "is damaged: meta %s is %llu, allowed %s",
                              rate == 0 ? "tick_rate" : "format", (unsigned long long)(rate == 0 ? rate : format),
                              rate == 0 ? "1..100000" : "what the file's header says");
    }
    return files_hash == recording_files_hash(&recording->files) ||
           recording_fail(recording, status, "is damaged: its stored scene, machine or soil is not the recorded one");
}

/// ---- ticks ---------------------------------------------------------------------------------------------------------

static bool read_input_row(Recording *recording, sqlite3_stmt *row, int64_t index, Status *status)
{
    int64_t tick = recording->first_tick + index;
    const unsigned char *bytes = sqlite3_column_blob(row, 1);
    if (sqlite3_column_int64(row, 0) != tick) {
        return recording_fail(recording, status, "is damaged: the input of tick %" PRId64 " is missing", tick);
    }
    if (sqlite3_column_type(row, 1) != SQLITE_BLOB || sqlite3_column_bytes(row, 1) != RECORDING_CONTROLS_SIZE ||
        bytes == NULL) {
        return recording_fail(recording, status, "is damaged: the input of tick %" PRId64 " is not %d bytes", tick,
                              RECORDING_CONTROLS_SIZE);
    }
    OperatorControls *controls = &recording->controls[index];
    recording_unpack_controls(bytes, controls);
    for (int k = 0; k < CONTROL_COUNT; k++) {
        if (controls->axis[k] < -CONTROL_FULL) {
            return recording_fail(recording, status, "is damaged: %s at tick %" PRId64 " is %d, allowed -%d..%d",
                                  control_axis_names[k], tick, controls->axis[k], CONTROL_FULL, CONTROL_FULL);
        }
    }
    recording->controls_whole[index] = sqlite3_column_type(row, 2) == SQLITE_INTEGER &&
                                       sqlite3_column_int64(row, 2) == recording_input_hash(tick, controls);
    return true;
}

static bool read_state_row(Recording *recording, sqlite3_stmt *row, int64_t index, Status *status)
{
    int64_t tick = recording->first_tick + index;
    if (sqlite3_column_int64(row, 0) != tick || sqlite3_column_type(row, 1) != SQLITE_INTEGER) {
        return recording_fail(recording, status, "is damaged: the state of tick %" PRId64 " is missing", tick);
    }
    recording->hashes[index] = (uint64_t)sqlite3_column_int64(row, 1);
    return true;
}

static bool read_keyframe_row(Recording *recording, sqlite3_stmt *row, int64_t index, Status *status)
{
    int64_t tick = sqlite3_column_int64(row, 0);
    if (tick < recording->first_tick || tick > recording->last_tick || (index == 0 && tick != recording->first_tick)) {
        return recording_fail(recording, status,
                              "is damaged: there is a keyframe at tick %" PRId64 " of %" PRId64 "..%" PRId64, tick,
                              recording->first_tick, recording->last_tick);
    }
    int64_t base = sqlite3_column_int64(row, 1), before = index > 0 ? recording->keyframe_ticks[index - 1] : tick;
    if (base != tick && (index == 0 || base != before)) {
        return recording_fail(recording, status,
                              "is damaged: the keyframe of tick %" PRId64 " builds on tick %" PRId64
                              ", allowed %" PRId64 " or its own",
                              tick, base, before);
    }
    recording->chain = base == tick ? 1 : recording->chain + 1;
    if (recording->chain > KEYFRAME_CHAIN) {
        return recording_fail(recording, status,
                              "is damaged: more than %d keyframes up to tick %" PRId64 " build on one another",
                              KEYFRAME_CHAIN, tick);
    }
    recording->keyframe_ticks[index] = tick;
    recording->keyframe_bases[index] = base;
    return true;
}

typedef bool ReadRow(Recording *recording, sqlite3_stmt *row, int64_t index, Status *status);

/// Exactly `count` rows, each checked by `read`.
static bool read_rows(Recording *recording, const char *sql, int64_t count, ReadRow *read, Status *status)
{
    sqlite3_stmt *row = prepare(recording, sql, status);
    int code = SQLITE_ERROR;
    int64_t index = 0;
    bool good = row != NULL;
    while (good && (code = sqlite3_step(row)) == SQLITE_ROW) {
        good = index < count ? read(recording, row, index, status)
                             : recording_fail(recording, status, "is damaged: a table has more rows than it counts");
        index++;
    }
    if (good && code == SQLITE_DONE && index != count) {
        good = recording_fail(recording, status, "is damaged: a table has fewer rows than it counts");
    }
    return row != NULL && conclude(recording, row, code, good, status);
}

static bool make_arrays(Recording *recording, int64_t inputs, int64_t keyframes, Status *status)
{
    recording->controls = calloc((size_t)inputs + 1, sizeof *recording->controls);
    recording->controls_whole = calloc((size_t)inputs + 1, sizeof *recording->controls_whole);
    recording->hashes = calloc((size_t)inputs + 1, sizeof *recording->hashes);
    recording->keyframe_ticks = calloc((size_t)keyframes, sizeof *recording->keyframe_ticks);
    recording->keyframe_bases = calloc((size_t)keyframes, sizeof *recording->keyframe_bases);
    recording->keyframe_count = (int)keyframes;
    recording->state_index = -1;
    return (recording->controls != NULL && recording->controls_whole != NULL && recording->hashes != NULL &&
            recording->keyframe_ticks != NULL && recording->keyframe_bases != NULL) ||
           status_fail(status, STATUS_LACKING, "%s: out of memory for %" PRId64 " ticks", recording->path, inputs);
}

static bool read_ticks(Recording *recording, Status *status)
{
    int64_t inputs = count_rows(recording, "SELECT count(*) FROM input");
    int64_t states = count_rows(recording, "SELECT count(*) FROM state");
    int64_t keyframes = count_rows(recording, "SELECT count(*) FROM keyframe");
    recording->first_tick = count_rows(recording, "SELECT min(tick) FROM state");
    if (inputs < 0 || states != inputs + 1 || keyframes < 1 || keyframes > states || keyframes > INT32_MAX ||
        recording->first_tick < 0 || recording->first_tick > TICKS_MOST) {
        return recording_fail(recording, status,
                              "is damaged: it has %" PRId64 " inputs, %" PRId64 " states and %" PRId64 " keyframes",
                              inputs, states, keyframes);
    }
    recording->last_tick = recording->first_tick + inputs;
    assert(recording->tick_rate > 0); // read_meta has refused others
    RecordingLength length = {.ticks = inputs,
                              .tick_rate = recording->tick_rate,
                              .maps = inputs / ((int64_t)TRACE_GROUND_SECONDS * recording->tick_rate) + 2};
    return recording_check_rows(recording->db, &length, recording->path, status) &&
           make_arrays(recording, inputs, keyframes, status) &&
           read_rows(recording, "SELECT tick, controls, hash FROM input ORDER BY tick", inputs, read_input_row,
                     status) &&
           read_rows(recording, "SELECT tick, hash FROM state ORDER BY tick", states, read_state_row, status) &&
           read_rows(recording, "SELECT tick, base FROM keyframe ORDER BY tick", keyframes, read_keyframe_row, status);
}

/// A recording that begins late names the one it took over.
static bool check_beginning(Recording *recording, Status *status)
{
    uint64_t parent_tick = 0;
    if (recording_meta(recording, "parent") != NULL &&
        !read_number(recording, "parent_tick", TICKS_MOST, &parent_tick, status)) {
        return false;
    }
    return (int64_t)parent_tick == recording->first_tick ||
           recording_fail(recording, status, "is damaged: it begins at tick %" PRId64 " instead of %" PRIu64,
                          recording->first_tick, parent_tick);
}

bool recording_read_tables(Recording *recording, Status *status)
{
    return recording_check_rows(recording->db, NULL, recording->path, status) && read_files(recording, status) &&
           read_meta(recording, status) && read_ticks(recording, status) && check_beginning(recording, status) &&
           recording_read_orders(recording, status) && recording_check_events(recording, NULL, status);
}
