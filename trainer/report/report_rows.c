/// The tables of a report as rows of text, for every form it takes.
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "trainer/report/report_internal.h"

void report_clock(double seconds, char text[16])
{
    double rest = seconds < 0.0 ? 0.0 : seconds;
    int minutes = (int)(rest / 60.0);
    snprintf(text, 16, "%d:%04.1f", minutes % 100000, rest - 60.0 * minutes);
}

static void value_text(Metric metric, double value, char text[REPORT_TEXT])
{
    const MetricInfo *info = &metric_infos[metric];
    bool bare = strcmp(info->unit, "1") == 0;
    if (info->kind == METRIC_IS_SHARE) {
        snprintf(text, REPORT_TEXT, "%.3g %%", 100.0 * value);
    } else {
        snprintf(text, REPORT_TEXT, "%.4g%s%s", value, bare ? "" : " ", bare ? "" : info->unit);
    }
}

static void add_pair(ReportCell *rows, int *count, int capacity, const char *what, const char *value)
{
    if (*count < capacity && value[0] != '\0') {
        ReportCell *row = &rows[(*count)++];
        memset(row, 0, sizeof *row);
        snprintf(row->text[0], REPORT_TEXT, "%s", what);
        snprintf(row->text[1], REPORT_TEXT, "%s", value);
    }
}

int report_head_rows(const ReportData *data, ReportCell *rows, int capacity)
{
    const ReportRun *run = &data->run;
    int count = 0;
    char text[REPORT_TEXT], driven[16], par[16];
    add_pair(rows, &count, capacity, "Trainee", run->trainee[0] != '\0' ? run->trainee : "not named");
    add_pair(rows, &count, capacity, "Driven by", run->operator_name);
    add_pair(rows, &count, capacity, "Date (UTC)", run->created);
    snprintf(text, sizeof text, "%s, seed and files in the recording", data->scene.name);
    add_pair(rows, &count, capacity, "Scene", data->scene.name);
    add_pair(rows, &count, capacity, "Machine", data->machine.title);
    report_clock(run->has_values ? run->values[METRIC_TIME] : report_time(run, run->last_tick), driven);
    report_clock(data->scene.exercise.par_time, par);
    snprintf(text, sizeof text, "%s min, par %s min", driven, par);
    add_pair(rows, &count, capacity, "Time", text);
    snprintf(text, sizeof text, "%.4g of 100 points", data->scene.exercise.pass_mark);
    add_pair(rows, &count, capacity, "Pass mark", text);
    add_pair(rows, &count, capacity, "Recording", run->path);
    return count;
}

static void add_score(const SceneExercise *asked, int index, const ScoreRow *computed, ReportCell *row)
{
    const SceneScore *score = &asked->scores[index];
    char full[REPORT_TEXT], zero[REPORT_TEXT];
    memset(row, 0, sizeof *row);
    snprintf(row->text[0], REPORT_TEXT, "%s", score_group_names[score->group]);
    snprintf(row->text[1], REPORT_TEXT, "%s", score_label(score));
    value_text(score->metric, computed->value, row->text[2]);
    value_text(score->metric, score->full, full);
    value_text(score->metric, score->zero, zero);
    int length = snprintf(row->text[3], REPORT_TEXT, "%.4g points at %s, none at %s: %.2f", score->weight, full, zero,
                          computed->share);
    if (score->of != METRIC_SCORE && length < REPORT_TEXT) {
        snprintf(row->text[3] + length, (size_t)(REPORT_TEXT - length), ", times %s %.2f",
                 metric_infos[score->of].phrase, computed->scale);
    }
    snprintf(row->text[4], REPORT_TEXT, "%.1f of %.4g%s", computed->points, score->weight,
             computed->failed ? " (limit passed)" : "");
}

