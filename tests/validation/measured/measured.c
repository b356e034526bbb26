/// `measured`: published measurements, repeated. Each case of a set (measured_set.h) runs another experiment with the
/// options that its file names and compares one of its results with what was measured, and with the classical law.
///
/// A case passes within what was measured and the scatter that its file states. The error of a figure is its distance
/// from the middle of the measured range, as a share of that. The last results are the mean error of all cases that
/// have a law, that of the law, and in how many of them the simulation is nearer to the measurement.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/validation/harness/experiments.h"
#include "tests/validation/harness/run.h"
#include "tests/validation/measured/measured_set.h"

#define MEAN_ALLOWED   0.15 ///< error of all cases with a law
#define NEARER_ALLOWED 0.8 ///< share of these in which the simulation is nearer than the law

static const ExperimentOption options[] = {
    {"of", 0, 0, 0, "", "which set: a name of tests/validation/measured/sets, or its file", "all|" OTHER_TEXT},
    {NULL, 0, 0, 0, NULL, NULL, NULL},
};

/// What a case of a set came to.
typedef struct Figure {
    bool done;
    double value, law; ///< before it is divided; law NAN: none
} Figure;

/// Over all sets of a run.
typedef struct Tally {
    int cases, with_law, nearer;
    double error, law_error; ///< sums over those with a law
    double all_errors; ///< sum over all cases
} Tally;

/// Whether a result is meant by `quantity`: its whole name, its part before the first ", " or behind the last ": ".
static bool is_meant(const char *name, const char *quantity)
{
    size_t length = strlen(name), wanted = strlen(quantity);
    if (length < wanted) {
        return false;
    }
    bool begins = strncmp(name, quantity, wanted) == 0 && (length == wanted || strncmp(name + wanted, ", ", 2) == 0);
    const char *tail = name + length - wanted;
    return begins || (strcmp(tail, quantity) == 0 && tail - name >= 2 && strncmp(tail - 2, ": ", 2) == 0);
}

/// The one result that is meant. False with run_fail when there is none, or more than one.
static bool take_result(Run *run, const Run *inner, const MeasuredCase *one, const char *quantity, double *value)
{
    int found = 0;
    for (int k = 0; k < inner->result_count; k++) {
        if (is_meant(inner->results[k].quantity, quantity)) {
            *value = inner->results[k].measured;
            found++;
        }
    }
    if (found != 1) {
        run_fail(run, "%s: %d results of %s are called \"%s\"; exactly one is needed", one->name, found,
                 one->experiment, quantity);
    }
    return found == 1;
}

/// A run of a case's experiment with its options; its settings live in `settings`. NULL with run_fail.
static Run *prepare_case(Run *run, const MeasuredCase *one, const char *settings[MEASURED_MOST_SETTINGS])
{
    for (int k = 0; k < one->setting_count; k++) {
        settings[k] = one->settings[k].text;
    }
    RunRequest request = run->request;
    request.experiment = experiment_find(one->experiment);
    request.progress = false;
    request.settings = settings;
    request.setting_count = one->setting_count;
    Status status;
    Run *inner = run_create(&request, &status);
    if (inner == NULL) {
        run_fail(run, "%s: %s", one->name, status.text);
    }
    return inner;
}

/// Whether all cases have options and soils that there are: before any of them runs for minutes.
static bool check_cases(Run *run, const MeasuredSet *set)
{
    for (int k = 0; k < set->case_count; k++) {
        const char *settings[MEASURED_MOST_SETTINGS];
        Run *inner = prepare_case(run, &set->cases[k], settings);
        run_destroy(inner);
        if (inner == NULL) {
            return false;
        }
    }
    return true;
}

/// Runs a case's experiment.
static bool run_case(Run *run, const MeasuredCase *one, Figure *figure)
{
    const char *settings[MEASURED_MOST_SETTINGS];
    Status status;
    Run *inner = prepare_case(run, one, settings);
    if (inner == NULL) {
        return false;
    }
    bool good = run_execute(inner, &status);
    if (!good) {
        run_fail(run, "%s: %s", one->name, status.text);
    }
    figure->law = one->law != 0.0 ? one->law : (double)NAN;
    good = good && take_result(run, inner, one, one->quantity, &figure->value) &&
           (one->law_quantity[0] == '\0' || take_result(run, inner, one, one->law_quantity, &figure->law));
    figure->done = good;
    run_destroy(inner);
    return good;
}

static bool belongs(const Run *run, const MeasuredSet *set, const MeasuredCase *one)
{
    if (!run_quick(run) || one->quick) {
        return true;
    }
    for (int k = 0; k < set->case_count; k++) { // others of the quick form may be divided by it
        if (set->cases[k].quick && strcmp(set->cases[k].over, one->name) == 0) {
            return true;
        }
    }
    return false;
}

