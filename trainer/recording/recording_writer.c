/// The writing side, on a thread of its own: two batches change places, one being filled by the session's thread while
/// the other is committed. After a failure the transaction is taken back, so that the file stays as it was.
#include "trainer/recording/recording_writer.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#include "trainer/recording/recording_format.h"

enum { COMPRESSION = 1, BUSY_WAIT_MS = 10000 };

#define PLACE(name) ",?"
/// The statements used for each batch.
#define STATEMENTS(X)                                                                                                  \
    X(begin, "BEGIN IMMEDIATE")                                                                                        \
    X(commit, "COMMIT")                                                                                                \
    X(meta, "INSERT INTO meta VALUES(?,?)")                                                                            \
    X(file, "INSERT INTO file VALUES(?,?,?)")                                                                          \
    X(input, "INSERT INTO input VALUES(?,?,?)")                                                                        \
    X(state, "INSERT INTO state VALUES(?,?)")                                                                          \
    X(keyframe, "INSERT INTO keyframe VALUES(?,?)")                                                                    \
    X(event, "INSERT INTO event VALUES(?,?,?,?,?" EXERCISE_EVENT_NUMBERS(PLACE) ")")                                   \
    X(metric, "INSERT INTO metric VALUES(?,?,?)")                                                                      \
    X(trace, "INSERT INTO trace VALUES(?,?)")                                                                          \
    X(ground, "INSERT INTO ground VALUES(?,?,?,?,?,?,?)")                                                              \
    X(picture, "INSERT INTO picture VALUES(?)")

struct RecordingWriter {
    char path[DATA_PATH_LENGTH];
    sqlite3 *db;
#define X(name, sql) sqlite3_stmt *name;
    STATEMENTS(X)
#undef X
    ZSTD_CCtx *zstd;
    StateBuffer compressed;
    unsigned char *samples; ///< [(batch_ticks + 1) * TRACE_BYTES]: a batch's, packed
    unsigned char *heights; ///< [2 * columns]: a map's, packed
    RecordingBatch batches[2];
    int filling; ///< which batch the tick thread fills; the other is the writing thread's while `busy`
    /// Shared by the two threads, under `mutex`.
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    bool busy, closing, failed;
    Status failure;
};

/// ---- SQL -----------------------------------------------------------------------------------------------------------

static bool fail_sql(RecordingWriter *writer, Status *status)
{
    int code = sqlite3_extended_errcode(writer->db), system = sqlite3_system_errno(writer->db);
    bool full = (code & 0xff) == SQLITE_FULL;
    bool from_system = (code & 0xff) == SQLITE_IOERR && system != 0;
    return status_fail(status, STATUS_LACKING, "%s: writing the recording failed: %s; the file is good up to there",
                       writer->path,
                       full                         ? "the disk is full"
                       : from_system                ? strerror(system)
                       : code == SQLITE_IOERR_WRITE ? "it cannot grow any further (a limit on file sizes, a quota?)"
                                                    : sqlite3_errmsg(writer->db));
}

/// Runs a bound statement that returns no rows.
static bool finish(RecordingWriter *writer, sqlite3_stmt *statement, Status *status)
{
    int code = sqlite3_step(statement);
    bool good = code == SQLITE_DONE || code == SQLITE_ROW || fail_sql(writer, status);
    sqlite3_reset(statement);
    return good;
}

static void bind_text(sqlite3_stmt *statement, int at, const char *text, size_t size)
{
    sqlite3_bind_text64(statement, at, text, size, SQLITE_STATIC, SQLITE_UTF8);
}

static bool write_state(RecordingWriter *writer, int64_t tick, uint64_t hash, Status *status)
{
    sqlite3_bind_int64(writer->state, 1, tick);
    sqlite3_bind_int64(writer->state, 2, (sqlite3_int64)hash);
    return finish(writer, writer->state, status);
}

static bool write_inputs(RecordingWriter *writer, const RecordingBatch *batch, Status *status)
{
    bool good = true;
    for (int k = 0; k < batch->input_count && good; k++) {
        const RecordingInput *input = &batch->inputs[k];
        unsigned char bytes[RECORDING_CONTROLS_SIZE];
        recording_pack_controls(&input->controls, bytes);
        sqlite3_bind_int64(writer->input, 1, input->tick);
        sqlite3_bind_blob(writer->input, 2, bytes, sizeof bytes, SQLITE_STATIC);
        sqlite3_bind_int64(writer->input, 3, recording_input_hash(input->tick, &input->controls));
        good = finish(writer, writer->input, status) && write_state(writer, input->tick + 1, input->hash, status);
    }
    return good;
}

