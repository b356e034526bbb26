/// Opens a recording without ever changing it: checks that the file is one, copies it where a killed writer left a
/// journal, then reads and checks its tables once, within the limits of what a session of its length can have written.
/// Meta and events, which opening checks, are read here later, too.
#include "trainer/record/recording_internal.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "data/core/visible_text.h"

/// ---- failures and statements ---------------------------------------------------------------------------------------

bool recording_fail(const Recording *recording, Status *status, const char *format, ...)
{
    char text[sizeof status->text];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    char fate[RECORDING_FATE];
    bool there = recording_file_is_there(recording->path, &recording->file, fate);
    return status_fail(status, STATUS_BAD_FILE, "%s: %s%s%s", recording->path, text, there ? "" : "; ", fate);
}

sqlite3_stmt *recording_prepare(const Recording *recording, const char *sql, Status *status)
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

/// ---- meta ----------------------------------------------------------------------------------------------------------

void recording_meta_bytes(Recording *recording, const char *key, char *value, size_t size)
{
    sqlite3_reset(recording->meta);
    sqlite3_bind_text(recording->meta, 1, key, -1, SQLITE_TRANSIENT);
    bool there = sqlite3_step(recording->meta) == SQLITE_ROW && sqlite3_column_type(recording->meta, 0) == SQLITE_TEXT;
    snprintf(value, size, "%s", there ? (const char *)sqlite3_column_text(recording->meta, 0) : "");
    sqlite3_reset(recording->meta);
}

const char *recording_meta(Recording *recording, const char *key)
{
    sqlite3_reset(recording->meta);
    sqlite3_bind_text(recording->meta, 1, key, -1, SQLITE_TRANSIENT);
    const char *value = NULL;
    if (sqlite3_step(recording->meta) == SQLITE_ROW && sqlite3_column_type(recording->meta, 0) == SQLITE_TEXT) {
        visible_text_show((const char *)sqlite3_column_text(recording->meta, 0), false, recording->value,
                          sizeof recording->value);
        value = recording->value;
    }
    sqlite3_reset(recording->meta);
    return value;
}

/// ---- events --------------------------------------------------------------------------------------------------------

#define NUMBER_COLUMN(name, unit, shown) "," #name
static const char event_sql[] =
    "SELECT tick,kind,form,part_kind,part_index,part,thing_kind,thing_index,thing,detail" EVENT_NUMBERS(
        NUMBER_COLUMN) " FROM event WHERE rowid <= ? ORDER BY tick, rowid";

/// A row that is read, and what of it is wrong.
typedef struct EventRow {
    sqlite3_stmt *row;
    int column; ///< the next one
    Status bad; ///< STATUS_GOOD: nothing so far
} EventRow;

static int64_t read_integer(EventRow *from, const char *name, int64_t most)
{
    int column = from->column++;
    int64_t value = sqlite3_column_int64(from->row, column);
    bool good = sqlite3_column_type(from->row, column) == SQLITE_INTEGER && value >= 0 && value <= most;
    if (!good && from->bad.code == STATUS_GOOD) {
        status_fail(&from->bad, STATUS_BAD_FILE, "%s: read %.40s, allowed 0..%" PRId64, name,
                    (const char *)sqlite3_column_text(from->row, column), most);
    }
    return good ? value : 0;
}

static double read_number(EventRow *from, const char *name)
{
    int column = from->column++, type = sqlite3_column_type(from->row, column);
    if (type != SQLITE_FLOAT && type != SQLITE_INTEGER && from->bad.code == STATUS_GOOD) {
        status_fail(&from->bad, STATUS_BAD_FILE, "%s: allowed is a number alone", name);
    }
    return sqlite3_column_double(from->row, column);
}

/// Copies a text that has room; what it holds of control characters is made visible.
static void read_text(EventRow *from, const char *name, char *text, size_t size)
{
    int column = from->column++;
    bool is_text = sqlite3_column_type(from->row, column) == SQLITE_TEXT; // asked for as text it becomes one
    const char *value = (const char *)sqlite3_column_text(from->row, column);
    bool good = is_text && value != NULL && strlen(value) < size;
    if (!good && from->bad.code == STATUS_GOOD) {
        status_fail(&from->bad, STATUS_BAD_FILE, "%s: allowed is a text of up to %zu bytes", name, size - 1);
    }
    visible_text_show(good ? value : "", false, text, size);
}

