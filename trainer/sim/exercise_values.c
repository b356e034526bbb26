/// Figures of an exercise by name and unit, its score, the events of lost points, what the rows of the score stand at,
/// and the lines that the screen shows.
#include "trainer/sim/exercise_state.h"

#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/core/language.h"
#include "data/core/quantity.h"
#include "data/core/constants.h"

/// s of driving that relief and slip are shares of, at least, so that ten seconds of either cost little. Chosen; see
/// test_sim_exercise
#define MACHINE_TIME 600.0

static double at_most_one(double value)
{
    return value > 1.0 ? 1.0 : value;
}

double exercise_loaded(const Exercise *exercise)
{
    double mass = -exercise->state.start_beds;
    for (int k = 0; k < SCENE_MAX_TRUCKS; k++) {
        mass += exercise->state.beds[k];
    }
    return mass;
}

/// kg of soil that was moved: by the ledger; of a free scene, which marks nothing, what was hauled in full cycles.
static double moved_mass(const Exercise *exercise)
{
    return exercise->asked.kind == EXERCISE_FREE ? exercise->state.hauled : exercise->state.moved;
}

/// m3/s, bank volume, mean since the start: soil that was delivered, which is what was moved less what was spilled.
static double production(const Exercise *exercise)
{
    const ExerciseState *state = &exercise->state;
    bool free = exercise->asked.kind == EXERCISE_FREE;
    double volume = free ? state->hauled / exercise->bank_density : fmax(0.0, state->moved_bank - state->spilled_bank);
    return state->time > 0.0 ? volume / state->time : 0.0;
}

static void fill_cycles(const Exercise *exercise, double values[METRIC_COUNT])
{
    const ExerciseState *state = &exercise->state;
    double cycles = state->cycles > 0 ? (double)state->cycles : 1.0;
    double sum = 0.0;
    for (int k = 0; k < WORK_PHASE_COUNT; k++) {
        sum += state->phase_time[k];
    }
    values[METRIC_MOVED] = moved_mass(exercise);
    values[METRIC_PRODUCTION] = production(exercise) * 3600.0;
    values[METRIC_MEAN_BUCKET] = state->hauled / cycles;
    values[METRIC_CARRIED_CURLED] = state->carried[CARRIED_CURLED] / cycles;
    values[METRIC_CARRIED_CLEAR] = state->carried[CARRIED_CLEAR] / cycles;
    values[METRIC_CARRIED_SWING] = state->carried[CARRIED_SWING] / cycles;
    values[METRIC_CARRIED_DUMP] = state->carried[CARRIED_DUMP] / cycles;
    values[METRIC_MEAN_CYCLE] = sum / cycles;
    values[METRIC_DIG_TIME] = state->phase_time[WORK_DIG] / cycles;
    values[METRIC_SWING_TIME] = state->phase_time[WORK_SWING_LOADED] / cycles;
    values[METRIC_DUMP_TIME] = state->phase_time[WORK_DUMP] / cycles;
    values[METRIC_RETURN_TIME] = state->phase_time[WORK_SWING_EMPTY] / cycles;
}

static void fill_ground(const Exercise *exercise, double values[METRIC_COUNT])
{
    const ExerciseState *state = &exercise->state;
    const SceneExercise *asked = &exercise->asked;
    values[METRIC_SPILLED_SHARE] = state->moved > 0.0 ? at_most_one(state->spilled / state->moved) : 0.0;
    double rest = fmax(0.0, state->moved - state->spilled);
    values[METRIC_DELIVERED_SHARE] = state->moved > 0.0 ? rest / state->moved : 1.0; // nothing lies elsewhere
    values[METRIC_STRUCK] = 1e-3 * state->struck;
    values[METRIC_ROCKS_COUNT] = state->rocks[ROCK_COUNT_FIGURE];
    values[METRIC_LARGEST_ROCK] = state->rocks[ROCK_LARGEST_FIGURE];
    values[METRIC_OVERSIZE_SHARE] = state->rocks[ROCK_OVERSIZE_FIGURE];
    values[METRIC_ROCKS_PLACED] = state->rocks_placed[0];
    values[METRIC_COMPACTION_SHARE] = state->compacted[0];
    values[METRIC_RIPPED_SHARE] = state->ripping[RIP_SHARE_FIGURE];
    values[METRIC_RIPPED_DEPTH] = state->ripping[RIP_DEPTH_FIGURE];
    values[METRIC_RIPPER_DRAGGED] = state->ripping[RIP_DRAGGED_FIGURE];
    if (asked->kind == EXERCISE_TRENCH) {
        values[METRIC_OVERDIG_SHARE] =
            state->overdig / (asked->trench.length * asked->trench.width * asked->trench.depth);
        values[METRIC_DUMPED] = state->dumped;
    }
}

