#include "trainer/command/runner.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "trainer/recording/recording.h"
#include "trainer/operator/runner_operator.h"
#include "trainer/session/state_io.h"
#include "trainer/export/telemetry.h"

enum { BAR = 30 };

typedef struct Runner {
    const RunnerStart *start;
    Session *session;
    RunnerOperator driver;
    Recorder *recorder; ///< or NULL
    Telemetry *telemetry; ///< or NULL
    int64_t end_tick; ///< the session's
    bool until_finished; ///< the exercise's end ends the run
    float *tick_ms; ///< [end_tick - first_tick]
    bool shows_progress;
    double started, shown; ///< wall clock, s; what the hook takes is left out of `started`
    sigset_t signals;
    RunSummary *summary;
    double soil_ms, machine_ms; ///< sums
} Runner;

static double wall_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/// ---- signals ---------------------------------------------------------------------------------------------------------

/// SIGINT and SIGTERM are held back and looked for after each tick, so that a run always ends in good order. Threads made
/// later inherit this.
static void hold_signals(Runner *self, sigset_t *before)
{
    sigemptyset(&self->signals);
    sigaddset(&self->signals, SIGINT);
    sigaddset(&self->signals, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &self->signals, before);
}

static bool was_interrupted(const Runner *self)
{
    sigset_t pending;
    int signal_number;
    if (sigpending(&pending) != 0 || !(sigismember(&pending, SIGINT) || sigismember(&pending, SIGTERM))) {
        return false;
    }
    sigwait(&self->signals, &signal_number);
    return true;
}

/// ---- progress --------------------------------------------------------------------------------------------------------

static void show_progress(Runner *self, bool last)
{
    double now = wall_clock();
    if (!self->shows_progress || (!last && now - self->shown < 0.25)) {
        return;
    }
    self->shown = now;
    const RunSummary *summary = self->summary;
    double dt = session_dt(self->session), done = (double)summary->ticks * dt;
    double whole = (double)(self->end_tick - summary->first_tick) * dt;
    int filled = whole > 0.0 ? (int)(BAR * done / whole) : BAR;
    char bar[BAR + 1];
    for (int k = 0; k < BAR; k++) {
        bar[k] = k < filled ? '#' : '.';
    }
    bar[BAR] = '\0';
    double elapsed = now - self->started;
    fprintf(stderr, "\r[%s] %.1f of %s%.1f s, %.2fx real time, score %.1f  %s", bar, done,
            self->until_finished ? "at most " : "", whole, elapsed > 0.0 ? done / elapsed : 0.0,
            session_frame(self->session)->score, last ? "\n" : "");
}

/// ---- beginning -------------------------------------------------------------------------------------------------------

static bool take_over(Runner *self, Status *status)
{
    const RunnerStart *start = self->start;
    Recording *recording = recording_open(start->parent, status);
    if (recording == NULL) {
        return false;
    }
    self->session = recording_create_session(recording, start->options->threads, status);
    bool good = self->session != NULL;
    if (good) {
        double dt = session_dt(self->session);
        int64_t first = recording_first_tick(recording), last = recording_ticks(recording);
        double tick = round(start->at / dt);
        good = tick >= (double)first && tick <= (double)last
                   ? recording_seek(recording, self->session, (int64_t)tick, status)
                   : status_fail(status, STATUS_BAD_USAGE, "%s: cannot be taken over at %g s: it holds %.3f..%.3f s",
                                 start->parent, start->at, (double)first * dt, (double)last * dt);
    }
    recording_close(recording);
    return good;
}

static bool make_session(Runner *self, Status *status)
{
    const RunOptions *options = self->start->options;
    if (self->start->parent != NULL) {
        return take_over(self, status);
    }
    SessionParams params = {.scene = options->scene,
                            .set = options->set,
                            .set_count = options->set_count,
                            .has_seed = options->has_seed,
                            .seed = options->seed,
                            .solver = options->solver,
                            .threads = options->threads};
    self->session = session_create(&params, status);
    return self->session != NULL;
}

