/// Verifies a recording: replays it and compares every tick, and compares what follows from the replay (samples, maps
/// of the ground, events, metrics) with the rows that state it, so that a score is proven.
#include "trainer/record/recording_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/core/signals.h"
#include "data/core/visible_text.h"

/// ---- evidence ------------------------------------------------------------------------------------------------------

enum { EVENTS_READ = 4 * EXERCISE_MAX_EVENTS }; ///< with those of the program

/// What a recording states of a drive, compared with what its replay gives.
typedef struct Evidence {
    const char *path;
    TraceSample *samples; ///< [sample_count]
    int64_t sample_count, next_sample;
    int64_t *ground_ticks; ///< [ground_count]
    int64_t ground_count, next_ground;
    TraceGround taken; ///< with room for the site's columns
    int64_t first_tick;
    int interval; ///< ticks from one sample to the next
} Evidence;

/// ---- opening -------------------------------------------------------------------------------------------------------

static bool read_ground_ticks(Evidence *evidence, Recording *recording, Status *status)
{
    sqlite3_stmt *row = recording_prepare(recording, "SELECT tick FROM ground WHERE tick <= ? ORDER BY tick", status);
    int64_t room = 0;
    bool good = row != NULL;
    if (good) {
        sqlite3_bind_int64(row, 1, seal_moment_last_row(&recording->moment, SEAL_OF_ground));
    }
    while (good && sqlite3_step(row) == SQLITE_ROW) {
        if (evidence->ground_count == room) {
            room = room == 0 ? 64 : 2 * room;
            int64_t *grown = realloc(evidence->ground_ticks, (size_t)room * sizeof *grown);
            if (grown == NULL) {
                sqlite3_finalize(row);
                return status_fail(status, STATUS_LACKING, "%s: out of memory for its ground", recording->path);
            }
            evidence->ground_ticks = grown;
        }
        evidence->ground_ticks[evidence->ground_count++] = sqlite3_column_int64(row, 0);
    }
    sqlite3_finalize(row);
    return good;
}

/// Reads what is to be compared from tick `first_tick` on; end with close_evidence, also on failure.
static bool open_evidence(Evidence *evidence, Recording *recording, Session *session, Status *status)
{
    SoilGridView grid = soil_get_grid(session_soil(session));
    *evidence = (Evidence){
        .path = recording->path, .first_tick = recording->first_tick, .interval = trace_interval(recording->tick_rate)};
    evidence->sample_count = recording_trace(recording, &evidence->samples, status);
    evidence->taken.height = malloc((size_t)grid.rows * (size_t)grid.columns * sizeof *evidence->taken.height);
    if (evidence->taken.height == NULL) {
        return status_fail(status, STATUS_LACKING, "%s: out of memory for its ground", recording->path);
    }
    return evidence->sample_count >= 0 && read_ground_ticks(evidence, recording, status);
}

static void close_evidence(Evidence *evidence)
{
    free(evidence->samples);
    free(evidence->ground_ticks);
    free(evidence->taken.height);
}

/// ---- during the replay ---------------------------------------------------------------------------------------------

static bool set_field(VerifyResult *result, const char *what, const char *which)
{
    snprintf(result->field, sizeof result->field, "%s%s", what, which);
    return false;
}

/// The first sample of a recording that took another over shows a moment before its first tick: it is not compared.
static bool compare_sample(Evidence *evidence, const Session *session, VerifyResult *result)
{
    int64_t tick = session_frame(session)->tick;
    bool first = tick == evidence->first_tick;
    const TraceSample *stored = &evidence->samples[evidence->next_sample];
    bool there = evidence->next_sample < evidence->sample_count && stored->tick == tick;
    if (there != (first || tick % evidence->interval == 0)) {
        return set_field(result, "trace", there ? " (a sample too many)" : " (a sample is missing)");
    }
    if (!there) {
        return true;
    }
    TraceSample sample;
    unsigned char replayed[TRACE_BYTES], recorded[TRACE_BYTES];
    evidence->next_sample++;
    trace_take(session, &sample);
    trace_pack(&sample, replayed);
    trace_pack(stored, recorded);
    if (memcmp(replayed, recorded, TRACE_BYTES) != 0 && !(first && tick > 0)) {
        return set_field(result, "trace", "");
    }
    result->samples++;
    return true;
}