int report_score_rows(const ReportData *data, ReportCell *rows, int capacity)
{
    const SceneExercise *asked = &data->scene.exercise;
    ScoreRow computed[SCENE_MAX_SCORES];
    int count = 0, scores = score_rows(asked, data->run.values, computed);
    for (int group = 0; group < SCORE_GROUP_COUNT; group++) {
        for (int k = 0; k < scores && count < capacity; k++) {
            if ((int)asked->scores[k].group == group) {
                add_score(asked, k, &computed[k], &rows[count++]);
            }
        }
    }
    for (int k = 0; k < asked->rules_count && count < capacity; k++) {
        SceneExercise alone = {.rules_count = 1, .rules = {asked->rules[k]}};
        Incident cause;
        double points = exercise_apply_rules(&alone, data->run.events, data->run.event_count, &cause);
        const SceneRule *rule = &asked->rules[k];
        ReportCell *row = &rows[count++];
        memset(row, 0, sizeof *row);
        snprintf(row->text[0], REPORT_TEXT, "incidents");
        snprintf(row->text[1], REPORT_TEXT, "%s%s%s%s", incident_phrases[rule->incident],
                 rule->thing[0] != '\0' ? " (" : "", rule->thing, rule->thing[0] != '\0' ? ")" : "");
        snprintf(row->text[2], REPORT_TEXT, "%.0f in all",
                 data->run.values[METRIC_INCIDENT_TOUCH + (int)rule->incident]);
        if (rule->fail) {
            snprintf(row->text[3], REPORT_TEXT, "ends the attempt");
        } else {
            snprintf(row->text[3], REPORT_TEXT, "%.4g points each%s", rule->points,
                     rule->limit > 0 ? ", the first ones let pass" : "");
        }
        snprintf(row->text[4], REPORT_TEXT, "%.1f", points > 0.0 ? -points : 0.0);
    }
    return count;
}

/// ---- events and moments --------------------------------------------------------------------------------------------

static int event_at(const ReportRun *run, int64_t tick)
{
    for (int k = 0; k < run->event_count; k++) {
        if (run->events[k].tick == tick) {
            return k;
        }
    }
    return -1;
}

/// An event of that tick tells of it; else a row of its own does.
void report_moment_id(const ReportRun *run, int64_t tick, char id[REPORT_ID])
{
    int event = event_at(run, tick);
    if (event >= 0) {
        snprintf(id, REPORT_ID, "e%d", event);
    } else {
        snprintf(id, REPORT_ID, "t%" PRId64, tick);
    }
}

static void begin_row(const ReportData *data, int64_t tick, const char *kind, ReportCell *row)
{
    double time = report_time(&data->run, tick);
    memset(row, 0, sizeof *row);
    report_clock(time, row->text[0]);
    snprintf(row->text[1], REPORT_TEXT, "%s", kind);
    snprintf(row->text[4], REPORT_TEXT, "%.1f", fmax(0.0, time - 5.0));
}

static void add_event(const ReportData *data, int index, ReportCell *row)
{
    const ExerciseEvent *event = &data->run.events[index];
    bool named = event->detail[0] == '\0' && event->thing[0] != '\0';
    begin_row(data, event->tick, event->kind, row);
    snprintf(row->text[2], REPORT_TEXT, "%s%s%s", event->detail, named ? event->part : "", named ? event->thing : "");
    if (event->number.points != 0.0) {
        snprintf(row->text[3], REPORT_TEXT, "%+.1f", event->number.points);
    }
    snprintf(row->text[5], REPORT_TEXT, "e%d", index);
}

/// The first moment of a mistake after `after` and before `before`; -1: there is none.
static int64_t next_moment(const ReportSummary *summary, int64_t after, int64_t before)
{
    int64_t next = -1;
    for (int k = 0; k < summary->mistake_count; k++) {
        for (int n = 0; n < summary->mistakes[k].moment_count; n++) {
            int64_t tick = summary->mistakes[k].moments[n];
            next = tick > after && tick < before && (next < 0 || tick < next) ? tick : next;
        }
    }
    return next;
}

