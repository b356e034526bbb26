/// The writing side, on a thread of its own: the session's thread fills a batch while the one before is committed.
#include "trainer/record/recording_writer.h"

#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TOGETHER = 60 }; ///< batches in one commit, of those that waited: half a simulated minute. Chosen
#define AGAIN 0.1 ///< s from one try in a pause to the next
#define LOOK  0.25 ///< s from one look at the thread to the next, when it is closed

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
static void wait_a_moment(RecordingWriter *writer)
{
    struct timespec until;
    make_deadline(AGAIN, &until);
    pthread_cond_timedwait(&writer->changed, &writer->mutex, &until);
}

/// Is a hold waited for any longer? While the session goes on it always is; when it has ended, for a full disk as long
/// as patience lasts, and for another program as long as whoever closes waits.
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
static void give_up(RecordingWriter *writer, RecorderHold hold, const Status *reason)
{
    writer->failed = true;
    writer->failure = *reason;
    if (hold != RECORDER_WRITES) {
        status_fail(&writer->failure, reason->code, "%.900s; the file is good up to there", reason->text);
    }
}

/// The batches that are written next: one, or of those that came together in a pause as many as one commit takes.
static int next_batches(const RecordingWriter *writer, const RecordingBatch *batches[TOGETHER])
{
    int count = 0;
    bool more = true;
    for (const Slot *slot = writer->first; slot != NULL && more; slot = slot->next) {
        batches[count++] = &slot->batch;
        more = writer->behind && count < TOGETHER && !slot->batch.has_keyframe && !slot->batch.closes;
    }
    return count;
}

/// Writes the first batches, again and again while the cause may pass; the mutex is held at both ends. Returns how many
/// were written; 0: none ever will.
static int write_first(RecordingWriter *writer)
{
    const RecordingBatch *batches[TOGETHER];
    int count = 0;
    double began = now();
    while (true) {
        count = next_batches(writer, batches);
        Status status = {0};
        RecorderHold hold = RECORDER_WRITES;
        int wait = writer->pause.now == RECORDER_WRITES ? ROWS_WAIT : ROWS_WAIT_LONG;
        pthread_mutex_unlock(&writer->mutex);
        bool good = recording_rows_store(writer->rows, batches, count, wait, &hold, &status);
        pthread_mutex_lock(&writer->mutex);
        writer->disturbed = recording_rows_are_disturbed(writer->rows);
        if (good) {
            break;
        }
        if (!is_worth_waiting(writer, hold)) {
            give_up(writer, hold, &status);
            return 0;
        }
        begin_pause(writer, hold, &status);
        wait_a_moment(writer);
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
        good = hand_over(writer, status);
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
        make_deadline(LOOK, &until);
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

bool recording_writer_close(RecordingWriter *writer, Status *status)
{
    pthread_mutex_lock(&writer->mutex);
    writer->closing = true;
    writer->gives_up = writer->size.waits.goes_on == NULL;
    pthread_cond_broadcast(&writer->changed);
    wait_for_thread(writer);
    pthread_mutex_unlock(&writer->mutex);
    pthread_join(writer->thread, NULL);
    bool good = recording_writer_is_good(writer, status);
    release(writer, false);
    return good;
}
