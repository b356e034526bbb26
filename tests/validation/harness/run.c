/// Keeps one run of an experiment: what was asked, the random numbers of its seed, the soil it sets up, and the
/// results, notes and curves it hands in. Judges each result against its tolerance. Running out of memory ends the
/// program, since the figures would be lost.
#include "tests/validation/harness/run.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/schema/schema.h"

static const char *const solver_names[RUN_SOLVERS] = {
    [SOIL_SOLVER_DEFAULT] = "default", [SOIL_SOLVER_P2] = "p2", [SOIL_SOLVER_GS] = "gs"};

const char *solver_name(SoilSolver solver)
{
    return solver_names[solver];
}

bool solver_find(const char *name, SoilSolver *solver)
{
    for (int k = 0; k < RUN_SOLVERS; k++) {
        if (strcmp(solver_names[k], name) == 0) {
            *solver = (SoilSolver)k;
            return true;
        }
    }
    return false;
}

Run *run_create(const RunRequest *request, Status *status)
{
    Run *run = calloc(1, sizeof *run);
    if (run == NULL) {
        status_fail(status, STATUS_LACKING, "out of memory");
        return NULL;
    }
    run->request = *request;
    run->random = request->seed;
    run->percent = -1;
    if (!options_read(&run->options, request->experiment, request->settings, request->setting_count, status)) {
        run_destroy(run);
        return NULL;
    }
    return run;
}

void run_destroy(Run *run)
{
    if (run == NULL) {
        return;
    }
    for (int k = 0; k < run->plot_count; k++) {
        for (int s = 0; s < run->plots[k].series_count; s++) {
            free(run->plots[k].series[s].points);
        }
        free(run->plots[k].series);
    }
    free(run->plots);
    free(run->results);
    json_decref(run->sets);
    free(run);
}

bool run_execute(Run *run, Status *status)
{
    const Experiment *experiment = run->request.experiment;
    bool done = experiment->run(run);
    if (run->percent >= 0) {
        fprintf(stderr, "\r\033[K");
    }
    if (!done || run->failure[0] != '\0') {
        return status_fail(status, run->bad_file ? STATUS_BAD_FILE : STATUS_BAD_USAGE, "%s: %s", experiment->name,
                           run->failure[0] != '\0' ? run->failure : "the set-up is impossible");
    }
    return status_good(status);
}

bool run_passes(const Run *run)
{
    for (int k = 0; k < run->result_count; k++) {
        if (!run->results[k].pass) {
            return false;
        }
    }
    return run->result_count > 0; // an experiment that measured nothing has shown nothing
}

SoilSolver run_solver(const Run *run)
{
    return run->request.solver;
}

uint64_t run_seed(const Run *run)
{
    return run->request.seed;
}

bool run_quick(const Run *run)
{
    return run->request.quick;
}

int run_threads(const Run *run)
{
    return run->request.threads;
}

/// splitmix64 (Steele, Lea, Flood 2014): every seed gives a sequence of its own, also 0.
double run_random(Run *run)
{
    uint64_t z = run->random += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    return (double)(z >> 11) / 9007199254740992.0;
}

void run_fail(Run *run, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    // NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): va_start is the line before; clang 14 does not see it
    vsnprintf(run->failure, sizeof run->failure, format, arguments);
    va_end(arguments);
}

bool run_load_soil(Run *run, const char *name, SoilParams *soil)
{
    Status status;
    if (!data_load_soil(name, soil, NULL, &status)) {
        run_fail(run, "%s", status.text);
        return false;
    }
    return true;
}

