/// Tells what a run measured: as a table with one line a quantity, or as the JSON object that report and compare read.
/// JSON has no NaN; what could not be measured is null there.
#include "tests/validation/harness/results.h"

#include <math.h>
#include <string.h>

#include "tests/validation/harness/options.h"

json_t *results_number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

typedef struct AllowedText {
    char text[48];
} AllowedText;

/// "1 +- 0.05", "0.7 to 1.05", "at least 2", "at most 3"; "-" of a note.
static AllowedText allowed_text(const RunResult *result)
{
    AllowedText allowed = {"-"};
    size_t size = sizeof allowed.text;
    if (!result->judged) {
        return allowed;
    }
    if (!result->ranged) {
        snprintf(allowed.text, size, "%.6g +- %.3g", result->expected, result->tolerance);
    } else if (isfinite(result->least) && isfinite(result->most)) {
        snprintf(allowed.text, size, "%.6g to %.6g", result->least, result->most);
    } else {
        bool least = isfinite(result->least);
        snprintf(allowed.text, size, "at %s %.6g", least ? "least" : "most", least ? result->least : result->most);
    }
    return allowed;
}

static json_t *result_to_json(const RunResult *result)
{
    json_t *object = json_object();
    json_object_set_new(object, "quantity", json_string(result->quantity));
    json_object_set_new(object, "unit", json_string(result->unit));
    json_object_set_new(object, "measured", results_number(result->measured));
    json_object_set_new(object, "expected", result->judged ? results_number(result->expected) : json_null());
    json_object_set_new(object, "tolerance", result->judged ? results_number(result->tolerance) : json_null());
    json_object_set_new(object, "least", result->judged ? results_number(result->least) : json_null());
    json_object_set_new(object, "most", result->judged ? results_number(result->most) : json_null());
    json_object_set_new(object, "judged", json_boolean(result->judged));
    json_object_set_new(object, "allowed", json_string(allowed_text(result).text));
    json_object_set_new(object, "pass", json_boolean(result->pass));
    return object;
}

static json_t *series_to_json(const RunSeries *series)
{
    json_t *object = json_object(), *points = json_array();
    for (int k = 0; k < series->count; k++) {
        double x = series->points[k][0], y = series->points[k][1];
        if (isfinite(x) && isfinite(y)) {
            json_array_append_new(points, json_pack("[f, f]", x, y));
        }
    }
    json_object_set_new(object, "name", json_string(series->name));
    json_object_set_new(object, "points", points);
    return object;
}

static json_t *plot_to_json(const RunPlot *plot)
{
    json_t *object = json_object(), *series = json_array();
    for (int k = 0; k < plot->series_count; k++) {
        json_array_append_new(series, series_to_json(&plot->series[k]));
    }
    json_object_set_new(object, "title", json_string(plot->title));
    json_object_set_new(object, "x", json_string(plot->x_label));
    json_object_set_new(object, "y", json_string(plot->y_label));
    json_object_set_new(object, "series", series);
    return object;
}

json_t *results_to_json(const Run *run, bool plots)
{
    json_t *object = json_object(), *results = json_array();
    for (int k = 0; k < run->result_count; k++) {
        json_array_append_new(results, result_to_json(&run->results[k]));
    }
    json_object_set_new(object, "name", json_string(run->request.experiment->name));
    json_object_set_new(object, "solver", json_string(solver_name(run->request.solver)));
    json_object_set_new(object, "seed", json_integer((json_int_t)run->request.seed));
    json_object_set_new(object, "quick", json_boolean(run->request.quick));
    json_object_set_new(object, "parameters", options_to_json(&run->options));
    json_object_set_new(object, "results", results);
    json_object_set_new(object, "pass", json_boolean(run_passes(run)));
    if (run->sets != NULL) {
        json_object_set(object, "sets", run->sets);
    }
    if (plots) {
        json_t *list = json_array();
        for (int k = 0; k < run->plot_count; k++) {
            json_array_append_new(list, plot_to_json(&run->plots[k]));
        }
        json_object_set_new(object, "plots", list);
    }
    return object;
}

void results_print(const Run *run, FILE *file)
{
    const Experiment *experiment = run->request.experiment;
    fprintf(file, "%s: %s\nsolver %s, seed %llu%s; compared with: %s\n\n", experiment->name, experiment->title,
            solver_name(run->request.solver), (unsigned long long)run->request.seed,
            run->request.quick ? ", quick form" : "", experiment->law);
    int width = (int)strlen("quantity"), judged = 0;
    for (int k = 0; k < run->result_count; k++) {
        int length = (int)strlen(run->results[k].quantity);
        width = length > width ? length : width;
    }
    fprintf(file, "  %-*s %12s %20s unit\n", width, "quantity", "measured", "allowed");
    for (int k = 0; k < run->result_count; k++) {
        const RunResult *result = &run->results[k];
        fprintf(file, "  %-*s %12.6g ", width, result->quantity, result->measured);
        AllowedText allowed = allowed_text(result);
        judged += result->judged;
        if (result->judged) {
            fprintf(file, "%20s %-8s %s\n", allowed.text, result->unit, result->pass ? "pass" : "FAIL");
        } else {
            fprintf(file, "%20s %s\n", allowed.text, result->unit);
        }
    }
    const char *verdict = judged == 0 ? "judges nothing" : run_passes(run) ? "passes" : "FAILS";
    fprintf(file, "\n%s %s\n", experiment->name, verdict);
}