/// Hands in a case's figure, that of the law, and their errors; a picture of the set has them side by side.
static void report(Run *run, const MeasuredSet *set, const Figure *figures, int k, int plot, Tally *tally)
{
    const MeasuredCase *one = &set->cases[k];
    const Figure *figure = &figures[k];
    int over = one->over[0] != '\0' ? measured_set_find(set, one->over) : -1;
    double divisor = one->per * (over >= 0 ? figures[over].value : 1.0);
    // A law that is a result is divided like the figure; one that the file states is stated as the figure is.
    double law_divisor = one->law_quantity[0] == '\0' ? 1.0 : one->per * (over >= 0 ? figures[over].law : 1.0);
    double value = figure->value / divisor, law = figure->law / law_divisor;
    double middle = 0.5 * (one->measured[0] + one->measured[1]), error = fabs(value / middle - 1.0);
    double low = one->measured[0] * (1.0 - one->scatter), high = one->measured[1] * (1.0 + one->scatter);
    char name[2 * MEASURED_NAME];
    snprintf(name, sizeof name, "%s: %s", set->name, one->name);
    run_result_between(run, name, "", value, low, high);
    run_point(run, plot, "Spadework", k + 1.0, value);
    run_point(run, plot, "least measured", k + 1.0, one->measured[0]);
    run_point(run, plot, "most measured", k + 1.0, one->measured[1]);
    tally->cases++;
    tally->all_errors += error;
    if (!isnan(law)) {
        double law_error = fabs(law / middle - 1.0);
        snprintf(name, sizeof name, "%s: %s: law", set->name, one->name);
        run_note(run, name, "", law);
        run_point(run, plot, "classical law", k + 1.0, law);
        tally->with_law++;
        tally->nearer += error <= law_error;
        tally->error += error;
        tally->law_error += law_error;
    }
}

static bool run_set(Run *run, const MeasuredSet *set, double before, double share, Tally *tally)
{
    Figure figures[MEASURED_MOST_CASES] = {{false, 0.0, 0.0}};
    if (!check_cases(run, set)) {
        return false;
    }
    for (int k = 0; k < set->case_count; k++) {
        if (belongs(run, set, &set->cases[k]) && !run_case(run, &set->cases[k], &figures[k])) {
            return false;
        }
        run_progress(run, before + share * (k + 1) / set->case_count);
    }
    int plot = run_plot(run, set->title, "case of the set, in its order", "figure");
    for (int k = 0; k < set->case_count; k++) {
        if (figures[k].done && set->cases[k].measured[1] > 0.0) {
            report(run, set, figures, k, plot, tally);
        }
    }
    return true;
}

/// The sets that the user wants.
static int choose_sets(Run *run, char names[MEASURED_MOST_SETS][MEASURED_NAME], const char *wanted)
{
    Status status;
    if (strcmp(wanted, "all") != 0) {
        return 1;
    }
    int count = measured_set_list(names, &status);
    if (count == 0) {
        run_fail(run, "%s", status.text);
    }
    return count;
}

static bool run_sets(Run *run)
{
    static char names[MEASURED_MOST_SETS][MEASURED_NAME];
    static MeasuredSet set; // too large for a small stack
    const char *wanted = option_word(run, "of");
    bool all = strcmp(wanted, "all") == 0;
    int count = choose_sets(run, names, wanted);
    Tally tally = {0};
    for (int k = 0; k < count; k++) {
        Status status;
        if (!measured_set_load(all ? names[k] : wanted, &set, &status)) {
            run_fail(run, "%s", status.text);
            return false;
        }
        if (!run_set(run, &set, (double)k / count, 1.0 / count, &tally)) {
            return false;
        }
    }
    if (tally.cases > 0) {
        run_note(run, "mean error of all cases", "", tally.all_errors / tally.cases);
    }
    if (tally.with_law > 0) {
        run_result_most(run, "mean error of the cases with a law", "", tally.error / tally.with_law, MEAN_ALLOWED);
        run_note(run, "mean error of the law", "", tally.law_error / tally.with_law);
        run_result_least(run, "share of them nearer than the law", "", (double)tally.nearer / tally.with_law,
                         NEARER_ALLOWED);
    }
    return count > 0;
}

/// Whatever is impossible is so by a set's file.
static bool run_measured(Run *run)
{
    run->bad_file = !run_sets(run);
    return !run->bad_file;
}

const Experiment experiment_measured = {
    .name = "measured",
    .title = "published measurements, repeated",
    .law = "the measurements of each set, with their scatter; the classical law beside them",
    .options = options,
    .run = run_measured,
    .paper_only = true,
};