static void fill_loads(const Exercise *exercise, double values[METRIC_COUNT])
{
    const double *loads = exercise->state.loads;
    double count = exercise->asked.loads_count > 0 ? exercise->asked.loads_count : 1.0;
    values[METRIC_LOADS_LIFTED] = loads[LOAD_LIFTED_FIGURE] / count;
    values[METRIC_LOADS_PLACED] = loads[LOAD_PLACED_FIGURE] / count;
    values[METRIC_LOAD_OFFSET] = loads[LOAD_OFFSET_FIGURE];
    values[METRIC_LOAD_HEADING] = loads[LOAD_HEADING_FIGURE] / UNIT_DEG;
    values[METRIC_LOAD_SWING] = loads[LOAD_SWING_FIGURE] / UNIT_DEG;
    values[METRIC_LOAD_IMPACT] = loads[LOAD_IMPACT_FIGURE];
    values[METRIC_TIPPING_SHARE] = loads[LOAD_SHARE_FIGURE];
}

static void fill_before_work(const ExerciseState *state, double values[METRIC_COUNT])
{
    values[METRIC_LOOKED_SHARE] = state->walk[WALK_LOOKED];
    values[METRIC_FOUND_SHARE] = state->walk[WALK_FOUND];
    values[METRIC_FALSE_REPORTS] = state->walk[WALK_FALSE];
    values[METRIC_EARLY_START] = state->walk[WALK_EARLY];
    values[METRIC_SEATED] = state->walk[WALK_SEATED];
    values[METRIC_ENGINE_RUNNING] = state->start_up[START_RUNNING];
    values[METRIC_LEVER_DOWN] = state->start_up[START_LEVER];
    values[METRIC_HORN_FIRST] = state->start_up[START_HORN];
    values[METRIC_WARM_SHARE] = state->start_up[START_WARM];
    values[METRIC_COLD_RELIEF] = state->start_up[START_COLD];
    values[METRIC_PARKED] = state->start_up[START_PARKED];
    values[METRIC_TOOLS_LAID] = state->tools[TOOL_LAID_FIGURE];
    values[METRIC_TOOLS_TAKEN] = state->tools[TOOL_TAKEN_FIGURE];
    values[METRIC_TOOLS_DROPPED] = state->tools[TOOL_DROPPED_FIGURE];
}

static void fill_trucks(const Exercise *exercise, double values[METRIC_COUNT])
{
    const ExerciseState *state = &exercise->state;
    if (exercise->asked.kind == EXERCISE_TRUCK_LOADING) {
        double loaded = exercise_loaded(exercise), share = loaded / exercise->asked.truck.target_mass;
        values[METRIC_LOADED] = loaded;
        values[METRIC_TARGET_SHARE] = share;
        values[METRIC_COMPLETE_SHARE] = share >= 1.0 ? 1.0 : 0.0;
        values[METRIC_OVERLOAD_SHARE] = share > 1.0 ? share - 1.0 : 0.0;
    }
    double loads = state->truck_loads > 0 ? (double)state->truck_loads : 1.0;
    values[METRIC_PASSES] = (double)state->truck_passes / loads;
}

static void fill_driving(const ExerciseState *state, double values[METRIC_COUNT])
{
    double working = state->working_time > 0.0 ? state->working_time : 1.0;
    double driven = state->time > MACHINE_TIME ? state->time : MACHINE_TIME;
    static const Metric totals[WORK_PHASE_COUNT] = {
        [WORK_IDLE] = METRIC_IDLE_TOTAL, [WORK_TRAVEL] = METRIC_TRAVEL_TOTAL,
        [WORK_DIG] = METRIC_DIG_TOTAL,   [WORK_SWING_LOADED] = METRIC_SWING_TOTAL,
        [WORK_DUMP] = METRIC_DUMP_TOTAL, [WORK_SWING_EMPTY] = METRIC_RETURN_TOTAL};
    for (int k = 0; k < WORK_PHASE_COUNT; k++) {
        values[totals[k]] = state->phase_total[k];
    }
    values[METRIC_RELIEF_SHARE] = state->relief_time / driven;
    values[METRIC_SLIP_SHARE] = state->slip_time / driven;
    values[METRIC_TOGETHER_SHARE] = state->together_time / working;
    values[METRIC_OVERSHOOT] = swing_skill_overshoot(&state->skill) / UNIT_DEG;
    values[METRIC_SMOOTHNESS] = swing_skill_smoothness(&state->skill);
    for (int k = 0; k < INCIDENT_COUNT; k++) {
        values[METRIC_INCIDENT_TOUCH + k] = (double)state->incidents[k];
    }
}