static bool compare_ground(Evidence *evidence, Recording *recording, Session *session, VerifyResult *result,
                           Status *status)
{
    TraceGround stored, *taken = &evidence->taken;
    int64_t tick = session_frame(session)->tick;
    if (evidence->next_ground == evidence->ground_count || evidence->ground_ticks[evidence->next_ground] != tick) {
        return true;
    }
    evidence->next_ground++;
    if (!recording_ground(recording, tick, &stored, status)) {
        return false;
    }
    trace_ground_take(session, taken);
    bool same =
        stored.rows == taken->rows && stored.columns == taken->columns && stored.spacing == taken->spacing &&
        stored.origin_x == taken->origin_x && stored.origin_y == taken->origin_y &&
        memcmp(stored.height, taken->height, (size_t)taken->rows * (size_t)taken->columns * sizeof *taken->height) == 0;
    free(stored.height);
    result->grounds += same;
    return same || set_field(result, "ground", "");
}

/// Compares what there is of the session's present tick. False with the name of what differs in result->field, or with
/// "" and `status` when it cannot be read.
static bool compare_evidence_tick(Evidence *evidence, Recording *recording, Session *session, VerifyResult *result,
                                  Status *status)
{
    return compare_sample(evidence, session, result) && compare_ground(evidence, recording, session, result, status);
}

/// ---- at the end ----------------------------------------------------------------------------------------------------

static bool same_thing(const EventThing *a, const EventThing *b)
{
    return a->kind == b->kind && a->index == b->index && strcmp(a->name, b->name) == 0;
}

static bool same_event(const ExerciseEvent *a, const ExerciseEvent *b)
{
    bool same = a->tick == b->tick && a->kind == b->kind && a->form == b->form && same_thing(&a->part, &b->part) &&
                same_thing(&a->thing, &b->thing) && strcmp(a->text, b->text) == 0;
#define X(name, unit, shown) same = same && a->number.name == b->number.name;
    EVENT_NUMBERS(X)
#undef X
    return same;
}

/// The exercise's events in order, with those of the program between them. A recording that was cut short may lack the
/// last ones.
static bool compare_events(const ExerciseEvent *stored, int count, bool closed, const Exercise *exercise,
                           VerifyResult *result)
{
    int replayed = exercise_event_count(exercise), next = 0;
    char which[24];
    for (int k = 0; k < count; k++) {
        if (event_kind_source((EventKind)stored[k].kind) == EVENT_OF_PROGRAM) {
            continue;
        }
        ExerciseEvent event = next < replayed ? *exercise_event(exercise, next) : (ExerciseEvent){0};
        visible_text_mask(event.part.name, false);
        visible_text_mask(event.thing.name, false);
        if (next == replayed || !same_event(&stored[k], &event)) {
            snprintf(which, sizeof which, "%d", k);
            return set_field(result, "event ", which);
        }
        next++;
    }
    if (next < replayed && closed) {
        snprintf(which, sizeof which, "%d", count);
        return set_field(result, "event ", which);
    }
    result->events = next;
    return true;
}

static bool compare_metrics(const ExerciseMetric *stored, int count, const Exercise *exercise, VerifyResult *result)
{
    ExerciseMetric replayed[EXERCISE_MAX_METRICS];
    int expected = exercise_metrics(exercise, replayed);
    for (int k = 0; k < expected || k < count; k++) {
        bool both = k < expected && k < count;
        if (!both || strcmp(stored[k].name, replayed[k].name) != 0 || strcmp(stored[k].unit, replayed[k].unit) != 0 ||
            stored[k].value != replayed[k].value) {
            return set_field(result, "metric ", k < expected ? replayed[k].name : stored[k].name);
        }
    }
    result->metrics = expected;
    return true;
}

/// Compares events and metrics with those of the session at the recording's last tick, in the same way.
static bool compare_results(Recording *recording, const Session *session, VerifyResult *result, Status *status)
{
    const Exercise *exercise = session_exercise(session);
    ExerciseMetric metrics[EXERCISE_MAX_METRICS + 1];
    int metric_count = recording_metrics(recording, metrics, EXERCISE_MAX_METRICS + 1);
    bool closed = metric_count > 0;
    ExerciseEvent *events = calloc(EVENTS_READ, sizeof *events);
    if (events == NULL) {
        return status_fail(status, STATUS_LACKING, "%s: out of memory for its events", recording->path);
    }
    int event_count = recording_events(recording, events, EVENTS_READ);
    bool good = compare_events(events, event_count, closed, exercise, result) &&
                (!closed || compare_metrics(metrics, metric_count, exercise, result));
    free(events);
    return good;
}