/// Compresses into the writer's buffer; returns how many bytes, 0 with the failure told.
static size_t compress(RecordingWriter *writer, const void *data, size_t size, const char *what, Status *status)
{
    if (!state_buffer_reserve(&writer->compressed, ZSTD_compressBound(size))) {
        status_fail(status, STATUS_LACKING, "%s: out of memory for %s", writer->path, what);
        return 0;
    }
    size_t packed = ZSTD_compress2(writer->zstd, writer->compressed.data, writer->compressed.capacity, data, size);
    if (ZSTD_isError(packed)) {
        status_fail(status, STATUS_LACKING, "%s: %s cannot be compressed: %s", writer->path, what,
                    ZSTD_getErrorName(packed));
        return 0;
    }
    return packed;
}

static bool write_keyframe(RecordingWriter *writer, const RecordingBatch *batch, Status *status)
{
    size_t size = compress(writer, batch->keyframe.data, batch->keyframe.size, "a keyframe", status);
    if (size == 0) {
        return false;
    }
    sqlite3_bind_int64(writer->keyframe, 1, batch->keyframe_tick);
    sqlite3_bind_blob64(writer->keyframe, 2, writer->compressed.data, size, SQLITE_STATIC);
    return finish(writer, writer->keyframe, status);
}

/// All samples of a batch in one row, by the tick of the first.
static bool write_trace(RecordingWriter *writer, const RecordingBatch *batch, Status *status)
{
    for (int k = 0; k < batch->sample_count; k++) {
        trace_pack(&batch->samples[k], writer->samples + (size_t)k * TRACE_BYTES);
    }
    sqlite3_bind_int64(writer->trace, 1, batch->samples[0].tick);
    sqlite3_bind_blob64(writer->trace, 2, writer->samples, (size_t)batch->sample_count * TRACE_BYTES, SQLITE_STATIC);
    return finish(writer, writer->trace, status);
}

static bool write_ground(RecordingWriter *writer, const TraceGround *ground, Status *status)
{
    size_t columns = (size_t)ground->rows * (size_t)ground->columns;
    for (size_t k = 0; k < columns; k++) {
        uint16_t bits = (uint16_t)ground->height[k];
        writer->heights[2 * k] = (unsigned char)(bits & 0xff);
        writer->heights[2 * k + 1] = (unsigned char)(bits >> 8);
    }
    size_t size = compress(writer, writer->heights, 2 * columns, "a map of the ground", status);
    if (size == 0) {
        return false;
    }
    int column = 1;
    sqlite3_bind_int64(writer->ground, column++, ground->tick);
    sqlite3_bind_int(writer->ground, column++, ground->rows);
    sqlite3_bind_int(writer->ground, column++, ground->columns);
    sqlite3_bind_double(writer->ground, column++, ground->spacing);
    sqlite3_bind_double(writer->ground, column++, ground->origin_x);
    sqlite3_bind_double(writer->ground, column++, ground->origin_y);
    sqlite3_bind_blob64(writer->ground, column++, writer->compressed.data, size, SQLITE_STATIC);
    return finish(writer, writer->ground, status);
}

static bool write_event(RecordingWriter *writer, const ExerciseEvent *event, Status *status)
{
    int column = 1;
    sqlite3_bind_int64(writer->event, column++, event->tick);
    bind_text(writer->event, column++, event->kind, strlen(event->kind));
    bind_text(writer->event, column++, event->detail, strlen(event->detail));
    bind_text(writer->event, column++, event->part, strlen(event->part));
    bind_text(writer->event, column++, event->thing, strlen(event->thing));
#define X(name) sqlite3_bind_double(writer->event, column++, event->number.name);
    EXERCISE_EVENT_NUMBERS(X)
#undef X
    return finish(writer, writer->event, status);
}

static bool write_results(RecordingWriter *writer, const RecordingBatch *batch, Status *status)
{
    bool good = true;
    for (int k = 0; k < batch->event_count && good; k++) {
        good = write_event(writer, &batch->events[k], status);
    }
    for (int k = 0; k < batch->metric_count && good; k++) {
        const ExerciseMetric *metric = &batch->metrics[k];
        bind_text(writer->metric, 1, metric->name, strlen(metric->name));
        bind_text(writer->metric, 2, metric->unit, strlen(metric->unit));
        sqlite3_bind_double(writer->metric, 3, metric->value);
        good = finish(writer, writer->metric, status);
    }
    if (batch->picture != NULL && good) {
        sqlite3_bind_blob64(writer->picture, 1, batch->picture, batch->picture_size, SQLITE_STATIC);
        good = finish(writer, writer->picture, status);
    }
    return good;
}

