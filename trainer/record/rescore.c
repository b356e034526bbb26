/// Scores the figures of a recording by a scene's rules; where the work differs, replays its inputs first.
#include "trainer/record/rescore.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/schema/schema.h"
#include "trainer/sim/sim.h"
#include "trainer/record/recording.h"

/// What is judged: the recorded scene and the asked one, and the figures.
typedef struct Judge {
    SceneParams recorded;
    SceneParams asked;
    MachineParams machine; ///< of the recording
    double values[METRIC_COUNT];
    int event_count;
    ExerciseEvent events[EXERCISE_MAX_EVENTS];
} Judge;

RescoreRules *rescore_rules_load(const char *scene, Status *status)
{
    RescoreRules *rules = calloc(1, sizeof *rules);
    MachineParams *machine = calloc(1, sizeof *machine);
    if (rules == NULL || machine == NULL) {
        status_fail(status, STATUS_LACKING, "out of memory for the scene %s", scene);
    } else if (data_load_scene(scene, NULL, 0, &rules->scene, machine, &rules->files, status)) {
        free(machine);
        return rules;
    }
    free(machine);
    rescore_rules_free(rules);
    return NULL;
}

void rescore_rules_free(RescoreRules *rules)
{
    if (rules != NULL) {
        data_files_free(&rules->files);
        free(rules);
    }
}

/// ---- is it the same work? ------------------------------------------------------------------------------------------

static bool same_surface(const SceneSurface *a, const SceneSurface *b)
{
    return memcmp(a, b, offsetof(SceneSurface, text)) == 0 && a->text_size == b->text_size &&
           (a->text_size == 0 || memcmp(a->text, b->text, a->text_size) == 0);
}

static bool same_ground(const SceneGround *a, const SceneGround *b)
{
    const SceneRelief *one = &a->surface, *other = &b->surface;
    return memcmp(a, b, offsetof(SceneGround, surface)) == 0 && same_surface(&one->surface, &other->surface) &&
           one->layers == other->layers && strcmp(one->fill, other->fill) == 0 && one->loose == other->loose &&
           one->text_size == other->text_size &&
           (one->text_size == 0 || memcmp(one->text, other->text, one->text_size) == 0);
}

/// What moves differently on another site. Structs are zero where nothing was read: their bytes can be compared.
static bool same_site(const SceneParams *a, const SceneParams *b)
{
    return memcmp(&a->rates, &b->rates, sizeof a->rates) == 0 &&
           memcmp(&a->machine, &b->machine, sizeof a->machine) == 0 && same_ground(&a->ground, &b->ground) &&
           memcmp(&a->particles, &b->particles, sizeof a->particles) == 0 && a->grains_count == b->grains_count &&
           memcmp(a->rocks, b->rocks, sizeof a->rocks) == 0 &&
           memcmp(a->fixtures, b->fixtures, sizeof a->fixtures) == 0 &&
           memcmp(a->persons, b->persons, sizeof a->persons) == 0 &&
           memcmp(&a->exercise.truck, &b->exercise.truck, sizeof a->exercise.truck) == 0 &&
           memcmp(&a->exercise.haul, &b->exercise.haul, sizeof a->exercise.haul) == 0 &&
           a->exercise.questions_count == b->exercise.questions_count;
}

static bool same_work(const SceneExercise *a, const SceneExercise *b)
{
    return same_surface(&a->surface, &b->surface) && a->kind == b->kind && a->time_limit == b->time_limit &&
           memcmp(&a->trench, &b->trench, sizeof a->trench) == 0 && memcmp(a->steps, b->steps, sizeof a->steps) == 0 &&
           strcmp(a->expose, b->expose) == 0 && a->oversize == b->oversize &&
           memcmp(&a->rock_place, &b->rock_place, sizeof a->rock_place) == 0 &&
           memcmp(&a->rip, &b->rip, sizeof a->rip) == 0 && memcmp(a->targets, b->targets, sizeof a->targets) == 0 &&
           memcmp(a->questions, b->questions, sizeof a->questions) == 0;
}

/// ---- figures -------------------------------------------------------------------------------------------------------

