/// The score is a weighted sum of shares in 0..1: the work that is done, and how well it was done. Here are also the
/// metrics by name and unit, and the lines that the screen shows.
#include "trainer/exercise/exercise_internal.h"

#include <stdio.h>

/// What counts how much, in points of 100. The quality terms only count for the share of the work that is done, so that
/// standing still earns nothing.
static const struct {
    const char *name;
    double points[3]; ///< free, trench, truck-loading
} score_weights[] = {
    {"points_work", {60, 45, 50}}, {"points_accuracy", {0, 20, 10}}, {"points_time", {20, 15, 20}},
    {"points_spill", {0, 10, 10}}, {"points_machine", {20, 10, 10}},
};
enum { TERM_WORK, TERM_ACCURACY, TERM_TIME, TERM_SPILL, TERM_MACHINE, TERM_COUNT };

#define SPILL_LIMIT  0.10 ///< share of the moved soil that leaves no points for spill
#define RELIEF_LIMIT 0.40 ///< share of the time at relief that leaves none for the machine
#define SLIP_LIMIT   0.10 ///< the same for slipping tracks
/// s of driving that relief and slip are shares of, at least: ten seconds of either cost 2 points of 100 at most.
/// Chosen; see test_trainer_exercise
#define MACHINE_TIME   600.0
#define OVERLOAD_LIMIT 0.20 ///< share over the truck's target that leaves none for accuracy: two buckets too many
#define OVERDIG_LIMIT  0.05 ///< share of the box's volume dug too deep that leaves none for accuracy
#define FREE_RATE      (100.0 / 3600.0) ///< m3/s of bank soil: full marks of free work

static double clamp01(double value)
{
    return value < 0.0 ? 0.0 : value > 1.0 ? 1.0 : value;
}

double exercise_loaded(const Exercise *exercise)
{
    double mass = -exercise->state.start_beds;
    for (int k = 0; k < SCENE_MAX_TRUCKS; k++) {
        mass += exercise->state.beds[k];
    }
    return mass;
}

double exercise_moved_volume(const Exercise *exercise)
{
    return exercise->state.moved / exercise->bank_density;
}

double exercise_work(const Exercise *exercise)
{
    switch (exercise->kind) {
    case EXERCISE_TRENCH:
        return clamp01(exercise->state.removed_share);
    case EXERCISE_TRUCK_LOADING:
        return clamp01(exercise_loaded(exercise) / exercise->truck.target_mass);
    case EXERCISE_FREE:
        break;
    }
    return clamp01(exercise_moved_volume(exercise) / (FREE_RATE * exercise->par_time));
}

/// Share of the work that is finished and as it should be: floor within the tolerance, a load that is complete and not
/// too much. What is only begun earns nothing here yet and so has nothing to lose.
static double finished_well(const Exercise *exercise)
{
    const ExerciseState *state = &exercise->state;
    if (exercise->kind == EXERCISE_TRENCH) {
        double volume = exercise->trench.length * exercise->trench.width * exercise->trench.depth;
        return clamp01(state->finished_share) * clamp01(1.0 - state->overdig / (OVERDIG_LIMIT * volume));
    }
    if (exercise->kind == EXERCISE_TRUCK_LOADING) {
        double over = exercise_loaded(exercise) / exercise->truck.target_mass - 1.0;
        return over < 0.0 ? 0.0 : clamp01(1.0 - over / OVERLOAD_LIMIT);
    }
    return exercise_work(exercise);
}

static void score_terms(const Exercise *exercise, double term[TERM_COUNT])
{
    const ExerciseState *state = &exercise->state;
    double time = state->time > 0.0 ? state->time : 1.0;
    double moved = state->moved > 1.0 ? state->moved : 1.0;
    double driven = time > MACHINE_TIME ? time : MACHINE_TIME;
    double work = exercise_work(exercise);
    term[TERM_WORK] = work;
    term[TERM_ACCURACY] = finished_well(exercise);
    // Ahead of par for the work done so far is full marks; half as fast is half.
    term[TERM_TIME] = work * clamp01(work * exercise->par_time / time);
    term[TERM_SPILL] = work * clamp01(1.0 - state->spilled / (SPILL_LIMIT * moved));
    term[TERM_MACHINE] = work * clamp01(1.0 - state->relief_time / (RELIEF_LIMIT * driven)) *
                         clamp01(1.0 - state->slip_time / (SLIP_LIMIT * driven));
}

