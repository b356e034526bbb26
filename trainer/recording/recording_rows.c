/// Writing a recording's rows. After a failure the transaction is taken back, so that the file stays as it was.
#include "trainer/recording/recording_rows.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#include "trainer/recording/format/recording_file.h"
#include "trainer/recording/format/recording_format.h"
#include "trainer/recording/format/seal.h"

enum { COMPRESSION = 3, BUSY_WAIT_MS = 200 };

#define PLACE(name, unit, shown) ",?"
/// The statements used for each batch.
#define STATEMENTS(X)                                                                                                  \
    X(begin, "BEGIN IMMEDIATE")                                                                                        \
    X(commit, "COMMIT")                                                                                                \
    X(meta, "INSERT INTO meta VALUES(?,?)")                                                                            \
    X(file, "INSERT INTO file VALUES(?,?,?)")                                                                          \
    X(input, "INSERT INTO input VALUES(?,?,?)")                                                                        \
    X(state, "INSERT INTO state VALUES(?,?)")                                                                          \
    X(keyframe, "INSERT INTO keyframe VALUES(?,?,?)")                                                                  \
    X(event, "INSERT INTO event VALUES(?,?,?,?,?,?,?,?,?,?" EVENT_NUMBERS(PLACE) ")")                                  \
    X(metric, "INSERT INTO metric VALUES(?,?,?)")                                                                      \
    X(trace, "INSERT INTO trace VALUES(?,?)")                                                                          \
    X(ground, "INSERT INTO ground VALUES(?,?,?,?,?,?,?)")                                                              \
    X(picture, "INSERT INTO picture VALUES(?)")                                                                        \
    X(order, "INSERT INTO fault_order VALUES(?,?,?,?,?,?)")                                                            \
    X(seal, "INSERT INTO seal VALUES(?,?,?,?,?)")

struct RecordingRows {
    char path[DATA_PATH_LENGTH];
    RecordingFile noted; ///< known once its tables are made
    sqlite3 *db;
#define X(name, sql) sqlite3_stmt *name;
    STATEMENTS(X)
#undef X
    ZSTD_CCtx *zstd;
    StateBuffer compressed;
    unsigned char *samples; ///< [(ticks + 1) * TRACE_BYTES]: a batch's, packed
    unsigned char *heights; ///< [2 * columns]: a map's, packed
    Station station;
    bool sealed; ///< there is a seal before
    Seal seal_before; ///< of the last commit
    StateBuffer before; ///< the last keyframe that was committed
    int64_t before_tick; ///< its tick
    int chain; ///< keyframes since the last whole one, with it; 0: none yet
};

/// ---- SQL -----------------------------------------------------------------------------------------------------------

/// What SQLite's last failure was, in plain words.
static const char *sql_reason(sqlite3 *db)
{
    int code = sqlite3_extended_errcode(db), system = sqlite3_system_errno(db);
    if ((code & 0xff) == SQLITE_FULL) {
        return "the disk is full";
    }
    if ((code & 0xff) == SQLITE_CANTOPEN) {
        return "its file cannot be opened; is its whole path longer than 500 bytes?";
    }
    if ((code & 0xff) == SQLITE_IOERR && system != 0) {
        return strerror(system);
    }
    return code == SQLITE_IOERR_WRITE ? "it cannot grow any further (a limit on file sizes, a quota?)"
                                      : sqlite3_errmsg(db);
}

/// Promises that the file is good up to the last commit only where there was one and the file is still there.
static bool fail_sql(RecordingRows *rows, Status *status)
{
    char fate[RECORDING_FATE];
    if (!recording_file_is_there(rows->path, &rows->noted, fate)) {
        return status_fail(status, STATUS_LACKING, "%s: writing the recording failed: %s; what was recorded is lost",
                           rows->path, fate);
    }
    int code = sqlite3_extended_errcode(rows->db) & 0xff;
    if (code == SQLITE_CORRUPT || code == SQLITE_NOTADB || code == SQLITE_ERROR) {
        return status_fail(status, STATUS_LACKING,
                           "%s: writing the recording failed: another program changed its file, which may be damaged: "
                           "%s",
                           rows->path, sqlite3_errmsg(rows->db));
    }
    if (!rows->sealed) {
        return status_fail(status, STATUS_LACKING, "%s: the recording cannot be begun: %s; nothing was recorded",
                           rows->path, sql_reason(rows->db));
    }
    return status_fail(status, STATUS_LACKING, "%s: writing the recording failed: %s; the file is good up to there",
                       rows->path, sql_reason(rows->db));
}

