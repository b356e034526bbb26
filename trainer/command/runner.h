/// A run without a window: session, operator, recording and telemetry from the options of `run` and `resume`.
#ifndef SPADEWORK_TRAINER_RUNNER_H
#define SPADEWORK_TRAINER_RUNNER_H

#include <stdio.h>

#include "trainer/command/cli.h"
#include "trainer/session/session.h"

/// What the caller adds to a run: pictures, for which the headless core has no means.
typedef struct RunnerHook {
    void *context;
    /// Called after each tick, and once more after the last one with `last` set. False ends the run with `status`.
    bool (*after_tick)(void *context, Session *session, bool last, Status *status);
} RunnerHook;

/// Where a run begins: the options' scene (parent NULL), or a moment of a recording.
typedef struct RunnerStart {
    const RunOptions *options;
    const char *parent; ///< path of the recording taken over, or NULL
    double at; ///< s of it
    RunnerHook hook; ///< after_tick may be NULL
} RunnerStart;

/// What a run came to. Complete also after a run that failed on its way (ticks > 0).
typedef struct RunSummary {
    char scene[SCENE_NAME_LENGTH], title[96];
    const char *operator_name;
    int64_t first_tick, ticks; ///< the session's tick at the start; ticks done by this run
    double simulated, wall; ///< s
    double tick_p50, tick_p99, tick_max; ///< ms of wall time a tick, without drawing and files
    double soil_mean, machine_mean; ///< ms of it
    int particles_peak;
    double payload_peak; ///< kg
    double tool_force_peak; ///< N: most that the soil pressed on the tool, mean over a tick
    int cycles; ///< dig-dump cycles the exercise counts
    double score; ///< 0..100
    bool finished; ///< the exercise
    bool interrupted; ///< by SIGINT or SIGTERM
    int64_t mass_first, mass_last; ///< quanta
    bool mass_constant; ///< at every tick
    uint64_t hash; ///< of the last state
    int metric_count; ///< of the exercise
    ExerciseMetric metrics[EXERCISE_MAX_METRICS];
    Status record_failure; ///< with --keep-going: why the recording was given up; good = it was not
    const char *record, *telemetry, *shot; ///< written, or NULL
} RunSummary;

/// Runs until --seconds, the end of the script, the finished exercise or the scene's time limit (see `run --help`), SIGINT or
/// SIGTERM. Main thread. False with `status` when the run could not begin, was broken off, or lost some of its recording.
bool runner_run(const RunnerStart *start, RunSummary *summary, Status *status);

/// The summary for people, or as one JSON object.
void runner_print(const RunSummary *summary, bool json, FILE *file);

#endif
