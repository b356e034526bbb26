/// The writing side, on a thread of its own: the session's thread fills a batch while the one before is committed.
#include "trainer/recording/recording_writer.h"

#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { AGAIN_MS = 100 }; ///< from one try in a pause to the next

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
    batch->ground.height = spare ? NULL : malloc(size->columns * sizeof *batch->ground.height);
    bool good =
        batch->inputs != NULL && batch->orders != NULL && batch->samples != NULL &&
        (spare || (batch->ground.height != NULL && state_buffer_reserve(&batch->keyframe, size->keyframe_room)));
    if (!good) {
        free_slot(slot);
        return NULL;
    }
    return slot;
}

static void clear_batch(RecordingBatch *batch)
{
    batch->input_count = batch->order_count = batch->event_count = batch->metric_count = batch->sample_count = 0;
    batch->has_keyframe = batch->has_ground = batch->closes = false;
    batch->picture = NULL;
}

/// ---- thread --------------------------------------------------------------------------------------------------------

static void begin_pause(RecordingWriter *writer, const Status *reason)
{
    if (!writer->pause.now) {
        writer->pause.count++;
        writer->pause.now = true;
        writer->pause_reason = *reason;
    }
    writer->behind = true;
    pthread_cond_broadcast(&writer->changed); // nobody waits for this batch any more
}

/// Waits a moment before the next try.
static void wait_a_moment(RecordingWriter *writer)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += AGAIN_MS * 1000000L;
    until.tv_sec += until.tv_nsec / 1000000000L;
    until.tv_nsec %= 1000000000L;
    pthread_cond_timedwait(&writer->changed, &writer->mutex, &until);
}

/// Writes the first batch, again and again while the cause may pass; the mutex is held at both ends. At the end of the
/// session it waits for `patience` and no longer.
static bool write_first(RecordingWriter *writer)
{
    double began = now(), closing = 0.0;
    while (true) {
        const RecordingBatch *batch = &writer->first->batch;
        Status status = {0};
        bool passing = false;
        pthread_mutex_unlock(&writer->mutex);
        bool good = recording_rows_store(writer->rows, batch, &passing, &status);
        pthread_mutex_lock(&writer->mutex);
        if (good) {
            break;
        }
        closing = writer->closing && closing == 0.0 ? now() : closing;
        if (!passing || (writer->closing && now() - closing > writer->size.patience)) {
            writer->failed = true;
            writer->failure = status;
            return false;
        }
        begin_pause(writer, &status);
        wait_a_moment(writer);
    }
    if (writer->pause.now) {
        writer->pause.now = false;
        writer->pause.seconds = now() - began;
    }
    return true;
}

static void *write_batches(void *context)
{
    RecordingWriter *writer = context;
    pthread_mutex_lock(&writer->mutex);
    while (!writer->failed) {
        while (writer->first == NULL && !writer->closing) {
            pthread_cond_wait(&writer->changed, &writer->mutex);
        }
        if (writer->first == NULL || !write_first(writer)) {
            break;
        }
        Slot *slot = writer->first;
        writer->first = slot->next;
        writer->last = writer->first != NULL ? writer->last : NULL;
        writer->waiting--;
        writer->behind = writer->behind && writer->first != NULL;
        if (slot->spare) {
            free_slot(slot);
        } else {
            slot->next = writer->unused;
            writer->unused = slot;
        }
        pthread_cond_broadcast(&writer->changed);
    }
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

static void release(RecordingWriter *writer, bool remove)
{
    recording_rows_close(writer->rows, remove);
    free_slot(writer->filling);
    free_list(writer->first);
    free_list(writer->unused);
    pthread_mutex_destroy(&writer->mutex);
    pthread_cond_destroy(&writer->changed);
    free(writer);
}

void recording_writer_abandon(RecordingWriter *writer)
{
    release(writer, true);
}

RecordingWriter *recording_writer_create(const char *path, const BatchSize *size, const Station *station,
                                         Status *status)
{
    RecordingRows *rows = recording_rows_create(path, size, station, status);
    RecordingWriter *writer = rows != NULL ? calloc(1, sizeof *writer) : NULL;
    if (writer == NULL) {
        recording_rows_close(rows, true);
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
    if (!recording_rows_begin(writer->rows, meta, meta_count, files, tick, hash, batch, status)) {
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
static bool hand_over(RecordingWriter *writer, Status *status)
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
        if (!writer->pause.now) {
            status_fail(&writer->failure, STATUS_LACKING, "%s: out of memory for what waits to be written",
                        writer->path);
        }
        *status = writer->failure;
        return false;
    }
    next->next = NULL;
    clear_batch(&next->batch);
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
           (writer->behind ? !writer->pause.now && writer->waiting >= WRITER_WAITING_MOST : writer->first != NULL)) {
        pthread_cond_wait(&writer->changed, &writer->mutex);
    }
    bool good = !writer->failed;
    if (good) {
        good = hand_over(writer, status);
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
    pthread_cond_broadcast(&writer->changed);
    pthread_mutex_unlock(&writer->mutex);
    pthread_join(writer->thread, NULL);
    bool good = recording_writer_is_good(writer, status);
    release(writer, false);
    return good;
}