#define NOT_DONE 0.99 ///< most progress of a step that is not done

/// How far a step has come, 0..1, from where its figure stood before the start; 1 only once it is done.
static double step_progress(const Exercise *exercise, int index, const double values[METRIC_COUNT])
{
    if (exercise->state.step_tick[index] > 0) {
        return 1.0;
    }
    const SceneStep *step = &exercise->asked.steps[index];
    double start = exercise->state.step_start[index];
    double goal = step->least > -SCENE_NO_LIMIT ? step->least : step->most;
    double share = goal == start ? 0.0 : (values[step->metric] - start) / (goal - start);
    return share < 0.0 ? 0.0 : share > NOT_DONE ? NOT_DONE : share;
}

/// Those that steps name must be there already.
static void fill_tasks(const Exercise *exercise, double values[METRIC_COUNT])
{
    const ExerciseState *state = &exercise->state;
    const SceneExercise *asked = &exercise->asked;
    double reached = state->targets_reached > 0 ? (double)state->targets_reached : 1.0;
    values[METRIC_TARGETS_SHARE] =
        asked->targets_count > 0 ? (double)state->targets_reached / asked->targets_count : 0.0;
    values[METRIC_TARGET_TIME] = state->target_time / reached;
    values[METRIC_TARGET_ERROR] = state->target_error / reached;
    int right = 0, done = 0;
    for (int k = 0; k < asked->questions_count; k++) {
        right += state->answers[k] == asked->questions[k].right;
    }
    values[METRIC_QUESTIONS_SHARE] = asked->questions_count > 0 ? (double)right / asked->questions_count : 0.0;
    double progress = 0.0;
    for (int k = 0; k < asked->steps_count; k++) {
        done += state->step_tick[k] > 0;
        progress += step_progress(exercise, k, values);
    }
    values[METRIC_STEPS_DONE] = (double)done;
    values[METRIC_STEPS_SHARE] = asked->steps_count > 0 ? progress / asked->steps_count : 0.0;
}

/// Share of the work that is done.
static double work_share(const Exercise *exercise, const double values[METRIC_COUNT])
{
    double share = 0.0;
    switch (exercise->asked.kind) {
    case EXERCISE_FREE:
        break;
    case EXERCISE_TRENCH:
        share = values[METRIC_REMOVED_SHARE];
        break;
    case EXERCISE_TRUCK_LOADING:
        share = values[METRIC_TARGET_SHARE];
        break;
    case EXERCISE_TASKS:
        share = values[METRIC_STEPS_SHARE];
        break;
    }
    return share < 0.0 ? 0.0 : at_most_one(share);
}

/// Fills every figure but those of the score.
static void exercise_measure(const Exercise *exercise, double values[METRIC_COUNT])
{
    const ExerciseState *state = &exercise->state;
    memset(values, 0, METRIC_COUNT * sizeof *values);
#define F(type, name, low, high, unit)
#define M(type, name, metric, low, high, unit) values[METRIC_##metric] = (double)state->name;
#define A(type, name, count, low, high, unit)
    EXERCISE_FIELDS(F, M, A)
#undef F
#undef M
#undef A
    fill_cycles(exercise, values);
    fill_ground(exercise, values);
    fill_loads(exercise, values);
    fill_before_work(state, values);
    fill_trucks(exercise, values);
    fill_driving(state, values);
    fill_tasks(exercise, values);
    values[METRIC_WORK_SHARE] = work_share(exercise, values);
    double time = state->time > 0.0 ? state->time : 1.0;
    values[METRIC_PACE_SHARE] = at_most_one(values[METRIC_WORK_SHARE] * exercise->asked.par_time / time);
}

