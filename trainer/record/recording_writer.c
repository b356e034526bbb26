/// Writes a recording's rows, a transaction a commit, on a thread of its own: the session's thread fills a batch while
/// the one before is committed. After a failure the transaction is rolled back, so that the file stays as it was.
#include "trainer/record/recording_writer.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <sqlite3.h>
#include <zstd.h>

#include "trainer/record/recording_file.h"
#include "trainer/record/seal.h"

enum { COMPRESSION = 3, MESSAGE = 160 };

/// The statements used for each batch, beside one to insert into each table.
#define STATEMENTS(X)                                                                                                  \
    X(begin, "BEGIN IMMEDIATE")                                                                                        \
    X(commit, "COMMIT")                                                                                                \
    X(version, "PRAGMA data_version")                                                                                  \
    X(seal, "INSERT OR REPLACE INTO seal VALUES(?,?,?,?,?,?)")

/// ms that SQLite waits for a lock while the session waits for the commit, and while what is driven waits in memory:
/// the second is long, since other programs that ask for the file wait behind a commit that is under way.
enum { ROWS_WAIT = 200, ROWS_WAIT_LONG = 2000 };

/// The database, written in one transaction a commit.
typedef struct RecordingRows {
    char path[DATA_PATH_LENGTH];
    RecordingFile noted; ///< known once its tables are made
    int claim; ///< open file whose lock says that it is being recorded; -1: none
    sqlite3 *db;
#define X(name, sql) sqlite3_stmt *name;
    STATEMENTS(X)
#undef X
    sqlite3_stmt *insert[SEAL_TABLES];
    int code, system; ///< SQLite's and the system's error of the last failure; SQLITE_OK: it was not SQLite's
    char message[MESSAGE]; ///< what SQLite says of it
    ZSTD_CCtx *zstd;
    StateBuffer compressed;
    unsigned char *samples; ///< [(ticks + 1) * TRACE_BYTES]: a batch's, packed
    unsigned char *heights; ///< [2 * columns]: a map's, packed
    Station station;
    SealRows *hashes; ///< [SEAL_TABLES] of the rows in the transaction
    bool sealed; ///< there is a seal before
    Seal seal_before; ///< of the last commit
    int64_t data_version; ///< SQLite's, of the last commit: it changes when another program writes into the file
    bool disturbed; ///< it has changed so
    StateBuffer before; ///< the last keyframe that was committed
    int64_t before_tick; ///< its tick
    int chain; ///< keyframes since the last whole one, with it; 0: none yet
} RecordingRows;

/// ---- SQL -----------------------------------------------------------------------------------------------------------

/// Keeps why SQLite failed, before the transaction is taken back. Always false.
static bool note_failure(RecordingRows *rows)
{
    rows->code = sqlite3_extended_errcode(rows->db);
    rows->system = sqlite3_system_errno(rows->db);
    snprintf(rows->message, sizeof rows->message, "%s", sqlite3_errmsg(rows->db));
    return false;
}

/// What holds writing up and may go away by itself.
static RecorderHold hold_of(const RecordingRows *rows)
{
    int code = rows->code & 0xff;
    bool from_system = code == SQLITE_IOERR && (rows->system == ENOSPC || rows->system == EDQUOT);
    return code == SQLITE_BUSY || code == SQLITE_LOCKED ? RECORDER_LOCKED
           : code == SQLITE_FULL || from_system         ? RECORDER_FULL
                                                        : RECORDER_WRITES;
}

static const char *cause_of(const RecordingRows *rows)
{
    RecorderHold hold = hold_of(rows);
    return hold == RECORDER_LOCKED ? "another program reads its file or has locked it"
           : hold == RECORDER_FULL ? "the disk is full"
           : (rows->code & 0xff) == SQLITE_CANTOPEN
               ? "its file cannot be opened; is its whole path longer than 500 bytes?"
           : (rows->code & 0xff) == SQLITE_IOERR && rows->system != 0 ? strerror(rows->system)
           : rows->code == SQLITE_IOERR_WRITE ? "it cannot grow any further (a limit on file sizes, a quota?)"
                                              : rows->message;
}

/// Tells what was noted. Looking at the file from outside SQLite takes away the locks of a transaction that is open. A
/// file that is good up to there has to be there. Always false.
static bool report_failure(RecordingRows *rows, Status *status)
{
    char fate[RECORDING_FATE];
    if (!recording_file_is_there(rows->path, &rows->noted, fate)) {
        return status_fail(status, STATUS_LACKING, "%s: writing the recording failed: %s; what was recorded is lost",
                           rows->path, fate);
    }
    if (hold_of(rows) != RECORDER_WRITES) {
        return status_fail(status, STATUS_LACKING, "%s: the recording cannot be written: %s", rows->path,
                           cause_of(rows));
    }
    int code = rows->code & 0xff;
    bool foreign = code == SQLITE_CORRUPT || code == SQLITE_NOTADB || code == SQLITE_ERROR;
    if (!rows->sealed && !foreign) {
        return status_fail(status, STATUS_LACKING, "%s: the recording cannot be begun: %s; nothing was recorded",
                           rows->path, cause_of(rows));
    }
    return status_fail(status, STATUS_LACKING, "%s: writing the recording failed: %s%s%s", rows->path,
                       foreign ? "another program changed its file, which may be damaged: " : "", cause_of(rows),
                       foreign ? "" : "; the file is good up to there");
}

