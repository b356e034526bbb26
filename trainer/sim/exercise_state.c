/// State of an exercise: its end, its questions and steps, its events, and the visit of its fields.
#include "trainer/sim/exercise_state.h"

#include <assert.h>
#include <math.h>

bool exercise_is_finished(const Exercise *exercise)
{
    int32_t end = exercise->state.end;
    return end == EXERCISE_DONE || end == EXERCISE_TIME_UP || end == EXERCISE_FAILED;
}

WorkPhase exercise_phase(const Exercise *exercise)
{
    return (WorkPhase)exercise->state.work.phase;
}

ExerciseEnd exercise_end(const Exercise *exercise)
{
    return (ExerciseEnd)exercise->state.end;
}

bool exercise_is_settling(const Exercise *exercise)
{
    return exercise->state.end == EXERCISE_JUDGING;
}

double exercise_held(const Exercise *exercise)
{
    return exercise->state.held;
}

Incident exercise_cause(const Exercise *exercise)
{
    return exercise->state.end == EXERCISE_FAILED ? (Incident)exercise->state.failed_by : INCIDENT_COUNT;
}

const char *exercise_failure(const Exercise *exercise)
{
    return score_failure(exercise_cause(exercise));
}

double exercise_deduction(const Exercise *exercise)
{
    double points = 0.0;
    for (int k = 0; k < exercise->asked.rules_count; k++) {
        const SceneRule *rule = &exercise->asked.rules[k];
        int beyond = exercise->state.applied[k] - rule->limit;
        points += beyond > 0 ? beyond * rule->points : 0.0;
    }
    for (int k = 0; k < DAMAGE_OWNERS * DAMAGE_CLASSES; k++) {
        points += exercise->state.damaged[k] * exercise->asked.damage_points[k / DAMAGE_CLASSES][k % DAMAGE_CLASSES];
    }
    return points;
}

int exercise_question(const Exercise *exercise)
{
    int answered = exercise->state.answered;
    return answered < exercise->asked.questions_count && !exercise_is_finished(exercise) ? answered : -1;
}

bool exercise_is_locked(const Exercise *exercise)
{
    return exercise_question(exercise) >= 0;
}

int exercise_answer(const Exercise *exercise, int question)
{
    bool there = question >= 0 && question < exercise->asked.questions_count;
    return there ? exercise->state.answers[question] : 0;
}

int64_t exercise_step_tick(const Exercise *exercise, int step)
{
    return step >= 0 && step < exercise->asked.steps_count ? exercise->state.step_tick[step] : 0;
}

/// ---- events --------------------------------------------------------------------------------------------------------

void exercise_add_event(ExerciseState *state, int capacity, const ExerciseEvent *event)
{
    assert(event_check(event, NULL, &(Status){STATUS_GOOD, ""}) && event->text[0] == '\0');
    if (state->event_count < capacity) {
        state->events[state->event_count++] = *event;
    } else {
        state->events_lost += state->events_lost < EXERCISE_MOST_COUNT;
    }
}

int exercise_event_count(const Exercise *exercise)
{
    return exercise->state.event_count;
}

const ExerciseEvent *exercise_event(const Exercise *exercise, int index)
{
    return index >= 0 && index < exercise->state.event_count ? &exercise->state.events[index] : NULL;
}

/// ---- visit ---------------------------------------------------------------------------------------------------------

static void visit_thing(EventThing *thing, StateVisitor *visitor)
{
    STATE_VISIT(visitor, "exercise.event.thing.kind", thing->kind);
    STATE_VISIT(visitor, "exercise.event.thing.index", thing->index);
    state_visit_array(visitor, "exercise.event.thing.name", thing->name, 1, sizeof thing->name);
}