void exercise_values(const Exercise *exercise, double values[METRIC_COUNT])
{
    exercise_measure(exercise, values);
    ScoreRow rows[SCENE_MAX_SCORES];
    int count = score_rows(&exercise->asked, values, rows);
    double sum = 0.0;
    for (int k = 0; k < count; k++) {
        values[METRIC_POINTS_WORK + (int)exercise->asked.scores[k].group] += rows[k].points;
        sum += rows[k].points;
    }
    Incident cause = exercise_cause(exercise);
    double taken = cause < INCIDENT_COUNT ? sum : fmin(sum, exercise_deduction(exercise));
    values[METRIC_SCORE] = score_total(sum, taken, cause);
    values[METRIC_POINTS_INCIDENTS] = -taken;
    values[METRIC_FINISHED] = exercise_is_finished(exercise) ? 1.0 : 0.0;
    values[METRIC_PASSED] = score_judge(&exercise->asked, values, cause).kind == VERDICT_PASSED ? 1.0 : 0.0;
}

int exercise_metrics(const Exercise *exercise, ExerciseMetric metrics[EXERCISE_MAX_METRICS])
{
    double values[METRIC_COUNT];
    exercise_values(exercise, values);
    int count = 0;
    for (int k = 0; k < METRIC_COUNT; k++) {
        const MetricInfo *info = &metric_infos[k];
        if (scene_has_part(&exercise->asked, info->part)) {
            ExerciseMetric *metric = &metrics[count++];
            *metric = (ExerciseMetric){.value = values[k]};
            snprintf(metric->name, sizeof metric->name, "%s", info->name);
            snprintf(metric->unit, sizeof metric->unit, "%s", info->unit);
        }
    }
    return count;
}

/// ---- the score -----------------------------------------------------------------------------------------------------

#define POINTS_STEP 1.0 ///< points lost, or won back, that make an event

double exercise_score(const Exercise *exercise)
{
    double values[METRIC_COUNT];
    exercise_values(exercise, values);
    return values[METRIC_SCORE];
}

int exercise_score_rows(const Exercise *exercise, ScoreRow rows[SCENE_MAX_SCORES])
{
    double values[METRIC_COUNT];
    exercise_values(exercise, values);
    return score_rows(&exercise->asked, values, rows);
}

bool exercise_is_passed(const Exercise *exercise)
{
    double values[METRIC_COUNT];
    exercise_values(exercise, values);
    return values[METRIC_PASSED] > 0.0;
}

void exercise_verdict(const Exercise *exercise, const TextReader *reader, char text[SCORE_VERDICT])
{
    double values[METRIC_COUNT];
    exercise_values(exercise, values);
    Verdict verdict = score_judge(&exercise->asked, values, exercise_cause(exercise));
    score_verdict(&exercise->asked, values, &verdict, reader, text);
}

/// ---- what was lost -------------------------------------------------------------------------------------------------

/// Rows of which less is better: they start with all points, and lose them.
static bool loses_points(const SceneScore *score)
{
    return score->full < score->zero;
}

/// Points that a row has lost of those that it could have by now.
static double lost_points(const SceneScore *score, const ScoreRow *row)
{
    return score->weight * row->scale * (1.0 - row->share);
}

void score_start(Exercise *exercise)
{
    ScoreRow rows[SCENE_MAX_SCORES];
    int count = exercise_score_rows(exercise, rows);
    for (int k = 0; k < count; k++) {
        exercise->state.lost_told[k] = lost_points(&exercise->asked.scores[k], &rows[k]);
    }
}

void score_report_losses(Exercise *exercise, int64_t tick)
{
    ScoreRow rows[SCENE_MAX_SCORES];
    int count = exercise_score_rows(exercise, rows);
    for (int k = 0; k < count; k++) {
        const SceneScore *score = &exercise->asked.scores[k];
        double lost = lost_points(score, &rows[k]), points = exercise->state.lost_told[k] - lost;
        if (!loses_points(score) || fabs(points) < POINTS_STEP) {
            continue;
        }
        exercise->state.lost_told[k] = lost;
        ExerciseEvent event = {.tick = tick,
                               .kind = EVENT_POINTS,
                               .thing = event_thing(THING_SCORE, k, metric_infos[score->metric].name),
                               .number = {.points = points}};
        exercise_add_event(&exercise->state, EXERCISE_EVENT_ROOM, &event);
    }
}

/// ---- how the rows of the score stand -------------------------------------------------------------------------------

#define MOST_AMOUNT 1e30 ///< what a row may ask for is written as a float

