/// The drive's host without a window: as fast as the computer can, or by the wall clock where a person drives; a
/// progress bar on stderr, and a good end when a signal asks for one. Gathers the summary and prints it.
#include "trainer/cli/headless.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "data/core/quantity.h"
#include "data/core/signals.h"
#include "data/core/visible_text.h"
#include "trainer/pilot/pilot.h"
#include "trainer/report/report.h"
#include "trainer/results/results.h"
#include "trainer/sim/sim.h"

#define MOST_WORK  0.03 ///< s of catching up with the clock, for a person. Chosen
#define SHOW_EVERY 0.25 ///< s between two states of the progress bar

enum { BAR = 30 };

typedef struct Headless {
    const HeadlessStart *start;
    Drive drive;
    RunSummary *summary;
    float *tick_ms; ///< [end_tick - first_tick + 1]
    double soil_ms, machine_ms; ///< sums
    bool shows_progress;
    double started, shown; ///< drive_clock; what the hook takes is left out of `started`
    double last_round; ///< drive_clock, of a run by the clock
    int restarts; ///< of the drive, when the summary was begun
    bool pad_lost; ///< as printed last
    int unrested_told; ///< as the operator's, so far
} Headless;

/// ---- progress ------------------------------------------------------------------------------------------------------

static void show_progress(Headless *self, bool last)
{
    double now = drive_clock();
    if (!self->shows_progress || (!last && now - self->shown < SHOW_EVERY)) {
        return;
    }
    self->shown = now;
    const Drive *drive = &self->drive;
    double dt = session_dt(drive->session), done = (double)self->summary->ticks * dt;
    double whole = (double)(drive->end_tick - drive->first_tick) * dt;
    int filled = whole > 0.0 ? (int)(BAR * done / whole) : BAR;
    char bar[BAR + 1];
    for (int k = 0; k < BAR; k++) {
        bar[k] = k < filled ? '#' : '.';
    }
    bar[BAR] = '\0';
    double elapsed = now - self->started;
    fprintf(stderr, "\r[%s] %.1f of %s%.1f s, %.2fx real time, score %.1f  %s", bar, done,
            drive->until_finished ? "at most " : "", whole, elapsed > 0.0 ? done / elapsed : 0.0,
            session_frame(drive->session)->score, last ? "\n" : "");
}

/// ---- the drive's host ----------------------------------------------------------------------------------------------

/// Sleeps until the next tick of a run by the clock is due.
static void wait_for_tick(const Headless *self)
{
    double due = self->last_round + session_dt(self->drive.session) - self->drive.behind;
    double ahead = due - drive_clock();
    if (ahead > 0.0) {
        nanosleep(&(struct timespec){(time_t)ahead, (long)((ahead - floor(ahead)) * 1e9)}, NULL);
    }
}

static void print_pad_notices(Headless *self)
{
    const Operator *driver = &self->drive.driver;
    if (driver->pad_lost != self->pad_lost) {
        char notice[INPUT_NEWS_TEXT];
        input_news_text(&driver->notice, &(TextReader){.english = true}, notice);
        fprintf(stderr, "%sspadework: %s%s\n", self->shows_progress ? "\n" : "", notice,
                driver->pad_lost ? ": levers neutral until a pad is plugged in" : "");
        self->pad_lost = driver->pad_lost;
    }
    if (driver->unrested_told != self->unrested_told) {
        char notice[INPUT_NEWS_TEXT];
        input_news_text(&driver->unrested, &(TextReader){.english = true}, notice);
        fprintf(stderr, "%sspadework: %s\n", self->shows_progress ? "\n" : "", notice);
        self->unrested_told = driver->unrested_told;
    }
}

static bool before_round(void *context, Drive *drive, DriveRound *round, Status *status)
{
    (void)status;
    Headless *self = context;
    round->leaves = self->summary->interrupted;
    if (drive->driver.kind != OPERATOR_PERSON && self->start->guide == NULL) {
        return true;
    }
    print_pad_notices(self);
    wait_for_tick(self);
    double now = drive_clock();
    round->paced = true;
    round->elapsed = now - self->last_round;
    round->budget = MOST_WORK;
    self->last_round = now;
    return true;
}

