/// The tables of a report as rows of text, for every form it takes.
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "data/core/language.h"
#include "data/core/quantity.h"
#include "trainer/sim/sim.h"
#include "trainer/report/report_words.h"
#include "trainer/report/seal_words.h"
#include "trainer/report/report_pages_internal.h"

const char *const report_score_heads[5] = {TEXT("group"), TEXT("what"), TEXT("reached"), TEXT("points are given"),
                                           TEXT("points")};

static const char *const groups[SCORE_GROUP_COUNT] = {
    [SCORE_GROUP_WORK] = TEXT("work"),       [SCORE_GROUP_ACCURACY] = TEXT("accuracy"),
    [SCORE_GROUP_TIME] = TEXT("time"),       [SCORE_GROUP_SPILL] = TEXT("spill"),
    [SCORE_GROUP_MACHINE] = TEXT("machine"), [SCORE_GROUP_SAFETY] = TEXT("safety"),
    [SCORE_GROUP_SKILL] = TEXT("skill")};

void report_clock(double seconds, char text[16])
{
    double rest = seconds < 0.0 ? 0.0 : 0.1 * round(10.0 * seconds); // no 0:60.0
    int minutes = (int)(rest / 60.0);
    snprintf(text, 16, "%d:%04.1f", minutes % 100000, rest - 60.0 * minutes);
    *strchr(text, '.') = language_decimal_mark()[0];
}

bool report_is_changed(const ReportData *data)
{
    return data->run.seal.state == RECORDING_CHANGED;
}

void report_seal_line(const ReportData *data, char text[2 * REPORT_TEXT])
{
    char words[SEAL_WORDS];
    seal_words(&data->run.seal, false, words, sizeof words);
    snprintf(text, 2 * REPORT_TEXT, language_text("Recording: %s"), words);
}

void report_unscored_line(const ReportData *data, char text[2 * REPORT_TEXT])
{
    const char *why =
        data->run.has_values      ? ""
        : report_is_changed(data) ? language_text("This is not what was recorded: nothing of it is scored or told.")
        : data->run.seal.state == RECORDING_LIVE
            ? language_text("The drive was still going on when this was made: nothing is scored yet.")
            : language_text("The recording was cut off before its figures were written: nothing is scored.");
    snprintf(text, 2 * REPORT_TEXT, "%s", why);
}

static void value_text(const ReportData *data, Metric metric, double value, char text[REPORT_TEXT])
{
    char shown[SCORE_VALUE];
    score_write_value(metric, value, &(TextReader){.units = data->units}, shown);
    snprintf(text, REPORT_TEXT, "%s", shown);
}

static void add_pair(ReportCell *rows, int *count, int capacity, const char *what, const char *value)
{
    if (*count < capacity && value[0] != '\0') {
        ReportCell *row = &rows[(*count)++];
        memset(row, 0, sizeof *row);
        snprintf(row->text[0], REPORT_TEXT, "%s", language_text(what));
        snprintf(row->text[1], REPORT_TEXT, "%s", value);
    }
}

int report_head_rows(const ReportData *data, ReportCell *rows, int capacity)
{
    const ReportRun *run = &data->run;
    int count = 0;
    char text[REPORT_TEXT], driven[16], par[16];
    const char *trainee = run->trainee[0] != '\0' ? run->trainee : language_text("nobody named");
    add_pair(rows, &count, capacity, TEXT("Trainee"), trainee);
    operator_words(run->operator_name, &run->credit, text, sizeof text);
    add_pair(rows, &count, capacity, TEXT("Driven by"), text);
    add_pair(rows, &count, capacity, TEXT("Date (UTC)"), run->created);
    add_pair(rows, &count, capacity, TEXT("Scene"), data->scene.name);
    add_pair(rows, &count, capacity, TEXT("Machine"), language_text(data->machine.title));
    report_clock(run->has_values ? run->values[METRIC_TIME] : report_time(run, run->last_tick), driven);
    report_clock(data->scene.exercise.par_time, par);
    snprintf(text, sizeof text, language_text("%s min, par %s min"), driven, par);
    add_pair(rows, &count, capacity, TEXT("Time"), text);
    snprintf(text, sizeof text, language_text("%s of 100 points"),
             quantity_digits(data->scene.exercise.pass_mark, 4).number);
    add_pair(rows, &count, capacity, TEXT("Pass mark"), text);
    add_pair(rows, &count, capacity, TEXT("Recording"), run->path);
    return count;
}