/// How long: --seconds as asked; else a script to its end, and others until the exercise's end or its time limit.
static bool find_end(Runner *self, Status *status)
{
    const RunOptions *options = self->start->options;
    double dt = session_dt(self->session);
    int64_t now = session_frame(self->session)->tick;
    if (options->seconds > 0.0) {
        double ticks = ceil(options->seconds / dt - 1e-6);
        self->end_tick = now + (ticks > 1.0 ? (int64_t)ticks : 1);
    } else if (self->driver.script != NULL) {
        self->end_tick = (int64_t)ceil(input_script_duration(self->driver.script) / dt - 1e-6);
    } else {
        self->until_finished = true;
        self->end_tick = (int64_t)ceil(session_scene(self->session)->exercise.time_limit / dt);
    }
    if (self->end_tick <= now && self->driver.script != NULL) {
        return status_fail(status, STATUS_BAD_USAGE,
                           "%s: ends at %g s, before the takeover at %g s (t counts from the session's start)",
                           options->operator_name, (double)self->end_tick * dt, (double)now * dt);
    }
    self->end_tick = self->end_tick < now ? now : self->end_tick;
    size_t ticks = (size_t)(self->end_tick - now);
    self->tick_ms = calloc(ticks + 1, sizeof *self->tick_ms);
    return self->tick_ms != NULL || status_fail(status, STATUS_LACKING, "out of memory for %zu ticks", ticks);
}

/// A recording that failed ends the run, unless it is to go on unrecorded.
static bool goes_on_unrecorded(Runner *self, const Status *failure)
{
    if (!self->start->options->keep_going) {
        return false;
    }
    fprintf(stderr, "spadework: %s; driving on unrecorded\n", failure->text);
    self->summary->record_failure = *failure;
    return true;
}

static bool start_recording(Runner *self, Status *status)
{
    const RunnerStart *start = self->start;
    const RunOptions *options = start->options;
    RecorderParams params = {.path = options->record,
                             .trainee = options->trainee,
                             .operator_name = options->operator_name != NULL ? options->operator_name : "auto",
                             .parent = start->parent,
                             .parent_tick = session_frame(self->session)->tick};
    if (options->record == NULL) {
        return true;
    }
    self->recorder = recorder_create(&params, self->session, status);
    if (self->recorder == NULL) {
        return goes_on_unrecorded(self, status);
    }
    self->summary->record = options->record;
    return true;
}

/// Nothing is left behind when it fails.
static bool start_files(Runner *self, Status *status)
{
    if (!start_recording(self, status)) {
        return false;
    }
    const RunOptions *options = self->start->options;
    if (options->telemetry == NULL) {
        return true;
    }
    self->telemetry = telemetry_create(options->telemetry, status);
    if (self->telemetry != NULL) {
        self->summary->telemetry = options->telemetry;
        return true;
    }
    if (self->recorder != NULL) {
        Status unused; // the telemetry's failure is told
        recorder_close(self->recorder, self->session, &unused);
        self->recorder = NULL;
        remove(options->record);
    }
    return false;
}

static void start_summary(Runner *self)
{
    RunSummary *summary = self->summary;
    const SceneParams *scene = session_scene(self->session);
    const SessionFrame *frame = session_frame(self->session);
    snprintf(summary->scene, sizeof summary->scene, "%s", scene->name);
    snprintf(summary->title, sizeof summary->title, "%s", scene->title);
    const char *name = self->start->options->operator_name;
    summary->operator_name = name != NULL ? name : "auto";
    summary->first_tick = frame->tick;
    summary->mass_first = summary->mass_last = frame->ledger.total;
    summary->mass_constant = true;
}

/// ---- running ---------------------------------------------------------------------------------------------------------

static void count_tick(Runner *self)
{
    RunSummary *summary = self->summary;
    const SessionFrame *frame = session_frame(self->session);
    self->tick_ms[summary->ticks++] = (float)frame->tick_ms;
    if (frame->counters.particles > summary->particles_peak) {
        summary->particles_peak = frame->counters.particles;
    }
    summary->payload_peak = fmax(summary->payload_peak, frame->payload);
    summary->tool_force_peak = fmax(summary->tool_force_peak, vec3_length(frame->tool_wrench.force));
    self->soil_ms += frame->soil_ms;
    self->machine_ms += frame->machine_ms;
    summary->mass_last = frame->ledger.total;
    summary->mass_constant = summary->mass_constant && frame->ledger.total == summary->mass_first;
}

static bool record(Runner *self, Status *status)
{
    if (self->recorder == NULL || recorder_tick(self->recorder, self->session, status)) {
        return true;
    }
    if (!goes_on_unrecorded(self, status)) {
        return false;
    }
    Status unused; // already told
    recorder_close(self->recorder, self->session, &unused);
    self->recorder = NULL;
    return true;
}

static bool hook(Runner *self, bool last, Status *status)
{
    const RunnerHook *hook = &self->start->hook;
    if (hook->after_tick == NULL) {
        return true;
    }
    double before = wall_clock();
    bool good = hook->after_tick(hook->context, self->session, last, status);
    self->started += wall_clock() - before;
    return good;
}