/// Runs a bound statement that returns no rows.
static bool finish(RecordingRows *rows, sqlite3_stmt *statement, Status *status)
{
    int code = sqlite3_step(statement);
    bool good = code == SQLITE_DONE || code == SQLITE_ROW || fail_sql(rows, status);
    sqlite3_reset(statement);
    return good;
}

static void bind_text(sqlite3_stmt *statement, int at, const char *text, size_t size)
{
    sqlite3_bind_text64(statement, at, text, size, SQLITE_STATIC, SQLITE_UTF8);
}

static bool write_state(RecordingRows *rows, int64_t tick, uint64_t hash, Status *status)
{
    sqlite3_bind_int64(rows->state, 1, tick);
    sqlite3_bind_int64(rows->state, 2, (sqlite3_int64)hash);
    return finish(rows, rows->state, status);
}

static bool write_inputs(RecordingRows *rows, const RecordingBatch *batch, Status *status)
{
    bool good = true;
    for (int k = 0; k < batch->input_count && good; k++) {
        const RecordingInput *input = &batch->inputs[k];
        unsigned char bytes[RECORDING_CONTROLS_SIZE];
        recording_pack_controls(&input->controls, bytes);
        sqlite3_bind_int64(rows->input, 1, input->tick);
        sqlite3_bind_blob(rows->input, 2, bytes, sizeof bytes, SQLITE_STATIC);
        sqlite3_bind_int64(rows->input, 3, recording_input_hash(input->tick, &input->controls));
        good = finish(rows, rows->input, status) && write_state(rows, input->tick + 1, input->hash, status);
    }
    return good;
}

static bool write_orders(RecordingRows *rows, const RecordingBatch *batch, Status *status)
{
    bool good = true;
    for (int k = 0; k < batch->order_count && good; k++) {
        const RecordedOrder *row = &batch->orders[k];
        const char *fault = session_fault_kind((SessionFault)row->order.fault)->name;
        sqlite3_bind_int64(rows->order, 1, row->number);
        sqlite3_bind_int64(rows->order, 2, row->tick);
        bind_text(rows->order, 3, fault, strlen(fault));
        sqlite3_bind_int(rows->order, 4, row->order.part);
        sqlite3_bind_double(rows->order, 5, row->order.value);
        sqlite3_bind_int64(rows->order, 6, recording_order_hash(row));
        good = finish(rows, rows->order, status);
    }
    return good;
}

static void set_compression(RecordingRows *rows)
{
    ZSTD_CCtx_reset(rows->zstd, ZSTD_reset_session_and_parameters);
    ZSTD_CCtx_setParameter(rows->zstd, ZSTD_c_compressionLevel, COMPRESSION);
    ZSTD_CCtx_setParameter(rows->zstd, ZSTD_c_checksumFlag, 1);
}

/// Compresses into the rows' buffer; returns how many bytes, 0 with the failure told.
static size_t compress(RecordingRows *rows, const void *data, size_t size, const char *what, Status *status)
{
    if (!state_buffer_reserve(&rows->compressed, ZSTD_compressBound(size))) {
        status_fail(status, STATUS_LACKING, "%s: out of memory for %s", rows->path, what);
        return 0;
    }
    size_t packed = ZSTD_compress2(rows->zstd, rows->compressed.data, rows->compressed.capacity, data, size);
    if (ZSTD_isError(packed)) {
        status_fail(status, STATUS_LACKING, "%s: %s cannot be compressed: %s", rows->path, what,
                    ZSTD_getErrorName(packed));
        return 0;
    }
    return packed;
}

/// Whole, or as the difference to the keyframe that was committed before.
static bool write_keyframe(RecordingRows *rows, const RecordingBatch *batch, Status *status)
{
    bool whole = rows->chain == 0 || rows->chain == KEYFRAME_CHAIN;
    if (!whole) {
        ZSTD_CCtx_setParameter(rows->zstd, ZSTD_c_windowLog, KEYFRAME_WINDOW_LOG);
        ZSTD_CCtx_setParameter(rows->zstd, ZSTD_c_enableLongDistanceMatching, 1);
        ZSTD_CCtx_refPrefix(rows->zstd, rows->before.data, rows->before.size);
    }
    size_t size = compress(rows, batch->keyframe.data, batch->keyframe.size, "a keyframe", status);
    set_compression(rows);
    if (size == 0) {
        return false;
    }
    sqlite3_bind_int64(rows->keyframe, 1, batch->keyframe_tick);
    sqlite3_bind_int64(rows->keyframe, 2, whole ? batch->keyframe_tick : rows->before_tick);
    sqlite3_bind_blob64(rows->keyframe, 3, rows->compressed.data, size, SQLITE_STATIC);
    return finish(rows, rows->keyframe, status);
}