static void add_score(const ReportData *data, int index, const ScoreRow *computed, ReportCell *row)
{
    const SceneScore *score = &data->scene.exercise.scores[index];
    char full[REPORT_TEXT], zero[REPORT_TEXT];
    memset(row, 0, sizeof *row);
    snprintf(row->text[0], REPORT_TEXT, "%s", language_text(groups[score->group]));
    snprintf(row->text[1], REPORT_TEXT, "%s", language_text(score_label(score)));
    value_text(data, score->metric, computed->value, row->text[2]);
    value_text(data, score->metric, score->full, full);
    value_text(data, score->metric, score->zero, zero);
    const Quantity weight = quantity_digits(score->weight, 4);
    int length = snprintf(row->text[3], REPORT_TEXT, language_text("%s points at %s, none at %s: %s"), weight.number,
                          full, zero, quantity_number(computed->share, 2).number);
    if (score->of != METRIC_SCORE && length < REPORT_TEXT) {
        snprintf(row->text[3] + length, (size_t)(REPORT_TEXT - length), language_text(", times %s %s"),
                 language_text(metric_infos[score->of].phrase), quantity_number(computed->scale, 2).number);
    }
    length = snprintf(row->text[4], REPORT_TEXT, language_text("%s of %s"), quantity_number(computed->points, 1).number,
                      weight.number);
    if (computed->failed && length < REPORT_TEXT) {
        snprintf(row->text[4] + length, (size_t)(REPORT_TEXT - length), " %s", language_text("(limit passed)"));
    }
}

static void put_text(const char *text, char cell[REPORT_TEXT])
{
    snprintf(cell, REPORT_TEXT, "%.*s", REPORT_TEXT - 1, text);
    language_end_whole(cell);
}

/// What a rule of incidents took.
static void add_rule(const ReportData *data, const SceneRule *rule, ReportCell *row)
{
    const ReportRun *run = &data->run;
    SceneExercise alone = {.rules_count = 1, .rules = {*rule}};
    Incident cause;
    double points = exercise_apply_rules(&alone, run->events, run->event_count, &cause);
    char what[EVENT_TEXT];
    memset(row, 0, sizeof *row);
    snprintf(row->text[0], REPORT_TEXT, "%s", language_text("incidents"));
    event_rule_text(rule, &(TextReader){.units = data->units}, what);
    put_text(what, row->text[1]);
    snprintf(row->text[2], REPORT_TEXT, language_text("%.0f in all"),
             run->values[METRIC_INCIDENT_TOUCH + (int)rule->incident]);
    if (rule->fail) {
        snprintf(row->text[3], REPORT_TEXT, "%s", language_text("ends the attempt"));
    } else {
        snprintf(
            row->text[3], REPORT_TEXT,
            language_text(rule->limit > 0 ? TEXT("%s points each, the first ones let pass") : TEXT("%s points each")),
            quantity_digits(rule->points, 4).number);
    }
    snprintf(row->text[4], REPORT_TEXT, "%s", quantity_number(points > 0.0 ? -points : 0.0, 1).number);
}

int report_score_rows(const ReportData *data, ReportCell *rows, int capacity)
{
    const SceneExercise *asked = &data->scene.exercise;
    ScoreRow computed[SCENE_MAX_SCORES];
    int count = 0, scores = score_rows(asked, data->run.values, computed);
    for (int group = 0; group < SCORE_GROUP_COUNT; group++) {
        for (int k = 0; k < scores && count < capacity; k++) {
            if ((int)asked->scores[k].group == group) {
                add_score(data, k, &computed[k], &rows[count++]);
            }
        }
    }
    for (int k = 0; k < asked->rules_count && count < capacity; k++) {
        add_rule(data, &asked->rules[k], &rows[count++]);
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
    const TextReader reader = {.units = data->units};
    char text[EVENT_TEXT];
    event_title(event, &reader, text);
    begin_row(data, event->tick, text, row);
    event_text(event, &reader, &data->scene.exercise, text);
    put_text(text, row->text[2]);
    event_points(event, &reader, text);
    put_text(text, row->text[3]);
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
    begin_row(data, tick, language_text("most lost"), row);
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
    language_end_whole(row->text[2]);
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
    snprintf(heads->text[1], REPORT_TEXT, "%s", language_text("this run"));
    for (int k = 0; k < compared(data); k++) {
        const ReportRun *run = &data->against[k];
        char driver[REPORT_TEXT];
        operator_words(run->operator_name, &run->credit, driver, sizeof driver);
        const char *who = run->trainee[0] != '\0' ? run->trainee : driver;
        snprintf(heads->text[2 + k], REPORT_TEXT, "%c: %.60s, %.10s", 'A' + k,
                 run->role[0] != '\0' ? language_text(run->role) : who, run->created);
    }
    return 2 + compared(data);
}

static void add_compared(const ReportData *data, Metric metric, ReportCell *row)
{
    memset(row, 0, sizeof *row);
    snprintf(row->text[0], REPORT_TEXT, "%s", language_text(metric_infos[metric].phrase));
    value_text(data, metric, data->run.values[metric], row->text[1]);
    for (int k = 0; k < compared(data); k++) {
        if (data->against[k].has_values) {
            value_text(data, metric, data->against[k].values[metric], row->text[2 + k]);
        } else {
            snprintf(row->text[2 + k], REPORT_TEXT, "%s", language_text("cut off"));
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