/// A name out of a table; `count` where there is none of that name.
static int read_named(EventRow *from, const char *name, int (*find)(const void *table, const char *text),
                      const void *table, int count)
{
    char text[64];
    read_text(from, name, text, sizeof text);
    int found = from->bad.code == STATUS_GOOD ? find(table, text) : 0;
    if (found < 0 || found >= count) {
        status_fail(&from->bad, STATUS_BAD_FILE, "%s: read \"%s\", which this program does not know", name, text);
        return 0;
    }
    return found;
}

static int find_kind(const void *unused, const char *text)
{
    (void)unused;
    EventKind kind = event_kind_named(text);
    return kind < EVENT_KIND_COUNT && event_kind_source(kind) != EVENT_OF_READER ? (int)kind : -1;
}

static int find_form(const void *kind, const char *text)
{
    return event_form_named((EventKind) * (const int32_t *)kind, text);
}

static int find_thing(const void *unused, const char *text)
{
    (void)unused;
    return (int)event_thing_named(text);
}

static EventThing read_thing(EventRow *from, const char *const names[3])
{
    EventThing thing = {0};
    thing.kind = read_named(from, names[0], find_thing, NULL, THING_KIND_COUNT);
    thing.index = (int32_t)read_integer(from, names[1], INT32_MAX);
    read_text(from, names[2], thing.name, sizeof thing.name);
    return thing;
}

/// last_tick  of the recording
static ExerciseEvent read_event(EventRow *from, int64_t last_tick, const SceneExercise *exercise)
{
    static const char *const part[] = {"part_kind", "part_index", "part"};
    static const char *const thing[] = {"thing_kind", "thing_index", "thing"};
    from->column = 0;
    from->bad = (Status){STATUS_GOOD, ""};
    ExerciseEvent event = {.tick = read_integer(from, "tick", last_tick)};
    event.kind = read_named(from, "kind", find_kind, NULL, EVENT_KIND_COUNT);
    event.form = read_named(from, "form", find_form, &event.kind, EVENT_MOST_FORMS);
    event.part = read_thing(from, part);
    event.thing = read_thing(from, thing);
    read_text(from, "detail", event.text, sizeof event.text);
#define X(name, unit, shown) event.number.name = read_number(from, #name);
    EVENT_NUMBERS(X)
#undef X
    if (from->bad.code == STATUS_GOOD) {
        event_check(&event, exercise, &from->bad);
    }
    return event;
}

int recording_events(Recording *recording, ExerciseEvent *events, int capacity)
{
    EventRow from = {.row = NULL};
    int count = 0;
    if (sqlite3_prepare_v2(recording->db, event_sql, -1, &from.row, NULL) == SQLITE_OK) {
        sqlite3_bind_int64(from.row, 1, seal_moment_last_row(&recording->moment, SEAL_OF_event));
        while (count < capacity && sqlite3_step(from.row) == SQLITE_ROW) {
            events[count] = read_event(&from, recording->last_tick, NULL);
            if (from.bad.code != STATUS_GOOD) { // it was good when the recording was opened
                break;
            }
            count++;
        }
    }
    sqlite3_finalize(from.row);
    return count;
}

bool recording_check_events(Recording *recording, const SceneExercise *exercise, Status *status)
{
    EventRow from = {.row = NULL, .bad = {STATUS_GOOD, ""}};
    bool good = sqlite3_prepare_v2(recording->db, event_sql, -1, &from.row, NULL) == SQLITE_OK;
    int64_t tick = 0;
    int count = 0;
    if (good) {
        sqlite3_bind_int64(from.row, 1, seal_moment_last_row(&recording->moment, SEAL_OF_event));
    }
    while (good && from.bad.code == STATUS_GOOD && sqlite3_step(from.row) == SQLITE_ROW) {
        tick = read_event(&from, recording->last_tick, exercise).tick;
        count++;
    }
    sqlite3_finalize(from.row);
    return (good || recording_fail(recording, status, "is damaged: %s", sqlite3_errmsg(recording->db))) &&
           (from.bad.code == STATUS_GOOD ||
            recording_fail(recording, status, "is damaged: event %d, at tick %" PRId64 ": %.300s", count, tick,
                           from.bad.text));
}

/// ---- how much it may hold ------------------------------------------------------------------------------------------

