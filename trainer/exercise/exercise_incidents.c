/// Counts incidents and applies the scene's rules to them: points that they cost, and attempts that they end.
#include "trainer/exercise/exercise_internal.h"

#include <stdio.h>
#include <string.h>

#include "data/language/text.h"

/// What the screen says of an attempt that an incident has ended.
static const char *const failures[INCIDENT_COUNT] = {
    [INCIDENT_TOUCH] = TEXT("The machine ran into what it must not touch."),
    [INCIDENT_PERSON_HIT] = TEXT("A person was hit."),
    [INCIDENT_PERSON_ZONE] = TEXT("The machine came too near to a person."),
    [INCIDENT_SWING_OVER_PERSON] = TEXT("The arm passed over a person."),
    [INCIDENT_LOAD_OVER_PERSON] = TEXT("A load hung over a person."),
    [INCIDENT_TIP_BEGINS] = TEXT("The machine tipped."),
    [INCIDENT_TIP_ENDS] = TEXT("The machine tipped."),
    [INCIDENT_TIPPED_OVER] = TEXT("The machine has tipped over."),
    [INCIDENT_LIFTED] = TEXT("The machine was lifted off its tracks."),
    [INCIDENT_FELL_INTO_HOLE] = TEXT("The machine fell into a hole."),
    [INCIDENT_TRACK_OFF_EDGE] = TEXT("A track went over an edge."),
    [INCIDENT_BUCKET_OVER_CAB] = TEXT("The bucket went over the truck's cab."),
    [INCIDENT_SLAM] = TEXT("A cylinder ran into its end stop."),
    [INCIDENT_TRUCK_OVERLOAD] = TEXT("The truck was overloaded."),
    [INCIDENT_TRUCK_TIPPED] = TEXT("The truck lies on its side."),
    [INCIDENT_SITE_LEFT] = TEXT("The machine left the site."),
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
    if (incident == INCIDENT_TOUCH && expose[0] != '\0' && strstr(event->thing, expose) != NULL) {
        state->struck = event->number.energy > state->struck ? event->number.energy : state->struck;
    }
    for (int k = 0; k < exercise->asked.rules_count; k++) {
        const SceneRule *rule = &exercise->asked.rules[k];
        if (is_met(rule, incident, event)) {
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
    snprintf(named.kind, sizeof named.kind, "%s", incident_names[incident]);
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

static Incident incident_of(const ExerciseEvent *event)
{
    int kind = 0;
    while (kind < INCIDENT_COUNT && strcmp(incident_names[kind], event->kind) != 0) {
        kind++;
    }
    return (Incident)kind;
}

double exercise_apply_rules(const SceneExercise *asked, const ExerciseEvent *events, int count, Incident *cause)
{
    int applied[SCENE_MAX_RULES] = {0};
    double points = 0.0;
    *cause = INCIDENT_COUNT;
    for (int k = 0; k < count && *cause == INCIDENT_COUNT && strcmp(events[k].kind, "finished") != 0; k++) {
        Incident incident = incident_of(&events[k]);
        for (int n = 0; n < asked->rules_count && incident < INCIDENT_COUNT; n++) {
            const SceneRule *rule = &asked->rules[n];
            bool beyond = is_met(rule, incident, &events[k]) && ++applied[n] > rule->limit;
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
            bool named = rule->thing[0] != '\0';
            snprintf(lines[count++], EXERCISE_TEXT, "-%.1f points: %s%s%s%s, %d time%s", beyond * rule->points,
                     incident_phrases[rule->incident], named ? " (" : "", rule->thing, named ? ")" : "", beyond,
                     beyond > 1 ? "s" : "");
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
