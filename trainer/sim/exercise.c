/// An exercise tick by tick: incidents and rules, use of the levers, stretches at relief and slip, the ground once it
/// has settled or has been stirred for too long, and the end.
#include "trainer/sim/exercise_internal.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/core/text.h"
#include "data/schema/scene_fixture.h"
#include "machine/machine.h"
#include "trainer/sim/events.h"

/// ---- incidents and rules -------------------------------------------------------------------------------------------
///
/// Counts incidents and applies the scene's rules to them: points that they cost, and attempts that they end.

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
static Weight count_incident(Exercise *exercise, Incident incident, ExerciseEvent *event)
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
    Weight weight = state->end == EXERCISE_RUNNING ? count_incident(exercise, incident, &named) : WEIGHT_NONE;
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

/// ---- creation and start --------------------------------------------------------------------------------------------

#define SPILL_STEP     0.04 ///< of a full tool: so much new spill makes an event
#define TOUCHES        0.05 ///< of a full tool: with so much in it, it has worked the ground
#define OVERDIG_STEP   0.05 ///< m3 of new over-dig that make an event
#define RELIEF_STRETCH 2.0 ///< s at relief that make an event
#define LEVER_USED     0.15 ///< lever position that counts as using a function
#define LEVER_REVERSED 0.3 ///< lever position that counts as a direction
#define DONE_SHARE     0.95 ///< of the trench's volume: corners are never quite clean

/// How much is to be dug free, and at what height its upper side is.
static void find_buried_fixtures(Exercise *exercise, const SceneParams *scene)
{
    for (int k = 0; k < scene->fixtures_count; k++) {
        const SceneFixture *fixture = &scene->fixtures[k];
        if (scene_is_to_expose(&scene->exercise, fixture)) {
            bool first = exercise->expose_length == 0.0;
            exercise->expose_length += fixture->length;
            exercise->expose_crown = first ? fixture->top : fmax(exercise->expose_crown, fixture->top);
        }
    }
}

Exercise *exercise_create(const SceneParams *scene)
{
    Exercise *exercise = calloc(1, sizeof *exercise);
    if (!exercise) {
        return NULL;
    }
    exercise->asked = scene->exercise;
    exercise->asked.par_time = scene->exercise.par_time > 0.0 ? scene->exercise.par_time : scene->exercise.time_limit;
    const SoilParams *soil = &scene->soils[scene->ground.layer_count > 0 ? scene->ground.layers[0].soil_index : 0];
    exercise->bank_density = soil->bank_density;
    find_buried_fixtures(exercise, scene);
    double spacing = scene->ground.column_spacing;
    bool good =
        exercise->asked.kind != EXERCISE_TRENCH || survey_create(&exercise->survey, &exercise->asked.trench, spacing);
    if (good && scene_has_part(&exercise->asked, METRIC_OF_SURFACE)) {
        good = surface_create(&exercise->surface, &exercise->asked, spacing);
    }
    Status ignored;
    exercise->work = good ? design_create(&exercise->asked, DESIGN_OF_WORK, NULL, &ignored) : NULL;
    if (exercise->work == NULL) {
        exercise_destroy(exercise);
        return NULL;
    }
    return exercise;
}

const DesignSurface *exercise_work(const Exercise *exercise)
{
    return exercise->work;
}

const DesignSurface *exercise_surface(const Exercise *exercise)
{
    return exercise->surface.surface;
}

void exercise_destroy(Exercise *exercise)
{
    if (exercise) {
        survey_destroy(&exercise->survey);
        surface_destroy(&exercise->surface);
        design_destroy(exercise->work);
        free(exercise);
    }
}

void exercise_add_event(ExerciseState *state, int capacity, const ExerciseEvent *event)
{
    assert(event_check(event, NULL, &(Status){STATUS_GOOD, ""}) && event->text[0] == '\0');
    if (state->event_count < capacity) {
        state->events[state->event_count++] = *event;
    } else {
        state->events_lost += state->events_lost < EXERCISE_MOST_COUNT;
    }
}

void exercise_start(Exercise *exercise, const ExerciseSample *sample)
{
    ExerciseState *state = &exercise->state;
    memset(state, 0, sizeof *state);
    exercise->swings = sample->swings;
    state->tip_x = sample->tip.x;
    state->tip_y = sample->tip.y;
    state->tip_z = sample->tip.z;
    state->start_fuel = sample->fuel;
    for (int k = 0; k < SCENE_MAX_TRUCKS; k++) {
        state->beds[k] = sample->beds[k].mass;
        state->start_beds += sample->beds[k].mass;
    }
    state->phase = CYCLE_RETURN;
    state->smooth_payload = state->lowest_payload = sample->payload;
    state->dig_x = sample->tip.x;
    state->dig_y = sample->tip.y;
    work_phases_start(&state->work, sample->payload);
    swing_skill_start(&state->skill, sample->tip);
    if (exercise->asked.kind == EXERCISE_TRENCH) {
        survey_start(&exercise->survey, &exercise->asked.trench, sample);
        survey_measure(&exercise->survey, &exercise->asked.trench, sample, state);
    }
    if (scene_has_part(&exercise->asked, METRIC_OF_SURFACE)) {
        surface_start(&exercise->surface, sample);
        surface_measure(&exercise->surface, exercise->asked.surface.tolerance, sample, state);
    }
    parts_start(state, sample);
    tasks_start(exercise);
    score_start(exercise);
}