enum {
    META_ROWS = 64,
    FILE_BYTES = 1 << 20, ///< bytes; as much as is read of a file of the user's
    NAME_BYTES = 4096, ///< of a text in a small table: a path, a title, an event
    EVENTS_A_TICK = 4, ///< of the program: it fell behind, the disk held it up, somebody froze the session
};

/// Length in bytes: that of a text ends at its first NUL.
#define BYTES(column) "length(CAST(" #column " AS BLOB))"

/// What one query counts and how much of it may be.
typedef struct RowLimit {
    const char *what, *sql;
    int64_t most;
} RowLimit;

static bool check_limit(const Recording *recording, const RowLimit *limit, int64_t *count, Status *status)
{
    sqlite3_stmt *row = recording_prepare(recording, limit->sql, status);
    bool good = row != NULL && (sqlite3_step(row) == SQLITE_ROW ||
                                recording_fail(recording, status, "is damaged: %s", sqlite3_errmsg(recording->db)));
    *count = good ? sqlite3_column_int64(row, 0) : 0;
    sqlite3_finalize(row);
    return good && (*count <= limit->most ||
                    recording_fail(recording, status, "is damaged: %s: %" PRId64 ", allowed 0..%" PRId64, limit->what,
                                   *count, limit->most));
}

static bool check_limits(const Recording *recording, const RowLimit *limits, size_t count, Status *status)
{
    bool good = true;
    int64_t unused;
    for (size_t k = 0; k < count && good; k++) {
        good = check_limit(recording, &limits[k], &unused, status);
    }
    return good;
}

/// Limits of the tables that need no length: the stored files, the meta and the metrics.
static bool check_fixed_rows(const Recording *recording, Status *status)
{
    static const RowLimit limits[] = {
        {"stored files", "SELECT count(*) FROM file", DATA_MAX_FILES},
        {"bytes of a stored file", "SELECT ifnull(max(" BYTES(text) "), 0) FROM file", FILE_BYTES},
        {"bytes of a stored file's name", "SELECT ifnull(max(max(" BYTES(kind) ", " BYTES(name) ")), 0) FROM file",
         NAME_BYTES},
        {"rows of meta", "SELECT count(*) FROM meta", META_ROWS},
        {"bytes of a row of meta", "SELECT ifnull(max(" BYTES(key) " + " BYTES(value) "), 0) FROM meta", NAME_BYTES},
        {"metrics", "SELECT count(*) FROM metric", EXERCISE_MAX_METRICS},
        {"bytes of a metric", "SELECT ifnull(max(" BYTES(name) " + " BYTES(unit) "), 0) FROM metric", NAME_BYTES},
    };
    return check_limits(recording, limits, sizeof limits / sizeof limits[0], status);
}

/// Counts the rows of each table whose size follows from the session's length, before rows are read into memory. What
/// states may hold follows from the scene: state_size_most and state_io.h.
static bool check_row_counts(const Recording *recording, int64_t ticks, Status *status)
{
    int64_t each = (int64_t)KEYFRAME_SECONDS * recording->tick_rate;
    int64_t maps = ticks / ((int64_t)TRACE_GROUND_SECONDS * recording->tick_rate) + 2;
    const RowLimit limits[] = {
        // Where it begins and ends, and each multiple of KEYFRAME_SECONDS between: a branch begins anywhere.
        {"keyframes", "SELECT count(*) FROM keyframe", ticks / each + 3},
        {"events", "SELECT count(*) FROM event", EXERCISE_MAX_EVENTS + EVENTS_A_TICK * (ticks + 1)},
        {"bytes of an event",
         "SELECT ifnull(max(" BYTES(kind) " + " BYTES(form) " + " BYTES(detail) " + " BYTES(part_kind) " + " BYTES(
             part) " + " BYTES(thing_kind) " + " BYTES(thing) "), 0) FROM event",
         NAME_BYTES},
        {"rows of samples", "SELECT count(*) FROM trace", ticks + 1},
        {"maps of the ground", "SELECT count(*) FROM ground", maps},
        {"seals", "SELECT count(*) FROM seal", 2 * (ticks + 2)},
    };
    return check_limits(recording, limits, sizeof limits / sizeof limits[0], status);
}

/// ---- tables --------------------------------------------------------------------------------------------------------

