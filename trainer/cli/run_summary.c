/// Prints what a run came to. The JSON keys are part of the outside contract: none is renamed.
#include "trainer/cli/run_summary.h"

#include <jansson.h>
#include <string.h>

#include "data/core/visible_text.h"
#include "data/core/quantity.h"

enum { COLUMN = 40 }; ///< where the second metric of a line begins

static double real_time(const RunSummary *summary)
{
    return summary->wall > 0.0 ? summary->simulated / summary->wall : 0.0;
}

static void set_text(json_t *object, const char *key, const char *text)
{
    char plain[DATA_PATH_LENGTH];
    snprintf(plain, sizeof plain, "%s", text != NULL ? text : "");
    visible_text_mask(plain, false); // a path may hold what JSON does not
    json_object_set_new(object, key, text != NULL ? json_string(plain) : json_null());
}

static const char *failure_text(const Status *failure)
{
    return failure->code == STATUS_GOOD ? NULL : failure->text;
}

static json_t *metrics_json(const RunSummary *summary)
{
    json_t *metrics = json_object();
    for (int k = 0; k < summary->metric_count; k++) {
        json_object_set_new(metrics, summary->metrics[k].name, json_real(summary->metrics[k].value));
    }
    return metrics;
}

/// Who drove, and what practice began in.
static void add_credit(json_t *object, const RunSummary *summary)
{
    const Credit *credit = &summary->credit;
    json_object_set_new(object, "counts", json_boolean(summary->counts));
    set_text(object, "driver", credit_driver_name(credit->driver));
    json_object_set_new(object, "practice",
                        credit_is_practice(credit)
                            ? json_pack("{s:s, s:f}", "parent", credit->parent, "from_s", credit->from)
                            : json_null());
}

static void print_json(const RunSummary *summary, FILE *file)
{
    char hash[20];
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)summary->hash);
    json_t *object = json_object();
    set_text(object, "scene", summary->scene);
    set_text(object, "title", summary->title);
    set_text(object, "operator", summary->operator_name);
    json_object_set_new(object, "first_tick", json_integer(summary->first_tick));
    json_object_set_new(object, "ticks", json_integer(summary->ticks));
    json_object_set_new(object, "simulated_s", json_real(summary->simulated));
    json_object_set_new(object, "wall_s", json_real(summary->wall));
    json_object_set_new(object, "real_time_factor", json_real(real_time(summary)));
    json_object_set_new(object, "tick_ms_p50", json_real(summary->tick_p50));
    json_object_set_new(object, "tick_ms_p99", json_real(summary->tick_p99));
    json_object_set_new(object, "tick_ms_max", json_real(summary->tick_max));
    json_object_set_new(object, "soil_ms_mean", json_real(summary->soil_mean));
    json_object_set_new(object, "machine_ms_mean", json_real(summary->machine_mean));
    json_object_set_new(object, "particles_peak", json_integer(summary->particles_peak));
    json_object_set_new(object, "cycles", json_integer(summary->cycles));
    json_object_set_new(object, "payload_peak_kg", json_real(summary->payload_peak));
    json_object_set_new(object, "tool_force_peak_n", json_real(summary->tool_force_peak));
    if (summary->second_tool[0] != '\0') {
        char key[MACHINE_NAME_SIZE + 16];
        snprintf(key, sizeof key, "%s_force_peak_n", summary->second_tool);
        json_object_set_new(object, key, json_real(summary->second_force_peak));
    }
    json_object_set_new(object, "score", json_real(summary->score));
    json_object_set_new(object, "finished", json_boolean(summary->finished));
    json_object_set_new(object, "interrupted", json_boolean(summary->interrupted));
    json_object_set_new(object, "mass_first_quanta", json_integer(summary->mass_first));
    json_object_set_new(object, "mass_last_quanta", json_integer(summary->mass_last));
    json_object_set_new(object, "mass_constant", json_boolean(summary->mass_constant));
    set_text(object, "hash", hash);
    json_t *sheet = json_array();
    for (int k = 0; k < summary->sheet_count; k++) {
        json_array_append_new(sheet, json_string(summary->sheet[k]));
    }
    json_object_set_new(object, "deductions", sheet);
    json_t *rows = json_array();
    for (int k = 0; k < summary->row_count; k++) {
        json_array_append_new(rows, json_string(summary->rows[k]));
    }
    json_object_set_new(object, "score_rows", rows);
    set_text(object, "verdict", summary->verdict);
    json_object_set_new(object, "passed", json_boolean(summary->passed));
    add_credit(object, summary);
    set_text(object, "failure", summary->failure);
    json_object_set_new(object, "metrics", metrics_json(summary));
    set_text(object, "record", summary->record[0] != '\0' ? summary->record : NULL);
    set_text(object, "record_failure", failure_text(&summary->record_failure));
    set_text(object, "telemetry", summary->telemetry);
    set_text(object, "telemetry_failure", failure_text(&summary->telemetry_failure));
    set_text(object, "shot", summary->shot);
    json_dumpf(object, file, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
    fputc('\n', file);
    json_decref(object);
}

