/// The drive's host without a window: as fast as the computer can, or by the wall clock where a person drives; a
/// progress bar on stderr, and a good end when a signal asks for one. Gathers the summary.
#include "trainer/cli/headless.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

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
    bool pad_lost; ///< as told last
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

static void tell_of_pads(Headless *self)
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
    tell_of_pads(self);
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

static bool run(Headless *self, Status *status)
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
    bool good = run(self, status);
    signals_release();
    free(self);
    return good;
}