static void count_tick(void *context, Drive *drive)
{
    Headless *self = context;
    RunSummary *summary = self->summary;
    const SessionFrame *frame = session_frame(drive->session);
    if (drive->restarts != self->restarts) { // the summary is of the last attempt
        self->restarts = drive->restarts;
        self->soil_ms = self->machine_ms = 0.0;
        *summary = (RunSummary){.wall = summary->wall};
    }
    self->tick_ms[summary->ticks++] = (float)frame->tick_ms;
    if (frame->counters.particles > summary->particles_peak) {
        summary->particles_peak = frame->counters.particles;
    }
    summary->payload_peak = fmax(summary->payload_peak, session_payload_shown(drive->session));
    summary->tool_force_peak = fmax(summary->tool_force_peak, session_tool_load(drive->session, 0));
    summary->second_force_peak = fmax(summary->second_force_peak, session_tool_load(drive->session, 1));
    self->soil_ms += frame->soil_ms;
    self->machine_ms += frame->machine_ms;
}

static bool after_round(void *context, Drive *drive, bool last, Status *status)
{
    Headless *self = context;
    const HeadlessHook *hook = &self->start->hook;
    show_progress(self, last);
    self->summary->interrupted |= signals_stop_asked();
    double before = drive_clock();
    self->summary->wall = before - self->started;
    bool good = hook->after_tick == NULL || hook->after_tick(hook->context, drive->session, last, status);
    self->started += drive_clock() - before;
    return good;
}

/// Nobody can be asked without a window.
static bool is_answered(void *context, Drive *drive, DriveFile file)
{
    (void)context;
    (void)drive;
    (void)file;
    return false;
}

/// ---- summary -------------------------------------------------------------------------------------------------------