static void measure_operator(ExerciseState *state, const ExerciseSample *sample)
{
    int used = 0;
    for (int k = 0; k < 4; k++) {
        double lever = sample->levers[k];
        used += fabs(lever) > LEVER_USED;
        int32_t sign = lever > LEVER_REVERSED ? 1 : lever < -LEVER_REVERSED ? -1 : 0;
        if (sign != 0) {
            state->reversals += state->lever_sign[k] == -sign;
            state->lever_sign[k] = sign;
        }
    }
    state->working_time += used > 0 ? sample->dt : 0.0;
    state->together_time += used > 1 ? sample->dt : 0.0;
    Vec3 before = {state->tip_x, state->tip_y, state->tip_z};
    state->tip_path += vec3_length(vec3_sub(sample->tip, before));
    state->tip_x = sample->tip.x;
    state->tip_y = sample->tip.y;
    state->tip_z = sample->tip.z;
    state->fuel_used = state->start_fuel - sample->fuel;
}

static bool limit_acts(const ExerciseSample *sample, MachineLimit limit)
{
    return (sample->limits & MACHINE_LIMIT_BIT(limit)) != 0;
}

/// The tool is in the ground, or holds soil.
static bool works_ground(const ExerciseSample *sample)
{
    return sample->edge_height < 0.0 || (sample->full > 0.0 && sample->payload > TOUCHES * sample->full);
}

/// Each limit counts for itself: a machine may slip, stall and stand at relief at once.
static void measure_limits(ExerciseState *state, const ExerciseSample *sample)
{
    state->slip_time += limit_acts(sample, MACHINE_LIMIT_SLIP) ? sample->dt : 0.0;
    state->stall_time += limit_acts(sample, MACHINE_LIMIT_STALL) ? sample->dt : 0.0;
    state->tip_time += limit_acts(sample, MACHINE_LIMIT_TIP) ? sample->dt : 0.0;
    if (!limit_acts(sample, MACHINE_LIMIT_RELIEF)) {
        state->relief_run = 0.0;
        return;
    }
    double before = state->relief_run;
    state->relief_time += sample->dt;
    state->relief_run += sample->dt;
    if (before < RELIEF_STRETCH && state->relief_run >= RELIEF_STRETCH) {
        ExerciseEvent event = {.tick = sample->tick, .kind = EVENT_RELIEF, .number = {.duration = RELIEF_STRETCH}};
        exercise_add_event(state, EXERCISE_EVENT_ROOM, &event);
    }
}

/// ---- what is judged -----------------------------------------------------------------------------------------------

static void measure_trench(Exercise *exercise, const ExerciseSample *sample)
{
    ExerciseState *state = &exercise->state;
    survey_measure(&exercise->survey, &exercise->asked.trench, sample, state);
    if (state->overdig > state->overdig_told + OVERDIG_STEP) {
        ExerciseEvent event = {.tick = sample->tick, .kind = EVENT_OVERDIG, .number = {.volume = state->overdig}};
        exercise_add_event(state, EXERCISE_EVENT_ROOM, &event);
        state->overdig_told = state->overdig;
    }
}

/// What lies where it should not is measured by the soil; what is cleaned up again is no spill.
static void measure_spill(ExerciseState *state, const ExerciseSample *sample)
{
    if (sample->spilled.mass < 0.0) {
        return;
    }
    if (state->touched == 0) {
        state->spill_before = sample->spilled.mass;
        state->spill_bank_before = sample->spilled.bank_volume;
    }
    state->spilled = fmax(0.0, sample->spilled.mass - state->spill_before);
    state->spilled_bank = fmax(0.0, sample->spilled.bank_volume - state->spill_bank_before);
    if (sample->full > 0.0 && state->spilled > state->spill_told + SPILL_STEP * sample->full) {
        ExerciseEvent event = {.tick = sample->tick,
                               .kind = EVENT_SPILL,
                               .number = {.load = state->spilled - state->spill_told, .total = state->spilled}};
        exercise_add_event(state, EXERCISE_EVENT_ROOM, &event);
        state->spill_told = state->spilled;
    }
}

