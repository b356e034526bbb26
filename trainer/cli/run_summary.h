/// What a run without a window came to: gathered tick by tick, printed for people or as JSON.
#ifndef SPADEWORK_TRAINER_RUN_SUMMARY_H
#define SPADEWORK_TRAINER_RUN_SUMMARY_H

#include <stdio.h>

#include "data/schema/load.h"
#include "trainer/record/record.h"
#include "trainer/pilot/pilot.h"
#include "trainer/sim/sim.h"

/// Complete also after a run that failed on its way (ticks > 0).
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

#endif
