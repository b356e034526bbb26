/// Compares the solvers: how far each is off in every experiment, in units of the tolerances, beside what a tick of the
/// same load of grains at rest costs it (median of the wall clock, neighbour search included).
#include "tests/validation/command/compare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/validation/harness/child.h"
#include "tests/validation/rigs/soil/apparatus.h"

enum { FULL_SIDE = 16, QUICK_SIDE = 6, LOAD_LAYERS = 40, SETTLING_TICKS = 180, TIMED_TICKS = 60 };

static void fill_load(Run *run, Soil *soil, int side, double radius)
{
    double step = 2.1 * radius;
    for (int k = 0; k < side * side * LOAD_LAYERS; k++) {
        Vec3 at = vec3((k % side - 0.5 * (side - 1)) * step + 0.1 * radius * (run_random(run) - 0.5),
                       (k / side % side - 0.5 * (side - 1)) * step + 0.1 * radius * (run_random(run) - 0.5),
                       (k / (side * side) + 0.6) * step);
        soil_add_particle(soil, at, vec3(0, 0, 0), radius, 0, grain_mass(radius));
    }
}

/// The same load for every solver: grains at rest in a box; the median of what a tick takes, neighbour search included.
static bool run_load(Run *run)
{
    const double radius = 0.05;
    int side = run_quick(run) ? QUICK_SIDE : FULL_SIDE;
    SoilParams grains = grain_soil(2e5, 0.5, 0.3);
    SceneParams scene = run_scene(run, &grains, side * side * LOAD_LAYERS, 2.0);
    Soil *soil = run_create_soil(run, &scene);
    if (soil == NULL) {
        return false;
    }
    double width = 2.1 * radius * (side + 0.6);
    ToolShape shape = box_shape(width, width, 2.2 * radius * LOAD_LAYERS);
    SoilTool box = still_tool(&shape, vec3(0, 0, 0));
    fill_load(run, soil, side, radius);
    for (int tick = 0; tick < SETTLING_TICKS; tick++) {
        run_tick(soil, &scene, &box, 1, NULL);
    }
    double times[TIMED_TICKS];
    for (int tick = 0; tick < TIMED_TICKS; tick++) {
        double start = wall_milliseconds();
        run_tick(soil, &scene, &box, 1, NULL);
        times[tick] = wall_milliseconds() - start;
    }
    run_note(run, "particles", "", soil_get_particles(soil).count);
    run_note(run, "a tick", "ms", share_below(times, TIMED_TICKS, 0.5));
    soil_destroy(soil);
    return true;
}

static const Experiment load = {.name = "load", .title = "grains at rest", .law = "none", .run = run_load};

/// Milliseconds a tick of the load; NaN when it could not be measured.
static double measure_load(const RunRequest *request, SoilSolver solver, int *particles)
{
    RunRequest own = *request;
    own.experiment = &load;
    own.solver = solver;
    own.setting_count = 0;
    json_t *run = child_run(&own), *results = json_object_get(run, "results");
    const json_t *cost = json_object_get(json_array_get(results, 1), "measured");
    double time = json_is_number(cost) ? json_number_value(cost) : nan("");
    *particles = (int)json_number_value(json_object_get(json_array_get(results, 0), "measured"));
    json_decref(run);
    return time;
}

/// Accuracy of one solver in one experiment.
typedef struct Accuracy {
    int judged, good;
    double largest; ///< error in tolerances; HUGE_VAL when a run failed or a figure could not be measured
    double seconds; ///< the runs took, wall clock
} Accuracy;

/// Distance from the expected value in tolerances; of a result with one bound the ratio of bound and figure; 1 = just
/// within. HUGE_VAL when it could not be measured, and of one that must be met exactly and is not.
static double error_of(const json_t *result)
{
    const json_t *measured = json_object_get(result, "measured"), *tolerance = json_object_get(result, "tolerance");
    const json_t *least = json_object_get(result, "least"), *most = json_object_get(result, "most");
    double value = json_number_value(measured), error;
    if (!json_is_number(measured)) {
        return HUGE_VAL;
    }
    if (json_is_number(tolerance)) {
        error = fabs(value - json_number_value(json_object_get(result, "expected"))) / json_number_value(tolerance);
    } else {
        error = json_is_number(least) ? json_number_value(least) / value : value / json_number_value(most);
    }
    bool pass = json_is_true(json_object_get(result, "pass"));
    if (pass) { // one that is met exactly, with no tolerance, has no error
        return isfinite(error) ? fmin(error, 1.0) : 0.0;
    }
    return error > 1.0 ? error : HUGE_VAL;
}

