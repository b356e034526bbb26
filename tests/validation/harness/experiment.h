/// One experiment of `validate`: a physical set-up whose outcome is compared with something known from elsewhere.
///
/// An experiment is a file of this folder that defines one `const Experiment`, listed in experiments.c. It reads its
/// parameters with the option_* calls, runs the soil or the machine (proving.h), and reports measured quantities and
/// curves. It prints nothing itself.
#ifndef SPADEWORK_VALIDATION_EXPERIMENT_H
#define SPADEWORK_VALIDATION_EXPERIMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "soil/soil_lab.h"

/// A parameter that `--set key=value` may change.
/// Default of an option that is asked for with option_is_set alone: the value of the soil's file.
#define OF_THE_FILE NAN

typedef struct ExperimentOption {
    const char *key; ///< NULL ends the list
    double fallback, low, high; ///< default of the full form (or OF_THE_FILE), and what is allowed
    const char *unit; ///< "" when it has none
    const char *text; ///< one line
    const char *choices; ///< NULL for a number; else the allowed words, split by '|', the first is the default
} ExperimentOption;

/// Last of the choices: any other soil, by its name or its file.
#define OTHER_SOIL "SOIL.yaml"
/// The same: any other text, which the experiment looks at.
#define OTHER_TEXT "NAME"

typedef struct Run Run;

typedef struct Experiment {
    const char *name;
    const char *title; ///< one line for the list and the report
    const char *law; ///< what it is compared with: the source
    const ExperimentOption *options;
    /// Runs once. False (with run_fail) when the set-up is impossible; a missed tolerance is no failure.
    bool (*run)(Run *run);
    bool paper_only; ///< chooses its solvers itself, or uses none: run once by the report, left out of --compare
} Experiment;

/// What the run is to use.
SoilSolver run_solver(const Run *run);
uint64_t run_seed(const Run *run);
bool run_quick(const Run *run); ///< the form of the tests: under 20 s on 2 cores
int run_threads(const Run *run);
double option_number(const Run *run, const char *key); ///< as set, else the default; a bad key is an assertion
bool option_is_set(const Run *run, const char *key); ///< given by the user: a quick form must not change it then
/// Overwrites `value` with `scale` times the option where the user set it.
void option_override(const Run *run, const char *key, double scale, double *value);
const char *option_word(const Run *run, const char *key);
/// A number that must be whole; false with run_fail when the user set another one.
bool option_whole(Run *run, const char *key, int *value);
/// In the quick form, `value` instead of the default, unless the user set the key. Call it before option_number.
void option_quick(Run *run, const char *key, double value);
/// Next number of the run's random sequence, 0 <= value < 1: follows from the seed alone.
double run_random(Run *run);
/// The soil of data/soils with that name; false with run_fail.
bool run_load_soil(Run *run, const char *name, SoilParams *soil);

/// A scene without ground to speak of, for particles and tools only: nothing is absorbed, the ground lies `depth` m
/// (1..20) below z = 0. Default rates and iterations for the run's solver (p2 and gs: one substep of 1/60 s with 10
/// iterations). The scene has SCENE_MAX_SOILS soils, of which [0] is `soil`; [1] to [6] are zero and free for the
/// experiment; the last one is the empty ground. Particles are taken to be of radius 0.05 m: an experiment with others
/// sets scene.ground.column_spacing to twice the largest radius.
SceneParams run_scene(const Run *run, const SoilParams *soil, int budget, double depth);
/// Creates the soil of a scene with the run's solver, seed and threads. NULL with run_fail.
Soil *run_create_soil(Run *run, const SceneParams *scene);
/// One tick of 1/60 s with tools that move as their velocity says (kinematic) or stand; substeps as in the scene. Adds
/// up to `tools` poses (position += velocity dt, no rotation). Writes the mean wrench over the tick, one a tool (may be
/// NULL).
void run_tick(Soil *soil, const SceneParams *scene, SoilTool *tools, int tool_count, Wrench *mean);

/// A result: passes when |measured - expected| <= tolerance (absolute, same unit).
void run_result(Run *run, const char *quantity, const char *unit, double measured, double expected, double tolerance);
/// A result that passes within bounds.
void run_result_between(Run *run, const char *quantity, const char *unit, double measured, double low, double high);
/// A result that has one bound, where nothing says how far it may go to the other side.
void run_result_least(Run *run, const char *quantity, const char *unit, double measured, double least);
void run_result_most(Run *run, const char *quantity, const char *unit, double measured, double most);
/// A figure without a judgement.
void run_note(Run *run, const char *quantity, const char *unit, double measured);

/// A picture of the report. Series that start with "law" are drawn as dashed lines, their points joined in the order
/// given; others as marks up to 60 points and as lines beyond. Returns the plot's number.
int run_plot(Run *run, const char *title, const char *x_label, const char *y_label);
void run_point(Run *run, int plot, const char *series, double x, double y);

/// Shown as a progress bar on a terminal; 0..1.
void run_progress(Run *run, double share);
/// Set-up error, as printf; ends the run.
void run_fail(Run *run, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