/// Typed text is no part of the state: the exercise's own events have none.
static void visit_event(ExerciseEvent *event, StateVisitor *visitor)
{
    STATE_VISIT(visitor, "exercise.event.tick", event->tick);
    STATE_VISIT(visitor, "exercise.event.kind", event->kind);
    STATE_VISIT(visitor, "exercise.event.form", event->form);
    visit_thing(&event->part, visitor);
    visit_thing(&event->thing, visitor);
    state_visit_array(visitor, "exercise.event.number", &event->number, sizeof(double), EVENT_NUMBER_COUNT);
    if (visitor->restoring) {
        event->text[0] = '\0';
        if (!event_check(event, NULL, &(Status){STATUS_GOOD, ""})) {
            *event = (ExerciseEvent){0};
            visitor->failed = true;
        }
    }
}

static bool is_count(int32_t number)
{
    return number >= 0 && number <= EXERCISE_MOST_COUNT;
}

static bool counts_are_good(const ExerciseState *state)
{
    bool good = is_count(state->events_lost);
    for (int k = 0; k < INCIDENT_COUNT; k++) {
        good = good && is_count(state->incidents[k]);
    }
    for (int k = 0; k < SCENE_MAX_RULES; k++) {
        good = good && is_count(state->applied[k]);
    }
    for (int k = 0; k < DAMAGE_OWNERS * DAMAGE_CLASSES; k++) {
        good = good && is_count(state->damaged[k]);
    }
    return good;
}

static bool tasks_are_good(const ExerciseState *state)
{
    bool good = state->targets_reached >= 0 && state->targets_reached <= SCENE_MAX_TARGETS && state->answered >= 0 &&
                state->answered <= SCENE_MAX_QUESTIONS;
    for (int k = 0; k < SCENE_MAX_QUESTIONS; k++) {
        good = good && state->answers[k] >= 0 && state->answers[k] <= SCENE_MAX_ANSWERS;
    }
    for (int k = 0; k < SCENE_MAX_STEPS; k++) {
        good = good && state->step_tick[k] >= 0;
    }
    return good;
}

static bool ripping_is_finite(const ExerciseState *state)
{
    double sum = 0.0;
    for (int k = 0; k < RIP_FIGURES; k++) {
        sum += fabs(state->ripping[k]);
    }
    return isfinite(sum);
}

/// Numbers that index or select are right.
static bool choices_are_good(const ExerciseState *state)
{
    return state->event_count >= 0 && state->event_count <= EXERCISE_MAX_EVENTS && state->phase >= 0 &&
           state->phase < CYCLE_PHASE_COUNT && state->end >= EXERCISE_RUNNING && state->end <= EXERCISE_FAILED &&
           state->failed_by >= 0 && state->failed_by < INCIDENT_COUNT;
}

void exercise_visit(Exercise *exercise, StateVisitor *visitor)
{
    ExerciseState *state = &exercise->state;
#define F(type, name, low, high, unit)         STATE_VISIT(visitor, "exercise." #name, state->name);
#define M(type, name, metric, low, high, unit) F(type, name, low, high, unit)
#define A(type, name, count, low, high, unit)                                                                          \
    state_visit_array(visitor, "exercise." #name, state->name, sizeof(type), count);
#define P(part, name, count, low, high, unit)                                                                          \
    if (scene_has_part(&exercise->asked, part)) {                                                                      \
        A(double, name, count, low, high, unit)                                                                        \
    }
    EXERCISE_FIELDS(F, M, A)
    work_phases_visit(&state->work, visitor);
    swing_skill_visit(&state->skill, visitor);
    EXERCISE_ARRAYS(A)
    EXERCISE_PARTS(P)
#undef F
#undef M
#undef A
#undef P
    STATE_VISIT(visitor, "exercise.event_count", state->event_count);
    bool restores = visitor->restoring;
    visitor->failed = visitor->failed || (restores && !(counts_are_good(state) && ripping_is_finite(state)));
    visitor->failed = visitor->failed || !tasks_are_good(state);
    if (!choices_are_good(state)) { // before anything uses them
        *state = (ExerciseState){0};
        visitor->failed = true;
    }
    int events = visitor->measuring ? EXERCISE_MAX_EVENTS : state->event_count;
    for (int k = 0; k < events && !visitor->failed; k++) {
        visit_event(&state->events[k], visitor);
    }
}
