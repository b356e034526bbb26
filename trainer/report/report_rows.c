/// What a report says: reads the recording's own scene, figures, events, samples and maps of the ground, and puts them
/// into tables, as rows of text, for HTML and PDF.
#include "trainer/report/report_logo.h"
#include "trainer/report/report_pages_internal.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data/core/language.h"
#include "data/core/quantity.h"
#include "data/core/system_files.h"
#include "data/core/visible_text.h"
#include "data/schema/schema.h"
#include "trainer/report/report_words.h"
#include "trainer/sim/sim.h"

const char *const report_score_heads[5] = {TEXT("group"), TEXT("what"), TEXT("reached"), TEXT("points are given"),
                                           TEXT("points")};

static const char *const groups[SCORE_GROUP_COUNT] = {
    [SCORE_GROUP_WORK] = TEXT("work"),       [SCORE_GROUP_ACCURACY] = TEXT("accuracy"),
    [SCORE_GROUP_TIME] = TEXT("time"),       [SCORE_GROUP_SPILL] = TEXT("spill"),
    [SCORE_GROUP_MACHINE] = TEXT("machine"), [SCORE_GROUP_SAFETY] = TEXT("safety"),
    [SCORE_GROUP_SKILL] = TEXT("skill")};

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
        : report_is_changed(data) ? language_text("This is not what was recorded: nothing of it is scored or shown.")
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

/// What a run reached.
static void figure_text(const ReportData *data, Metric metric, const ReportRun *run, char text[REPORT_TEXT])
{
    char shown[SCORE_VALUE];
    score_write_figure(metric, run->values, &(TextReader){.units = data->units}, shown);
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
    char text[REPORT_TEXT], driven[REPORT_CLOCK], par[REPORT_CLOCK];
    const char *trainee = run->trainee[0] != '\0' ? run->trainee : language_text("nobody named");
    add_pair(rows, &count, capacity, TEXT("Trainee"), trainee);
    operator_words(run->operator_name, &run->credit, text, sizeof text);
    add_pair(rows, &count, capacity, TEXT("Driven by"), text);
    add_pair(rows, &count, capacity, TEXT("Date (UTC)"), run->created);
    add_pair(rows, &count, capacity, TEXT("Scene"), data->scene.name);
    add_pair(rows, &count, capacity, TEXT("Machine"), language_text(data->machine.title));
    if (run->changed[0] != '\0') {
        snprintf(text, sizeof text, "%.255s%s", run->changed,
                 credit_is_comparable(run->changed)
                     ? ""
                     : language_text(": the points are not comparable with others of this scene"));
        add_pair(rows, &count, capacity, TEXT("Changed for this drive"), text);
    }
    report_clock(run->has_values ? run->values[METRIC_TIME] : report_time(run, run->last_tick), language_decimal_mark(),
                 driven);
    report_clock(data->scene.exercise.par_time, language_decimal_mark(), par);
    snprintf(text, sizeof text, language_text("%s min, par %s min"), driven, par);
    add_pair(rows, &count, capacity, TEXT("Time"), text);
    snprintf(text, sizeof text, language_text("%s of 100 points"),
             quantity_digits(data->scene.exercise.pass_mark, 4).number);
    add_pair(rows, &count, capacity, TEXT("Pass mark"), text);
    add_pair(rows, &count, capacity, TEXT("Recording"), file_name_of(run->path));
    add_pair(rows, &count, capacity, TEXT("Instructor's grade"), data->grade);
    add_pair(rows, &count, capacity, TEXT("Instructor's comment"), data->comment);
    return count;
}

