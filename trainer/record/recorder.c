/// Collects what a session does in each tick into batches for the writer's thread; never touches the disk itself.
#include "trainer/record/recorder.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "trainer/record/recording_file.h"
#include "trainer/record/recording_writer.h"

/// Set aside for each keyframe, so that a growing state needs no memory in a tick; untouched pages cost nothing.
#define KEYFRAME_ROOM ((size_t)64 << 20)

#define PATIENCE 10.0 ///< s. Chosen: a person waits for a program that closes

struct Recorder {
    RecordingWriter *writer;
    int64_t tick; ///< recorded
    int64_t keyframe_tick; ///< of the last keyframe
    int tick_rate, commit_ticks; ///< Hz; ticks a commit
    int64_t ground_tick; ///< of the last map of the ground
    int event_count; ///< of the exercise's events, taken so far
    SessionOrder orders[SESSION_ORDERS_A_TICK]; ///< given since the last tick
    int order_count;
    int64_t orders_before; ///< recorded with ticks before
    unsigned char *picture; ///< PNG of how it ended, or NULL
    size_t picture_size;
    WriterPause pause; ///< of the writer, at the last tick
    bool disturbed; ///< by another program, as of the last tick
    int pauses; ///< of it, that an event tells
    bool failed;
    Status failure;
};

/// ---- creating ------------------------------------------------------------------------------------------------------

static const char *solver_name(SoilSolver solver)
{
    return solver == SOIL_SOLVER_P2 ? "p2" : solver == SOIL_SOLVER_GS ? "gs" : "default";
}

static const char *scene_name(const Session *session)
{
    const DataFiles *files = session_files(session);
    for (int k = 0; k < files->count; k++) {
        if (strcmp(files->files[k].kind, "scenes") == 0) {
            return files->files[k].name;
        }
    }
    return "";
}

enum { META_MOST = 28, META_NUMBER = 32 };

typedef struct MetaList {
    int count;
    RecordingMeta rows[META_MOST];
    char numbers[META_MOST][META_NUMBER];
    char station_key[STATION_HEX];
} MetaList;

static void add_text(MetaList *list, const char *key, const char *value)
{
    assert(list->count < META_MOST && recording_is_meta_key(key));
    list->rows[list->count++] = (RecordingMeta){key, value};
}

static void add_number(MetaList *list, const char *key, uint64_t value)
{
    char *text = list->numbers[list->count];
    snprintf(text, META_NUMBER, "%" PRIu64, value);
    add_text(list, key, text);
}

static void add_real(MetaList *list, const char *key, double value)
{
    char *text = list->numbers[list->count];
    snprintf(text, META_NUMBER, "%.9g", value);
    add_text(list, key, text);
}