/// Points of the work alone.
static double work_points(const Exercise *exercise)
{
    double term[TERM_COUNT], points = 0.0;
    score_terms(exercise, term);
    for (int k = 0; k < TERM_COUNT; k++) {
        points += score_weights[k].points[exercise->kind] * term[k];
    }
    return points;
}

double exercise_score(const Exercise *exercise)
{
    bool failed = exercise->state.end == EXERCISE_FAILED;
    return failed ? 0.0 : fmax(0.0, work_points(exercise) - exercise_deduction(exercise));
}

/// A list of metrics under construction.
typedef struct MetricList {
    ExerciseMetric *metrics;
    int count;
} MetricList;

static void add(MetricList *list, const char *name, const char *unit, double value)
{
    if (list->count < EXERCISE_MAX_METRICS) {
        ExerciseMetric *metric = &list->metrics[list->count++];
        *metric = (ExerciseMetric){.value = value};
        snprintf(metric->name, sizeof metric->name, "%s", name);
        snprintf(metric->unit, sizeof metric->unit, "%s", unit);
    }
}

static void add_trench(MetricList *list, const ExerciseState *state)
{
    add(list, "removed_share", "1", state->removed_share);
    add(list, "mean_depth_m", "m", state->mean_depth);
    add(list, "dug_width_m", "m", state->dug_width);
    add(list, "dug_length_m", "m", state->dug_length);
    add(list, "worst_depth_error_m", "m", state->worst_error);
    add(list, "rms_depth_error_m", "m", state->rms_error);
    add(list, "within_tolerance_share", "1", state->within_share);
    add(list, "overdig_m3", "m3", state->overdig);
    add(list, "outside_dug_m3", "m3", state->outside_dug);
    add(list, "dumped_kg", "kg", state->dumped);
}

static void add_incidents(MetricList *list, const ExerciseState *state)
{
    for (int k = 0; k < INCIDENT_COUNT; k++) {
        char name[32];
        snprintf(name, sizeof name, "%s_count", incident_names[k]);
        add(list, name, "1", (double)state->incidents[k]);
    }
}