static int compare_floats(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

static void sum_up_times(Headless *self)
{
    RunSummary *summary = self->summary;
    if (summary->ticks == 0) {
        return;
    }
    size_t count = (size_t)summary->ticks;
    qsort(self->tick_ms, count, sizeof *self->tick_ms, compare_floats);
    summary->tick_p50 = (double)self->tick_ms[(count - 1) / 2];
    summary->tick_p99 = (double)self->tick_ms[(size_t)((double)(count - 1) * 0.99)];
    summary->tick_max = (double)self->tick_ms[count - 1];
    summary->soil_mean = self->soil_ms / (double)count;
    summary->machine_mean = self->machine_ms / (double)count;
}

/// The rows of the score, in words.
static void fill_rows(const Exercise *exercise, const SceneExercise *asked, RunSummary *summary)
{
    ScoreRow rows[SCENE_MAX_SCORES];
    summary->row_count = exercise_score_rows(exercise, rows);
    for (int k = 0; k < summary->row_count; k++) {
        const SceneScore *score = &asked->scores[k];
        snprintf(summary->rows[k], sizeof summary->rows[k], "%5.1f of %4.3g  %s: %.63s", rows[k].points, score->weight,
                 score_group_names[score->group], score_label(score));
    }
}

/// What the attempt counts as comes before what it was worth.
static void sum_up_credit(Headless *self)
{
    RunSummary *summary = self->summary;
    const Exercise *exercise = session_exercise(self->drive.session);
    const char *trainee = self->start->options->trainee;
    char why[CREDIT_WORDS];
    summary->credit = drive_credit(&self->drive);
    summary->counts = credit_counts(&summary->credit, trainee);
    summary->passed = exercise_is_passed(exercise) && summary->counts;
    exercise_verdict(exercise, &reader_of_files, summary->verdict);
    credit_words_plain(&summary->credit, trainee, why);
    if (!summary->counts) {
        snprintf(summary->verdict, sizeof summary->verdict, "%.*s", (int)sizeof summary->verdict - 1, why);
    }
}

static void sum_up_session(Headless *self)
{
    RunSummary *summary = self->summary;
    const Drive *drive = &self->drive;
    const SessionFrame *frame = session_frame(drive->session);
    const Exercise *exercise = session_exercise(drive->session);
    snprintf(summary->scene, sizeof summary->scene, "%s", session_scene(drive->session)->name);
    snprintf(summary->title, sizeof summary->title, "%s", session_scene(drive->session)->title);
    snprintf(summary->operator_name, sizeof summary->operator_name, "%s", drive->driver.name);
    visible_text_mask(summary->operator_name, false);
    if (drive->driver.expert != NULL) {
        expert_report(drive->driver.expert, summary->operator_report);
    }
    const MachineParams *machine = session_machine_params(drive->session);
    if (machine->tool_count > 1) {
        snprintf(summary->second_tool, sizeof summary->second_tool, "%s", machine->body[machine->tool[1].body].name);
    }
    summary->first_tick = drive->first_tick;
    summary->simulated = (double)summary->ticks * session_dt(drive->session);
    summary->mass_first = drive->mass_first;
    summary->mass_last = frame->ledger.total;
    summary->mass_constant = drive->mass_constant;
    summary->scored = scene_is_scored(&session_scene(drive->session)->exercise);
    summary->score = frame->score;
    summary->finished = exercise_is_finished(exercise);
    sum_up_credit(self);
    fill_rows(exercise, &session_scene(drive->session)->exercise, summary);
    summary->sheet_count = exercise_sheet(exercise, summary->sheet);
    summary->failure = exercise_failure(exercise);
    summary->hash = state_hash(drive->session);
    summary->metric_count =
        results_metrics(drive->session, &summary->credit, self->start->options->trainee, summary->metrics);
    for (int k = 0; k < summary->metric_count; k++) {
        if (strcmp(summary->metrics[k].name, "cycles") == 0) {
            summary->cycles = (int)summary->metrics[k].value;
        }
    }
}

/// What was written, when the files are closed.
static void sum_up_files(Headless *self)
{
    const Drive *drive = &self->drive;
    snprintf(self->summary->record, sizeof self->summary->record, "%s", drive->record);
    self->summary->telemetry = drive->measured ? self->start->options->telemetry : NULL;
    self->summary->record_failure = drive->record_failure;
    self->summary->telemetry_failure = drive->telemetry_failure;
}

/// ---- the run -------------------------------------------------------------------------------------------------------

static bool run_ticks(Headless *self, Status *status)
{
    Drive *drive = &self->drive;
    size_t ticks = (size_t)(drive->end_tick - drive->first_tick);
    self->tick_ms = calloc(ticks + 1, sizeof *self->tick_ms);
    if (self->tick_ms == NULL) {
        return status_fail(status, STATUS_LACKING, "out of memory for %zu ticks", ticks);
    }
    DriveHost host = {self, before_round, count_tick, after_round, is_answered};
    self->started = self->last_round = drive_clock();
    bool good = drive_run(drive, &host, status);
    if (!good && self->shows_progress) {
        fputc('\n', stderr); // what failed stands on a line of its own
    }
    return good;
}

static bool drive_headless(Headless *self, Status *status)
{
    const HeadlessStart *start = self->start;
    DriveParams params = {.options = start->options, .parent = start->parent, .at = start->at, .guide = start->guide};
    if (!drive_create(&self->drive, &params, status)) {
        return false;
    }
    bool good = run_ticks(self, status);
    sum_up_times(self);
    sum_up_session(self);
    good = drive_close(&self->drive, good, status);
    sum_up_files(self);
    drive_destroy(&self->drive);
    free(self->tick_ms);
    return good;
}

bool headless_run(const HeadlessStart *start, RunSummary *summary, Status *status)
{
    Headless *self = calloc(1, sizeof *self);
    *summary = (RunSummary){0};
    if (self == NULL) {
        return status_fail(status, STATUS_LACKING, "out of memory for the run");
    }
    self->start = start;
    self->summary = summary;
    self->shows_progress = start->options->progress || isatty(STDERR_FILENO) == 1;
    status_good(status);
    signals_take();
    bool good = drive_headless(self, status);
    signals_release();
    free(self);
    return good;
}

/// ---- the summary, printed ------------------------------------------------------------------------------------------

enum { METRIC_COLUMN = 40 }; ///< where the second metric of a line begins

static double real_time_factor(const RunSummary *summary)
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

/// The JSON keys are part of the outside contract: none is renamed.
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
    json_object_set_new(object, "real_time_factor", json_real(real_time_factor(summary)));
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

/// What the exercise measured, two in a line; zeros and the score, which is printed already, are left out.
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
        fprintf(file, "%*s%s%s", second ? METRIC_COLUMN - before : 0, "", text, second ? "\n" : "");
        before = length < METRIC_COLUMN ? length : METRIC_COLUMN;
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
            (long long)summary->ticks, real_time_factor(summary), summary->finished ? ", exercise finished" : "",
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