/// Soil that was moved is what the ledger finds outside the cut; what slid by itself before the first dig is none.
static void measure_moved(ExerciseState *state, const ExerciseSample *sample)
{
    if (sample->moved.mass < 0.0) {
        return;
    }
    if (state->touched == 0) {
        state->moved_before = sample->moved.mass;
        state->bank_before = sample->moved.bank_volume;
    }
    state->moved = fmax(0.0, sample->moved.mass - state->moved_before);
    state->moved_bank = fmax(0.0, sample->moved.bank_volume - state->bank_before);
}

/// The figures of the ground's shape.
static void measure_shape(Exercise *exercise, const ExerciseSample *sample)
{
    if (exercise->asked.kind == EXERCISE_TRENCH) {
        measure_trench(exercise, sample);
    }
    if (scene_has_part(&exercise->asked, METRIC_OF_SURFACE)) {
        surface_measure(&exercise->surface, exercise->asked.surface.tolerance, sample, &exercise->state);
    }
}

/// All figures of the ground.
static void measure_ground(Exercise *exercise, const ExerciseSample *sample)
{
    ExerciseState *state = &exercise->state;
    state->dumped = sample->dump_mass;
    measure_shape(exercise, sample);
    measure_moved(state, sample);
    if (scene_has_part(&exercise->asked, METRIC_OF_WORK)) {
        measure_spill(state, sample);
    }
}

bool exercise_waited(const Exercise *exercise)
{
    const ExerciseState *state = &exercise->state;
    return state->stirring >= EXERCISE_PATIENCE || state->judging >= EXERCISE_SETTLING;
}

/// Takes the figures of what has settled, or has been stirred for too long; the others stay what they were.
static void measure_settled(Exercise *exercise, const ExerciseSample *sample)
{
    ExerciseState *state = &exercise->state;
    bool waited = exercise_waited(exercise);
    if (sample->ground != EXERCISE_NOT_LOOKED) {
        state->stirred = sample->ground != EXERCISE_SETTLED;
        state->provisional = sample->ground == EXERCISE_WORKED;
        for (int k = 0; k < SCENE_MAX_TRUCKS; k++) {
            state->stirred = state->stirred || sample->beds[k].stirred;
            state->beds[k] = sample->beds[k].stirred && !waited ? state->beds[k] : sample->beds[k].mass;
        }
        if (exercise_judges(sample->ground)) {
            measure_ground(exercise, sample);
        } else if (sample->ground == EXERCISE_WORKED) {
            measure_shape(exercise, sample);
        }
    }
    state->stirring = state->stirred ? state->stirring + sample->dt : 0.0;
    state->held = state->stirred && !exercise_waited(exercise) ? state->stirring : 0.0;
}

void exercise_finish(Exercise *exercise, int64_t tick, ExerciseEnd end)
{
    ExerciseState *state = &exercise->state;
    if (state->closing_load > 0.0) {
        cycles_close(exercise, tick);
    }
    state->end = (int32_t)end;
    ExerciseEvent event = {.tick = tick,
                           .kind = EVENT_FINISHED,
                           .form = end == EXERCISE_DONE ? EVENT_FINISHED_DONE : EVENT_FINISHED_TIME_UP,
                           .number = {.duration = state->time, .score = exercise_score(exercise)}};
    if (end == EXERCISE_FAILED) {
        event.form = EVENT_FINISHED_FAILED;
        event.thing = event_thing(THING_INCIDENT, state->failed_by, "");
    }
    exercise_add_event(state, EXERCISE_MAX_EVENTS, &event);
}

/// A scene's steps are done, or it has none.
static bool no_step_is_due(const Exercise *exercise)
{
    return exercise->asked.steps_count == 0 || tasks_are_done(exercise);
}

/// Whether the work is done, by what was measured last.
static bool is_done(const Exercise *exercise)
{
    switch (exercise->asked.kind) {
    case EXERCISE_FREE:
        break;
    case EXERCISE_TRENCH:
        return exercise->state.removed_share >= DONE_SHARE && no_step_is_due(exercise);
    case EXERCISE_TRUCK_LOADING:
        return exercise_loaded(exercise) >= exercise->asked.truck.target_mass && no_step_is_due(exercise);
    case EXERCISE_TASKS:
        return tasks_are_done(exercise);
    }
    return false;
}