static void add_run(Accuracy *accuracy, const json_t *run)
{
    size_t k;
    json_t *result;
    if (json_object_get(run, "failure") != NULL) {
        accuracy->judged++;
        accuracy->largest = HUGE_VAL;
    }
    accuracy->seconds += json_number_value(json_object_get(run, "seconds"));
    json_array_foreach(json_object_get(run, "results"), k, result)
    {
        if (!json_is_true(json_object_get(result, "judged"))) {
            continue;
        }
        accuracy->judged++;
        accuracy->good += json_is_true(json_object_get(result, "pass"));
        accuracy->largest = fmax(accuracy->largest, error_of(result));
    }
}

static Accuracy measure_accuracy(const RunRequest *request, const Experiment *experiment, SoilSolver solver, int seeds)
{
    Accuracy accuracy = {0};
    RunRequest each = *request;
    each.experiment = experiment;
    each.solver = solver;
    for (int s = 0; s < seeds; s++) {
        each.seed = request->seed + (uint64_t)s;
        json_t *run = child_run(&each);
        add_run(&accuracy, run);
        json_decref(run);
    }
    return accuracy;
}

static json_t *finite_or_null(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *row_to_json(const Experiment *experiment, SoilSolver solver, const Accuracy *accuracy, double cost)
{
    json_t *row = json_object();
    json_object_set_new(row, "experiment", json_string(experiment->name));
    json_object_set_new(row, "solver", json_string(solver_name(solver)));
    json_object_set_new(row, "within_tolerance", json_integer(accuracy->good));
    json_object_set_new(row, "judged", json_integer(accuracy->judged));
    json_object_set_new(row, "largest_error", finite_or_null(accuracy->largest));
    json_object_set_new(row, "ms_per_tick", finite_or_null(cost));
    json_object_set_new(row, "accuracy_per_ms", finite_or_null(1.0 / (accuracy->largest * cost)));
    json_object_set_new(row, "seconds", json_real(accuracy->seconds));
    return row;
}

StatusCode compare_print(const RunRequest *request, const Experiment *const *experiments, int count, int seeds,
                         bool json, Status *status)
{
    double cost[RUN_SOLVERS];
    int particles = 0;
    for (int solver = 0; solver < RUN_SOLVERS; solver++) {
        cost[solver] = measure_load(request, (SoilSolver)solver, &particles);
    }
    if (!json) {
        printf("Accuracy: largest error of the judged results, in tolerances (1 = just within). Cost: median of a tick "
               "of\n"
               "1/60 s with %d grains at rest in a box. Accuracy per millisecond: 1 / (largest error x cost).\n\n"
               "%-12s %-8s %9s %14s %12s %16s %9s\n",
               particles, "experiment", "solver", "within", "largest error", "ms a tick", "accuracy per ms", "run, s");
    }
    json_t *rows = json_array();
    for (int k = 0; k < count; k++) {
        for (int solver = 0; solver < RUN_SOLVERS && !experiments[k]->paper_only; solver++) {
            Accuracy accuracy = measure_accuracy(request, experiments[k], (SoilSolver)solver, seeds > 0 ? seeds : 1);
            json_array_append_new(rows, row_to_json(experiments[k], (SoilSolver)solver, &accuracy, cost[solver]));
            if (!json) {
                printf("%-12s %-8s %4d/%-4d %14.4g %12.3g %16.3g %9.1f\n", experiments[k]->name,
                       solver_name((SoilSolver)solver), accuracy.good, accuracy.judged, accuracy.largest, cost[solver],
                       1.0 / (accuracy.largest * cost[solver]), accuracy.seconds);
                fflush(stdout);
            }
        }
    }
    if (json) {
        json_t *object = json_pack("{s:i, s:o}", "particles", particles, "rows", rows);
        json_dumpf(object, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(10));
        printf("\n");
        json_decref(object);
    } else {
        json_decref(rows);
    }
    status_good(status);
    return STATUS_GOOD;
}
