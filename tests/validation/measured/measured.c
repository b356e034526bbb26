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

#include "tests/validation/harness/comparison.h"
#include "tests/validation/harness/experiments.h"
#include "tests/validation/harness/results.h"
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
    char unit[24]; ///< of value
} Figure;

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

/// The one result that is meant. NULL with run_fail when there is none, or more than one.
static const RunResult *take_result(Run *run, const Run *inner, const MeasuredCase *one, const char *quantity)
{
    const RunResult *result = NULL;
    int found = 0;
    for (int k = 0; k < inner->result_count; k++) {
        if (is_meant(inner->results[k].quantity, quantity)) {
            result = &inner->results[k];
            found++;
        }
    }
    if (found != 1) {
        run_fail(run, "%s: %d results of %s are called \"%s\"; exactly one is needed", one->name, found,
                 one->experiment, quantity);
    }
    return found == 1 ? result : NULL;
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
    const RunResult *value = good ? take_result(run, inner, one, one->quantity) : NULL;
    const RunResult *law =
        value != NULL && one->law_quantity[0] != '\0' ? take_result(run, inner, one, one->law_quantity) : NULL;
    good = value != NULL && (law != NULL || one->law_quantity[0] == '\0');
    if (good) {
        figure->value = value->measured;
        memcpy(figure->unit, value->unit, sizeof figure->unit);
        figure->law = law != NULL ? law->measured : one->law != 0.0 ? one->law : (double)NAN;
    }
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

/// The unit of the figure that is compared: a ratio has none, unless the file names one.
static const char *unit_of(const MeasuredCase *one, const Figure *figure)
{
    bool divided = one->over[0] != '\0' || one->per != 1.0;
    return one->unit[0] != '\0' ? one->unit : figure->done && !divided ? figure->unit : "";
}

/// An option as the set's file states it: a soil beside it by its name alone.
static json_t *option_to_json(const char *text)
{
    const char *file = strncmp(text, "soil=", 5) == 0 ? strrchr(text, '/') : NULL;
    return file != NULL ? json_sprintf("soil=%s", file + 1) : json_string(text);
}

/// A case with its figure and that of the law, divided as its file says.
static json_t *case_to_json(const MeasuredSet *set, const Figure *figures, int k)
{
    const MeasuredCase *one = &set->cases[k];
    const Figure *figure = &figures[k];
    int over = one->over[0] != '\0' ? measured_set_find(set, one->over) : -1;
    double divisor = one->per * (over >= 0 ? figures[over].value : 1.0);
    // A law that is a result is divided like the figure; one that the file states is stated as the figure is.
    double law_divisor = one->law_quantity[0] == '\0' ? 1.0 : one->per * (over >= 0 ? figures[over].law : 1.0);
    json_t *object = json_object(), *list = json_array();
    for (int s = 0; s < one->setting_count; s++) {
        json_array_append_new(list, option_to_json(one->settings[s].text));
    }
    json_object_set_new(object, "name", json_string(one->name));
    json_object_set_new(object, "experiment", json_string(one->experiment));
    json_object_set_new(object, "options", list);
    json_object_set_new(object, "quantity", json_string(one->quantity));
    json_object_set_new(object, "over", json_string(one->over));
    json_object_set_new(object, "per", json_real(one->per));
    json_object_set_new(object, "unit", json_string(unit_of(one, figure)));
    json_object_set_new(object, "measured",
                        one->measured[1] > 0.0 ? json_pack("[f, f]", one->measured[0], one->measured[1]) : json_null());
    json_object_set_new(object, "scatter", json_real(one->scatter));
    json_object_set_new(object, "ran", json_boolean(figure->done));
    json_object_set_new(object, "figure", figure->done ? results_number(figure->value / divisor) : json_null());
    json_object_set_new(object, "law", figure->done ? results_number(figure->law / law_divisor) : json_null());
    return object;
}

static json_t *set_to_json(const MeasuredSet *set, const Figure *figures)
{
    json_t *object = json_object(), *cases = json_array();
    for (int k = 0; k < set->case_count; k++) {
        json_array_append_new(cases, case_to_json(set, figures, k));
    }
    json_object_set_new(object, "set", json_string(set->name));
    json_object_set_new(object, "title", json_string(set->title));
    json_object_set_new(object, "source", json_string(set->source));
    json_object_set_new(object, "note", json_string(set->note));
    json_object_set_new(object, "cases", cases);
    return object;
}

/// Hands in a set, and as results the figures of its cases beside those of the law.
static void report(Run *run, const MeasuredSet *set, const Figure *figures, ComparisonSums *sums)
{
    json_t *object = set_to_json(set, figures), *cases = json_object_get(object, "cases");
    for (int k = 0; k < set->case_count; k++) {
        const json_t *one = json_array_get(cases, (size_t)k);
        Comparison comparison = comparison_of(one);
        if (!comparison.compared) {
            continue;
        }
        const char *unit = json_string_value(json_object_get(one, "unit"));
        char name[2 * MEASURED_NAME];
        snprintf(name, sizeof name, "%s: %s", set->name, set->cases[k].name);
        run_result_between(run, name, unit, comparison.figure, comparison.least, comparison.most);
        if (!isnan(comparison.law)) {
            snprintf(name, sizeof name, "%s: %s: law", set->name, set->cases[k].name);
            run_note(run, name, unit, comparison.law);
        }
        comparison_add(sums, &comparison);
    }
    run_add_set(run, object);
}

static bool run_set(Run *run, const MeasuredSet *set, double before, double share, ComparisonSums *sums)
{
    Figure figures[MEASURED_MOST_CASES];
    memset(figures, 0, sizeof figures);
    if (!check_cases(run, set)) {
        return false;
    }
    for (int k = 0; k < set->case_count; k++) {
        if (belongs(run, set, &set->cases[k]) && !run_case(run, &set->cases[k], &figures[k])) {
            return false;
        }
        run_progress(run, before + share * (k + 1) / set->case_count);
    }
    report(run, set, figures, sums);
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
    ComparisonSums sums = {0};
    for (int k = 0; k < count; k++) {
        Status status;
        if (!measured_set_load(all ? names[k] : wanted, &set, &status)) {
            run_fail(run, "%s", status.text);
            return false;
        }
        if (!run_set(run, &set, (double)k / count, 1.0 / count, &sums)) {
            return false;
        }
    }
    if (sums.cases > 0) {
        run_note(run, "mean error of all cases", "", sums.error / sums.cases);
    }
    if (sums.with_law > 0) {
        run_result_most(run, "mean error of the cases with a law", "", sums.error_with_law / sums.with_law,
                        MEAN_ALLOWED);
        run_note(run, "mean error of the law", "", sums.law_error / sums.with_law);
        run_result_least(run, "share of them nearer than the law", "", (double)sums.nearer / sums.with_law,
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