static void fill_meta(MetaList *list, const RecorderParams *params, const Session *session)
{
    const SceneParams *scene = session_scene(session);
    *list = (MetaList){0};
    add_number(list, "format", RECORDING_VERSION);
    add_text(list, "build", SPADEWORK_VERSION);
    add_text(list, "computer", SPADEWORK_COMPUTER);
    add_number(list, "seed", session_seed(session));
    add_number(list, "tick_rate", (uint64_t)scene->rates.tick_rate);
    add_number(list, "substeps", (uint64_t)scene->rates.substeps);
    add_text(list, "solver", solver_name(session_solver(session)));
    add_text(list, "scene", scene_name(session));
    add_text(list, "title", scene->title);
    add_text(list, "trainee", params->trainee != NULL ? params->trainee : "");
    add_text(list, "operator", params->operator_name != NULL ? params->operator_name : "");
    add_text(list, "driver", credit_driver_name(params->driver));
    add_real(list, "clumsy", params->clumsy);
    add_text(list, "attempt", params->attempt != NULL ? params->attempt : "");
    add_text(list, "course", params->course != NULL ? params->course : "");
    if (params->changed != NULL && params->changed[0] != '\0') {
        add_text(list, "changed", params->changed);
    }
    add_text(list, "language", scene->language);
    if (params->parent != NULL) {
        add_text(list, "parent", params->parent);
        add_number(list, "parent_tick", (uint64_t)params->parent_tick);
        add_text(list, "parent_seal", params->parent_seal != NULL ? params->parent_seal : "");
    }
    if (params->station != NULL && params->station->name[0] != '\0') {
        station_key_text(params->station->key, list->station_key);
        add_text(list, "station", params->station->name);
        add_text(list, "station_key", list->station_key);
    }
    add_number(list, "files_hash", recording_files_hash(session_files(session)));
    time_t now = time(NULL);
    struct tm utc;
    char *created = list->numbers[list->count];
    strftime(created, META_NUMBER, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    add_text(list, "created", created);
}

/// Takes in the exercise's events that are new. False when the batch is full and some are left.
static bool add_new_events(Recorder *recorder, const Session *session)
{
    const Exercise *exercise = session_exercise(session);
    RecordingBatch *batch = recording_writer_batch(recorder->writer);
    int count = exercise_event_count(exercise);
    while (recorder->event_count < count && batch->event_count < BATCH_EVENTS) {
        batch->events[batch->event_count++] = *exercise_event(exercise, recorder->event_count++);
    }
    return recorder->event_count == count;
}

static bool add_keyframe(Recorder *recorder, Session *session, Status *status)
{
    RecordingBatch *batch = recording_writer_batch(recorder->writer);
    if (!state_save(session, &batch->keyframe, status)) {
        return false;
    }
    batch->has_keyframe = true;
    batch->keyframe_tick = recorder->tick;
    recorder->keyframe_tick = recorder->tick;
    return true;
}

/// A sample of the gauges and, now and then, the ground's heights.
static void add_trace(Recorder *recorder, Session *session, bool first)
{
    RecordingBatch *batch = recording_writer_batch(recorder->writer);
    if (first || recorder->tick % trace_interval(recorder->tick_rate) == 0) {
        trace_take(session, &batch->samples[batch->sample_count++]);
    }
    bool due = recorder->tick - recorder->ground_tick >= (int64_t)TRACE_GROUND_SECONDS * recorder->tick_rate;
    if (first || (due && batch->ground.height != NULL)) {
        trace_ground_take(session, &batch->ground);
        batch->has_ground = true;
        recorder->ground_tick = recorder->tick;
    }
}

static bool begin_recording(Recorder *recorder, const RecorderParams *params, Session *session, Status *status)
{
    SoilGridView grid = soil_get_grid(session_soil(session));
    BatchSize size = {.ticks = recorder->commit_ticks,
                      .keyframe_room = KEYFRAME_ROOM,
                      .patience = params->patience > 0.0 ? params->patience : PATIENCE,
                      .waits = params->waits,
                      .columns = (size_t)grid.rows * (size_t)grid.columns};
    recorder->writer = recording_writer_create(params->path, &size, params->station, status);
    if (recorder->writer == NULL) {
        return false;
    }
    MetaList meta;
    fill_meta(&meta, params, session);
    add_new_events(recorder, session); // those left over go into later batches
    add_trace(recorder, session, true);
    if (add_keyframe(recorder, session, status) &&
        recording_writer_begin(recorder->writer, meta.rows, meta.count, session_files(session), recorder->tick,
                               state_hash(session), status)) {
        return true;
    }
    recording_writer_abandon(recorder->writer);
    return false;
}

Recorder *recorder_create(const RecorderParams *params, Session *session, Status *status)
{
    Recorder *recorder = calloc(1, sizeof *recorder);
    if (recorder == NULL) {
        status_fail(status, STATUS_LACKING, "%s: out of memory for the recorder", params->path);
        return NULL;
    }
    recorder->tick = session_frame(session)->tick;
    recorder->tick_rate = session_scene(session)->rates.tick_rate;
    recorder->commit_ticks = recorder->tick_rate > 1 ? recorder->tick_rate / 2 : 1;
    if (!begin_recording(recorder, params, session, status)) {
        free(recorder);
        return NULL;
    }
    return recorder;
}

/// ---- recording -----------------------------------------------------------------------------------------------------

/// Remembers why, so that later calls can say so again.
static bool give_up(Recorder *recorder, const Status *status)
{
    recorder->failed = true;
    recorder->failure = *status;
    return false;
}

static bool still_good(Recorder *recorder, Status *status)
{
    if (recorder->failed) {
        *status = recorder->failure;
        return false;
    }
    return recording_writer_is_good(recorder->writer, status) || give_up(recorder, status);
}

/// An event of the program, at the recorder's tick.
static bool add_event(Recorder *recorder, const ExerciseEvent *event, Status *status)
{
    RecordingBatch *batch = recording_writer_batch(recorder->writer);
    if (batch->event_count == BATCH_EVENTS) {
        if (!recording_writer_submit(recorder->writer, status)) {
            return false;
        }
        batch = recording_writer_batch(recorder->writer);
    }
    ExerciseEvent *added = &batch->events[batch->event_count++];
    *added = *event;
    added->tick = recorder->tick;
    return true;
}

bool recorder_event(Recorder *recorder, const ExerciseEvent *event, Status *status)
{
    assert(event_check(event, NULL, &(Status){STATUS_GOOD, ""}) &&
           event_kind_source((EventKind)event->kind) == EVENT_OF_PROGRAM);
    return still_good(recorder, status) && (add_event(recorder, event, status) || give_up(recorder, status));
}

bool recorder_order(Recorder *recorder, const SessionOrder *order, Status *status)
{
    if (!still_good(recorder, status)) {
        return false;
    }
    if (recorder->order_count == SESSION_ORDERS_A_TICK) {
        return status_fail(status, STATUS_BAD_USAGE, "more orders before one tick than are recorded, allowed 0..%d",
                           SESSION_ORDERS_A_TICK);
    }
    recorder->orders[recorder->order_count++] = *order;
    return true;
}

/// Orders go into the batch of the tick before which they were given.
static void add_orders(Recorder *recorder, RecordingBatch *batch)
{
    for (int k = 0; k < recorder->order_count; k++) {
        batch->orders[batch->order_count++] = (RecordedOrder){
            .number = recorder->orders_before++, .tick = recorder->tick, .order = recorder->orders[k], .whole = true};
    }
    recorder->order_count = 0;
}

/// Tells in the recording that it had to wait for the disk.
static bool note_pause(Recorder *recorder, Status *status)
{
    ExerciseEvent event = {.kind = EVENT_RECORDING, .number = {.duration = recorder->pause.seconds}};
    recorder->pauses = recorder->pause.count;
    return add_event(recorder, &event, status);
}

RecorderHold recorder_is_held_up(Recorder *recorder, Status *reason)
{
    if (recorder->failed || recorder->pause.now == RECORDER_WRITES) {
        return RECORDER_WRITES;
    }
    recording_writer_pause(recorder->writer, reason);
    return recorder->pause.now;
}

bool recorder_is_disturbed(const Recorder *recorder)
{
    return recorder->disturbed;
}

bool recorder_tick(Recorder *recorder, Session *session, Status *status)
{
    if (!still_good(recorder, status)) {
        return false;
    }
    const SessionFrame *frame = session_frame(session);
    assert(frame->tick == recorder->tick + 1);
    RecordingBatch *batch = recording_writer_batch(recorder->writer);
    add_orders(recorder, batch);
    batch->inputs[batch->input_count++] =
        (RecordingInput){.tick = recorder->tick, .controls = frame->controls, .hash = state_hash(session)};
    recorder->tick = frame->tick;
    add_trace(recorder, session, false);
    bool whole = add_new_events(recorder, session);
    recorder->pause = recording_writer_pause(recorder->writer, NULL);
    recorder->disturbed = recording_writer_is_disturbed(recorder->writer);
    bool writes = recorder->pause.now == RECORDER_WRITES;
    bool keyframe = recorder->tick % ((int64_t)KEYFRAME_SECONDS * recorder->tick_rate) == 0 && writes;
    if (keyframe && !add_keyframe(recorder, session, status)) {
        return give_up(recorder, status);
    }
    if (writes && recorder->pauses < recorder->pause.count && !note_pause(recorder, status)) {
        return give_up(recorder, status);
    }
    bool full = recording_writer_batch(recorder->writer)->input_count == recorder->commit_ticks;
    return !(keyframe || full || !whole) || recording_writer_submit(recorder->writer, status) ||
           give_up(recorder, status);
}

void recorder_keep_picture(Recorder *recorder, unsigned char *png, size_t size)
{
    free(recorder->picture);
    recorder->picture = png;
    recorder->picture_size = size;
}

/// Left-over events, a last keyframe, the metrics and the picture. The state of a session that has failed is past the
/// last tick, and worthless: its recording ends with that tick, without them, as if it had been cut short.
static bool finish_recording(Recorder *recorder, Session *session, Status *status)
{
    if (session_has_failed(session)) {
        return recording_writer_submit(recorder->writer, status);
    }
    while (!add_new_events(recorder, session)) {
        if (!recording_writer_submit(recorder->writer, status)) {
            return false;
        }
    }
    RecordingBatch *batch = recording_writer_batch(recorder->writer);
    if (recorder->keyframe_tick != recorder->tick && !add_keyframe(recorder, session, status)) {
        return false;
    }
    if (recorder->ground_tick != recorder->tick && !batch->has_ground && batch->ground.height != NULL) {
        trace_ground_take(session, &batch->ground);
        batch->has_ground = true;
        recorder->ground_tick = recorder->tick;
    }
    batch->metric_count = exercise_metrics(session_exercise(session), batch->metrics);
    batch->picture = recorder->picture;
    batch->picture_size = recorder->picture_size;
    batch->closes = true;
    return recording_writer_submit(recorder->writer, status);
}

bool recorder_close(Recorder *recorder, Session *session, Status *status)
{
    Status unused;
    bool good = still_good(recorder, status) && finish_recording(recorder, session, status);
    good = recording_writer_close(recorder->writer, good ? status : &unused) && good;
    free(recorder->picture);
    free(recorder);
    return good;
}
