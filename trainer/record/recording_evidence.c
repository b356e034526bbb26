/// What follows from a replay is compared with the rows that tell it, so that a score is proven and not believed.
#include "trainer/record/recording_evidence.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trainer/record/recording_internal.h"

enum { EVENTS_READ = 4 * EXERCISE_MAX_EVENTS }; ///< with those of the program

/// ---- opening -------------------------------------------------------------------------------------------------------

static bool read_ground_ticks(Evidence *evidence, Recording *recording, Status *status)
{
    sqlite3_stmt *row = NULL;
    int64_t room = 0;
    bool good = sqlite3_prepare_v2(recording->db, "SELECT tick FROM ground WHERE tick <= ? ORDER BY tick", -1, &row,
                                   NULL) == SQLITE_OK;
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
    return good || recording_fail(recording, status, "is damaged: %s", sqlite3_errmsg(recording->db));
}

bool evidence_open(Evidence *evidence, Recording *recording, Session *session, Status *status)
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

void evidence_close(Evidence *evidence)
{
    free(evidence->samples);
    free(evidence->ground_ticks);
    free(evidence->taken.height);
}

/// ---- during the replay ---------------------------------------------------------------------------------------------

static bool differs(VerifyResult *result, const char *what, const char *which)
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
        return differs(result, "trace", there ? " (a sample too many)" : " (a sample is missing)");
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
        return differs(result, "trace", "");
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
    return same || differs(result, "ground", "");
}

bool evidence_compare_tick(Evidence *evidence, Recording *recording, Session *session, VerifyResult *result,
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
        status_make_plain(event.part.name, false);
        status_make_plain(event.thing.name, false);
        if (next == replayed || !same_event(&stored[k], &event)) {
            snprintf(which, sizeof which, "%d", k);
            return differs(result, "event ", which);
        }
        next++;
    }
    if (next < replayed && closed) {
        snprintf(which, sizeof which, "%d", count);
        return differs(result, "event ", which);
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
            return differs(result, "metric ", k < expected ? replayed[k].name : stored[k].name);
        }
    }
    result->metrics = expected;
    return true;
}

bool evidence_compare_results(Recording *recording, const Session *session, VerifyResult *result, Status *status)
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