/// Waits until the wall clock has reached the session's time: a person drives.
static void wait_for_clock(const Runner *self)
{
    double ahead = (double)self->summary->ticks * session_dt(self->session) - (wall_clock() - self->started);
    if (ahead > 0.0) {
        struct timespec pause = {(time_t)ahead, (long)((ahead - floor(ahead)) * 1e9)};
        nanosleep(&pause, NULL);
    }
}

static bool run_tick(Runner *self, Status *status)
{
    OperatorControls controls;
    runner_operator_controls(&self->driver, self->session, &controls);
    session_tick(self->session, &controls);
    count_tick(self);
    const SessionFrame *frame = session_frame(self->session);
    if (frame->tick % session_scene(self->session)->rates.tick_rate == 0 && !session_is_finite(self->session)) {
        return status_fail(status, STATUS_NOT_VERIFIED, "the simulation lost its numbers before %.2f s (not finite)",
                           frame->time);
    }
    return record(self, status) &&
           (self->telemetry == NULL || telemetry_tick(self->telemetry, self->session, status)) &&
           hook(self, false, status);
}

static bool run_ticks(Runner *self, Status *status)
{
    bool good = true;
    while (good && session_frame(self->session)->tick < self->end_tick && !self->summary->interrupted &&
           !(self->until_finished && exercise_is_finished(session_exercise(self->session)))) {
        good = run_tick(self, status);
        if (runner_operator_is_person(&self->driver)) {
            wait_for_clock(self);
        }
        show_progress(self, false);
        self->summary->interrupted = was_interrupted(self);
    }
    self->summary->wall = wall_clock() - self->started;
    show_progress(self, true);
    return good && hook(self, true, status);
}

/// ---- end -------------------------------------------------------------------------------------------------------------

static int compare_floats(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

static void finish_summary(Runner *self)
{
    RunSummary *summary = self->summary;
    const SessionFrame *frame = session_frame(self->session);
    summary->simulated = (double)summary->ticks * session_dt(self->session);
    summary->score = frame->score;
    summary->finished = exercise_is_finished(session_exercise(self->session));
    summary->hash = state_hash(self->session);
    if (summary->ticks > 0) {
        size_t count = (size_t)summary->ticks;
        qsort(self->tick_ms, count, sizeof *self->tick_ms, compare_floats);
        summary->tick_p50 = (double)self->tick_ms[(count - 1) / 2];
        summary->tick_p99 = (double)self->tick_ms[(size_t)((double)(count - 1) * 0.99)];
        summary->tick_max = (double)self->tick_ms[count - 1];
        summary->soil_mean = self->soil_ms / (double)count;
        summary->machine_mean = self->machine_ms / (double)count;
    }
    summary->metric_count = exercise_metrics(session_exercise(self->session), summary->metrics);
    for (int k = 0; k < summary->metric_count; k++) {
        if (strcmp(summary->metrics[k].name, "cycles") == 0) {
            summary->cycles = (int)summary->metrics[k].value;
        }
    }
}

/// Closes what is open; the first failure is the one that is told.
static bool close_files(Runner *self, bool good, Status *status)
{
    Status later;
    if (self->recorder != NULL && !recorder_close(self->recorder, self->session, &later) && good) {
        *status = later;
        good = goes_on_unrecorded(self, &later);
    }
    if (!telemetry_close(self->telemetry, &later) && good) {
        *status = later;
        good = false;
    }
    if (good && !self->summary->mass_constant) {
        good = status_fail(status, STATUS_NOT_VERIFIED, "soil was lost or made: %lld quanta first, %lld last",
                           (long long)self->summary->mass_first, (long long)self->summary->mass_last);
    }
    return good;
}

static bool run(Runner *self, Status *status)
{
    const RunOptions *options = self->start->options;
    if (!make_session(self, status) ||
        !runner_operator_create(&self->driver, options->operator_name, options->controls, self->session, status) ||
        !find_end(self, status)) {
        return false;
    }
    start_summary(self);
    bool good = start_files(self, status);
    if (good) {
        self->started = wall_clock();
        good = run_ticks(self, status);
    }
    finish_summary(self);
    return close_files(self, good, status);
}

bool runner_run(const RunnerStart *start, RunSummary *summary, Status *status)
{
    Runner self = {
        .start = start, .summary = summary, .shows_progress = start->options->progress || isatty(STDERR_FILENO) == 1};
    *summary = (RunSummary){0};
    status_good(status);
    sigset_t before;
    hold_signals(&self, &before);
    bool good = run(&self, status);
    runner_operator_destroy(&self.driver);
    if (self.session != NULL) {
        session_destroy(self.session);
    }
    free(self.tick_ms);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return good;
}
