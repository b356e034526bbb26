/// An exercise tick by tick: cycles of loads, questions, targets and steps, incidents and rules, use of the levers,
/// stretches at relief and slip, the ground once it has settled or has been stirred for too long, and the end.
#include "trainer/sim/exercise_state.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "data/core/elementary.h"
#include "data/core/language.h"
#include "data/core/zeroed_memory.h"
#include "data/schema/scene_site.h"
#include "machine/machine.h"

/// ---- cycles --------------------------------------------------------------------------------------------------------
///
/// Counts cycles: soil is dug, carried out of the cut and dumped outside it. A cycle's load is what left the tool
/// between the moment it left the cut and its return; what a bucket shows while it is in the ground is no load.
///
/// The cut is where the scene marks it (the trench's box, a truck scene's place to dig), and in any case the place
/// where the edge was last in the ground, with what is within some tool sizes of it.

#define LOADED       0.20 ///< of a full tool that makes a load
#define EMPTY        0.07 ///< of a full tool: what is left of a load that was dumped
#define BITE         0.03 ///< of a full tool more than was left after the dump: the next dig has begun
#define STICKING     0.5 ///< of the load that may come back in the bucket of a cycle that counts
#define PAYLOAD_LAG  0.3 ///< s: low pass of the payload, so that bouncing soil is no event
#define CURLING      0.10 ///< rad/s of the bucket
#define DUMPING      0.85 ///< of the load: below it the load is on its way out
#define LIFTED       0.25 ///< tool sizes of an edge over the ground: lower, the tool may push what it seems to hold
#define CARRIED_AWAY 1.5 ///< tool sizes from where it dug: farther, soil has been carried

/// The edge is in the ground, or a blade cuts.
static bool cuts(const ExerciseSample *sample)
{
    return sample->swings ? !sample->edge_clear : !sample->carries;
}

/// The tool hangs free of the ground; a blade is out of the cut.
static bool is_lifted(const ExerciseSample *sample)
{
    return sample->swings ? sample->edge_height > LIFTED * sample->tool_size : sample->carries;
}

/// The edge is outside the cut.
static bool is_outside(const ExerciseState *state, const ExerciseSample *sample)
{
    double away = same_hypot(sample->tip.x - state->dig_x, sample->tip.y - state->dig_y);
    return !(sample->marked && sample->in_cut) && away > CARRIED_AWAY * sample->tool_size;
}

/// ---- time of cycles ------------------------------------------------------------------------------------------------

static void close_cycle(Exercise *exercise, int64_t tick)
{
    ExerciseState *state = &exercise->state;
    const double *now = state->phase_now;
    // A load of which no dig, no carry or no dump was seen is no cycle: its time counts for the next one.
    bool whole = now[WORK_DIG] > 0.0 && now[WORK_SWING_LOADED] > 0.0 && now[WORK_DUMP] > 0.0;
    double total = 0.0;
    for (int k = 0; k < WORK_PHASE_COUNT && whole; k++) {
        total += now[k];
        state->phase_time[k] += now[k];
    }
    for (int k = 0; k < CARRIED_COUNT && whole; k++) {
        state->carried[k] += state->carried_now[k];
    }
    if (whole) {
        state->cycles++;
        state->hauled += state->closing_load;
        state->trails = 1;
        state->last_cycle_time = total;
        ExerciseEvent event = {.tick = tick,
                               .kind = EVENT_CYCLE,
                               .form = exercise->swings ? EVENT_CYCLE_OF_ARM : EVENT_CYCLE_OF_BLADE,
                               .number = {.load = state->closing_load,
                                          .duration = total,
                                          .dig = now[WORK_DIG],
                                          .carry = now[WORK_SWING_LOADED],
                                          .dump = now[WORK_DUMP],
                                          .back = now[WORK_SWING_EMPTY]}};
        exercise_add_event(state, EXERCISE_EVENT_ROOM, &event);
        memset(state->phase_now, 0, sizeof state->phase_now);
    }
    memset(state->carried_now, 0, sizeof state->carried_now);
    state->closing_load = 0.0;
}