int exercise_metrics(const Exercise *exercise, ExerciseMetric metrics[EXERCISE_MAX_METRICS])
{
    const ExerciseState *state = &exercise->state;
    MetricList list = {metrics, 0};
    double cycles = state->cycles > 0 ? (double)state->cycles : 1.0, time = state->time > 0.0 ? state->time : 1.0;
    double working = state->working_time > 0.0 ? state->working_time : 1.0;
    add(&list, "score", "1", exercise_score(exercise));
    double term[TERM_COUNT];
    score_terms(exercise, term);
    for (int k = 0; k < TERM_COUNT; k++) {
        add(&list, score_weights[k].name, "1", score_weights[k].points[exercise->kind] * term[k]);
    }
    add(&list, "points_incidents", "1", exercise_score(exercise) - work_points(exercise));
    add(&list, "time_s", "s", state->time);
    add(&list, "cycles", "1", (double)state->cycles);
    add(&list, "moved_kg", "kg", state->moved);
    add(&list, "production_m3_per_h", "m3/h", exercise_moved_volume(exercise) / time * 3600.0);
    add(&list, "mean_bucket_kg", "kg", state->moved / cycles);
    static const char *const moments[CARRIED_COUNT] = {"carried_curled_kg", "carried_clear_kg", "carried_swing_kg",
                                                       "carried_dump_kg"};
    for (int k = 0; k < CARRIED_COUNT; k++) {
        add(&list, moments[k], "kg", state->carried[k] / cycles);
    }
    double cycle_sum = 0.0;
    for (int k = 0; k < CYCLE_PHASE_COUNT; k++) {
        cycle_sum += state->phase_time[k];
    }
    add(&list, "mean_cycle_s", "s", state->cycles > 0 ? cycle_sum / cycles : 0.0);
    add(&list, "dig_s", "s", state->phase_time[CYCLE_DIG] / cycles);
    add(&list, "swing_s", "s", state->phase_time[CYCLE_SWING] / cycles);
    add(&list, "dump_s", "s", state->phase_time[CYCLE_DUMP] / cycles);
    add(&list, "return_s", "s", state->phase_time[CYCLE_RETURN] / cycles);
    if (exercise->kind != EXERCISE_FREE) {
        add(&list, "spilled_kg", "kg", state->spilled);
    }
    if (exercise->kind == EXERCISE_TRENCH) {
        add_trench(&list, state);
    }
    if (exercise->kind == EXERCISE_TRUCK_LOADING) {
        add(&list, "loaded_kg", "kg", exercise_loaded(exercise));
        add(&list, "target_share", "1", exercise_loaded(exercise) / exercise->truck.target_mass);
    }
    if (exercise->hauls) {
        double loads = state->truck_loads > 0 ? (double)state->truck_loads : 1.0;
        add(&list, "delivered_kg", "kg", state->delivered);
        add(&list, "truck_loads", "1", (double)state->truck_loads);
        add(&list, "passes_per_truck", "1", (double)state->truck_passes / loads);
    }
    add(&list, "held_s", "s", state->held);
    add(&list, "relief_s", "s", state->relief_time);
    add(&list, "track_slip_s", "s", state->slip_time);
    add(&list, "stall_s", "s", state->stall_time);
    add(&list, "tip_s", "s", state->tip_time);
    add(&list, "lever_reversals", "1", (double)state->reversals);
    add(&list, "together_share", "1", state->together_time / working);
    add(&list, "tip_path_m", "m", state->tip_path);
    add(&list, "fuel_kg", "kg", state->fuel_used);
    add_incidents(&list, state);
    add(&list, "events_lost", "1", (double)state->events_lost);
    return list.count;
}

int exercise_progress(const Exercise *exercise, char lines[EXERCISE_MAX_PROGRESS][EXERCISE_TEXT])
{
    const ExerciseState *state = &exercise->state;
    int n = 0;
    if (exercise->kind == EXERCISE_TRENCH) {
        const SceneTrench *trench = &exercise->trench;
        snprintf(lines[n++], EXERCISE_TEXT, "Depth %.2f of %.2f m", state->mean_depth, trench->depth);
        snprintf(lines[n++], EXERCISE_TEXT, "Dug out %.0f %%, width %.2f of %.2f m", 100.0 * state->removed_share,
                 state->dug_width, trench->width);
    }
    if (exercise->kind == EXERCISE_TRUCK_LOADING) {
        snprintf(lines[n++], EXERCISE_TEXT, "Loaded %.1f of %.1f t", 0.001 * exercise_loaded(exercise),
                 0.001 * exercise->truck.target_mass);
    }
    snprintf(lines[n++], EXERCISE_TEXT, "Cycles %lld, last %.1f s", (long long)state->cycles, state->last_cycle_time);
    double time = state->time > 0.0 ? state->time : 1.0;
    snprintf(lines[n++], EXERCISE_TEXT, "Moved %.1f t, %.0f m3/h", 0.001 * state->moved,
             exercise_moved_volume(exercise) / time * 3600.0);
    if (exercise->kind != EXERCISE_FREE) {
        snprintf(lines[n++], EXERCISE_TEXT, "Spilled %.0f kg", state->spilled);
    }
    if (state->end == EXERCISE_FAILED) {
        snprintf(lines[n++], EXERCISE_TEXT, "Failed: %s", incident_phrases[state->failed_by]);
    } else if (state->end != EXERCISE_RUNNING) {
        static const char *const ends[] = {[EXERCISE_DONE] = "Finished",
                                           [EXERCISE_TIME_UP] = "Time is up",
                                           [EXERCISE_JUDGING] = "Time is up: the soil settles"};
        snprintf(lines[n++], EXERCISE_TEXT, "%s", ends[state->end]);
    }
    return n;
}