SceneParams run_scene(const Run *run, const SoilParams *soil, int budget, double depth)
{
    assert(depth >= 1.0 && depth <= 20.0);
    enum { LEAST_BUDGET = 100 }; // that scenes may have
    bool published = run->request.solver != SOIL_SOLVER_DEFAULT;
    SceneParams scene;
    memset(&scene, 0, sizeof scene);
    scene.seed = run->request.seed;
    scene.rates = (SceneRates){.tick_rate = 60, .substeps = published ? 1 : 8};
    scene.particles = (SceneParticles){.budget = budget < LEAST_BUDGET ? LEAST_BUDGET : budget,
                                       .per_column_side = 1,
                                       .iterations = published ? 10 : 2,
                                       .persistent = true,
                                       .sleepless = run->request.awake,
                                       .error_reduction = 0.5,
                                       .static_ratio = 1.0};
    // A ground of a soil without density has no thickness: its surface is the bedrock.
    scene.soil_count = SCENE_MAX_SOILS;
    scene.soils[0] = *soil;
    scene.ground = (SceneGround){.size_x = 10.0,
                                 .size_y = 10.0,
                                 .column_spacing = 0.1,
                                 .bedrock_depth = depth,
                                 .layer_count = 1,
                                 .layers = {{.soil_index = SCENE_MAX_SOILS - 1}}};
    return scene;
}

Soil *run_create_soil(Run *run, const SceneParams *scene)
{
    Status status;
    Soil *soil = soil_create(scene, run->request.seed, run->request.solver, run->request.threads, &status);
    if (soil == NULL) {
        run_fail(run, "%s", status.text);
    }
    return soil;
}

void run_tick(Soil *soil, const SceneParams *scene, SoilTool *tools, int tool_count, Wrench *mean)
{
    assert(tool_count <= SOIL_MAX_TOOLS);
    const double dt = 1.0 / 60.0;
    int substeps = scene->rates.substeps;
    double h = dt / substeps, share = 1.0 / substeps;
    Wrench wrenches[SOIL_MAX_TOOLS], sums[SOIL_MAX_TOOLS];
    memset(sums, 0, sizeof sums);
    soil_begin_tick(soil, tools, tool_count, dt);
    for (int k = 0; k < substeps; k++) {
        soil_substep(soil, tools, tool_count, h, wrenches);
        for (int t = 0; t < tool_count; t++) {
            sums[t].force = vec3_madd(sums[t].force, share, wrenches[t].force);
            sums[t].moment = vec3_madd(sums[t].moment, share, wrenches[t].moment);
            tools[t].motion.frame.position = vec3_madd(tools[t].motion.frame.position, h, tools[t].motion.velocity);
            tools[t].motion.center = vec3_madd(tools[t].motion.center, h, tools[t].motion.velocity);
        }
    }
    soil_end_tick(soil, tools, tool_count);
    for (int t = 0; mean != NULL && t < tool_count; t++) {
        mean[t] = sums[t];
    }
}

/// Room for one more element. Running out of memory here is the end of the program: the figures would be lost.
static void *grow(void *items, int count, int *capacity, size_t size)
{
    if (count < *capacity) {
        return items;
    }
    *capacity = *capacity > 0 ? 2 * *capacity : 16;
    void *larger = realloc(items, (size_t)*capacity * size);
    if (larger == NULL) {
        abort();
    }
    return larger;
}

static void copy_text(char *to, size_t size, const char *text)
{
    snprintf(to, size, "%s", text);
}

static RunResult *add_result(Run *run, const char *quantity, const char *unit, double measured)
{
    run->results = grow(run->results, run->result_count, &run->result_capacity, sizeof *run->results);
    RunResult *result = &run->results[run->result_count++];
    memset(result, 0, sizeof *result);
    copy_text(result->quantity, sizeof result->quantity, quantity);
    copy_text(result->unit, sizeof result->unit, unit);
    result->measured = measured;
    return result;
}

void run_result(Run *run, const char *quantity, const char *unit, double measured, double expected, double tolerance)
{
    RunResult *result = add_result(run, quantity, unit, measured);
    result->least = expected - tolerance;
    result->most = expected + tolerance;
    result->expected = expected;
    result->tolerance = tolerance;
    result->judged = true;
    result->pass = fabs(measured - expected) <= tolerance; // false for NaN
}