/// The work is done when the ground that is judged says so; at the time limit it is given time to settle.
static void check_end(Exercise *exercise, const ExerciseSample *sample)
{
    ExerciseState *state = &exercise->state;
    bool judged = exercise_judges(sample->ground) && (state->stirred == 0 || exercise_waited(exercise));
    if (judged && is_done(exercise)) {
        exercise_finish(exercise, sample->tick, EXERCISE_DONE);
    } else if (state->time >= exercise->asked.time_limit && exercise->asked.kind == EXERCISE_FREE) {
        exercise_finish(exercise, sample->tick, EXERCISE_TIME_UP);
    } else if (state->time >= exercise->asked.time_limit) {
        state->end = EXERCISE_JUDGING;
    }
}

/// After the time limit: judges the ground once it has settled, or has had its time. Steps that follow from that count.
static void judge_after_limit(Exercise *exercise, const ExerciseSample *sample)
{
    ExerciseState *state = &exercise->state;
    bool late = state->judging >= EXERCISE_SETTLING;
    state->judging += sample->dt;
    measure_settled(exercise, sample);
    bool measured = sample->ground != EXERCISE_NOT_LOOKED && sample->ground != EXERCISE_STIRRED;
    if (measured && (state->stirred == 0 || late)) {
        tasks_check_steps(exercise, sample);
        exercise_finish(exercise, sample->tick, EXERCISE_TIME_UP);
    }
}

void exercise_tick(Exercise *exercise, const ExerciseSample *sample)
{
    ExerciseState *state = &exercise->state;
    cycles_add_phase_time(exercise, sample);
    if (exercise_is_finished(exercise)) {
        return;
    }
    if (state->end == EXERCISE_JUDGING) {
        judge_after_limit(exercise, sample);
        return;
    }
    state->time += sample->dt;
    state->delivered = sample->delivered;
    state->truck_loads = sample->truck_loads;
    state->truck_passes = sample->truck_passes;
    parts_measure(sample, state);
    state->touched = state->touched != 0 || works_ground(sample);
    cycles_tick(exercise, sample);
    measure_operator(state, sample);
    swing_skill_tick(&state->skill, sample->dt, sample->tip, sample->swing_speed);
    measure_limits(state, sample);
    measure_settled(exercise, sample);
    tasks_tick(exercise, sample);
    if (sample->tick % EXERCISE_LOOK_INTERVAL == 0 && state->provisional == 0) {
        score_report_losses(exercise, sample->tick);
    }
    check_end(exercise, sample);
}

void exercise_note_event(Exercise *exercise, const ExerciseEvent *event)
{
    exercise_add_event(&exercise->state, EXERCISE_EVENT_ROOM, event);
}

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

int exercise_event_count(const Exercise *exercise)
{
    return exercise->state.event_count;
}

const ExerciseEvent *exercise_event(const Exercise *exercise, int index)
{
    return index >= 0 && index < exercise->state.event_count ? &exercise->state.events[index] : NULL;
}

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

void exercise_visit(Exercise *exercise, StateVisitor *visitor)
{
    ExerciseState *state = &exercise->state;
#define X(type, name) STATE_VISIT(visitor, "exercise." #name, state->name);
    EXERCISE_SCALARS(X)
#undef X
    state_visit_array(visitor, "exercise.phase_total", state->phase_total, sizeof(double), WORK_PHASE_COUNT);
    state_visit_array(visitor, "exercise.phase_time", state->phase_time, sizeof(double), WORK_PHASE_COUNT);
    state_visit_array(visitor, "exercise.phase_now", state->phase_now, sizeof(double), WORK_PHASE_COUNT);
    work_phases_visit(&state->work, visitor);
    swing_skill_visit(&state->skill, visitor);
    state_visit_array(visitor, "exercise.carried", state->carried, sizeof(double), CARRIED_COUNT);
    state_visit_array(visitor, "exercise.carried_now", state->carried_now, sizeof(double), CARRIED_COUNT);
    state_visit_array(visitor, "exercise.beds", state->beds, sizeof(double), SCENE_MAX_TRUCKS);
    state_visit_array(visitor, "exercise.lever_sign", state->lever_sign, sizeof(int32_t), 4);
    incidents_visit(state, visitor);
    tasks_visit(state, visitor);
    parts_visit(&exercise->asked, state, visitor);
    STATE_VISIT(visitor, "exercise.event_count", state->event_count);
    // Numbers that index or select must be right before anything uses them.
    if (state->event_count < 0 || state->event_count > EXERCISE_MAX_EVENTS || state->phase < 0 ||
        state->phase >= CYCLE_PHASE_COUNT || state->end < EXERCISE_RUNNING || state->end > EXERCISE_FAILED ||
        state->failed_by < 0 || state->failed_by >= INCIDENT_COUNT) {
        *state = (ExerciseState){0};
        visitor->failed = true;
    }
    int events = visitor->measuring ? EXERCISE_MAX_EVENTS : state->event_count;
    for (int k = 0; k < events && !visitor->failed; k++) {
        visit_event(&state->events[k], visitor);
    }
}