/// All samples of a batch in one row, by the tick of the first.
static bool write_trace(RecordingRows *rows, const RecordingBatch *batch, Status *status)
{
    for (int k = 0; k < batch->sample_count; k++) {
        trace_pack(&batch->samples[k], rows->samples + (size_t)k * TRACE_BYTES);
    }
    sqlite3_bind_int64(rows->trace, 1, batch->samples[0].tick);
    sqlite3_bind_blob64(rows->trace, 2, rows->samples, (size_t)batch->sample_count * TRACE_BYTES, SQLITE_STATIC);
    return finish(rows, rows->trace, status);
}

static bool write_ground(RecordingRows *rows, const TraceGround *ground, Status *status)
{
    size_t columns = (size_t)ground->rows * (size_t)ground->columns;
    for (size_t k = 0; k < columns; k++) {
        uint16_t bits = (uint16_t)ground->height[k];
        rows->heights[2 * k] = (unsigned char)(bits & 0xff);
        rows->heights[2 * k + 1] = (unsigned char)(bits >> 8);
    }
    size_t size = compress(rows, rows->heights, 2 * columns, "a map of the ground", status);
    if (size == 0) {
        return false;
    }
    int column = 1;
    sqlite3_bind_int64(rows->ground, column++, ground->tick);
    sqlite3_bind_int(rows->ground, column++, ground->rows);
    sqlite3_bind_int(rows->ground, column++, ground->columns);
    sqlite3_bind_double(rows->ground, column++, ground->spacing);
    sqlite3_bind_double(rows->ground, column++, ground->origin_x);
    sqlite3_bind_double(rows->ground, column++, ground->origin_y);
    sqlite3_bind_blob64(rows->ground, column++, rows->compressed.data, size, SQLITE_STATIC);
    return finish(rows, rows->ground, status);
}

static void bind_name(sqlite3_stmt *statement, int column, const char *text)
{
    bind_text(statement, column, text, strlen(text));
}

/// Returns the column behind it.
static int bind_thing(sqlite3_stmt *statement, int column, const EventThing *thing)
{
    bind_name(statement, column, event_thing_kind_name((EventThingKind)thing->kind));
    sqlite3_bind_int(statement, column + 1, thing->index);
    bind_name(statement, column + 2, thing->name);
    return column + 3;
}

static bool write_event(RecordingRows *rows, const ExerciseEvent *event, Status *status)
{
    int column = 1;
    sqlite3_bind_int64(rows->event, column++, event->tick);
    bind_name(rows->event, column++, event_kind_name((EventKind)event->kind));
    bind_name(rows->event, column++, event_form((EventKind)event->kind, event->form)->name);
    bind_name(rows->event, column++, event->text);
    column = bind_thing(rows->event, column, &event->part);
    column = bind_thing(rows->event, column, &event->thing);
#define X(name, unit, shown) sqlite3_bind_double(rows->event, column++, event->number.name);
    EVENT_NUMBERS(X)
#undef X
    return finish(rows, rows->event, status);
}

static bool write_results(RecordingRows *rows, const RecordingBatch *batch, Status *status)
{
    bool good = true;
    for (int k = 0; k < batch->event_count && good; k++) {
        good = write_event(rows, &batch->events[k], status);
    }
    for (int k = 0; k < batch->metric_count && good; k++) {
        const ExerciseMetric *metric = &batch->metrics[k];
        bind_text(rows->metric, 1, metric->name, strlen(metric->name));
        bind_text(rows->metric, 2, metric->unit, strlen(metric->unit));
        sqlite3_bind_double(rows->metric, 3, metric->value);
        good = finish(rows, rows->metric, status);
    }
    if (batch->picture != NULL && good) {
        sqlite3_bind_blob64(rows->picture, 1, batch->picture, batch->picture_size, SQLITE_STATIC);
        good = finish(rows, rows->picture, status);
    }
    return good;
}

static bool write_batch(RecordingRows *rows, const RecordingBatch *batch, Status *status)
{
    return write_inputs(rows, batch, status) && write_orders(rows, batch, status) &&
           (!batch->has_keyframe || write_keyframe(rows, batch, status)) &&
           (batch->sample_count == 0 || write_trace(rows, batch, status)) &&
           (!batch->has_ground || write_ground(rows, &batch->ground, status)) && write_results(rows, batch, status);
}