/// A row that names all mistakes that were costliest then.
static void add_moment(const ReportData *data, int64_t tick, ReportCell *row)
{
    begin_row(data, tick, "most lost", row);
    int length = 0;
    for (int k = 0; k < data->summary.mistake_count; k++) {
        const ReportMistake *mistake = &data->summary.mistakes[k];
        for (int n = 0; n < mistake->moment_count; n++) {
            if (mistake->moments[n] == tick && length < REPORT_TEXT) {
                length += snprintf(row->text[2] + length, (size_t)(REPORT_TEXT - length), "%s%s",
                                   length > 0 ? "; " : "", mistake->what);
            }
        }
    }
    report_moment_id(&data->run, tick, row->text[5]);
}

int report_event_rows(const ReportData *data, ReportCell *rows, int capacity)
{
    int count = 0;
    int64_t after = -1;
    for (int k = 0; k <= data->run.event_count; k++) {
        int64_t before = k < data->run.event_count ? data->run.events[k].tick : INT64_MAX;
        for (int64_t tick = next_moment(&data->summary, after, before); tick >= 0 && count < capacity;
             tick = next_moment(&data->summary, tick, before)) {
            add_moment(data, tick, &rows[count++]);
        }
        after = before;
        if (k < data->run.event_count && count < capacity) {
            add_event(data, k, &rows[count++]);
        }
    }
    return count;
}

/// ---- beside other runs ---------------------------------------------------------------------------------------------

static int compared(const ReportData *data)
{
    return data->against_count < REPORT_COMPARED ? data->against_count : REPORT_COMPARED;
}

int report_compare_heads(const ReportData *data, ReportCell *heads)
{
    memset(heads, 0, sizeof *heads);
    snprintf(heads->text[1], REPORT_TEXT, "this run");
    for (int k = 0; k < compared(data); k++) {
        const ReportRun *run = &data->against[k];
        const char *who = run->trainee[0] != '\0' ? run->trainee : run->operator_name;
        snprintf(heads->text[2 + k], REPORT_TEXT, "%c: %.60s, %.10s", 'A' + k, run->role[0] != '\0' ? run->role : who,
                 run->created);
    }
    return 2 + compared(data);
}

static void add_compared(const ReportData *data, Metric metric, ReportCell *row)
{
    memset(row, 0, sizeof *row);
    snprintf(row->text[0], REPORT_TEXT, "%s", metric_infos[metric].phrase);
    value_text(metric, data->run.values[metric], row->text[1]);
    for (int k = 0; k < compared(data); k++) {
        if (data->against[k].has_values) {
            value_text(metric, data->against[k].values[metric], row->text[2 + k]);
        } else {
            snprintf(row->text[2 + k], REPORT_TEXT, "cut off");
        }
    }
}

int report_compare_rows(const ReportData *data, ReportCell *rows, int capacity)
{
    static const Metric usual[] = {METRIC_SCORE,          METRIC_TIME,        METRIC_WORK_SHARE, METRIC_CYCLES,
                                   METRIC_MEAN_CYCLE,     METRIC_MEAN_BUCKET, METRIC_PRODUCTION, METRIC_SPILLED,
                                   METRIC_RMS_ERROR,      METRIC_RELIEF_TIME, METRIC_SLIP_TIME,  METRIC_REVERSALS,
                                   METRIC_TOGETHER_SHARE, METRIC_TIP_PATH,    METRIC_FUEL};
    const SceneExercise *asked = &data->scene.exercise;
    bool shown[METRIC_COUNT] = {false};
    int count = 0;
    for (size_t k = 0; k < sizeof usual / sizeof usual[0]; k++) {
        shown[usual[k]] = scene_has_part(asked, metric_infos[usual[k]].part);
    }
    for (int k = 0; k < asked->scores_count; k++) { // what is scored is worth comparing, whatever it is
        shown[asked->scores[k].metric] = true;
    }
    for (int metric = 0; metric < METRIC_COUNT && count < capacity; metric++) {
        if (shown[metric]) {
            add_compared(data, (Metric)metric, &rows[count++]);
        }
    }
    return count;
}