static void add_score(const ReportData *data, int index, const ScoreRow *computed, ReportCell *row)
{
    const SceneScore *score = &data->scene.exercise.scores[index];
    char full[REPORT_TEXT], zero[REPORT_TEXT];
    memset(row, 0, sizeof *row);
    snprintf(row->text[0], REPORT_TEXT, "%s", language_text(groups[score->group]));
    char what[SCORE_WHAT];
    score_write_what(score, &(TextReader){.units = data->units}, what);
    snprintf(row->text[1], REPORT_TEXT, "%s", what);
    figure_text(data, score->metric, &data->run, row->text[2]);
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

/// Cuts a text that is too long at a character.
static void put_cell(const char *text, char cell[REPORT_TEXT])
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
    put_cell(what, row->text[1]);
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

/// What damages of one owner took beside the rules. False where nothing was damaged.
static bool add_damage(const ReportData *data, int owner, ReportCell *row)
{
    static const Incident incidents[DAMAGE_OWNERS] = {INCIDENT_TRUCK_DAMAGED, INCIDENT_FIXTURE_DAMAGED};
    const ReportRun *run = &data->run;
    const double *each = data->scene.exercise.damage_points[owner];
    double times = run->values[METRIC_INCIDENT_TOUCH + (int)incidents[owner]];
    SceneExercise alone = {.rules_count = 0};
    Incident cause;
    memcpy(alone.damage_points[owner], each, sizeof alone.damage_points[owner]);
    double points = exercise_apply_rules(&alone, run->events, run->event_count, &cause);
    if (!(times > 0.0)) {
        return false;
    }
    memset(row, 0, sizeof *row);
    snprintf(row->text[0], REPORT_TEXT, "%s", language_text("incidents"));
    put_cell(language_text(incident_phrases[incidents[owner]]), row->text[1]);
    snprintf(row->text[2], REPORT_TEXT, language_text("%.0f in all"), times);
    snprintf(row->text[3], REPORT_TEXT, language_text("by energy: %s, %s or %s points"),
             quantity_digits(each[0], 4).number, quantity_digits(each[1], 4).number,
             quantity_digits(each[2], 4).number);
    snprintf(row->text[4], REPORT_TEXT, "%s", quantity_number(points > 0.0 ? -points : 0.0, 1).number);
    return true;
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
    for (int owner = 0; owner < DAMAGE_OWNERS && count < capacity; owner++) {
        count += add_damage(data, owner, &rows[count]);
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

/// The id is that of an event in the same tick, else of a row of its own.
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
    report_clock(time, language_decimal_mark(), row->text[0]);
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
    put_cell(text, row->text[2]);
    event_points(event, &reader, text);
    put_cell(text, row->text[3]);
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

static int compared_count(const ReportData *data)
{
    return data->against_count < REPORT_COMPARED ? data->against_count : REPORT_COMPARED;
}

int report_compare_heads(const ReportData *data, ReportCell *heads)
{
    memset(heads, 0, sizeof *heads);
    snprintf(heads->text[1], REPORT_TEXT, "%s", language_text("this run"));
    for (int k = 0; k < compared_count(data); k++) {
        const ReportRun *run = &data->against[k];
        char driver[REPORT_TEXT];
        operator_words(run->operator_name, &run->credit, driver, sizeof driver);
        const char *who = run->trainee[0] != '\0' ? run->trainee : driver;
        snprintf(heads->text[2 + k], REPORT_TEXT, "%c: %.60s, %.10s", 'A' + k,
                 run->role[0] != '\0' ? language_text(run->role) : who, run->created);
    }
    return 2 + compared_count(data);
}

static void add_compared(const ReportData *data, Metric metric, ReportCell *row)
{
    memset(row, 0, sizeof *row);
    snprintf(row->text[0], REPORT_TEXT, "%s", language_text(metric_infos[metric].phrase));
    figure_text(data, metric, &data->run, row->text[1]);
    for (int k = 0; k < compared_count(data); k++) {
        if (data->against[k].has_values) {
            figure_text(data, metric, &data->against[k], row->text[2 + k]);
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

/// ---- the data ------------------------------------------------------------------------------------------------------

double report_time(const ReportRun *run, int64_t tick)
{
    return (double)tick * run->dt;
}

static void copy_meta(Recording *recording, const char *key, char *text, size_t size)
{
    const char *value = recording_meta(recording, key);
    snprintf(text, size, "%s", value != NULL ? value : "");
}

/// Reads who drove it, when and by which build, as the recording says.
static void read_about(Recording *recording, const char *path, double dt, ReportRun *run)
{
    snprintf(run->path, sizeof run->path, "%s", path);
    copy_meta(recording, "trainee", run->trainee, sizeof run->trainee);
    copy_meta(recording, "operator", run->operator_name, sizeof run->operator_name);
    recording_credit(recording, &run->credit);
    copy_meta(recording, "created", run->created, sizeof run->created);
    copy_meta(recording, "build", run->build, sizeof run->build);
    copy_meta(recording, "changed", run->changed, sizeof run->changed);
    run->dt = dt;
    run->first_tick = recording_first_tick(recording);
    run->last_tick = recording_ticks(recording);
}

static bool read_run(Recording *recording, const char *path, double dt, ReportRun *run, Status *status)
{
    read_about(recording, path, dt, run);
    ExerciseMetric metrics[EXERCISE_MAX_METRICS];
    int count = recording_metrics(recording, metrics, EXERCISE_MAX_METRICS);
    run->has_values = count > 0 && run->seal.state == RECORDING_WHOLE;
    for (int k = 0; k < count && k < EXERCISE_MAX_METRICS; k++) {
        Metric metric = metric_named(metrics[k].name);
        if (metric < METRIC_COUNT && isfinite(metrics[k].value)) {
            run->values[metric] = metrics[k].value;
        }
    }
    run->events = calloc(EXERCISE_MAX_EVENTS, sizeof *run->events);
    if (run->events == NULL) {
        return status_fail(status, STATUS_LACKING, "%s: out of memory for its events", path);
    }
    run->event_count = recording_events(recording, run->events, EXERCISE_MAX_EVENTS);
    run->sample_count = recording_trace(recording, &run->samples, status);
    return run->sample_count >= 0;
}

static bool read_main(const ReportRequest *request, Recording *recording, ReportData *data, Status *status)
{
    snprintf(data->comment, sizeof data->comment, "%s", request->comment != NULL ? request->comment : "");
    snprintf(data->grade, sizeof data->grade, "%s", request->grade != NULL ? request->grade : "");
    if (request->logo != NULL && request->logo[0] != '\0') {
        Status reason;
        data->logo = report_logo_read(request->logo, &reason);
        if (data->logo == NULL) {
            fprintf(stderr, "spadework: %s; the debrief has none\n", reason.text);
        }
    }
    if (!data_load_scene_from_files(recording_files(recording), &data->scene, &data->machine, status)) {
        return false;
    }
    language_translate_scene(&data->scene);
    data->design = design_create(&data->scene.exercise, DESIGN_OF_WORK, NULL, status);
    if (data->design == NULL) {
        return false;
    }
    double dt = 1.0 / data->scene.rates.tick_rate;
    if (!recording_prove(recording, request->progress, request->context, &data->run.seal, status)) {
        return false;
    }
    if (request->seal != NULL) {
        *request->seal = data->run.seal;
    }
    if (report_is_changed(data)) {
        read_about(recording, request->recording, dt, &data->run);
        return true; // what else lies in it may be anything
    }
    return read_run(recording, request->recording, dt, &data->run, status) &&
           recording_ground(recording, data->run.first_tick, &data->before, status) &&
           recording_ground(recording, data->run.last_tick, &data->after, status);
}

static void free_run(ReportRun *run)
{
    free(run->events);
    free(run->samples);
}

static bool read_other(const char *path, ReportRun *run, Status *status)
{
    Recording *recording = recording_open(path, status);
    if (recording == NULL) {
        return false;
    }
    SceneParams *scene = calloc(1, sizeof *scene);
    MachineParams *machine = calloc(1, sizeof *machine);
    bool good = scene != NULL && machine != NULL &&
                data_load_scene_from_files(recording_files(recording), scene, machine, status) &&
                recording_check_seals(recording, &run->seal, status) &&
                read_run(recording, path, 1.0 / scene->rates.tick_rate, run, status);
    free(scene);
    free(machine);
    recording_close(recording);
    return good;
}

/// Reads the runs to compare with. A run that was looked up and cannot be read is left out with a note.
static bool read_others(const ReportRequest *request, ReportData *data, Status *status)
{
    snprintf(data->note, sizeof data->note, "%s", request->note != NULL ? request->note : "");
    for (int k = 0; k < request->against_count && k < REPORT_MAX_AGAINST; k++) {
        const ReportOther *other = &request->against[k];
        ReportRun *run = &data->against[data->against_count];
        *run = (ReportRun){0};
        snprintf(run->role, sizeof run->role, "%s", other->role);
        if (read_other(other->path, run, status)) {
            data->against_count++;
        } else if (other->found) {
            free_run(run);
            snprintf(data->note, sizeof data->note, language_text("Not compared with %s: %.400s"),
                     language_text(other->role), status->text);
        } else {
            data->against_count++; // whose memory is freed with the others'
            return false;
        }
    }
    visible_text_hide_home(data->note); // what cannot be read is named with its folder
    return true;
}

static bool add_summary(ReportData *data, Status *status)
{
    const ReportRun *run = &data->run;
    ScoreStand *stands = calloc((size_t)run->sample_count + 1, sizeof *stands);
    if (stands == NULL) {
        return status_fail(status, STATUS_LACKING, "%s: out of memory for its score", run->path);
    }
    for (int64_t k = 0; k < run->sample_count; k++) {
        stands[k].tick = run->samples[k].tick;
        stands[k].work = run->samples[k].work;
        memcpy(stands[k].amount, run->samples[k].amount, sizeof stands[k].amount);
    }
    ReportFacts facts = {.asked = &data->scene.exercise,
                         .values = run->values,
                         .events = run->events,
                         .event_count = run->event_count,
                         .stands = stands,
                         .stand_count = run->sample_count,
                         .dt = run->dt,
                         .units = data->units};
    report_summarise(&facts, &data->summary);
    report_give_credit(&data->summary, &run->credit, run->trainee);
    free(stands);
    return true;
}

ReportData *report_data_read(const ReportRequest *request, Status *status)
{
    ReportData *data = calloc(1, sizeof *data);
    if (data == NULL) {
        status_fail(status, STATUS_LACKING, "%s: out of memory for the report", request->recording);
        return NULL;
    }
    data->units = request->units;
    Recording *recording = recording_open(request->recording, status);
    bool good = recording != NULL && read_main(request, recording, data, status);
    recording_close(recording);
    if (!good || !read_others(request, data, status) || !add_summary(data, status)) {
        report_data_free(data);
        return NULL;
    }
    return data;
}

void report_data_free(ReportData *data)
{
    if (data == NULL) {
        return;
    }
    free_run(&data->run);
    for (int k = 0; k < data->against_count; k++) {
        free_run(&data->against[k]);
    }
    design_destroy(data->design);
    free(data->before.height);
    free(data->after.height);
    cairo_surface_destroy(data->logo); // NULL is nothing
    free(data);
}