/// A phase that has just been believed is given what it was seen before.
static void add_phase_time(Exercise *exercise, const ExerciseSample *sample)
{
    ExerciseState *state = &exercise->state;
    WorkMotion motion = {.dt = sample->dt,
                         .swings = sample->swings,
                         .joint_speed = sample->joint_speed,
                         .edge_height = sample->edge_height,
                         .payload = sample->payload,
                         .full = sample->full,
                         .swing_speed = sample->swing_speed,
                         .curl_speed = sample->curl_speed,
                         .belts = {sample->belts[0], sample->belts[1]}};
    WorkPhase before = (WorkPhase)state->work.phase;
    double seen = 0.0;
    WorkPhase phase = work_phases_tick(&state->work, &motion, &seen);
    if (state->end != EXERCISE_RUNNING) {
        return;
    }
    state->phase_now[before] -= seen;
    state->phase_total[before] -= seen;
    if (state->closing_load > 0.0 && phase != WORK_SWING_LOADED && phase != WORK_DUMP) {
        close_cycle(exercise, sample->tick);
    }
    state->phase_now[phase] += seen + sample->dt;
    state->phase_total[phase] += seen + sample->dt;
}

/// ---- loads of cycles -----------------------------------------------------------------------------------------------

static void begin_phase(ExerciseState *state, CyclePhase phase)
{
    state->phase = (int32_t)phase;
    state->lowest_payload = state->smooth_payload;
}

/// The load is dumped. The cycle's time is split once the phase that goes on now is over.
static void end_cycle(Exercise *exercise, int64_t tick)
{
    ExerciseState *state = &exercise->state;
    double load = state->cycle_weight - state->smooth_payload;
    if (state->closing_load > 0.0) {
        close_cycle(exercise, tick);
    }
    state->closing_load = load;
    begin_phase(state, CYCLE_RETURN);
}

/// What still runs out after the dump belongs to its load.
static void add_late_loss(ExerciseState *state, double payload)
{
    if (payload < state->lowest_payload) {
        double late = state->lowest_payload - payload;
        if (state->closing_load > 0.0) {
            state->closing_load += late;
        } else if (state->trails != 0) {
            state->hauled += late;
        }
        state->lowest_payload = payload;
    }
}

/// Weighs the load at the moments between its dig and its dump: what is lost, is lost between two of them.
static void weigh_load(ExerciseState *state, const ExerciseSample *sample)
{
    double *carried = state->carried_now;
    if (state->phase == CYCLE_DIG) {
        bool filling[] = {[CARRIED_CURLED] = sample->curl_speed > CURLING,
                          [CARRIED_CLEAR] = !sample->edge_clear,
                          [CARRIED_SWING] = true,
                          [CARRIED_DUMP] = true};
        for (int k = 0; k < CARRIED_COUNT; k++) {
            carried[k] = filling[k] || carried[k] == 0.0 ? sample->payload : carried[k];
        }
    } else if (state->phase == CYCLE_CARRY && sample->curl_speed > -CURLING) {
        carried[CARRIED_DUMP] = sample->payload;
    }
}

/// A load that nobody dumped: the time counts for the next cycle, the load does not.
static void lose_load(ExerciseState *state)
{
    memset(state->carried_now, 0, sizeof state->carried_now);
    begin_phase(state, CYCLE_RETURN);
}

static void tick_dig(ExerciseState *state, const ExerciseSample *sample)
{
    if (state->smooth_payload < EMPTY * sample->full) {
        lose_load(state);
    } else if (is_lifted(sample) && is_outside(state, sample) && state->smooth_payload > LOADED * sample->full) {
        state->cycle_weight = state->smooth_payload;
        state->opened = 0;
        begin_phase(state, CYCLE_CARRY);
    }
}

/// On the way: the load is brought back, more is dug elsewhere, or it begins to leave the tool.
static void tick_carry(ExerciseState *state, const ExerciseSample *sample)
{
    if (cuts(sample) &&
        (!is_outside(state, sample) || state->smooth_payload > state->cycle_weight + BITE * sample->full)) {
        begin_phase(state, CYCLE_DIG);
    } else if (state->smooth_payload < DUMPING * state->cycle_weight) {
        begin_phase(state, CYCLE_DUMP);
    }
}

static void tick_dump(Exercise *exercise, const ExerciseSample *sample)
{
    ExerciseState *state = &exercise->state;
    double payload = state->smooth_payload;
    bool gone = payload < STICKING * state->cycle_weight;
    state->lowest_payload = fmin(state->lowest_payload, payload);
    bool back = !is_outside(state, sample), digs = payload > state->lowest_payload + BITE * sample->full;
    if (payload < EMPTY * sample->full || (gone && (back || (digs && cuts(sample))))) {
        if (state->opened != 0) {
            end_cycle(exercise, sample->tick);
        } else {
            lose_load(state); // it ran out on the way
        }
    } else if (back && cuts(sample)) {
        begin_phase(state, CYCLE_DIG);
    }
}