/// Sums of which a figure is a mean or a share.
static const struct RowSum {
    Metric metric;
    size_t field; ///< offset of a double in the state
} row_sums[] = {
    {METRIC_SPILLED_SHARE, offsetof(ExerciseState, spilled)},
    {METRIC_OVERDIG_SHARE, offsetof(ExerciseState, overdig)},
    {METRIC_RELIEF_SHARE, offsetof(ExerciseState, relief_time)},
    {METRIC_SLIP_SHARE, offsetof(ExerciseState, slip_time)},
    {METRIC_TARGET_ERROR, offsetof(ExerciseState, target_error)},
    {METRIC_TARGET_TIME, offsetof(ExerciseState, target_time)},
    {METRIC_OVERSHOOT, offsetof(ExerciseState, skill.overshoot)},
    {METRIC_DIG_TIME, offsetof(ExerciseState, phase_time[WORK_DIG])},
    {METRIC_SWING_TIME, offsetof(ExerciseState, phase_time[WORK_SWING_LOADED])},
    {METRIC_DUMP_TIME, offsetof(ExerciseState, phase_time[WORK_DUMP])},
    {METRIC_RETURN_TIME, offsetof(ExerciseState, phase_time[WORK_SWING_EMPTY])},
};

/// The sum behind a figure; without one the figure itself.
static double sum_of(const ExerciseState *state, Metric metric, double value)
{
    if (metric == METRIC_SMOOTHNESS) {
        return -state->skill.smoothness;
    }
    if (metric == METRIC_TOGETHER_SHARE) {
        return state->working_time - state->together_time;
    }
    for (size_t k = 0; k < sizeof row_sums / sizeof *row_sums; k++) {
        if (row_sums[k].metric == metric) {
            memcpy(&value, (const char *)state + row_sums[k].field, sizeof value);
        }
    }
    return value;
}

/// What the loads of all cycles lacked to the row's full mark; below 0 where there was more.
static double lacking_loads(const ExerciseState *state, const SceneScore *score, double mean)
{
    return (double)state->cycles * (score->full - mean);
}

static double row_amount(const Exercise *exercise, const SceneScore *score, const double values[METRIC_COUNT])
{
    const ExerciseState *state = &exercise->state;
    double value = values[score->metric];
    if (score_is_pace(score->metric)) {
        return values[METRIC_WORK_SHARE];
    }
    if (score_is_load(score->metric)) {
        return lacking_loads(state, score, value);
    }
    if (score->metric == METRIC_MEAN_CYCLE) {
        return value * (double)state->cycles;
    }
    if (score->metric == METRIC_QUESTIONS_SHARE) {
        return state->answered - value * exercise->asked.questions_count;
    }
    return sum_of(state, score->metric, value);
}

void exercise_stand(const Exercise *exercise, ScoreStand *stand)
{
    double values[METRIC_COUNT];
    exercise_values(exercise, values);
    memset(stand->amount, 0, sizeof stand->amount);
    stand->work = (float)values[METRIC_WORK_SHARE];
    for (int k = 0; k < exercise->asked.scores_count; k++) {
        double amount = row_amount(exercise, &exercise->asked.scores[k], values);
        stand->amount[k] = (float)fmax(-MOST_AMOUNT, fmin(MOST_AMOUNT, amount));
    }
}

void score_trail_add(ScoreTrail *trail, const Exercise *exercise, int64_t tick)
{
    if (trail->count == trail->capacity) {
        int64_t capacity = trail->capacity > 0 ? 2 * trail->capacity : 4096;
        ScoreStand *stands = realloc(trail->stands, (size_t)capacity * sizeof *stands);
        if (stands == NULL) {
            return;
        }
        trail->stands = stands;
        trail->capacity = capacity;
    }
    ScoreStand *stand = &trail->stands[trail->count++];
    stand->tick = tick;
    exercise_stand(exercise, stand);
}

void score_trail_free(ScoreTrail *trail)
{
    free(trail->stands);
    *trail = (ScoreTrail){0};
}

/// ---- the screen ----------------------------------------------------------------------------------------------------

/// Lines under construction; those that there is no room for are left out.
typedef struct Lines {
    char (*text)[EXERCISE_TEXT];
    int count;
} Lines;

static void add_line(Lines *lines, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add_line(Lines *lines, const char *format, ...)
{
    if (lines->count < EXERCISE_MAX_PROGRESS) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(lines->text[lines->count++], EXERCISE_TEXT, format, arguments);
        va_end(arguments);
    }
}