void run_result_between(Run *run, const char *quantity, const char *unit, double measured, double low, double high)
{
    RunResult *result = add_result(run, quantity, unit, measured);
    bool both = isfinite(low) && isfinite(high);
    result->least = low;
    result->most = high;
    result->ranged = true;
    result->expected = both ? 0.5 * (low + high) : (double)NAN;
    result->tolerance = both ? 0.5 * (high - low) : (double)NAN;
    result->judged = true;
    result->pass = measured >= low && measured <= high;
}

void run_result_least(Run *run, const char *quantity, const char *unit, double measured, double least)
{
    run_result_between(run, quantity, unit, measured, least, HUGE_VAL);
}

void run_result_most(Run *run, const char *quantity, const char *unit, double measured, double most)
{
    run_result_between(run, quantity, unit, measured, -HUGE_VAL, most);
}

void run_note(Run *run, const char *quantity, const char *unit, double measured)
{
    add_result(run, quantity, unit, measured)->pass = true;
}

int run_plot(Run *run, const char *title, const char *x_label, const char *y_label)
{
    run->plots = grow(run->plots, run->plot_count, &run->plot_capacity, sizeof *run->plots);
    RunPlot *plot = &run->plots[run->plot_count];
    memset(plot, 0, sizeof *plot);
    copy_text(plot->title, sizeof plot->title, title);
    copy_text(plot->x_label, sizeof plot->x_label, x_label);
    copy_text(plot->y_label, sizeof plot->y_label, y_label);
    return run->plot_count++;
}

static RunSeries *find_series(RunPlot *plot, const char *name)
{
    for (int k = plot->series_count - 1; k >= 0; k--) {
        if (strncmp(plot->series[k].name, name, sizeof plot->series[k].name - 1) == 0) {
            return &plot->series[k];
        }
    }
    plot->series = grow(plot->series, plot->series_count, &plot->series_capacity, sizeof *plot->series);
    RunSeries *series = &plot->series[plot->series_count++];
    memset(series, 0, sizeof *series);
    copy_text(series->name, sizeof series->name, name);
    return series;
}

void run_point(Run *run, int plot, const char *series, double x, double y)
{
    assert(plot >= 0 && plot < run->plot_count);
    RunSeries *found = find_series(&run->plots[plot], series);
    found->points = grow(found->points, found->count, &found->capacity, sizeof *found->points);
    found->points[found->count][0] = x;
    found->points[found->count][1] = y;
    found->count++;
}

void run_add_set(Run *run, json_t *set)
{
    run->sets = run->sets != NULL ? run->sets : json_array();
    if (json_array_append_new(run->sets, set) != 0) {
        abort();
    }
}

void run_progress(Run *run, double share)
{
    enum { BAR = 40 };
    int percent = (int)(100.0 * fmin(fmax(share, 0.0), 1.0));
    if (!run->request.progress || percent == run->percent) {
        return;
    }
    run->percent = percent;
    int filled = percent * BAR / 100;
    fprintf(stderr, "\r%s %s, seed %llu [%.*s%*s] %3d %%", run->request.experiment->name,
            solver_name(run->request.solver), (unsigned long long)run->request.seed, filled,
            "########################################", BAR - filled, "", percent);
    fflush(stderr);
}

double option_number(const Run *run, const char *key)
{
    return run->options.values[options_find(&run->options, key)].number;
}

bool option_whole(Run *run, const char *key, int *value)
{
    double number = option_number(run, key);
    if (number != floor(number) || fabs(number) > 1e9) {
        run_fail(run, "--set %s=%g: a whole number is expected", key, number);
        return false;
    }
    *value = (int)number;
    return true;
}

bool option_is_set(const Run *run, const char *key)
{
    return run->options.values[options_find(&run->options, key)].set;
}

void option_override(const Run *run, const char *key, double scale, double *value)
{
    if (option_is_set(run, key)) {
        *value = option_number(run, key) * scale;
    }
}

void option_quick(Run *run, const char *key, double value)
{
    OptionValue *known = &run->options.values[options_find(&run->options, key)];
    if (run->request.quick && !known->set) {
        known->number = value;
    }
}

const char *option_word(const Run *run, const char *key)
{
    return run->options.values[options_find(&run->options, key)].word;
}