static bool write_batch(RecordingWriter *writer, const RecordingBatch *batch, Status *status)
{
    return write_inputs(writer, batch, status) && (!batch->has_keyframe || write_keyframe(writer, batch, status)) &&
           (batch->sample_count == 0 || write_trace(writer, batch, status)) &&
           (!batch->has_ground || write_ground(writer, &batch->ground, status)) && write_results(writer, batch, status);
}

/// After a failure the transaction is taken back, so that the file stays what it was at the last commit.
static bool end_transaction(RecordingWriter *writer, bool good, Status *status)
{
    good = good && finish(writer, writer->commit, status);
    if (!good && !sqlite3_get_autocommit(writer->db)) {
        sqlite3_exec(writer->db, "ROLLBACK", NULL, NULL, NULL);
    }
    return good;
}

static bool store_batch(RecordingWriter *writer, const RecordingBatch *batch, Status *status)
{
    bool good = finish(writer, writer->begin, status) && write_batch(writer, batch, status);
    return end_transaction(writer, good, status);
}

/// ---- thread --------------------------------------------------------------------------------------------------------

static void *write_batches(void *context)
{
    RecordingWriter *writer = context;
    pthread_mutex_lock(&writer->mutex);
    while (true) {
        while (!writer->busy && !writer->closing) {
            pthread_cond_wait(&writer->changed, &writer->mutex);
        }
        if (!writer->busy) {
            break;
        }
        const RecordingBatch *batch = &writer->batches[1 - writer->filling];
        pthread_mutex_unlock(&writer->mutex);
        Status status = {0};
        bool good = store_batch(writer, batch, &status);
        pthread_mutex_lock(&writer->mutex);
        writer->busy = false;
        if (!good) {
            writer->failed = true;
            writer->failure = status;
        }
        pthread_cond_signal(&writer->changed);
    }
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

static void release(RecordingWriter *writer)
{
#define X(name, sql) sqlite3_finalize(writer->name);
    STATEMENTS(X)
#undef X
    sqlite3_close(writer->db);
    ZSTD_freeCCtx(writer->zstd);
    state_buffer_free(&writer->compressed);
    free(writer->samples);
    free(writer->heights);
    for (int k = 0; k < 2; k++) {
        free(writer->batches[k].inputs);
        free(writer->batches[k].samples);
        free(writer->batches[k].ground.height);
        state_buffer_free(&writer->batches[k].keyframe);
    }
    pthread_mutex_destroy(&writer->mutex);
    pthread_cond_destroy(&writer->changed);
    free(writer);
}

void recording_writer_abandon(RecordingWriter *writer)
{
    char path[DATA_PATH_LENGTH], journal[DATA_PATH_LENGTH + 16];
    snprintf(path, sizeof path, "%s", writer->path);
    snprintf(journal, sizeof journal, "%s-journal", path);
    release(writer);
    unlink(path);
    unlink(journal);
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
static bool make_tables(RecordingWriter *writer, Status *status)
{
    char sql[2048];
    int length = snprintf(sql, sizeof sql,
                          "PRAGMA journal_mode=DELETE; PRAGMA synchronous=FULL; PRAGMA application_id=%d;"
                          "PRAGMA user_version=%d; BEGIN;",
                          RECORDING_APPLICATION, RECORDING_VERSION);
#define X(name, columns)                                                                                               \
    length += snprintf(sql + length, sizeof sql - (size_t)length, "CREATE TABLE %s(%s);", #name, columns);
    RECORDING_TABLES(X)
#undef X
    length += snprintf(sql + length, sizeof sql - (size_t)length, RECORDING_PICTURE_TABLE ";COMMIT;");
    assert(length < (int)sizeof sql);
    bool good = sqlite3_exec(writer->db, sql, NULL, NULL, NULL) == SQLITE_OK;
#define X(name, text)                                                                                                  \
    good =                                                                                                             \
        good && sqlite3_prepare_v3(writer->db, text, -1, SQLITE_PREPARE_PERSISTENT, &writer->name, NULL) == SQLITE_OK;
    STATEMENTS(X)
#undef X
    return good || fail_sql(writer, status);
}

static bool make_batch(RecordingBatch *batch, size_t ticks, size_t keyframe_room, size_t columns)
{
    batch->inputs = calloc(ticks, sizeof *batch->inputs);
    batch->samples = calloc(ticks + 1, sizeof *batch->samples);
    batch->ground.height = malloc(columns * sizeof *batch->ground.height);
    return batch->inputs != NULL && batch->samples != NULL && batch->ground.height != NULL &&
           state_buffer_reserve(&batch->keyframe, keyframe_room);
}

static bool make_room(RecordingWriter *writer, size_t batch_ticks, size_t keyframe_room, size_t columns)
{
    writer->zstd = ZSTD_createCCtx();
    writer->samples = malloc((batch_ticks + 1) * TRACE_BYTES);
    writer->heights = malloc(2 * columns);
    bool good = writer->zstd != NULL && writer->samples != NULL && writer->heights != NULL;
    for (int k = 0; k < 2 && good; k++) {
        good = make_batch(&writer->batches[k], batch_ticks, keyframe_room, columns);
    }
    if (good) {
        ZSTD_CCtx_setParameter(writer->zstd, ZSTD_c_compressionLevel, COMPRESSION);
        ZSTD_CCtx_setParameter(writer->zstd, ZSTD_c_checksumFlag, 1);
    }
    return good;
}

RecordingWriter *recording_writer_create(const char *path, int batch_ticks, size_t keyframe_room, size_t columns,
                                         Status *status)
{
    if (!claim_path(path, status)) {
        return NULL;
    }
    RecordingWriter *writer = calloc(1, sizeof *writer);
    if (writer == NULL) {
        unlink(path);
        status_fail(status, STATUS_LACKING, "%s: out of memory for the recorder", path);
        return NULL;
    }
    snprintf(writer->path, sizeof writer->path, "%s", path);
    pthread_mutex_init(&writer->mutex, NULL);
    pthread_cond_init(&writer->changed, NULL);
    bool good = make_room(writer, (size_t)batch_ticks, keyframe_room, columns) ||
                status_fail(status, STATUS_LACKING, "%s: out of memory for the recorder", path);
    if (good && sqlite3_open_v2(path, &writer->db, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK) {
        good = fail_sql(writer, status);
    }
    if (good) {
        // Someone may be reading: wait rather than fail.
        sqlite3_busy_timeout(writer->db, BUSY_WAIT_MS);
        good = make_tables(writer, status);
    }
    if (!good) {
        recording_writer_abandon(writer);
        return NULL;
    }
    return writer;
}

static bool write_start(RecordingWriter *writer, const RecordingMeta *meta, int meta_count, const DataFiles *files,
                        Status *status)
{
    bool good = true;
    for (int k = 0; k < meta_count && good; k++) {
        bind_text(writer->meta, 1, meta[k].key, strlen(meta[k].key));
        bind_text(writer->meta, 2, meta[k].value, strlen(meta[k].value));
        good = finish(writer, writer->meta, status);
    }
    for (int k = 0; k < files->count && good; k++) {
        const DataFile *file = &files->files[k];
        bind_text(writer->file, 1, file->kind, strlen(file->kind));
        bind_text(writer->file, 2, file->name, strlen(file->name));
        if (memchr(file->text, '\0', file->size) != NULL) {
            sqlite3_bind_blob64(writer->file, 3, file->text, file->size, SQLITE_STATIC); // a picture
        } else {
            bind_text(writer->file, 3, file->text, file->size);
        }
        good = finish(writer, writer->file, status);
    }
    return good;
}

static void clear_batch(RecordingBatch *batch)
{
    batch->input_count = batch->event_count = batch->metric_count = batch->sample_count = 0;
    batch->has_keyframe = batch->has_ground = false;
    batch->picture = NULL;
}

bool recording_writer_begin(RecordingWriter *writer, const RecordingMeta *meta, int meta_count, const DataFiles *files,
                            int64_t tick, uint64_t hash, Status *status)
{
    RecordingBatch *batch = &writer->batches[writer->filling];
    bool good = finish(writer, writer->begin, status) && write_start(writer, meta, meta_count, files, status) &&
                write_state(writer, tick, hash, status) && write_batch(writer, batch, status);
    if (!end_transaction(writer, good, status)) {
        return false;
    }
    clear_batch(batch);
    return start_thread(writer, status);
}

/// ---- the tick thread's side ----------------------------------------------------------------------------------------

RecordingBatch *recording_writer_batch(RecordingWriter *writer)
{
    return &writer->batches[writer->filling];
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

bool recording_writer_submit(RecordingWriter *writer, Status *status)
{
    pthread_mutex_lock(&writer->mutex);
    while (writer->busy) {
        pthread_cond_wait(&writer->changed, &writer->mutex);
    }
    bool good = !writer->failed;
    if (good) {
        writer->busy = true;
        writer->filling = 1 - writer->filling;
        clear_batch(&writer->batches[writer->filling]);
        pthread_cond_signal(&writer->changed);
    } else {
        *status = writer->failure;
    }
    pthread_mutex_unlock(&writer->mutex);
    return good;
}

bool recording_writer_close(RecordingWriter *writer, Status *status)
{
    pthread_mutex_lock(&writer->mutex);
    writer->closing = true;
    pthread_cond_signal(&writer->changed);
    pthread_mutex_unlock(&writer->mutex);
    pthread_join(writer->thread, NULL);
    bool good = recording_writer_is_good(writer, status);
    release(writer);
    return good;
}