/// The seal over what the transaction has written.
static bool write_seal(RecordingRows *rows, bool closed, Seal *seal, Status *status)
{
    unsigned char signature[STATION_SIGNATURE];
    if (!seal_take(rows->db, rows->sealed ? &rows->seal_before : NULL, NULL, closed, seal)) {
        return fail_sql(rows, status);
    }
    sqlite3_bind_int64(rows->seal, 1, seal->number);
    sqlite3_bind_int(rows->seal, 2, closed);
    sqlite3_bind_blob(rows->seal, 3, seal->rows, seal->tables * SEAL_TABLE_ROWS, SQLITE_STATIC);
    sqlite3_bind_blob(rows->seal, 4, seal->hash, sizeof seal->hash, SQLITE_STATIC);
    sqlite3_bind_null(rows->seal, 5);
    if (rows->station.name[0] != '\0') {
        station_sign(&rows->station, seal->hash, sizeof seal->hash, signature);
        sqlite3_bind_blob(rows->seal, 5, signature, sizeof signature, SQLITE_STATIC);
    }
    return finish(rows, rows->seal, status);
}

/// After a failure the transaction is taken back, so that the file stays what it was at the last commit; what later
/// batches build on changes with a commit alone.
static bool end_transaction(RecordingRows *rows, const RecordingBatch *batch, bool good, Status *status)
{
    Seal seal;
    good = good && write_seal(rows, batch->closes, &seal, status) && finish(rows, rows->commit, status);
    if (!good && !sqlite3_get_autocommit(rows->db)) {
        sqlite3_exec(rows->db, "ROLLBACK", NULL, NULL, NULL);
    }
    if (good) {
        rows->seal_before = seal;
        rows->sealed = true;
    }
    if (good && batch->has_keyframe) {
        rows->chain = rows->chain % KEYFRAME_CHAIN + 1;
        rows->before_tick = batch->keyframe_tick;
        memcpy(rows->before.data, batch->keyframe.data, batch->keyframe.size);
        rows->before.size = batch->keyframe.size;
    }
    return good;
}

/// Room for the keyframe to come, so that nothing can fail behind a commit.
static bool make_place(RecordingRows *rows, const RecordingBatch *batch, Status *status)
{
    if (!batch->has_keyframe || rows->before.capacity >= batch->keyframe.size) {
        return true;
    }
    rows->before.size = 0;
    rows->chain = 0; // what it held is no longer known
    return state_buffer_reserve(&rows->before, batch->keyframe.size) ||
           status_fail(status, STATUS_LACKING, "%s: out of memory for a keyframe", rows->path);
}

bool recording_rows_store(RecordingRows *rows, const RecordingBatch *batch, bool *passing, Status *status)
{
    bool good =
        make_place(rows, batch, status) && finish(rows, rows->begin, status) && write_batch(rows, batch, status);
    good = end_transaction(rows, batch, good, status);
    int code = sqlite3_errcode(rows->db) & 0xff, system = sqlite3_system_errno(rows->db);
    *passing = !good && (code == SQLITE_BUSY || code == SQLITE_LOCKED || code == SQLITE_FULL ||
                         (code == SQLITE_IOERR && (system == ENOSPC || system == EDQUOT)));
    return good;
}

/// ---- life ----------------------------------------------------------------------------------------------------------

void recording_rows_close(RecordingRows *rows, bool remove)
{
    if (rows == NULL) {
        return;
    }
#define X(name, sql) sqlite3_finalize(rows->name);
    STATEMENTS(X)
#undef X
    sqlite3_close(rows->db);
    if (remove) {
        char journal[DATA_PATH_LENGTH + 16];
        snprintf(journal, sizeof journal, "%s-journal", rows->path);
        unlink(rows->path);
        unlink(journal);
    }
    ZSTD_freeCCtx(rows->zstd);
    state_buffer_free(&rows->compressed);
    state_buffer_free(&rows->before);
    station_forget(&rows->station);
    free(rows->samples);
    free(rows->heights);
    free(rows);
}

static bool claim_path(const char *path, Status *status)
{
    if (strlen(path) >= DATA_PATH_LENGTH || path[0] == '\0' || path[0] == ':') {
        return status_fail(status, STATUS_LACKING,
                           "%.200s: not a name for a recording, allowed 1..%d bytes, not beginning with ':'", path,
                           DATA_PATH_LENGTH - 1);
    }
    int file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0 && errno == EEXIST) {
        return status_fail(status, STATUS_LACKING,
                           "%s: exists already and is left as it is; choose another name or delete it first", path);
    }
    if (file < 0) {
        return status_fail(status, STATUS_LACKING, "%s: the recording cannot be created: %s", path, strerror(errno));
    }
    close(file);
    return true;
}

