/// A run without a window, `run` and `resume` with --headless and the demonstration, and its summary.
#ifndef SPADEWORK_TRAINER_HEADLESS_H
#define SPADEWORK_TRAINER_HEADLESS_H

#include <stdio.h>

#include "data/schema/schema.h"
#include "trainer/pilot/pilot.h"
#include "trainer/record/record.h"
#include "trainer/sim/sim.h"

/// What the caller adds to a run: pictures, messages.
typedef struct HeadlessHook {
    void *context;
    /// Called after each round of the drive (a tick, but of a person's run by the clock), and once after the last one
    /// with `last` set. False ends the run with `status`.
    bool (*after_tick)(void *context, Session *session, bool last, Status *status);
} HeadlessHook;

/// Where a run begins: the options' scene (parent NULL), or a moment of a recording. Strings outlive the run.
typedef struct HeadlessStart {
    const RunOptions *options;
    const char *parent; ///< path of the recording taken over, or NULL
    double at; ///< s of it
    HeadlessHook hook; ///< after_tick may be NULL
    const DriveGuide *guide; ///< instructor beside it, or NULL; with one the run goes by the wall clock
} HeadlessStart;

/// Summary of a run: gathered tick by tick. Complete also after a run that failed on its way (ticks > 0).
typedef struct RunSummary {
    char scene[SCENE_NAME_LENGTH], title[96];
    char operator_name[DATA_PATH_LENGTH];
    char operator_report[EXPERT_REPORT_TEXT]; ///< how far an expert came; "" of other operators
    int64_t first_tick, ticks; ///< the session's tick at the start; ticks done by this run
    double simulated, wall; ///< s
    double tick_p50, tick_p99, tick_max; ///< ms of wall time a tick, without drawing and files
    double soil_mean, machine_mean; ///< ms of it
    int particles_peak;
    double payload_peak; ///< kg
    double tool_force_peak; ///< N: the most that the tool felt of all that it met, mean over a tick
    char second_tool[MACHINE_NAME_SIZE]; ///< what the machine's second tool is called ("ripper"); "" = there is none
    double second_force_peak; ///< N: the same of that one
    int cycles; ///< dig-dump cycles the exercise counts
    bool scored; ///< something gives points
    double score; ///< 0..100
    bool finished; ///< the exercise
    bool interrupted; ///< by a signal
    int64_t mass_first, mass_last; ///< quanta
    bool mass_constant; ///< at every tick
    uint64_t hash; ///< of the last state
    int metric_count; ///< of the exercise
    char verdict[SCORE_VERDICT]; ///< whether it is passed and why, or why it counts for nobody
    bool passed; ///< as the results have it
    Credit credit;
    bool counts; ///< its credit does
    int row_count; ///< rows of the score
    char rows[SCENE_MAX_SCORES][EXERCISE_TEXT + 16]; ///< "work: share of the trench that is dug, 42.8 of 45"
    ExerciseMetric metrics[EXERCISE_MAX_METRICS];
    int sheet_count;
    char sheet[EXERCISE_MAX_SHEET][EXERCISE_TEXT]; ///< what incidents have cost, a line each
    const char *failure; ///< why the attempt failed, or NULL
    Status record_failure, telemetry_failure; ///< with --keep-going: why it was given up; good = it was not
    char record[DATA_PATH_LENGTH]; ///< written; "" = none
    const char *telemetry, *shot; ///< written, or NULL
} RunSummary;

/// The summary for people, or as one JSON object. Any thread.
void run_summary_print(const RunSummary *summary, bool json, FILE *file);

/// Runs until the drive's end (drive_create) or until a signal asks it to stop (data/core/signals.h). Main thread.
/// False with `status` when the run could not begin, was broken off, or lost some of its files; the summary is of the
/// ticks that were made.
bool headless_run(const HeadlessStart *start, RunSummary *summary, Status *status);

#endif