/// How it ended, or the step that is due.
static void add_stand(const Exercise *exercise, const SceneExercise *shown, Lines *lines)
{
    const ExerciseState *state = &exercise->state;
    static const char *const ends[] = {[EXERCISE_DONE] = TEXT("Finished"),
                                       [EXERCISE_TIME_UP] = TEXT("Time is up"),
                                       [EXERCISE_JUDGING] = TEXT("Time is up: the soil settles")};
    if (state->end == EXERCISE_FAILED) {
        add_line(lines, language_text("Failed: %s"), language_text(incident_phrases[state->failed_by]));
    } else if (state->end != EXERCISE_RUNNING) {
        add_line(lines, "%s", language_text(ends[state->end]));
    } else {
        int due = 0;
        while (due < exercise->asked.steps_count && state->step_tick[due] > 0) {
            due++;
        }
        if (due < exercise->asked.steps_count) {
            add_line(lines, "%d/%d %s", due + 1, exercise->asked.steps_count, shown->steps[due].text);
        }
    }
}

static void add_surface(const Exercise *exercise, TextUnits units, Lines *lines)
{
    const ExerciseState *state = &exercise->state;
    const SceneSurface *surface = &exercise->asked.surface;
    double design;
    if (design_height(exercise->surface.surface, state->tip_x, state->tip_y, &design)) {
        add_line(lines, language_text("Edge %s over the design"),
                 quantity(QUANTITY_RISE, state->tip_z - design, units).text);
    }
    if (scene_has_part(&exercise->asked, METRIC_OF_SURFACE)) {
        add_line(lines, language_text("Surface %.0f %% within %s"), 100.0 * state->surface_within,
                 quantity(QUANTITY_FINE, surface->tolerance, units).text);
    }
    if (surface->compaction > 0.0) {
        add_line(lines, language_text("Tamped %.0f %% of the fill"), 100.0 * state->compacted[0]);
    }
}

int exercise_progress(const Exercise *exercise, const SceneExercise *shown, TextUnits units,
                      char lines[EXERCISE_MAX_PROGRESS][EXERCISE_TEXT])
{
    const ExerciseState *state = &exercise->state;
    const SceneExercise *asked = &exercise->asked;
    Lines list = {lines, 0};
    add_stand(exercise, shown == NULL ? asked : shown, &list);
    if (asked->kind == EXERCISE_TRENCH) {
        add_line(&list, language_text("Depth %s of %s"), quantity(QUANTITY_LENGTH, state->mean_depth, units).number,
                 quantity(QUANTITY_LENGTH, asked->trench.depth, units).text);
        add_line(&list, language_text("Dug out %.0f %%, width %s of %s"), 100.0 * state->removed_share,
                 quantity(QUANTITY_LENGTH, state->dug_width, units).number,
                 quantity(QUANTITY_LENGTH, asked->trench.width, units).text);
    }
    if (asked->kind == EXERCISE_TRUCK_LOADING) {
        add_line(&list, language_text("Loaded %s of %s"),
                 quantity(QUANTITY_TONNES, exercise_loaded(exercise), units).number,
                 quantity(QUANTITY_TONNES, asked->truck.target_mass, units).text);
    }
    add_surface(exercise, units, &list);
    if (asked->rip.depth > 0.0) {
        add_line(&list, language_text("Ripped %.0f %% of %s"), 100.0 * state->ripping[RIP_SHARE_FIGURE],
                 quantity(QUANTITY_LENGTH, asked->rip.depth, units).text);
    }
    if (exercise->expose_length > 0.0) {
        add_line(&list, language_text("Bare %.0f %% of %s"), 100.0 * state->exposed,
                 quantity(QUANTITY_LENGTH, exercise->expose_length, units).text);
        add_line(&list, language_text("Edge %s over the crown"),
                 quantity(QUANTITY_RISE, state->tip_z - exercise->expose_crown, units).text);
    }
    if (asked->targets_count > 0) {
        int next = state->targets_reached + 1;
        add_line(&list, language_text("Target %d of %d"), next < asked->targets_count ? next : asked->targets_count,
                 asked->targets_count);
    }
    bool hauls = asked->kind == EXERCISE_TRENCH || asked->kind == EXERCISE_TRUCK_LOADING;
    if (hauls || state->cycles > 0) {
        add_line(&list, language_text("Cycles %lld, last %s s"), (long long)state->cycles,
                 quantity_number(state->last_cycle_time, 1).text);
        add_line(&list, language_text("Moved %s, %s"), quantity(QUANTITY_TONNES, moved_mass(exercise), units).text,
                 quantity(QUANTITY_RATE, production(exercise), units).text);
    }
    if (scene_has_part(asked, METRIC_OF_WORK)) {
        add_line(&list, language_text("Spilled %s"), quantity(QUANTITY_MASS, state->spilled, units).text);
    }
    return list.count;
}