/// ---- replay --------------------------------------------------------------------------------------------------------

typedef struct Verification {
    Recording *recording;
    Session *session; ///< runs through
    Session *second; ///< restored at each keyframe, or NULL
    bool second_runs;
    int next_keyframe; ///< number of the first one not compared yet
    VerifyResult *result;
    Evidence *evidence; ///< NULL: the replay does not begin at the first tick
} Verification;

static bool is_keyframe(const Verification *self, int64_t tick)
{
    const Recording *recording = self->recording;
    return self->next_keyframe < recording->keyframe_count && recording->keyframe_ticks[self->next_keyframe] == tick;
}

static uint64_t stored_hash(const Verification *self, int64_t tick)
{
    return self->recording->hashes[tick - self->recording->first_tick];
}

/// Tells where the recording comes from, when meta `key` says otherwise than this program, else nothing: another build,
/// or an ODE that was compiled for another processor, may well compute other bits; that is worth knowing before anybody
/// looks for damage.
static void other_origin(Recording *recording, const char *key, const char *before, const char *here, char *text,
                         size_t size)
{
    const char *there = recording_meta(recording, key);
    text[0] = '\0';
    if (there != NULL && strcmp(there, here) != 0) {
        snprintf(text, size, "; it was recorded %s%.40s, this is %s%s", before, there,
                 strcmp(key, "build") == 0 ? "version " : "", here);
    }
}

static bool report_difference(Verification *self, int64_t tick, const char *field, Status *status)
{
    VerifyResult *result = self->result;
    result->first_difference = tick;
    if (field != result->field) {
        snprintf(result->field, sizeof result->field, "%s", field);
    }
    char build[160], computer[160], fate[RECORDING_FATE];
    other_origin(self->recording, "build", "by version ", SPADEWORK_VERSION, build, sizeof build);
    other_origin(self->recording, "computer", "on another kind of computer, ", SPADEWORK_COMPUTER, computer,
                 sizeof computer);
    bool there = recording_file_is_there(self->recording->path, &self->recording->file, fate);
    return status_fail(status, STATUS_NOT_VERIFIED,
                       "%s: differs from the replay first at tick %" PRId64 " (%.3f s) in %s%s%s%s%s",
                       self->recording->path, tick, (double)tick / self->recording->tick_rate, result->field, build,
                       computer, there ? "" : "; ", fate);
}

/// Finds the field that differs behind a hash at the next keyframe, because only keyframes hold the state itself.
static bool find_field(Verification *self, int64_t tick, Status *status)
{
    Recording *recording = self->recording;
    VerifyResult *result = self->result;
    int64_t at = tick;
    Status unused;
    while (!is_keyframe(self, at) && at < recording->last_tick &&
           recording_advance(recording, self->session, &unused)) {
        at++;
    }
    if (is_keyframe(self, at) && recording_load_keyframe(recording, self->next_keyframe, &unused)) {
        if (!state_first_difference(self->session, recording->state.data, recording->state.size, result->field,
                                    (int)sizeof result->field)) {
            return report_difference(self, tick, "state.hash", status);
        }
        return report_difference(self, tick, result->field, status);
    }
    // No keyframe to look into: when the replay is right again, only the stored hash was wrong.
    bool only_hash = at > tick && state_hash(self->session) == stored_hash(self, at);
    return report_difference(self, tick, only_hash ? "state.hash" : "state (no keyframe follows)", status);
}

/// Compares the replay with the keyframe of this tick, and starts the second session from it.
static bool compare_keyframe(Verification *self, int64_t tick, Status *status)
{
    Recording *recording = self->recording;
    VerifyResult *result = self->result;
    if (!recording_load_keyframe(recording, self->next_keyframe, status)) {
        return status->code == STATUS_LACKING ? false : report_difference(self, tick, "keyframe", status);
    }
    const StateBuffer *state = &recording->state;
    if (state_first_difference(self->session, state->data, state->size, result->field, (int)sizeof result->field)) {
        return report_difference(self, tick, result->field, status);
    }
    self->next_keyframe++;
    if (self->second == NULL) {
        return true;
    }
    Status reason;
    if (!state_restore(self->second, state->data, state->size, &reason)) {
        return report_difference(self, tick, "keyframe (cannot be restored)", status);
    }
    if (state_first_difference(self->second, state->data, state->size, result->field, (int)sizeof result->field)) {
        return report_difference(self, tick, result->field, status);
    }
    self->second_runs = true;
    result->keyframes++;
    return true;
}

