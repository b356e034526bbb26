/// One run of an experiment: what it was asked, what it measured. experiment.h is what experiments see of it.
#ifndef SPADEWORK_VALIDATION_RUN_H
#define SPADEWORK_VALIDATION_RUN_H

#include <jansson.h>

#include "data/core/status.h"
#include "tests/validation/harness/experiment.h"
#include "tests/validation/harness/options.h"

enum { RUN_SOLVERS = 3, RUN_MAX_THREADS = 256 };

/// What the command line asks for.
typedef struct RunRequest {
    const Experiment *experiment;
    SoilSolver solver;
    uint64_t seed;
    int threads; ///< 0 = one for each processor
    bool quick;
    bool awake; ///< no grain sleeps
    bool progress; ///< draw a bar on stderr (a terminal)
    const char *const *settings; ///< KEY=VALUE
    int setting_count;
} RunRequest;

typedef struct RunResult {
    char quantity[96], unit[24];
    double measured;
    bool judged; ///< false: a note, which always passes
    double least, most; ///< what passes; infinite on a side without a bound
    bool ranged; ///< bounds were given, not a value with a tolerance
    double expected, tolerance; ///< the value, or the middle of the bounds, and half of their distance; NAN: one bound
    bool pass;
} RunResult;

typedef struct RunSeries {
    char name[64];
    int count, capacity;
    double (*points)[2]; ///< x, y
} RunSeries;

typedef struct RunPlot {
    char title[96], x_label[64], y_label[64];
    int series_count, series_capacity;
    RunSeries *series;
} RunPlot;

struct Run {
    RunRequest request;
    Options options; ///< of the experiment, with the settings of the request
    uint64_t random; ///< state of run_random
    int result_count, result_capacity;
    RunResult *results;
    int plot_count, plot_capacity;
    RunPlot *plots;
    json_t *sets; ///< published measurements beside the run's figures (comparison.h); NULL: none
    char failure[512]; ///< empty = none
    bool bad_file; ///< the failure is that of an input file
    int percent; ///< last drawn on the progress bar
};

/// "default", "p2", "gs" in the order of SoilSolver.
const char *solver_name(SoilSolver solver);
/// False when there is no solver of that name.
bool solver_find(const char *name, SoilSolver *solver);

/// Reads the settings. NULL with `status` (bad usage) when one is wrong.
Run *run_create(const RunRequest *request, Status *status);
void run_destroy(Run *run);
/// Runs the experiment. False with `status` when its set-up was impossible; true also when tolerances were missed.
bool run_execute(Run *run, Status *status);
/// Hands in a set of published measurements (comparison.h); the run owns it from then on.
void run_add_set(Run *run, json_t *set);
/// True when there are results and every judged one is within its tolerance.
bool run_passes(const Run *run);

#endif
