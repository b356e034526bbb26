/// Experiment `sinkage`: how deep the tracks of a machine stand in each soil, undisturbed and level; how deep when it
/// has driven on; how much deeper, and what it pulls, when its tracks slip.
///
/// Nothing is judged here but the slip that is wanted: what measured soils ask for are sets of `measured`
/// (track-sinkage, slip-sinkage).
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/validation/harness/experiments.h"
#include "tests/validation/rigs/machine/track_trial.h"

#define SLIP_ALLOWED 0.03

static const ExperimentOption options[] = {
    {"soil", 0, 0, 0, "", "the ground", "all|sand|gravel|loam|topsoil|clay|wet-clay|hard-clay|" OTHER_SOIL},
    {"machine", 0, 0, 0, "", "which machine", "excavator-22t|excavator-8t"},
    {"slip", 0.6, 0.05, 0.95, "", "of the tracks while it tows", NULL},
    {"lever", 0.3, 0.1, 0.6, "", "of both tracks", NULL},
    {NULL, 0, 0, 0, NULL, NULL, NULL},
};

static void note(Run *run, const char *soil, const char *quantity, const char *unit, double value)
{
    char name[96];
    snprintf(name, sizeof name, "%.40s: %s", soil, quantity);
    run_note(run, name, unit, value);
}

static bool try_soil(Run *run, const char *soil)
{
    TrackTrial trial = {.soil = soil, .machine = option_word(run, "machine"), .lever = option_number(run, "lever")};
    TrackResult free, slipping;
    if (!track_trial_run(run, &trial, &free)) {
        return false;
    }
    trial.slip = option_number(run, "slip");
    if (!track_trial_run(run, &trial, &slipping)) {
        return false;
    }
    char name[96];
    snprintf(name, sizeof name, "%.40s: slip", soil);
    run_result(run, name, "", slipping.slip, trial.slip, SLIP_ALLOWED);
    note(run, soil, "standing", "mm", 1e3 * free.standing);
    note(run, soil, "driving on", "mm", 1e3 * free.driving);
    note(run, soil, "slipping", "mm", 1e3 * slipping.driving);
    note(run, soil, "slipping, rear end", "mm", 1e3 * slipping.rear);
    note(run, soil, "slipping over driving", "", slipping.driving / free.driving);
    note(run, soil, "pull over weight", "", slipping.pull);
    return true;
}

static bool run_sinkage(Run *run)
{
    static const char *const soils[] = {"sand", "gravel", "loam", "topsoil", "clay", "wet-clay"};
    const int count = sizeof soils / sizeof soils[0];
    const char *only = option_word(run, "soil");
    if (strcmp(only, "all") != 0) {
        return try_soil(run, only);
    }
    for (int k = 0; k < count; k++) {
        if (!try_soil(run, soils[k])) {
            return false;
        }
        run_progress(run, (k + 1.0) / count);
    }
    return true;
}

const Experiment experiment_sinkage = {
    .name = "sinkage",
    .title = "how deep tracks stand in each soil, and what they pull when they slip",
    .law = "nothing; `measured` compares it with measured values of soils",
    .options = options,
    .run = run_sinkage,
    .paper_only = true,
};