/// A failure of the evidence: what differs, or what could not be read.
static bool report_evidence(Verification *self, int64_t tick, Status *status)
{
    return self->result->field[0] != '\0' ? report_difference(self, tick, self->result->field, status) : false;
}

static bool compare_evidence(Verification *self, int64_t tick, Status *status)
{
    return self->evidence == NULL ||
           compare_evidence_tick(self->evidence, self->recording, self->session, self->result, status) ||
           report_evidence(self, tick, status);
}

/// Compares both sessions at a tick.
static bool compare_tick(Verification *self, int64_t tick, Status *status)
{
    uint64_t hash = state_hash(self->session);
    if (hash != stored_hash(self, tick)) {
        return find_field(self, tick, status);
    }
    if (self->second_runs && state_hash(self->second) != hash) {
        StateBuffer *state = &self->recording->state;
        self->recording->state_index = -1;
        if (!state_save(self->session, state, status)) {
            return false;
        }
        state_first_difference(self->second, state->data, state->size, self->result->field,
                               (int)sizeof self->result->field);
        return report_difference(self, tick, self->result->field, status);
    }
    return (!is_keyframe(self, tick) || compare_keyframe(self, tick, status)) && compare_evidence(self, tick, status);
}

/// True when what was put into a tick stands as it was recorded; else the name of what does not.
static bool inputs_are_whole(const Recording *recording, int64_t tick, const char **field)
{
    int count;
    const RecordedOrder *rows = recording_orders_of(recording, tick, &count);
    *field = "fault_order";
    for (int k = 0; k < count; k++) {
        if (!rows[k].whole) {
            return false;
        }
    }
    *field = "input.controls";
    return recording->controls_whole[tick - recording->first_tick];
}

static bool replay(Verification *self, int64_t from, RecordingProgress *progress, void *context, Status *status)
{
    Recording *recording = self->recording;
    if (!compare_tick(self, from, status)) {
        return false;
    }
    for (int64_t tick = from; tick < recording->last_tick; tick++) {
        const char *field;
        if (!signals_go_on(recording->path, status)) {
            return false;
        }
        if (!inputs_are_whole(recording, tick, &field)) {
            return report_difference(self, tick + 1, field, status);
        }
        if (!recording_advance(recording, self->session, status) ||
            (self->second_runs && !recording_advance(recording, self->second, status))) {
            return false;
        }
        self->result->ticks++;
        if (progress != NULL) {
            progress(context, tick + 1, recording->last_tick);
        }
        if (!compare_tick(self, tick + 1, status)) {
            return false;
        }
    }
    return compare_results(recording, self->session, self->result, status) ||
           report_evidence(self, recording->last_tick, status);
}

bool recording_verify(Recording *recording, int64_t from, bool keyframes, int threads, RecordingProgress *progress,
                      void *context, VerifyResult *result, Status *status)
{
    *result = (VerifyResult){.first_difference = -1};
    if (from < recording->first_tick || from > recording->last_tick) {
        return status_fail(status, STATUS_BAD_USAGE,
                           "%s: tick %" PRId64 " is not recorded, allowed %" PRId64 "..%" PRId64, recording->path, from,
                           recording->first_tick, recording->last_tick);
    }
    // Where the replay differs, too, it tells more: the tick and the field.
    Status broken;
    bool sealed = recording_check_seals(recording, &result->seal, &broken) &&
                  recording_check_parent(recording, &result->parent, &broken);
    Evidence evidence = {0};
    Verification self = {.recording = recording, .result = result};
    self.session = recording_create_session(recording, threads, status);
    self.second = self.session != NULL && keyframes ? recording_create_session(recording, threads, status) : NULL;
    bool good = self.session != NULL && (self.second != NULL || !keyframes) &&
                (from == recording->first_tick || recording_seek(recording, self.session, from, status));
    if (good && from == recording->first_tick) {
        self.evidence = &evidence;
        good = open_evidence(&evidence, recording, self.session, status);
    }
    if (good) {
        self.next_keyframe = recording_keyframe_before(recording, from);
        self.next_keyframe += recording->keyframe_ticks[self.next_keyframe] < from;
        good = replay(&self, from, progress, context, status);
    }
    close_evidence(&evidence);
    session_destroy(self.second);
    session_destroy(self.session);
    if (!sealed && (good || status->code == STATUS_BAD_FILE)) {
        *status = broken; // deliberate damage is reported as such
    }
    return good && sealed;
}