/// Synchronises fully: with less, SQLite writes the journal's pages and how many they are at the same time, and a loss
/// of power there may leave half a page that its checksum, of every 200th byte, takes for whole.
static bool make_tables(RecordingRows *rows, Status *status)
{
    char sql[3072];
    int length = snprintf(sql, sizeof sql,
                          "PRAGMA journal_mode=DELETE; PRAGMA synchronous=FULL; PRAGMA application_id=%d;"
                          "PRAGMA user_version=%d; BEGIN;",
                          RECORDING_APPLICATION, RECORDING_VERSION);
#define X(name, columns)                                                                                               \
    length += snprintf(sql + length, sizeof sql - (size_t)length, "CREATE TABLE %s(%s);", #name, columns);
    RECORDING_TABLES(X)
#undef X
    length += snprintf(sql + length, sizeof sql - (size_t)length,
                       RECORDING_PICTURE_TABLE ";" RECORDING_ORDER_TABLE ";" RECORDING_SEAL_TABLE ";COMMIT;");
    assert(length < (int)sizeof sql);
    bool good = sqlite3_exec(rows->db, sql, NULL, NULL, NULL) == SQLITE_OK;
#define X(name, text)                                                                                                  \
    good = good && sqlite3_prepare_v3(rows->db, text, -1, SQLITE_PREPARE_PERSISTENT, &rows->name, NULL) == SQLITE_OK;
    STATEMENTS(X)
#undef X
    return good || fail_sql(rows, status);
}

static bool make_room(RecordingRows *rows, const BatchSize *size)
{
    rows->zstd = ZSTD_createCCtx();
    rows->samples = malloc(((size_t)size->ticks + 1) * TRACE_BYTES);
    rows->heights = malloc(2 * size->columns);
    if (rows->zstd == NULL || rows->samples == NULL || rows->heights == NULL ||
        !state_buffer_reserve(&rows->before, size->keyframe_room)) {
        return false;
    }
    set_compression(rows);
    return true;
}

RecordingRows *recording_rows_create(const char *path, const BatchSize *size, const Station *station, Status *status)
{
    if (!claim_path(path, status)) {
        return NULL;
    }
    RecordingRows *rows = calloc(1, sizeof *rows);
    if (rows == NULL) {
        unlink(path);
        status_fail(status, STATUS_LACKING, "%s: out of memory for the recorder", path);
        return NULL;
    }
    snprintf(rows->path, sizeof rows->path, "%s", path);
    rows->station = station != NULL ? *station : (Station){0};
    bool good =
        make_room(rows, size) || status_fail(status, STATUS_LACKING, "%s: out of memory for the recorder", path);
    if (good && sqlite3_open_v2(path, &rows->db, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK) {
        good = fail_sql(rows, status);
    }
    if (good) {
        // Someone may be reading: wait rather than fail.
        sqlite3_busy_timeout(rows->db, BUSY_WAIT_MS);
        good = make_tables(rows, status);
        rows->noted = good ? recording_file_note(path) : rows->noted;
    }
    if (!good) {
        recording_rows_close(rows, true);
        return NULL;
    }
    return rows;
}

static bool write_start(RecordingRows *rows, const RecordingMeta *meta, int meta_count, const DataFiles *files,
                        Status *status)
{
    bool good = true;
    for (int k = 0; k < meta_count && good; k++) {
        bind_text(rows->meta, 1, meta[k].key, strlen(meta[k].key));
        bind_text(rows->meta, 2, meta[k].value, strlen(meta[k].value));
        good = finish(rows, rows->meta, status);
    }
    for (int k = 0; k < files->count && good; k++) {
        const DataFile *file = &files->files[k];
        bind_text(rows->file, 1, file->kind, strlen(file->kind));
        bind_text(rows->file, 2, file->name, strlen(file->name));
        if (memchr(file->text, '\0', file->size) != NULL) {
            sqlite3_bind_blob64(rows->file, 3, file->text, file->size, SQLITE_STATIC); // a picture
        } else {
            bind_text(rows->file, 3, file->text, file->size);
        }
        good = finish(rows, rows->file, status);
    }
    return good;
}

bool recording_rows_begin(RecordingRows *rows, const RecordingMeta *meta, int meta_count, const DataFiles *files,
                          int64_t tick, uint64_t hash, const RecordingBatch *batch, Status *status)
{
    bool good = make_place(rows, batch, status) && finish(rows, rows->begin, status) &&
                write_start(rows, meta, meta_count, files, status) && write_state(rows, tick, hash, status) &&
                write_batch(rows, batch, status);
    return end_transaction(rows, batch, good, status);
}