static void print_path(FILE *file, const char *what, const char *path)
{
    if (path != NULL && path[0] != '\0') {
        fprintf(file, "%-13s %s\n", what, visible_text_shown(path).text);
    }
}

/// What the exercise measured, two in a line; what is nought and the score, told already, are left out.
static void print_metrics(const RunSummary *summary, FILE *file)
{
    int printed = 0, before = 0;
    for (int k = 0; k < summary->metric_count; k++) {
        const ExerciseMetric *metric = &summary->metrics[k];
        if (metric->value == 0.0 || strcmp(metric->name, "score") == 0) {
            continue;
        }
        bool bare = strcmp(metric->unit, "1") == 0;
        char text[80];
        int length = snprintf(text, sizeof text, "  %-22s %s%s%s", metric->name,
                              quantity_digits_for(&reader_of_files, metric->value, 5).number, bare ? "" : " ",
                              bare ? "" : metric->unit);
        bool second = printed % 2 == 1;
        fprintf(file, "%*s%s%s", second ? COLUMN - before : 0, "", text, second ? "\n" : "");
        before = length < COLUMN ? length : COLUMN;
        printed++;
    }
    if (printed % 2 == 1) {
        fputc('\n', file);
    }
}

static void print_text(const RunSummary *summary, FILE *file)
{
    fprintf(file, "scene         %s (%s)\n", summary->scene, summary->title);
    const char *report = summary->operator_report;
    fprintf(file, "operator      %s%s%s\n", summary->operator_name, report[0] ? ": " : "", report);
    fprintf(file, "simulated     %.2f s in %lld ticks, %.2fx real time%s%s\n", summary->simulated,
            (long long)summary->ticks, real_time(summary), summary->finished ? ", exercise finished" : "",
            summary->interrupted ? ", interrupted" : "");
    fprintf(file,
            "tick          %.2f ms median, %.2f ms p99, %.2f ms at most; soil %.2f ms, machine %.2f ms on average\n",
            summary->tick_p50, summary->tick_p99, summary->tick_max, summary->soil_mean, summary->machine_mean);
    fprintf(file, "particles     %d at most\n", summary->particles_peak);
    fprintf(file, "cycles        %d\n", summary->cycles);
    fprintf(file, "payload       %.0f kg at most\n", summary->payload_peak);
    fprintf(file, "tool force    %.1f kN at most\n", summary->tool_force_peak * 1e-3);
    if (summary->second_tool[0] != '\0') {
        fprintf(file, "%-13s %.1f kN at most\n", summary->second_tool, summary->second_force_peak * 1e-3);
    }
    if (summary->scored) {
        fprintf(file, "score         %.1f of 100%s\n", summary->score,
                credit_is_practice(&summary->credit) ? ", together with the drive that it began in" : "");
    }
    fprintf(file, "%-13s %s\n", summary->scored ? "" : "score", summary->verdict);
    for (int k = 0; k < summary->row_count; k++) {
        fprintf(file, "              %s\n", summary->rows[k]);
    }
    for (int k = 0; k < summary->sheet_count; k++) {
        fprintf(file, "              %s\n", summary->sheet[k]);
    }
    fprintf(file, "soil mass     %lld quanta first, %lld last: %s\n", (long long)summary->mass_first,
            (long long)summary->mass_last, summary->mass_constant ? "constant" : "NOT constant");
    print_metrics(summary, file);
    bool recorded = summary->record_failure.code == STATUS_GOOD,
         measured = summary->telemetry_failure.code == STATUS_GOOD;
    print_path(file, recorded ? "recording" : "recording, not whole:", summary->record);
    print_path(file, measured ? "telemetry" : "telemetry, not whole:", summary->telemetry);
    print_path(file, "picture", summary->shot);
}

void run_summary_print(const RunSummary *summary, bool json, FILE *file)
{
    if (json) {
        print_json(summary, file);
    } else {
        print_text(summary, file);
    }
}
