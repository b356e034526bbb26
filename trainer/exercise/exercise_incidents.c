/// Counts incidents and applies the scene's rules to them: points that they cost, and attempts that they end.
#include "trainer/exercise/exercise_internal.h"

#include <stdio.h>
#include <string.h>

/// What the screen says of an attempt that an incident has ended.
static const char *const failures[INCIDENT_COUNT] = {
    [INCIDENT_TOUCH] = "The machine ran into what it must not touch.",
    [INCIDENT_PERSON_HIT] = "A person was hit.",
    [INCIDENT_PERSON_ZONE] = "The machine came too near to a person.",
    [INCIDENT_SWING_OVER_PERSON] = "The arm passed over a person.",
    [INCIDENT_TIP_BEGINS] = "The machine tipped.",
    [INCIDENT_TIP_ENDS] = "The machine tipped.",
    [INCIDENT_TIPPED_OVER] = "The machine lies on its side.",
    [INCIDENT_LIFTED] = "The machine was lifted off its tracks.",
    [INCIDENT_FELL_INTO_HOLE] = "The machine fell into a hole.",
    [INCIDENT_TRACK_OFF_EDGE] = "A track went over an edge.",
    [INCIDENT_BUCKET_OVER_CAB] = "The bucket went over the truck's cab.",
    [INCIDENT_SLAM] = "A cylinder ran into its end stop.",
    [INCIDENT_TRUCK_OVERLOAD] = "The truck was overloaded.",
    [INCIDENT_TRUCK_TIPPED] = "The truck lies on its side.",
};

const char *exercise_failure(const Exercise *exercise)
{
    return exercise->state.end == EXERCISE_FAILED ? failures[exercise->state.failed_by] : NULL;
}

static bool is_met(const SceneRule *rule, Incident incident, const ExerciseEvent *event)
{
    return rule->incident == incident && event->number.energy >= rule->energy &&
           strstr(event->thing, rule->thing) != NULL;
}

/// Counts an incident. True when it ends the attempt.
static bool count(Exercise *exercise, Incident incident, const ExerciseEvent *event)
{
    ExerciseState *state = &exercise->state;
    bool fails = incident == INCIDENT_TIPPED_OVER;
    state->incidents[incident]++;
    for (int k = 0; k < exercise->rule_count; k++) {
        const SceneRule *rule = &exercise->rules[k];
        if (is_met(rule, incident, event)) {
            state->applied[k]++;
            fails = fails || (rule->fail && state->applied[k] > rule->limit);
        }
    }
    return fails;
}

void exercise_report(Exercise *exercise, Incident incident, const ExerciseEvent *event)
{
    ExerciseState *state = &exercise->state;
    ExerciseEvent named = *event;
    snprintf(named.kind, sizeof named.kind, "%s", incident_names[incident]);
    exercise_add_event(state, EXERCISE_EVENT_ROOM, &named);
    if (state->end == EXERCISE_RUNNING && count(exercise, incident, event)) {
        state->failed_by = (int32_t)incident;
        exercise_finish(exercise, event->tick, EXERCISE_FAILED);
    }
}

double exercise_deduction(const Exercise *exercise)
{
    double points = 0.0;
    for (int k = 0; k < exercise->rule_count; k++) {
        const SceneRule *rule = &exercise->rules[k];
        int beyond = exercise->state.applied[k] - rule->limit;
        points += beyond > 0 ? beyond * rule->points : 0.0;
    }
    return points;
}

int exercise_sheet(const Exercise *exercise, char lines[EXERCISE_MAX_SHEET][EXERCISE_TEXT])
{
    int count = 0;
    for (int k = 0; k < exercise->rule_count; k++) {
        const SceneRule *rule = &exercise->rules[k];
        int beyond = exercise->state.applied[k] - rule->limit;
        if (beyond > 0 && rule->points > 0.0) {
            snprintf(lines[count++], EXERCISE_TEXT, "-%.1f points: %d %s%s%s", beyond * rule->points, beyond,
                     incident_names[rule->incident], rule->thing[0] != '\0' ? " of " : "", rule->thing);
        }
    }
    if (exercise->state.end == EXERCISE_FAILED) {
        snprintf(lines[count++], EXERCISE_TEXT, "no points: failed by %s", incident_names[exercise->state.failed_by]);
    }
    return count;
}

void incidents_visit(ExerciseState *state, StateVisitor *visitor)
{
    state_visit_array(visitor, "exercise.incidents", state->incidents, sizeof(int32_t), INCIDENT_COUNT);
    state_visit_array(visitor, "exercise.applied", state->applied, sizeof(int32_t), SCENE_MAX_RULES);
    for (int k = 0; visitor->restoring && k < INCIDENT_COUNT; k++) {
        visitor->failed = visitor->failed || state->incidents[k] < 0;
    }
    for (int k = 0; visitor->restoring && k < SCENE_MAX_RULES; k++) {
        visitor->failed = visitor->failed || state->applied[k] < 0;
    }
}
