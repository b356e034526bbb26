/// Counts incidents and applies the scene's rules to them: points that they cost, and attempts that they end.
#include "trainer/sim/exercise_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "data/core/text.h"
#include "trainer/sim/event_text.h"

#define STRUCK_LEAST 10.0 ///< J: a softer blow on what is to be dug free is reported once a contact

Incident exercise_cause(const Exercise *exercise)
{
    return exercise->state.end == EXERCISE_FAILED ? (Incident)exercise->state.failed_by : INCIDENT_COUNT;
}

const char *exercise_failure(const Exercise *exercise)
{
    return score_failure(exercise_cause(exercise));
}

/// True when words stand in what the thing of an event is called in English.
static bool is_called(const ExerciseEvent *event, const char *words)
{
    char name[EVENT_TEXT];
    event_thing_text(&event->thing, &reader_of_files, name);
    return strstr(name, words) != NULL;
}

bool exercise_rule_meets(const SceneRule *rule, const ExerciseEvent *event)
{
    return (int)rule->incident == event->kind && event->number.energy >= rule->energy &&
           (rule->thing[0] == '\0' || is_called(event, rule->thing));
}

bool exercise_scores_touch(const Exercise *exercise, const ExerciseEvent *touch)
{
    const char *expose = exercise->asked.expose;
    ExerciseEvent event = *touch;
    event.kind = INCIDENT_TOUCH;
    bool scored = expose[0] != '\0' && is_called(&event, expose) &&
                  event.number.energy > fmax(exercise->state.struck, STRUCK_LEAST);
    for (int k = 0; k < exercise->asked.rules_count; k++) {
        const SceneRule *rule = &exercise->asked.rules[k];
        scored = scored || (rule->energy > 0.0 && exercise_rule_meets(rule, &event));
    }
    return scored;
}

/// What an incident means for the attempt.
typedef enum Weight { WEIGHT_NONE, WEIGHT_RULE, WEIGHT_END } Weight;

/// For how many events there is room: an incident that no rule names leaves some to those that do, and these leave one
/// to the incident that ends the attempt, which leaves the last to the end itself.
static const int room[] = {[WEIGHT_NONE] = EXERCISE_EVENT_ROOM,
                           [WEIGHT_RULE] = EXERCISE_MAX_EVENTS - 2,
                           [WEIGHT_END] = EXERCISE_MAX_EVENTS - 1};

static void add_one(int32_t *number)
{
    *number += *number < EXERCISE_MOST_COUNT;
}

/// Counts an incident while the exercise runs, and writes what it costs into its event.
static Weight count(Exercise *exercise, Incident incident, ExerciseEvent *event)
{
    ExerciseState *state = &exercise->state;
    Weight weight = incident == INCIDENT_TIPPED_OVER ? WEIGHT_END : WEIGHT_NONE;
    add_one(&state->incidents[incident]);
    const char *expose = exercise->asked.expose;
    if (incident == INCIDENT_TOUCH && expose[0] != '\0' && is_called(event, expose)) {
        state->struck = event->number.energy > state->struck ? event->number.energy : state->struck;
    }
    for (int k = 0; k < exercise->asked.rules_count; k++) {
        const SceneRule *rule = &exercise->asked.rules[k];
        if (exercise_rule_meets(rule, event)) {
            add_one(&state->applied[k]);
            event->number.points -= state->applied[k] > rule->limit ? rule->points : 0.0;
            bool ends = weight == WEIGHT_END || (rule->fail && state->applied[k] > rule->limit);
            weight = ends ? WEIGHT_END : WEIGHT_RULE;
        }
    }
    return weight;
}

void exercise_report(Exercise *exercise, Incident incident, const ExerciseEvent *event)
{
    ExerciseState *state = &exercise->state;
    ExerciseEvent named = *event;
    named.kind = (int32_t)incident;
    Weight weight = state->end == EXERCISE_RUNNING ? count(exercise, incident, &named) : WEIGHT_NONE;
    exercise_add_event(state, room[weight], &named);
    if (weight == WEIGHT_END) {
        state->failed_by = (int32_t)incident;
        exercise_finish(exercise, event->tick, EXERCISE_FAILED);
    }
}

double exercise_deduction(const Exercise *exercise)
{
    double points = 0.0;
    for (int k = 0; k < exercise->asked.rules_count; k++) {
        const SceneRule *rule = &exercise->asked.rules[k];
        int beyond = exercise->state.applied[k] - rule->limit;
        points += beyond > 0 ? beyond * rule->points : 0.0;
    }
    return points;
}

double exercise_apply_rules(const SceneExercise *asked, const ExerciseEvent *events, int count, Incident *cause)
{
    int applied[SCENE_MAX_RULES] = {0};
    double points = 0.0;
    *cause = INCIDENT_COUNT;
    for (int k = 0; k < count && *cause == INCIDENT_COUNT && events[k].kind != EVENT_FINISHED; k++) {
        Incident incident = events[k].kind < INCIDENT_COUNT ? (Incident)events[k].kind : INCIDENT_COUNT;
        for (int n = 0; n < asked->rules_count && incident < INCIDENT_COUNT; n++) {
            const SceneRule *rule = &asked->rules[n];
            bool beyond = exercise_rule_meets(rule, &events[k]) && ++applied[n] > rule->limit;
            points += beyond ? rule->points : 0.0;
            *cause = beyond && rule->fail ? incident : *cause;
        }
        *cause = incident == INCIDENT_TIPPED_OVER ? incident : *cause;
    }
    return points;
}

int exercise_sheet(const Exercise *exercise, char lines[EXERCISE_MAX_SHEET][EXERCISE_TEXT])
{
    int count = 0;
    for (int k = 0; k < exercise->asked.rules_count; k++) {
        const SceneRule *rule = &exercise->asked.rules[k];
        int beyond = exercise->state.applied[k] - rule->limit;
        if (beyond > 0 && rule->points > 0.0) {
            char what[EVENT_TEXT];
            event_rule_text(rule, &reader_of_files, what);
            snprintf(lines[count++], EXERCISE_TEXT, "-%.1f points: %.80s, %d time%s", beyond * rule->points, what,
                     beyond, beyond > 1 ? "s" : "");
        }
    }
    if (exercise->state.end == EXERCISE_FAILED) {
        snprintf(lines[count++], EXERCISE_TEXT, "no points, failed: %s", incident_phrases[exercise->state.failed_by]);
    }
    return count;
}

static bool is_count(int32_t number)
{
    return number >= 0 && number <= EXERCISE_MOST_COUNT;
}

void incidents_visit(ExerciseState *state, StateVisitor *visitor)
{
    state_visit_array(visitor, "exercise.incidents", state->incidents, sizeof(int32_t), INCIDENT_COUNT);
    state_visit_array(visitor, "exercise.applied", state->applied, sizeof(int32_t), SCENE_MAX_RULES);
    visitor->failed = visitor->failed || (visitor->restoring && !is_count(state->events_lost));
    for (int k = 0; visitor->restoring && k < INCIDENT_COUNT; k++) {
        visitor->failed = visitor->failed || !is_count(state->incidents[k]);
    }
    for (int k = 0; visitor->restoring && k < SCENE_MAX_RULES; k++) {
        visitor->failed = visitor->failed || !is_count(state->applied[k]);
    }
}