#define TICKS_MOST (INT64_C(1) << 40)

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
    sqlite3_stmt *row = recording_prepare(recording, "SELECT kind, name, text FROM file ORDER BY rowid", status);
    int code = SQLITE_ERROR;
    bool good = row != NULL;
    while (good && (code = sqlite3_step(row)) == SQLITE_ROW) {
        good = read_file_row(recording, row, status);
    }
    return row != NULL && conclude(recording, row, code, good, status);
}

static bool read_meta_number(Recording *recording, const char *key, uint64_t most, uint64_t *number, Status *status)
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

/// Refuses keys that no recorder writes.
static bool check_meta_keys(const Recording *recording, Status *status)
{
    sqlite3_stmt *row = recording_prepare(recording, "SELECT key FROM meta ORDER BY rowid", status);
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
    recording->meta = recording_prepare(recording, "SELECT value FROM meta WHERE key=?", status);
    if (recording->meta == NULL || !read_meta_number(recording, "format", UINT64_MAX, &format, status) ||
        !read_meta_number(recording, "seed", UINT64_MAX, &recording->seed, status) ||
        !read_meta_number(recording, "tick_rate", 100000, &rate, status) ||
        !read_meta_number(recording, "files_hash", UINT64_MAX, &files_hash, status) ||
        !read_solver(recording, status)) {
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
    sqlite3_stmt *row = recording_prepare(recording, sql, status);
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
    return check_row_counts(recording, inputs, status) && make_arrays(recording, inputs, keyframes, status) &&
           read_rows(recording, "SELECT tick, controls, hash FROM input ORDER BY tick", inputs, read_input_row,
                     status) &&
           read_rows(recording, "SELECT tick, hash FROM state ORDER BY tick", states, read_state_row, status) &&
           read_rows(recording, "SELECT tick, base FROM keyframe ORDER BY tick", keyframes, read_keyframe_row, status);
}

/// ---- orders --------------------------------------------------------------------------------------------------------

/// Checks all that does not depend on the scene; whether the scene has the part, session_order checks.
static bool read_order_row(Recording *recording, sqlite3_stmt *row, int64_t index, Status *status)
{
    RecordedOrder *order = &recording->orders[index];
    const RecordedOrder *before = index > 0 ? order - 1 : NULL;
    const char *name = (const char *)sqlite3_column_text(row, 2);
    *order = (RecordedOrder){.number = sqlite3_column_int64(row, 0), .tick = sqlite3_column_int64(row, 1)};
    order->order.fault = name != NULL ? (int32_t)session_fault_named(name) : SESSION_FAULT_COUNT;
    int64_t part = sqlite3_column_int64(row, 3);
    order->order.value = sqlite3_column_double(row, 4);
    int64_t first = before != NULL ? before->tick : recording->first_tick;
    if (order->number != index || order->tick < first || order->tick >= recording->last_tick ||
        (index >= SESSION_ORDERS_A_TICK && order[-SESSION_ORDERS_A_TICK].tick == order->tick)) {
        return recording_fail(recording, status,
                              "is damaged: order %" PRId64 " of tick %" PRId64 " stands where order %" PRId64
                              " of tick %" PRId64 "..%" PRId64 " belongs, allowed %d a tick",
                              order->number, order->tick, index, first, recording->last_tick - 1,
                              SESSION_ORDERS_A_TICK);
    }
    if (order->order.fault == SESSION_FAULT_COUNT || part < 0 || part >= ORDER_PARTS ||
        sqlite3_column_type(row, 4) != SQLITE_FLOAT || !isfinite(order->order.value)) {
        return recording_fail(recording, status, "is damaged: order %" PRId64 " is none", index);
    }
    order->order.part = (int32_t)part;
    order->whole =
        sqlite3_column_type(row, 5) == SQLITE_INTEGER && sqlite3_column_int64(row, 5) == recording_order_hash(order);
    return true;
}

/// Reads and checks the orders, once the ticks are known.
static bool read_orders(Recording *recording, Status *status)
{
    const RowLimit limit = {"orders", "SELECT count(*) FROM fault_order",
                            SESSION_ORDERS_A_TICK * (recording->last_tick - recording->first_tick)};
    if (!check_limit(recording, &limit, &recording->order_count, status)) {
        return false;
    }
    recording->orders = calloc((size_t)recording->order_count + 1, sizeof *recording->orders);
    if (recording->orders == NULL) {
        return status_fail(status, STATUS_LACKING, "%s: out of memory for its orders", recording->path);
    }
    return read_rows(recording, "SELECT number, tick, fault, part, value, hash FROM fault_order ORDER BY number",
                     recording->order_count, read_order_row, status);
}

/// ---- all tables ----------------------------------------------------------------------------------------------------

/// A recording that begins late names the one it took over.
static bool check_beginning(Recording *recording, Status *status)
{
    uint64_t parent_tick = 0;
    if (recording_meta(recording, "parent") != NULL &&
        !read_meta_number(recording, "parent_tick", TICKS_MOST, &parent_tick, status)) {
        return false;
    }
    return (int64_t)parent_tick == recording->first_tick ||
           recording_fail(recording, status, "is damaged: it begins at tick %" PRId64 " instead of %" PRIu64,
                          recording->first_tick, parent_tick);
}

/// Reads and checks files, meta, inputs, states and keyframe ticks.
static bool read_tables(Recording *recording, Status *status)
{
    return check_fixed_rows(recording, status) && read_files(recording, status) && read_meta(recording, status) &&
           read_ticks(recording, status) && check_beginning(recording, status) && read_orders(recording, status) &&
           recording_check_events(recording, NULL, status);
}

/// ---- is it ours ----------------------------------------------------------------------------------------------------

enum { JOURNAL_HEAD = 28, LOCK_WAIT_MS = 5000 };

static uint32_t get_big_endian(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

/// Reads up to `size` bytes from the beginning. Returns how many, or -1 with errno.
static ssize_t read_head(const char *path, unsigned char *bytes, size_t size)
{
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) {
        return -1;
    }
    ssize_t got = read(file, bytes, size);
    int error = errno;
    close(file);
    errno = error;
    return got;
}

/// Checks the header before SQLite opens the file: one in WAL mode, for example, would make it leave files beside ours.
static bool check_head(Recording *recording, Status *status)
{
    struct stat info;
    if (stat(recording->path, &info) != 0) {
        return recording_fail(recording, status, "cannot be read: %s", strerror(errno));
    }
    if (!S_ISREG(info.st_mode)) {
        return recording_fail(recording, status, "is %s, not a recording",
                              S_ISDIR(info.st_mode) ? "a folder" : "a device or pipe");
    }
    unsigned char head[RECORDING_HEAD];
    ssize_t got = read_head(recording->path, head, sizeof head);
    if (got < 0) {
        return recording_fail(recording, status, "cannot be read: %s", strerror(errno));
    }
    if (got == 0) {
        return recording_fail(recording, status, "is empty, not a recording");
    }
    if (got < RECORDING_HEAD || memcmp(head, "SQLite format 3", 16) != 0) {
        return recording_fail(recording, status, "is not a recording: it does not begin as an SQLite file does");
    }
    if (get_big_endian(head + 68) != RECORDING_APPLICATION) {
        return recording_fail(recording, status, "is not a recording: it is an SQLite file of another program");
    }
    uint32_t version = get_big_endian(head + 60);
    if (version != RECORDING_VERSION) {
        return recording_fail(recording, status, "has recording format %u, this program reads format %d: %s",
                              (unsigned)version, RECORDING_VERSION,
                              version > RECORDING_VERSION
                                  ? "a newer one made it, which is needed to replay it"
                                  : "it was simulated with other figures; replay it with a version that made such");
    }
    recording->file = recording_file_note(recording->path);
    return head[18] == 1 && head[19] == 1 ? true : recording_fail(recording, status, "is damaged: its header is wrong");
}

/// ---- a writer that was killed --------------------------------------------------------------------------------------

static bool copy_bytes(int from, int to)
{
    char bytes[1 << 16];
    ssize_t got = read(from, bytes, sizeof bytes);
    while (got > 0) {
        for (ssize_t done = 0; done < got;) {
            ssize_t put = write(to, bytes + done, (size_t)(got - done));
            if (put < 0) {
                return false;
            }
            done += put;
        }
        got = read(from, bytes, sizeof bytes);
    }
    return got == 0;
}

static bool copy_file(const char *from, const char *to)
{
    int source = open(from, O_RDONLY | O_CLOEXEC | O_NONBLOCK), target = -1;
    bool good = source >= 0;
    if (good) {
        target = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        good = target >= 0 && copy_bytes(source, target);
    }
    int error = errno;
    if (source >= 0) {
        close(source);
    }
    if (target >= 0) {
        close(target);
    }
    errno = error;
    return good;
}

static void copy_paths(const Recording *recording, char file[128], char journal[128])
{
    snprintf(file, 128, "%s/recording", recording->copy);
    snprintf(journal, 128, "%s/recording-journal", recording->copy);
}

static int64_t size_of(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 ? (int64_t)info.st_size : 0;
}

/// A copy takes at most half of what is free: others want to write there too.
static bool has_room(const Recording *recording, const char *journal, Status *status)
{
    struct statvfs info;
    int64_t wanted = size_of(recording->path) + size_of(journal);
    if (statvfs(recording->copy, &info) != 0 || wanted <= (int64_t)(info.f_bavail * info.f_frsize / 2)) {
        return true; // where it is not known, the copy itself tells
    }
    return status_fail(status, STATUS_LACKING,
                       "%s: a copy of its %lld bytes would take more than half of what is free in %s: set TMPDIR",
                       recording->path, (long long)wanted, recording->copy);
}

/// A journal that is left beside the file holds what must be put back before the file makes sense. SQLite would do that
/// in the file itself; here it does it in a copy.
static bool copy_with_journal(Recording *recording, const char *journal, Status *status)
{
    const char *folder = getenv("TMPDIR");
    int length = snprintf(recording->copy, sizeof recording->copy, "%s/spadework-XXXXXX",
                          folder != NULL && folder[0] != '\0' && strlen(folder) < 40 ? folder : "/tmp");
    char file_copy[128], journal_copy[128];
    if (length >= (int)sizeof recording->copy || mkdtemp(recording->copy) == NULL) {
        recording->copy[0] = '\0';
        return status_fail(status, STATUS_LACKING, "%s: no folder for a temporary copy: %s", recording->path,
                           strerror(errno));
    }
    copy_paths(recording, file_copy, journal_copy);
    if (!has_room(recording, journal, status)) {
        return false;
    }
    return (copy_file(recording->path, file_copy) && copy_file(journal, journal_copy)) ||
           status_fail(status, STATUS_LACKING, "%s: cannot be copied to %s: %s", recording->path, recording->copy,
                       strerror(errno));
}

/// Checks the journal before it is copied, and once more as it was copied: the copy no longer changes.
static bool open_copy(Recording *recording, const char *journal, Status *status)
{
    char copied_journal[128];
    if (!recording_check_journal(journal, size_of(recording->path), recording->path, status) ||
        !copy_with_journal(recording, journal, status)) {
        return false;
    }
    copy_paths(recording, recording->copied, copied_journal);
    return recording_check_journal(copied_journal, size_of(recording->copied), recording->path, status);
}

static void remove_copy(Recording *recording)
{
    if (recording->copy[0] == '\0') {
        return;
    }
    char file[128], journal[128];
    copy_paths(recording, file, journal);
    unlink(file);
    unlink(journal);
    rmdir(recording->copy);
    recording->copy[0] = '\0';
}

/// ---- SQLite --------------------------------------------------------------------------------------------------------

static bool check_whole(const Recording *recording, Status *status)
{
    char answer[RECORDING_FATE];
    if (recording_ask(recording->db, RECORDING_PAGES_CHECK, answer) != SQLITE_OK) {
        return recording_fail(recording, status, "is damaged: %s", sqlite3_errmsg(recording->db));
    }
    return strcmp(answer, "ok") == 0 || recording_fail(recording, status, "is damaged: %.100s", answer);
}

/// A cut through unused bytes of the last page is none of SQLite's concern; here it is.
static bool check_length(const Recording *recording, const char *path, Status *status)
{
    char pages[RECORDING_FATE], size[RECORDING_FATE];
    struct stat info;
    recording_ask(recording->db, "PRAGMA page_count", pages);
    recording_ask(recording->db, "PRAGMA page_size", size);
    long long whole = strtoll(pages, NULL, 10) * strtoll(size, NULL, 10);
    return (stat(path, &info) == 0 && (long long)info.st_size >= whole) ||
           recording_fail(recording, status, "is damaged: it is cut: %lld of %lld bytes", (long long)info.st_size,
                          whole);
}

/// Begins to read at one moment: what is written meanwhile is not seen. `*left`: a writer was killed after it was seen
/// at work, and left a journal.
static bool begin_reading(Recording *recording, bool *left, Status *status)
{
    int code = sqlite3_exec(recording->db, "BEGIN; SELECT 1 FROM sqlite_schema LIMIT 1", NULL, NULL, NULL) & 0xff;
    *left = code == SQLITE_READONLY || code == SQLITE_CANTOPEN;
    if (code == SQLITE_BUSY || code == SQLITE_LOCKED) {
        return status_fail(status, STATUS_LACKING, "%s: another program has locked it for %d s", recording->path,
                           LOCK_WAIT_MS / 1000);
    }
    return code == SQLITE_OK || recording_fail(recording, status, "is damaged: %s", sqlite3_errmsg(recording->db));
}

/// Opens the file itself, or, when the last writer was killed in the middle of a commit, a copy that is put right.
static bool open_database(Recording *recording, const char **path, bool *left, Status *status)
{
    static const char ending[] = "-journal";
    char journal[DATA_PATH_LENGTH + sizeof ending];
    snprintf(journal, sizeof journal, "%s%s", recording->path, ending);
    struct stat info;
    recording->live = recording_file_is_claimed(recording->path);
    bool cut_short = !recording->live && stat(journal, &info) == 0 && info.st_size >= JOURNAL_HEAD;
    if (cut_short && !open_copy(recording, journal, status)) {
        return false;
    }
    *path = cut_short ? recording->copied : recording->path;
    int flags = cut_short ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY;
    if (sqlite3_open_v2(*path, &recording->db, flags, NULL) != SQLITE_OK) {
        return recording_fail(recording, status, "cannot be opened: %s", sqlite3_errmsg(recording->db));
    }
    sqlite3_busy_timeout(recording->db, LOCK_WAIT_MS);
    recording_distrust(recording->db, &recording->budget, size_of(*path));
    return begin_reading(recording, left, status);
}

/// Checks what SQLite does not: that it is our file, in one piece and not of another program; opens it, from a private
/// copy when the last writer was killed in the middle of a commit.
static bool open_file(Recording *recording, Status *status)
{
    const char *path = recording->path;
    bool left = false;
    if (!check_head(recording, status)) {
        return false;
    }
    bool good = open_database(recording, &path, &left, status);
    if (left && recording->live) {
        sqlite3_close(recording->db);
        recording->db = NULL;
        good = open_database(recording, &path, &left, status);
    }
    return good && recording_check_schema(recording->db, false, recording->path, status) &&
           check_whole(recording, status) && check_length(recording, path, status);
}

/// The seals up to the moment at which it is read.
static bool read_moment(Recording *recording, Status *status)
{
    return seal_moment_read(recording->db, recording->live, &recording->moment) ||
           recording_fail(recording, status, "is damaged: %s", sqlite3_errmsg(recording->db));
}

Recording *recording_open(const char *path, Status *status)
{
    Recording *recording = calloc(1, sizeof *recording);
    if (recording == NULL) {
        status_fail(status, STATUS_LACKING, "%s: out of memory for the recording", path);
        return NULL;
    }
    if (strlen(path) >= sizeof recording->path || path[0] == '\0' || path[0] == ':') {
        status_fail(status, STATUS_BAD_FILE, "%.200s: not the name of a recording", path);
        free(recording);
        return NULL;
    }
    snprintf(recording->path, sizeof recording->path, "%s", path);
    if (!open_file(recording, status) || !read_moment(recording, status) || !read_tables(recording, status)) {
        recording_close(recording);
        return NULL;
    }
    sqlite3_exec(recording->db, "COMMIT", NULL, NULL, NULL); // who records it writes on
    recording_end_budget(recording->db); // a keyframe, or all events, are read as often as one likes
    return recording;
}

void recording_close(Recording *recording)
{
    if (recording == NULL) {
        return;
    }
    sqlite3_finalize(recording->keyframe);
    sqlite3_finalize(recording->meta);
    ZSTD_freeDCtx(recording->zstd);
    sqlite3_close(recording->db);
    remove_copy(recording);
    free(recording->controls);
    free(recording->controls_whole);
    free(recording->orders);
    free(recording->hashes);
    free(recording->keyframe_ticks);
    free(recording->keyframe_bases);
    data_files_free(&recording->files);
    state_buffer_free(&recording->state);
    state_buffer_free(&recording->before);
    free(recording);
}