static void tick_cycle(Exercise *exercise, const ExerciseSample *sample)
{
    ExerciseState *state = &exercise->state;
    if (sample->full <= 0.0) {
        return; // nothing is carried
    }
    state->smooth_payload += (sample->payload - state->smooth_payload) * sample->dt / (PAYLOAD_LAG + sample->dt);
    weigh_load(state, sample);
    bool away = state->phase == CYCLE_CARRY || state->phase == CYCLE_DUMP;
    state->opened = state->opened != 0 || (away && (!sample->swings || sample->curl_speed < -CURLING));
    if (cuts(sample) && (state->phase == CYCLE_RETURN || state->phase == CYCLE_DIG)) {
        state->dig_x = sample->tip.x;
        state->dig_y = sample->tip.y;
    }
    switch ((CyclePhase)state->phase) {
    case CYCLE_RETURN:
        add_late_loss(state, state->smooth_payload);
        if (state->smooth_payload > state->lowest_payload + BITE * sample->full) {
            state->phase = CYCLE_DIG;
            state->trails = 0;
        }
        break;
    case CYCLE_DIG:
        tick_dig(state, sample);
        break;
    case CYCLE_CARRY:
        tick_carry(state, sample);
        break;
    case CYCLE_DUMP:
        tick_dump(exercise, sample);
        break;
    case CYCLE_PHASE_COUNT:
        break;
    }
}