static bool read_values(Recording *recording, const char *path, RecordingState state, Judge *judge, Status *status)
{
    ExerciseMetric metrics[EXERCISE_MAX_METRICS];
    int count = recording_metrics(recording, metrics, EXERCISE_MAX_METRICS);
    if (count == 0) {
        return status_fail(status, STATUS_BAD_FILE,
                           state == RECORDING_LIVE
                               ? "%s: holds no figures yet: it is being recorded"
                               : "%s: holds no figures: its drive was cut off before they were written",
                           path);
    }
    for (int k = 0; k < count; k++) {
        Metric metric = metric_named(metrics[k].name);
        if (metric < METRIC_COUNT && isfinite(metrics[k].value)) {
            judge->values[metric] = metrics[k].value;
        }
    }
    judge->event_count = recording_events(recording, judge->events, EXERCISE_MAX_EVENTS);
    return true;
}

/// Replays the inputs on a session whose exercise is the asked one, and takes its figures.
static bool replay(Recording *recording, const char *path, const RescoreRules *rules, Judge *judge, Status *status)
{
    if (recording_first_tick(recording) > 0) {
        return status_fail(status, STATUS_BAD_USAGE,
                           "%s: goes on from another recording: its work cannot be measured by another scene", path);
    }
    Session *session = recording_create_session_of(recording, &rules->files, 1, status);
    if (session == NULL) {
        return false;
    }
    bool good = true;
    for (int64_t tick = 0; tick < recording_ticks(recording) && good; tick++) {
        good = recording_advance(recording, session, status);
    }
    const Exercise *exercise = session_exercise(session);
    exercise_values(exercise, judge->values);
    judge->event_count = exercise_event_count(exercise);
    for (int k = 0; k < judge->event_count; k++) {
        judge->events[k] = *exercise_event(exercise, k);
    }
    session_destroy(session);
    return good;
}

/// ---- the sum -------------------------------------------------------------------------------------------------------

static void weigh_figures(Judge *judge, Rescore *result)
{
    const SceneExercise *asked = &judge->asked.exercise;
    double time = judge->values[METRIC_TIME] > 0.0 ? judge->values[METRIC_TIME] : 1.0;
    judge->values[METRIC_PACE_SHARE] = fmin(1.0, judge->values[METRIC_WORK_SHARE] * asked->par_time / time);
    Incident cause = INCIDENT_COUNT;
    double taken = exercise_apply_rules(asked, judge->events, judge->event_count, &cause);
    result->after = judge->values[METRIC_SCORE] = score_total(score_sum(asked, judge->values), taken, cause);
    Verdict verdict = score_judge(asked, judge->values, cause);
    result->passed = verdict.kind == VERDICT_PASSED;
    score_verdict(asked, judge->values, &verdict, &reader_of_files, result->verdict);
}

static bool judge_recording(Recording *recording, const char *path, const RescoreRules *rules, Judge *judge,
                            Rescore *result, Status *status)
{
    if (!data_load_scene_from_files(recording_files(recording), &judge->recorded, &judge->machine, status) ||
        !read_values(recording, path, result->seal.state, judge, status)) {
        return false;
    }
    const char *trainee = recording_meta(recording, "trainee");
    snprintf(result->trainee, sizeof result->trainee, "%s", trainee != NULL ? trainee : "");
    snprintf(result->scene, sizeof result->scene, "%s", judge->recorded.name);
    result->before = judge->values[METRIC_SCORE];
    judge->asked = rules != NULL ? rules->scene : judge->recorded;
    if (!same_site(&judge->recorded, &judge->asked)) {
        return status_fail(status, STATUS_BAD_USAGE,
                           "%s: was driven on another site (%s): %s has other ground, machine, things or trucks", path,
                           judge->recorded.name, judge->asked.name);
    }
    result->replayed = !same_work(&judge->recorded.exercise, &judge->asked.exercise);
    if (result->replayed && !replay(recording, path, rules, judge, status)) {
        return false;
    }
    weigh_figures(judge, result);
    recording_credit(recording, &result->credit);
    result->passed = result->passed && credit_counts(&result->credit, result->trainee);
    return true;
}

bool rescore_recording(const char *path, const RescoreRules *rules, Rescore *result, Status *status)
{
    *result = (Rescore){.seal = {.state = RECORDING_UNCHECKED}};
    Recording *recording = recording_open(path, status);
    if (recording == NULL) {
        return false;
    }
    Judge *judge = calloc(1, sizeof *judge);
    bool good = false;
    if (judge != NULL) {
        good = recording_check_seals(recording, &result->seal, status) &&
               judge_recording(recording, path, rules, judge, result, status);
    } else {
        status_fail(status, STATUS_LACKING, "out of memory for the figures of %s", path);
    }
    free(judge);
    recording_close(recording);
    return good;
}