/// Runs a bound statement that returns no rows.
static bool run_statement(RecordingRows *rows, sqlite3_stmt *statement)
{
    int code = sqlite3_step(statement);
    bool good = code == SQLITE_DONE || code == SQLITE_ROW || note_failure(rows);
    sqlite3_reset(statement);
    return good;
}

/// ---- a row ---------------------------------------------------------------------------------------------------------

/// A row that is bound and hashed column by column.
typedef struct Row {
    RecordingRows *rows;
    SealRows *hash;
    sqlite3_stmt *statement;
    int column;
} Row;

/// A row of the given number in a table whose first column is that number.
static Row numbered_row(RecordingRows *rows, SealTable table, int64_t number)
{
    seal_add_row(&rows->hashes[table], number);
    return (Row){.rows = rows, .hash = &rows->hashes[table], .statement = rows->insert[table]};
}

/// A row of a table that SQLite numbers from 1 on. Where another program has put a row in, SQLite gives this one a
/// number that is not the one hashed, and the seal does not fit.
static Row next_row(RecordingRows *rows, SealTable table)
{
    int64_t last = rows->hashes[table].last;
    return numbered_row(rows, table, last == SEAL_NO_ROW ? 1 : last + 1);
}

static void add_integer(Row *row, int64_t value)
{
    sqlite3_bind_int64(row->statement, ++row->column, value);
    seal_add_integer(row->hash, value);
}

static void add_real(Row *row, double value)
{
    sqlite3_bind_double(row->statement, ++row->column, value);
    seal_add_real(row->hash, value);
}

static void add_bytes(Row *row, const void *bytes, size_t size)
{
    sqlite3_bind_blob64(row->statement, ++row->column, bytes, size, SQLITE_STATIC);
    seal_add_bytes(row->hash, false, bytes, size);
}

static void add_text(Row *row, const char *text, size_t size)
{
    sqlite3_bind_text64(row->statement, ++row->column, text, size, SQLITE_STATIC, SQLITE_UTF8);
    seal_add_bytes(row->hash, true, text, size);
}

static void add_string(Row *row, const char *text)
{
    add_text(row, text, strlen(text));
}

static bool store_row(Row *row)
{
    assert(row->column == sqlite3_bind_parameter_count(row->statement));
    return run_statement(row->rows, row->statement);
}

/// ---- tables --------------------------------------------------------------------------------------------------------

static bool write_state(RecordingRows *rows, int64_t tick, uint64_t hash)
{
    Row row = numbered_row(rows, SEAL_OF_state, tick);
    add_integer(&row, tick);
    add_integer(&row, (int64_t)hash);
    return store_row(&row);
}

static bool write_inputs(RecordingRows *rows, const RecordingBatch *batch)
{
    bool good = true;
    for (int k = 0; k < batch->input_count && good; k++) {
        const RecordingInput *input = &batch->inputs[k];
        unsigned char bytes[RECORDING_CONTROLS_SIZE];
        recording_pack_controls(&input->controls, bytes);
        Row row = numbered_row(rows, SEAL_OF_input, input->tick);
        add_integer(&row, input->tick);
        add_bytes(&row, bytes, sizeof bytes);
        add_integer(&row, recording_input_hash(input->tick, &input->controls));
        good = store_row(&row) && write_state(rows, input->tick + 1, input->hash);
    }
    return good;
}