static void end_exercise(Exercise *exercise, int64_t tick, ExerciseEnd end)
{
    ExerciseState *state = &exercise->state;
    if (state->closing_load > 0.0) {
        close_cycle(exercise, tick);
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

/// ---- incidents and rules -------------------------------------------------------------------------------------------
///
/// Counts incidents and applies the scene's rules to them: points that they cost, and attempts that they end.

#define STRUCK_LEAST 10.0 ///< J: a softer blow on what is to be dug free is reported once a contact

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

/// The points of a damage in an exercise, and where it is counted; NULL: the event is none.
static const double *damage_points(const SceneExercise *asked, const ExerciseEvent *event, int *index)
{
    bool truck = event->kind == EVENT_TRUCK_DAMAGED;
    if (!truck && event->kind != EVENT_FIXTURE_DAMAGED) {
        return NULL;
    }
    int owner = truck ? DAMAGE_OF_TRUCK : DAMAGE_OF_FIXTURE;
    *index = owner * DAMAGE_CLASSES + event->form;
    return &asked->damage_points[owner][event->form];
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

/// Incidents that end an attempt in any case.
static bool ends_always(Incident incident)
{
    return incident == INCIDENT_TIPPED_OVER || incident == INCIDENT_PERSON_HIT || incident == INCIDENT_PERSON_BURIED ||
           incident == INCIDENT_GAS_PIPE_BROKEN || incident == INCIDENT_CABLE_HIT || incident == INCIDENT_FLOODED;
}

/// Counts an incident while the exercise runs, and writes what it costs into its event.
static Weight count_incident(Exercise *exercise, Incident incident, ExerciseEvent *event)
{
    ExerciseState *state = &exercise->state;
    Weight weight = ends_always(incident) ? WEIGHT_END : WEIGHT_NONE;
    add_one(&state->incidents[incident]);
    int damage;
    const double *points = damage_points(&exercise->asked, event, &damage);
    if (points != NULL) {
        add_one(&state->damaged[damage]);
        event->number.points -= *points;
        weight = WEIGHT_RULE;
    }
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
        end_exercise(exercise, event->tick, EXERCISE_FAILED);
    }
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
        int damage;
        const double *damaged = damage_points(asked, &events[k], &damage);
        points += damaged != NULL ? *damaged : 0.0;
        *cause = incident < INCIDENT_COUNT && ends_always(incident) ? incident : *cause;
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
    static const char *const phrases[] = {"a truck was damaged", "something on the site was damaged"};
    for (int owner = 0; owner < DAMAGE_OWNERS; owner++) {
        int times = 0;
        double points = 0.0;
        for (int k = 0; k < DAMAGE_CLASSES; k++) {
            times += exercise->state.damaged[owner * DAMAGE_CLASSES + k];
            points += exercise->state.damaged[owner * DAMAGE_CLASSES + k] * exercise->asked.damage_points[owner][k];
        }
        if (points > 0.0) {
            snprintf(lines[count++], EXERCISE_TEXT, "-%.1f points: %s, %d time%s", points, phrases[owner], times,
                     times > 1 ? "s" : "");
        }
    }
    if (exercise->state.end == EXERCISE_FAILED) {
        snprintf(lines[count++], EXERCISE_TEXT, "no points, failed: %s", incident_phrases[exercise->state.failed_by]);
    }
    return count;
}

/// ---- questions -----------------------------------------------------------------------------------------------------

/// An answer counts when it comes; one that there is not is no answer.
static void record_answer(Exercise *exercise, const ExerciseSample *sample)
{
    ExerciseState *state = &exercise->state;
    int before = state->answer_held, question = exercise_question(exercise);
    state->answer_held = sample->answer;
    if (question < 0 || before != 0 || sample->answer < 1 ||
        sample->answer > exercise->asked.questions[question].answers_count) {
        return;
    }
    const SceneQuestion *asked = &exercise->asked.questions[question];
    bool right = sample->answer == asked->right;
    state->answers[question] = sample->answer;
    state->answered++;
    ExerciseEvent event = {.tick = sample->tick,
                           .kind = EVENT_ANSWER,
                           .form = right ? EVENT_ANSWER_RIGHT : EVENT_ANSWER_WRONG,
                           .thing = event_thing(THING_QUESTION, question, ""),
                           .number = {.count = sample->answer}};
    exercise_add_event(state, EXERCISE_EVENT_ROOM, &event);
}

/// ---- targets -------------------------------------------------------------------------------------------------------

/// Distance from the target, m; far where the machine has another heading.
static double target_distance(const SceneTarget *target, const ExerciseSample *sample)
{
    if (target->what == SCENE_TARGET_TIP) {
        return vec3_length(vec3_sub(sample->tip, vec3(target->x, target->y, target->z)));
    }
    double turn = remainder(sample->heading - target->heading, 2.0 * M_PI);
    return fabs(turn) > target->heading_tolerance ? HUGE_VAL
                                                  : same_hypot(sample->base.x - target->x, sample->base.y - target->y);
}

static void check_target(Exercise *exercise, const ExerciseSample *sample)
{
    ExerciseState *state = &exercise->state;
    if (state->targets_reached >= exercise->asked.targets_count || exercise_is_locked(exercise)) {
        state->target_since = state->time;
        return;
    }
    const SceneTarget *target = &exercise->asked.targets[state->targets_reached];
    double distance = target_distance(target, sample);
    if (distance > target->radius) {
        state->target_held = 0.0;
        return;
    }
    state->target_held += sample->dt;
    if (state->target_held < target->hold) {
        return;
    }
    double took = state->time - state->target_since;
    state->targets_reached++;
    state->target_time += took;
    state->target_error += distance;
    state->target_held = 0.0;
    state->target_since = state->time;
    ExerciseEvent event = {.tick = sample->tick,
                           .kind = EVENT_TARGET,
                           .thing = event_thing(THING_TARGET, state->targets_reached - 1, ""),
                           .number = {.x = target->x,
                                      .y = target->y,
                                      .z = target->z,
                                      .duration = took,
                                      .length = distance,
                                      .count = exercise->asked.targets_count}};
    exercise_add_event(state, EXERCISE_EVENT_ROOM, &event);
}

/// ---- steps ---------------------------------------------------------------------------------------------------------

static bool is_met(const SceneStep *step, const double values[METRIC_COUNT])
{
    double value = values[step->metric];
    return value >= step->least && value <= step->most;
}

static bool steps_are_done(const Exercise *exercise)
{
    for (int k = 0; k < exercise->asked.steps_count; k++) {
        if (exercise->state.step_tick[k] == 0) {
            return false;
        }
    }
    return exercise->asked.steps_count > 0;
}

static void store_step_starts(Exercise *exercise)
{
    double values[METRIC_COUNT];
    exercise_values(exercise, values);
    for (int k = 0; k < exercise->asked.steps_count; k++) {
        exercise->state.step_start[k] = values[exercise->asked.steps[k].metric];
    }
}

static void check_steps(Exercise *exercise, const ExerciseSample *sample)
{
    const SceneExercise *asked = &exercise->asked;
    double values[METRIC_COUNT];
    exercise_values(exercise, values);
    for (int k = 0; k < asked->steps_count; k++) {
        if (exercise->state.step_tick[k] > 0 || !is_met(&asked->steps[k], values)) {
            continue;
        }
        exercise->state.step_tick[k] = sample->tick > 0 ? sample->tick : 1;
        ExerciseEvent event = {.tick = sample->tick, .kind = EVENT_STEP, .thing = event_thing(THING_STEP, k, "")};
        exercise_add_event(&exercise->state, EXERCISE_EVENT_ROOM, &event);
    }
}

static void tick_tasks(Exercise *exercise, const ExerciseSample *sample)
{
    record_answer(exercise, sample);
    check_target(exercise, sample);
    if (exercise->asked.steps_count > 0 && exercise->state.provisional == 0) {
        check_steps(exercise, sample);
    }
}

/// ---- creation and start --------------------------------------------------------------------------------------------

#define LEFT_WHILE     5.0 ///< s in which what leaves the site is one event
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
    Exercise *exercise = zeroed_alloc(1, sizeof *exercise);
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
        zeroed_free(exercise);
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
    store_step_starts(exercise);
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

/// ---- judgement of the ground ---------------------------------------------------------------------------------------

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

/// What leaves the site in a while makes one event.
static void report_left(ExerciseState *state, const ExerciseSample *sample)
{
    int while_ticks = (int)ceil(LEFT_WHILE / sample->dt);
    if (sample->left > state->left_told && sample->tick % while_ticks == 0) {
        ExerciseEvent event = {.tick = sample->tick,
                               .kind = EVENT_SOIL_LEFT,
                               .number = {.load = sample->left - state->left_told, .total = sample->left}};
        exercise_add_event(state, EXERCISE_EVENT_ROOM, &event);
        state->left_told = sample->left;
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

/// ---- end -----------------------------------------------------------------------------------------------------------

/// A scene's steps are done, or it has none.
static bool no_step_is_due(const Exercise *exercise)
{
    return exercise->asked.steps_count == 0 || steps_are_done(exercise);
}

/// Whether the work is done, by what was measured last.
static bool is_done(const Exercise *exercise)
{
    switch (exercise->asked.kind) {
    case EXERCISE_FREE:
        break;
    case EXERCISE_TRENCH: // steps say it all: with a box in it nobody can dig on
        return exercise->asked.steps_count > 0 ? steps_are_done(exercise) : exercise->state.removed_share >= DONE_SHARE;
    case EXERCISE_TRUCK_LOADING:
        return exercise_loaded(exercise) >= exercise->asked.truck.target_mass && no_step_is_due(exercise);
    case EXERCISE_TASKS:
        return steps_are_done(exercise);
    }
    return false;
}

/// The work is done when the ground that is judged says so; at the time limit it is given time to settle.
static void check_end(Exercise *exercise, const ExerciseSample *sample)
{
    ExerciseState *state = &exercise->state;
    bool judged = exercise_judges(sample->ground) && (state->stirred == 0 || exercise_waited(exercise));
    if (judged && is_done(exercise)) {
        end_exercise(exercise, sample->tick, EXERCISE_DONE);
    } else if (state->time >= exercise->asked.time_limit && exercise->asked.kind == EXERCISE_FREE) {
        end_exercise(exercise, sample->tick, EXERCISE_TIME_UP);
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
        check_steps(exercise, sample);
        end_exercise(exercise, sample->tick, EXERCISE_TIME_UP);
    }
}

void exercise_tick(Exercise *exercise, const ExerciseSample *sample)
{
    ExerciseState *state = &exercise->state;
    add_phase_time(exercise, sample);
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
    tick_cycle(exercise, sample);
    measure_operator(state, sample);
    swing_skill_tick(&state->skill, sample->dt, sample->tip, sample->swing_speed);
    measure_limits(state, sample);
    report_left(state, sample);
    measure_settled(exercise, sample);
    tick_tasks(exercise, sample);
    if (sample->tick % exercise_look_interval(sample->dt) == 0 && state->provisional == 0) {
        score_report_losses(exercise, sample->tick);
    }
    check_end(exercise, sample);
}

void exercise_note_event(Exercise *exercise, const ExerciseEvent *event)
{
    exercise_add_event(&exercise->state, EXERCISE_EVENT_ROOM, event);
}