static bool write_orders(RecordingRows *rows, const RecordingBatch *batch)
{
    bool good = true;
    for (int k = 0; k < batch->order_count && good; k++) {
        const RecordedOrder *order = &batch->orders[k];
        Row row = numbered_row(rows, SEAL_OF_fault_order, order->number);
        add_integer(&row, order->number);
        add_integer(&row, order->tick);
        add_string(&row, session_fault_kind((SessionFault)order->order.fault)->name);
        add_integer(&row, order->order.part);
        add_real(&row, order->order.value);
        add_integer(&row, recording_order_hash(order));
        good = store_row(&row);
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
    Row row = numbered_row(rows, SEAL_OF_keyframe, batch->keyframe_tick);
    add_integer(&row, batch->keyframe_tick);
    add_integer(&row, whole ? batch->keyframe_tick : rows->before_tick);
    add_bytes(&row, rows->compressed.data, size);
    return store_row(&row);
}

/// All samples of a batch in one row, by the tick of the first.
static bool write_trace(RecordingRows *rows, const RecordingBatch *batch)
{
    for (int k = 0; k < batch->sample_count; k++) {
        trace_pack(&batch->samples[k], rows->samples + (size_t)k * TRACE_BYTES);
    }
    Row row = numbered_row(rows, SEAL_OF_trace, batch->samples[0].tick);
    add_integer(&row, batch->samples[0].tick);
    add_bytes(&row, rows->samples, (size_t)batch->sample_count * TRACE_BYTES);
    return store_row(&row);
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
    Row row = numbered_row(rows, SEAL_OF_ground, ground->tick);
    add_integer(&row, ground->tick);
    add_integer(&row, ground->rows);
    add_integer(&row, ground->columns);
    add_real(&row, ground->spacing);
    add_real(&row, ground->origin_x);
    add_real(&row, ground->origin_y);
    add_bytes(&row, rows->compressed.data, size);
    return store_row(&row);
}

static void add_thing(Row *row, const EventThing *thing)
{
    add_string(row, event_thing_kind_name((EventThingKind)thing->kind));
    add_integer(row, thing->index);
    add_string(row, thing->name);
}

static bool write_event(RecordingRows *rows, const ExerciseEvent *event)
{
    Row row = next_row(rows, SEAL_OF_event);
    add_integer(&row, event->tick);
    add_string(&row, event_kind_name((EventKind)event->kind));
    add_string(&row, event_form((EventKind)event->kind, event->form)->name);
    add_string(&row, event->text);
    add_thing(&row, &event->part);
    add_thing(&row, &event->thing);
#define X(name, unit, shown) add_real(&row, event->number.name);
    EVENT_NUMBERS(X)
#undef X
    return store_row(&row);
}

static bool write_results(RecordingRows *rows, const RecordingBatch *batch)
{
    bool good = true;
    for (int k = 0; k < batch->event_count && good; k++) {
        good = write_event(rows, &batch->events[k]);
    }
    for (int k = 0; k < batch->metric_count && good; k++) {
        const ExerciseMetric *metric = &batch->metrics[k];
        Row row = next_row(rows, SEAL_OF_metric);
        add_string(&row, metric->name);
        add_string(&row, metric->unit);
        add_real(&row, metric->value);
        good = store_row(&row);
    }
    if (batch->picture != NULL && good) {
        Row row = next_row(rows, SEAL_OF_picture);
        add_bytes(&row, batch->picture, batch->picture_size);
        good = store_row(&row);
    }
    return good;
}

static bool write_batch(RecordingRows *rows, const RecordingBatch *batch, Status *status)
{
    return write_inputs(rows, batch) && write_orders(rows, batch) &&
           (!batch->has_keyframe || write_keyframe(rows, batch, status)) &&
           (batch->sample_count == 0 || write_trace(rows, batch)) &&
           (!batch->has_ground || write_ground(rows, &batch->ground, status)) && write_results(rows, batch);
}

/// ---- a transaction -------------------------------------------------------------------------------------------------

/// Another program's commits give SQLite's data version another number, those of this connection do not.
static bool read_data_version(RecordingRows *rows, int64_t *version)
{
    bool good = sqlite3_step(rows->version) == SQLITE_ROW || note_failure(rows);
    *version = good ? sqlite3_column_int64(rows->version, 0) : 0;
    sqlite3_reset(rows->version);
    return good;
}

static bool begin_transaction(RecordingRows *rows, int64_t *version)
{
    rows->code = SQLITE_OK;
    for (int k = 0; k < SEAL_TABLES; k++) {
        seal_rows_begin(&rows->hashes[k], seal_last_row(rows->sealed ? &rows->seal_before : NULL, (SealTable)k));
    }
    return run_statement(rows, rows->begin) && read_data_version(rows, version);
}

/// The seal over what the transaction has written.
static bool write_seal(RecordingRows *rows, bool closed, bool disturbed, Seal *seal)
{
    unsigned char signature[STATION_SIGNATURE];
    seal_make(rows->sealed ? &rows->seal_before : NULL, rows->hashes, closed, disturbed, seal);
    sqlite3_bind_int64(rows->seal, 1, seal->number);
    sqlite3_bind_int(rows->seal, 2, closed);
    sqlite3_bind_int(rows->seal, 3, disturbed);
    sqlite3_bind_blob(rows->seal, 4, seal->rows, sizeof seal->rows, SQLITE_STATIC);
    sqlite3_bind_blob(rows->seal, 5, seal->hash, sizeof seal->hash, SQLITE_STATIC);
    sqlite3_bind_null(rows->seal, 6);
    if (rows->station.name[0] != '\0') {
        station_sign(&rows->station, seal->hash, sizeof seal->hash, signature);
        sqlite3_bind_blob(rows->seal, 6, signature, sizeof signature, SQLITE_STATIC);
    }
    return run_statement(rows, rows->seal);
}

/// After a failure the transaction is taken back, so that the file stays what it was at the last commit; what later
/// batches build on changes with a commit alone.
static bool end_transaction(RecordingRows *rows, const RecordingBatch *batch, int64_t version, bool good,
                            Status *status)
{
    Seal seal;
    bool disturbed = version != rows->data_version;
    good = good && write_seal(rows, batch->closes, disturbed, &seal) && run_statement(rows, rows->commit);
    if (!good) {
        // Taking back may change a file that is no longer ours, so that what became of it is looked at before. Where
        // the next try may be good it is looked at afterwards, since looking takes SQLite's locks away.
        bool ends = hold_of(rows) == RECORDER_WRITES, told = rows->code == SQLITE_OK;
        if (ends && !told) {
            report_failure(rows, status);
        }
        if (!sqlite3_get_autocommit(rows->db)) {
            sqlite3_exec(rows->db, "ROLLBACK", NULL, NULL, NULL);
        }
        return ends || told ? false : report_failure(rows, status);
    }
    rows->seal_before = seal;
    rows->sealed = true;
    rows->data_version = version;
    rows->disturbed |= disturbed;
    if (batch->has_keyframe) {
        rows->chain = rows->chain % KEYFRAME_CHAIN + 1;
        rows->before_tick = batch->keyframe_tick;
        memcpy(rows->before.data, batch->keyframe.data, batch->keyframe.size);
        rows->before.size = batch->keyframe.size;
    }
    return true;
}

/// Room for the keyframe to come, so that nothing can fail behind a commit.
static bool reserve_keyframe(RecordingRows *rows, const RecordingBatch *batch, Status *status)
{
    if (!batch->has_keyframe || rows->before.capacity >= batch->keyframe.size) {
        return true;
    }
    rows->before.size = 0;
    rows->chain = 0; // what it held is no longer known
    return state_buffer_reserve(&rows->before, batch->keyframe.size) ||
           status_fail(status, STATUS_LACKING, "%s: out of memory for a keyframe", rows->path);
}

/// Stores batches in order with a seal over them, in one transaction: all of it or nothing. After a failure
/// (STATUS_LACKING) the same ones can be stored again. Only the last one may have a keyframe, or close.
/// batches  [count], at least one
/// wait  ms for locks: ROWS_WAIT, ROWS_WAIT_LONG
/// hold  out: RECORDER_LOCKED or RECORDER_FULL, when the cause may go away by itself
static bool store_batches(RecordingRows *rows, const RecordingBatch *const *batches, int count, int wait,
                          RecorderHold *hold, Status *status)
{
    assert(count > 0);
    int64_t version = rows->data_version;
    const RecordingBatch *last = batches[count - 1];
    rows->code = SQLITE_OK;
    sqlite3_busy_timeout(rows->db, wait);
    bool good = reserve_keyframe(rows, last, status) && begin_transaction(rows, &version);
    for (int k = 0; k < count && good; k++) {
        assert(k == count - 1 || !(batches[k]->has_keyframe || batches[k]->closes));
        good = write_batch(rows, batches[k], status);
    }
    good = end_transaction(rows, last, version, good, status);
    *hold = good ? RECORDER_WRITES : hold_of(rows);
    return good;
}

/// ---- life ----------------------------------------------------------------------------------------------------------

/// Closes the file; with `remove` it goes with its journal. NULL is nothing.
static void close_rows(RecordingRows *rows, bool remove)
{
    if (rows == NULL) {
        return;
    }
#define X(name, sql) sqlite3_finalize(rows->name);
    STATEMENTS(X)
#undef X
    for (int k = 0; k < SEAL_TABLES; k++) {
        sqlite3_finalize(rows->insert[k]);
    }
    sqlite3_close(rows->db);
    recording_file_release(rows->claim);
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
    free(rows->hashes);
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

static bool prepare(RecordingRows *rows, const char *sql, sqlite3_stmt **statement)
{
    return sqlite3_prepare_v3(rows->db, sql, -1, SQLITE_PREPARE_PERSISTENT, statement, NULL) == SQLITE_OK;
}

/// A value for each of a table's columns. What the recorder writes takes the place of a row that another program put
/// in under the same key.
static bool prepare_insert(RecordingRows *rows, SealTable table)
{
    char sql[256];
    sqlite3_stmt *all = NULL;
    snprintf(sql, sizeof sql, "SELECT * FROM %s", seal_table(table));
    bool good = prepare(rows, sql, &all);
    int length = snprintf(sql, sizeof sql, "INSERT OR REPLACE INTO %s VALUES(?", seal_table(table));
    for (int k = 1; k < sqlite3_column_count(all); k++) {
        length += snprintf(sql + length, sizeof sql - (size_t)length, ",?");
    }
    snprintf(sql + length, sizeof sql - (size_t)length, ")");
    assert(length + 1 < (int)sizeof sql);
    sqlite3_finalize(all);
    return good && prepare(rows, sql, &rows->insert[table]);
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
#define X(name, text) good = good && prepare(rows, text, &rows->name);
    STATEMENTS(X)
#undef X
    for (int k = 0; k < SEAL_TABLES && good; k++) {
        good = prepare_insert(rows, (SealTable)k);
    }
    if (!good) {
        note_failure(rows);
    }
    return (good && read_data_version(rows, &rows->data_version)) || report_failure(rows, status);
}

static bool allocate_buffers(RecordingRows *rows, const BatchSize *size)
{
    rows->zstd = ZSTD_createCCtx();
    rows->samples = malloc(((size_t)size->ticks + 1) * TRACE_BYTES);
    rows->heights = malloc(2 * size->columns);
    rows->hashes = aligned_alloc(_Alignof(SealRows), SEAL_TABLES * sizeof *rows->hashes);
    if (rows->hashes == NULL || rows->zstd == NULL || rows->samples == NULL || rows->heights == NULL ||
        !state_buffer_reserve(&rows->before, size->keyframe_room)) {
        return false;
    }
    set_compression(rows);
    return true;
}

/// Creates the file with its tables. NULL with `status` (STATUS_LACKING), and no file, when it cannot be made.
static RecordingRows *create_rows(const char *path, const BatchSize *size, const Station *station, Status *status)
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
    rows->claim = recording_file_claim(path);
    bool good =
        allocate_buffers(rows, size) || status_fail(status, STATUS_LACKING, "%s: out of memory for the recorder", path);
    if (good && sqlite3_open_v2(path, &rows->db, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK) {
        note_failure(rows);
        good = report_failure(rows, status);
    }
    if (good) {
        // A program may read each new file: nobody drives yet who would have to wait.
        sqlite3_busy_timeout(rows->db, ROWS_WAIT_LONG);
        good = make_tables(rows, status);
        recording_distrust(rows->db, NULL, 0);
        rows->noted = good ? recording_file_note(path) : rows->noted;
    }
    if (!good) {
        close_rows(rows, true);
        return NULL;
    }
    return rows;
}

static bool write_start(RecordingRows *rows, const RecordingMeta *meta, int meta_count, const DataFiles *files)
{
    bool good = true;
    for (int k = 0; k < meta_count && good; k++) {
        Row row = next_row(rows, SEAL_OF_meta);
        add_string(&row, meta[k].key);
        add_string(&row, meta[k].value);
        good = store_row(&row);
    }
    for (int k = 0; k < files->count && good; k++) {
        const DataFile *file = &files->files[k];
        Row row = next_row(rows, SEAL_OF_file);
        add_string(&row, file->kind);
        add_string(&row, file->name);
        if (memchr(file->text, '\0', file->size) != NULL) {
            add_bytes(&row, file->text, file->size); // a picture
        } else {
            add_text(&row, file->text, file->size);
        }
        good = store_row(&row);
    }
    return good;
}

/// Stores what is known before the first tick: meta, files, the hash of the first state and a batch.
static bool store_beginning(RecordingRows *rows, const RecordingMeta *meta, int meta_count, const DataFiles *files,
                            int64_t tick, uint64_t hash, const RecordingBatch *batch, Status *status)
{
    int64_t version = rows->data_version;
    bool good = reserve_keyframe(rows, batch, status) && begin_transaction(rows, &version) &&
                write_start(rows, meta, meta_count, files) && write_state(rows, tick, hash) &&
                write_batch(rows, batch, status);
    return end_transaction(rows, batch, version, good, status);
}

/// ---- batches and the thread ----------------------------------------------------------------------------------------

enum { COMMIT_BATCHES = 60 }; ///< batches in one commit, of those that waited: half a simulated minute. Chosen
#define RETRY_INTERVAL 0.1 ///< s from one try in a pause to the next
#define CLOSE_POLL     0.25 ///< s from one look at the thread to the next, when it is closed

/// A batch in its list.
typedef struct Slot {
    RecordingBatch batch;
    bool spare; ///< made in a pause, freed once it is written
    struct Slot *next;
} Slot;

struct RecordingWriter {
    char path[DATA_PATH_LENGTH];
    RecordingRows *rows; ///< the writing thread's, once it runs
    BatchSize size;
    Slot *filling; ///< the session's thread's
    /// Shared by the two threads, under `mutex`.
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    Slot *first, *last; ///< waiting, in order; the first is being written
    Slot *unused;
    int waiting;
    bool closing, failed;
    bool ended; ///< the thread writes no more
    bool gives_up; ///< who closes waits for no other program any longer
    double closing_since; ///< now() at which the batch being written was held up first while closing; 0: it was not
    bool disturbed; ///< another program wrote into the file
    bool behind; ///< what came together in a pause is not all written yet
    Status failure;
    WriterPause pause;
    Status pause_reason;
};

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/// ---- batches -------------------------------------------------------------------------------------------------------

static void free_slot(Slot *slot)
{
    if (slot != NULL) {
        free(slot->batch.inputs);
        free(slot->batch.orders);
        free(slot->batch.events);
        free(slot->batch.metrics);
        free(slot->batch.samples);
        free(slot->batch.ground.height);
        state_buffer_free(&slot->batch.keyframe);
        free(slot);
    }
}

/// A spare one has no room for a keyframe and for the ground: in a pause neither is taken.
static Slot *make_slot(const BatchSize *size, bool spare)
{
    Slot *slot = calloc(1, sizeof *slot);
    if (slot == NULL) {
        return NULL;
    }
    RecordingBatch *batch = &slot->batch;
    slot->spare = spare;
    batch->inputs = calloc((size_t)size->ticks, sizeof *batch->inputs);
    batch->orders = calloc((size_t)size->ticks * SESSION_ORDERS_A_TICK, sizeof *batch->orders);
    batch->samples = calloc((size_t)size->ticks + 1, sizeof *batch->samples);
    batch->events = malloc(BATCH_EVENTS * sizeof *batch->events);
    batch->metrics = malloc(EXERCISE_MAX_METRICS * sizeof *batch->metrics);
    batch->ground.height = spare ? NULL : malloc(size->columns * sizeof *batch->ground.height);
    bool good =
        batch->inputs != NULL && batch->orders != NULL && batch->samples != NULL && batch->events != NULL &&
        batch->metrics != NULL &&
        (spare || (batch->ground.height != NULL && state_buffer_reserve(&batch->keyframe, size->keyframe_room)));
    if (!good) {
        free_slot(slot);
        return NULL;
    }
    return slot;
}

/// Gives up room that a filled array does not need; where that cannot be, it stays.
static void *shrink(void *array, int count, size_t size)
{
    void *small = realloc(array, (count > 0 ? (size_t)count : 1) * size);
    return small != NULL ? small : array;
}

/// A batch that waits in a pause may wait for hours, and thousands with it. It is filled no more.
static void shrink_batch(RecordingBatch *batch)
{
    batch->inputs = shrink(batch->inputs, batch->input_count, sizeof *batch->inputs);
    batch->orders = shrink(batch->orders, batch->order_count, sizeof *batch->orders);
    batch->samples = shrink(batch->samples, batch->sample_count, sizeof *batch->samples);
    batch->events = shrink(batch->events, batch->event_count, sizeof *batch->events);
    batch->metrics = shrink(batch->metrics, batch->metric_count, sizeof *batch->metrics);
}

static void clear_batch(RecordingBatch *batch)
{
    batch->input_count = batch->order_count = batch->event_count = batch->metric_count = batch->sample_count = 0;
    batch->has_keyframe = batch->has_ground = batch->closes = false;
    batch->picture = NULL;
}

/// ---- thread --------------------------------------------------------------------------------------------------------

static void begin_pause(RecordingWriter *writer, RecorderHold hold, const Status *reason)
{
    writer->pause.count += writer->pause.now == RECORDER_WRITES;
    writer->pause.now = hold;
    writer->pause_reason = *reason;
    writer->behind = true;
    pthread_cond_broadcast(&writer->changed); // nobody waits for this batch any more
}

static void make_deadline(double seconds, struct timespec *until)
{
    clock_gettime(CLOCK_REALTIME, until);
    int64_t nanoseconds = until->tv_nsec + (int64_t)(seconds * 1e9);
    until->tv_sec += (time_t)(nanoseconds / 1000000000);
    until->tv_nsec = (long)(nanoseconds % 1000000000);
}

/// Waits a moment before the next try.
static void wait_for_retry(RecordingWriter *writer)
{
    struct timespec until;
    make_deadline(RETRY_INTERVAL, &until);
    pthread_cond_timedwait(&writer->changed, &writer->mutex, &until);
}

/// Is a hold waited for any longer? While the session goes on it always is; when it has ended, for a full disk as long
/// as patience lasts, and for another program as long as the closing thread waits.
static bool is_worth_waiting(RecordingWriter *writer, RecorderHold hold)
{
    if (hold == RECORDER_WRITES || !writer->closing) {
        return hold != RECORDER_WRITES;
    }
    writer->closing_since = writer->closing_since == 0.0 ? now() : writer->closing_since;
    bool patient = now() - writer->closing_since <= writer->size.patience;
    return patient || (hold == RECORDER_LOCKED && !writer->gives_up);
}

/// The last words on a hold that was not waited for any longer.
static void fail_writing(RecordingWriter *writer, RecorderHold hold, const Status *reason)
{
    writer->failed = true;
    writer->failure = *reason;
    if (hold != RECORDER_WRITES) {
        status_fail(&writer->failure, reason->code, "%.900s; the file is good up to there", reason->text);
    }
}

/// The batches that are written next: one, or of those that came together in a pause as many as one commit takes.
static int next_batches(const RecordingWriter *writer, const RecordingBatch *batches[COMMIT_BATCHES])
{
    int count = 0;
    bool more = true;
    for (const Slot *slot = writer->first; slot != NULL && more; slot = slot->next) {
        batches[count++] = &slot->batch;
        more = writer->behind && count < COMMIT_BATCHES && !slot->batch.has_keyframe && !slot->batch.closes;
    }
    return count;
}

/// Writes the first batches, again and again while the cause may pass; the mutex is held at both ends. Returns how many
/// were written; 0: none ever will.
static int write_first(RecordingWriter *writer)
{
    const RecordingBatch *batches[COMMIT_BATCHES];
    int count = 0;
    double began = now();
    while (true) {
        count = next_batches(writer, batches);
        Status status = {0};
        RecorderHold hold = RECORDER_WRITES;
        int wait = writer->pause.now == RECORDER_WRITES ? ROWS_WAIT : ROWS_WAIT_LONG;
        pthread_mutex_unlock(&writer->mutex);
        bool good = store_batches(writer->rows, batches, count, wait, &hold, &status);
        pthread_mutex_lock(&writer->mutex);
        writer->disturbed = writer->rows->disturbed;
        if (good) {
            break;
        }
        if (!is_worth_waiting(writer, hold)) {
            fail_writing(writer, hold, &status);
            return 0;
        }
        begin_pause(writer, hold, &status);
        wait_for_retry(writer);
    }
    writer->closing_since = 0.0;
    if (writer->pause.now != RECORDER_WRITES) {
        writer->pause.now = RECORDER_WRITES;
        writer->pause.seconds = now() - began;
    }
    return count;
}

/// Takes away the first batch, which was written.
static void remove_first(RecordingWriter *writer)
{
    Slot *slot = writer->first;
    writer->first = slot->next;
    writer->last = writer->first != NULL ? writer->last : NULL;
    writer->waiting--;
    if (slot->spare) {
        free_slot(slot);
    } else {
        slot->next = writer->unused;
        writer->unused = slot;
    }
}

static void *write_batches(void *context)
{
    RecordingWriter *writer = context;
    pthread_mutex_lock(&writer->mutex);
    while (!writer->failed) {
        while (writer->first == NULL && !writer->closing) {
            pthread_cond_wait(&writer->changed, &writer->mutex);
        }
        int written = writer->first != NULL ? write_first(writer) : 0;
        if (written == 0) {
            break;
        }
        for (int k = 0; k < written; k++) {
            remove_first(writer);
        }
        writer->behind = writer->behind && writer->first != NULL;
        pthread_cond_broadcast(&writer->changed);
    }
    writer->ended = true;
    pthread_cond_broadcast(&writer->changed);
    pthread_mutex_unlock(&writer->mutex);
    return NULL;
}

/// The thread takes no signals: a write over the size limit then fails with an error instead of ending the program.
static bool start_thread(RecordingWriter *writer, Status *status)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = pthread_create(&writer->thread, NULL, write_batches, writer);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error == 0 || status_fail(status, STATUS_LACKING, "%s: the recorder's thread cannot start: %s", writer->path,
                                     strerror(error));
}

/// ---- life ----------------------------------------------------------------------------------------------------------

static void free_list(Slot *slot)
{
    while (slot != NULL) {
        Slot *next = slot->next;
        free_slot(slot);
        slot = next;
    }
}

static void free_writer(RecordingWriter *writer, bool remove)
{
    close_rows(writer->rows, remove);
    free_slot(writer->filling);
    free_list(writer->first);
    free_list(writer->unused);
    pthread_mutex_destroy(&writer->mutex);
    pthread_cond_destroy(&writer->changed);
    free(writer);
}

void recording_writer_abandon(RecordingWriter *writer)
{
    free_writer(writer, true);
}

RecordingWriter *recording_writer_create(const char *path, const BatchSize *size, const Station *station,
                                         Status *status)
{
    RecordingRows *rows = create_rows(path, size, station, status);
    RecordingWriter *writer = rows != NULL ? calloc(1, sizeof *writer) : NULL;
    if (writer == NULL) {
        close_rows(rows, true);
        if (rows != NULL) {
            status_fail(status, STATUS_LACKING, "%s: out of memory for the recorder", path);
        }
        return NULL;
    }
    snprintf(writer->path, sizeof writer->path, "%s", path);
    pthread_mutex_init(&writer->mutex, NULL);
    pthread_cond_init(&writer->changed, NULL);
    writer->rows = rows;
    writer->size = *size;
    writer->filling = make_slot(size, false);
    writer->unused = make_slot(size, false);
    if (writer->filling == NULL || writer->unused == NULL) {
        recording_writer_abandon(writer);
        status_fail(status, STATUS_LACKING, "%s: out of memory for the recorder", path);
        return NULL;
    }
    return writer;
}

bool recording_writer_begin(RecordingWriter *writer, const RecordingMeta *meta, int meta_count, const DataFiles *files,
                            int64_t tick, uint64_t hash, Status *status)
{
    RecordingBatch *batch = &writer->filling->batch;
    if (!store_beginning(writer->rows, meta, meta_count, files, tick, hash, batch, status)) {
        return false;
    }
    clear_batch(batch);
    return start_thread(writer, status);
}

/// ---- the session's thread ------------------------------------------------------------------------------------------

RecordingBatch *recording_writer_batch(RecordingWriter *writer)
{
    return &writer->filling->batch;
}

bool recording_writer_is_good(RecordingWriter *writer, Status *status)
{
    pthread_mutex_lock(&writer->mutex);
    bool good = !writer->failed;
    if (!good) {
        *status = writer->failure;
    }
    pthread_mutex_unlock(&writer->mutex);
    return good;
}

WriterPause recording_writer_pause(RecordingWriter *writer, Status *reason)
{
    pthread_mutex_lock(&writer->mutex);
    WriterPause pause = writer->pause;
    if (reason != NULL) {
        *reason = writer->pause_reason;
    }
    pthread_mutex_unlock(&writer->mutex);
    return pause;
}

/// Puts the filled batch last and takes an empty one; the mutex is held.
static bool queue_batch(RecordingWriter *writer, Status *status)
{
    Slot *next = writer->unused;
    if (next != NULL) {
        writer->unused = next->next;
    } else if (writer->waiting < WRITER_WAITING_MOST) {
        next = make_slot(&writer->size, true);
    }
    if (next == NULL) {
        writer->failed = true;
        writer->failure = writer->pause_reason;
        if (writer->pause.now == RECORDER_WRITES) {
            status_fail(&writer->failure, STATUS_LACKING, "%s: out of memory for what waits to be written",
                        writer->path);
        }
        *status = writer->failure;
        return false;
    }
    next->next = NULL;
    clear_batch(&next->batch);
    if (writer->filling->spare) {
        shrink_batch(&writer->filling->batch);
    }
    writer->filling->next = NULL;
    *(writer->last != NULL ? &writer->last->next : &writer->first) = writer->filling;
    writer->last = writer->filling;
    writer->filling = next;
    writer->waiting++;
    pthread_cond_broadcast(&writer->changed);
    return true;
}

bool recording_writer_submit(RecordingWriter *writer, Status *status)
{
    pthread_mutex_lock(&writer->mutex);
    while (!writer->failed &&
           (writer->behind ? writer->pause.now == RECORDER_WRITES && writer->waiting >= WRITER_WAITING_MOST
                           : writer->first != NULL)) {
        pthread_cond_wait(&writer->changed, &writer->mutex);
    }
    bool good = !writer->failed;
    if (good) {
        good = queue_batch(writer, status);
    } else {
        *status = writer->failure;
    }
    pthread_mutex_unlock(&writer->mutex);
    return good;
}

bool recording_writer_is_disturbed(RecordingWriter *writer)
{
    pthread_mutex_lock(&writer->mutex);
    bool disturbed = writer->disturbed;
    pthread_mutex_unlock(&writer->mutex);
    return disturbed;
}

/// Waits until the thread has ended, and asks now and then whether another program is waited for any longer.
static void wait_for_thread(RecordingWriter *writer)
{
    const RecorderWait *waits = &writer->size.waits;
    while (!writer->ended) {
        struct timespec until;
        make_deadline(CLOSE_POLL, &until);
        pthread_cond_timedwait(&writer->changed, &writer->mutex, &until);
        if (!writer->ended && writer->pause.now == RECORDER_LOCKED && waits->goes_on != NULL) {
            Status reason = writer->pause_reason;
            pthread_mutex_unlock(&writer->mutex);
            bool goes_on = waits->goes_on(waits->context, &reason);
            pthread_mutex_lock(&writer->mutex);
            writer->gives_up = !goes_on;
        }
    }
}

/// Another program that cuts or overwrites the file during a commit leaves it with a good beginning and nothing in
/// between, and SQLite sees no change: its pages are in memory. The file is read once by a connection of its own. A
/// file that another program has locked is not looked at.
static bool check_file(RecordingRows *rows, Status *status)
{
    sqlite3 *db = NULL;
    char answer[RECORDING_FATE] = "";
    int code = sqlite3_open_v2(rows->path, &db, SQLITE_OPEN_READONLY, NULL);
    if (code == SQLITE_OK) {
        sqlite3_busy_timeout(db, ROWS_WAIT);
        code = recording_ask(db, RECORDING_PAGES_CHECK, answer);
    }
    bool damaged = code == SQLITE_CORRUPT || code == SQLITE_NOTADB || (code == SQLITE_OK && strcmp(answer, "ok") != 0);
    rows->code = damaged ? SQLITE_CORRUPT : SQLITE_OK;
    rows->system = 0;
    snprintf(rows->message, sizeof rows->message, "%s", code == SQLITE_OK ? answer : sqlite3_errmsg(db));
    sqlite3_close(db);
    char fate[RECORDING_FATE];
    bool there = recording_file_is_there(rows->path, &rows->noted, fate);
    return (there && !damaged) || report_failure(rows, status);
}

bool recording_writer_close(RecordingWriter *writer, Status *status)
{
    pthread_mutex_lock(&writer->mutex);
    writer->closing = true;
    writer->gives_up = writer->size.waits.goes_on == NULL;
    pthread_cond_broadcast(&writer->changed);
    wait_for_thread(writer);
    pthread_mutex_unlock(&writer->mutex);
    pthread_join(writer->thread, NULL);
    bool good = recording_writer_is_good(writer, status) && check_file(writer->rows, status);
    free_writer(writer, false);
    return good;
}
