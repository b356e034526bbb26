/// The ticks of play, and what the worst of them do: whole exercises, buckets that dig in every soil, clumsy hands,
/// machines that are stuck. Each tick is told as a share of ODE's frame (ode_frame.h), which is measured before and
/// after each run: what slows the computer down slows both. The goals stand beside the shares.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/bench/ode_frame.h"
#include "tests/support/clumsy_operator.h"
#include "tests/validation/harness/run.h"
#include "tests/validation/rigs/soil/digging.h"
#include "trainer/pilot/autopilot.h"
#include "trainer/sim/session.h"

enum { SCRIPTS = 20, CYCLES = 100 };

#define CYCLE_SECONDS 12.0 ///< s that a cycle takes, about
#define STUCK_SECONDS 30.0 ///< s that a stuck machine is pushed on
#define SHOW_EVERY    500.0 ///< ms between two states of the progress bar

/// The tick that was the largest share of ODE's frame.
typedef struct Worst {
    double share;
    int64_t run; ///< seed of the script; 0
    double time; ///< s
    SoilCounters counters;
} Worst;

/// The ticks of a part, over all of its runs.
typedef struct Tally {
    BenchTimes ms, share; ///< of every tick
    size_t counted; ///< ticks whose shares are known
    SoilCounters most; ///< each counter's largest value of all ticks
    int listed; ///< ticks in which lists were made anew
    int slipping; ///< ticks in which the tracks slipped
    double lowest; ///< m: lowest place of the edge
    double frame_ms; ///< ms of ODE's frame, in the last measurement
    Worst worst, worst_of_run; ///< `share` of the latter is in ms
} Tally;

typedef struct Play {
    const BenchOptions *options;
    BenchReport *report;
    OdeFrame *ode;
    Status *status;
    Tally tally;
    double shown; ///< bench_clock_ms when the progress bar was drawn last
} Play;

typedef struct Part {
    const char *name;
    bool (*run)(Play *play, const struct Part *part);
    const char *subject; ///< scene or soil
    double goal_p99, goal_p999; ///< shares of ODE's frame, or of the settled heap's; NAN: none
} Part;

/// ---- counting ------------------------------------------------------------------------------------------------------

static void at_least(int *most, int value)
{
    *most = value > *most ? value : *most;
}

static void note_tick(Tally *tally, double ms, double time, int64_t run, const SoilCounters *counters)
{
    bench_times_add(&tally->ms, ms);
    SoilCounters *most = &tally->most;
    at_least(&most->particles, counters->particles);
    at_least(&most->contacts, counters->contacts);
    at_least(&most->active_columns, counters->active_columns);
    at_least(&most->spawned, counters->spawned);
    at_least(&most->absorbed, counters->absorbed);
    at_least(&most->faces, counters->faces);
    at_least(&most->failed, counters->failed);
    at_least(&most->lists, counters->lists);
    tally->listed += counters->lists > 0;
    if (ms > tally->worst_of_run.share) {
        tally->worst_of_run = (Worst){ms, run, time, *counters};
    }
}

static void begin_run(Play *play)
{
    play->tally.frame_ms = ode_frame_measure(play->ode);
    play->tally.worst_of_run = (Worst){0};
}

/// Turns the ticks of a run into shares of ODE's frame: of the mean of those before and after it.
static void end_run(Play *play)
{
    Tally *tally = &play->tally;
    double after = ode_frame_measure(play->ode), frame = 0.5 * (tally->frame_ms + after);
    while (tally->counted < tally->ms.count) {
        bench_times_add(&tally->share, tally->ms.ms[tally->counted++] / frame);
    }
    tally->worst_of_run.share /= frame;
    if (tally->worst_of_run.share > tally->worst.share) {
        tally->worst = tally->worst_of_run;
    }
    tally->frame_ms = frame;
}

static void show(Play *play, const char *what, double done, double whole)
{
    double now = bench_clock_ms();
    if (now - play->shown > SHOW_EVERY || done >= whole) {
        play->shown = now;
        bench_report_progress(play->report, what, done, whole);
    }
}

/// ---- sessions ------------------------------------------------------------------------------------------------------

typedef void LeverSource(void *context, Session *session, double time, OperatorControls *controls);

/// Runs a session until its exercise is finished, at most for `seconds`.
static bool play_session(Play *play, const SessionParams *params, double seconds, int64_t run, LeverSource *levers,
                         void *context)
{
    const BenchOptions *options = play->options;
    SessionParams wanted = *params;
    wanted.threads = options->threads;
    wanted.solver = options->solver;
    Session *session = session_create(&wanted, play->status);
    if (session == NULL) {
        return false;
    }
    char what[64];
    snprintf(what, sizeof what, run > 0 ? "%.40s, script %lld" : "%.40s", params->scene, (long long)run);
    seconds = options->seconds > 0.0 ? fmin(seconds, options->seconds) : seconds;
    int ticks = (int)fmax(1.0, floor(seconds / session_dt(session) + 0.5));
    begin_run(play);
    for (int tick = 0; tick < ticks && !exercise_is_finished(session_exercise(session)); tick++) {
        double time = tick * session_dt(session);
        OperatorControls controls = control_neutral;
        levers(context, session, time, &controls);
        session_tick(session, &controls);
        const SessionFrame *frame = session_frame(session);
        note_tick(&play->tally, frame->tick_ms, time, run, &frame->counters);
        play->tally.slipping += (frame->machine.limits & MACHINE_LIMIT_BIT(MACHINE_LIMIT_SLIP)) != 0;
        play->tally.lowest = fmin(play->tally.lowest, frame->machine.tip.z);
        show(play, what, time, seconds);
    }
    show(play, what, seconds, seconds);
    session_destroy(session);
    end_run(play);
    return true;
}

static void by_autopilot(void *context, Session *session, double time, OperatorControls *controls)
{
    Autopilot **pilot = context;
    if (time == 0.0) {
        *pilot = autopilot_create(session);
    }
    if (*pilot != NULL) {
        autopilot_controls(*pilot, session, controls);
    }
}

/// The exercise to its end by the scripted operator.
static bool play_exercise(Play *play, const Part *part)
{
    SessionParams params = {.scene = part->subject};
    Autopilot *pilot = NULL;
    bool good = play_session(play, &params, 3600.0, 0, by_autopilot, &pilot);
    good = good && (pilot != NULL || status_fail(play->status, STATUS_LACKING, "out of memory for the operator"));
    autopilot_destroy(pilot);
    return good;
}

static void by_clumsy_hands(void *context, Session *session, double time, OperatorControls *controls)
{
    (void)session;
    clumsy_levers(context, time, controls);
}

/// The scripts of seeds 1, 2, ...: half a minute each.
static bool play_clumsy(Play *play, const Part *part)
{
    int count = play->options->n > 0 ? play->options->n : SCRIPTS;
    SessionParams params = {.scene = part->subject};
    bool good = true;
    for (int seed = 1; good && seed <= count; seed++) {
        ClumsyScript script;
        clumsy_make((uint64_t)seed, &script);
        good = play_session(play, &params, CLUMSY_SECONDS, seed, by_clumsy_hands, &script);
    }
    return good;
}

/// Presses the blade in for two seconds, then drives on: the tracks slip for good.
static void push_blade(void *context, Session *session, double time, OperatorControls *controls)
{
    (void)context;
    (void)session;
    controls->axis[CONTROL_THROTTLE] = CONTROL_FULL;
    controls->axis[CONTROL_BLADE] = control_quantise(time < 2.0 ? -1.0 : 0.0);
    controls->axis[CONTROL_LEFT_TRACK] = controls->axis[CONTROL_RIGHT_TRACK] = control_quantise(time < 2.0 ? 0.0 : 1.0);
}

/// Opens the bucket, lets the boom fall with it, then pulls the stick in under the boom's pressure: more than a metre
/// deep, and against all that lies between bucket and machine.
static void pull_stick(void *context, Session *session, double time, OperatorControls *controls)
{
    (void)context;
    (void)session;
    controls->axis[CONTROL_THROTTLE] = CONTROL_FULL;
    controls->axis[CONTROL_BUCKET] = control_quantise(time < 1.5 ? -1.0 : 0.0);
    controls->axis[CONTROL_BOOM] = control_quantise(time < 1.5 ? 0.0 : time < 4.0 ? -1.0 : -0.6);
    controls->axis[CONTROL_STICK] = control_quantise(time < 1.5 ? -0.5 : time < 4.0 ? 0.0 : 1.0);
}

static bool play_stuck(Play *play, const Part *part)
{
    static const char *const clay[] = {"ground.layers.0.soil=clay", "ground.layers.1.soil=clay", "ground.roughness=0"};
    SessionParams params = {.scene = part->subject, .set = clay, .set_count = 3};
    bool dozer = strcmp(part->subject, "dozing") == 0;
    return play_session(play, &params, STUCK_SECONDS, 0, dozer ? push_blade : pull_stick, NULL);
}

/// ---- soil alone ----------------------------------------------------------------------------------------------------

typedef struct CyclesWatch {
    Play *play;
    DiggingCycles *cycles;
    char what[64];
    double whole; ///< s
} CyclesWatch;

static void note_cycle_tick(void *context, double milliseconds, double work)
{
    (void)work;
    CyclesWatch *watch = context;
    double time = (double)watch->play->tally.ms.count / watch->cycles->scene.rates.tick_rate;
    SoilCounters counters = soil_get_counters(watch->cycles->soil);
    note_tick(&watch->play->tally, milliseconds, time, 0, &counters);
    show(watch->play, watch->what, time, watch->whole);
}

/// The bucket of the experiment `cycles`.
static bool play_cycles(Play *play, const Part *part)
{
    static const ExperimentOption none[] = {{.key = NULL}};
    static const Experiment experiment = {.name = "cycles", .options = none};
    const BenchOptions *options = play->options;
    RunRequest request = {.experiment = &experiment, .solver = options->solver, .seed = 1, .threads = options->threads};
    Run *run = run_create(&request, play->status);
    SoilParams soil;
    DiggingCycles cycles = {.soil = NULL};
    bool good =
        run != NULL && run_load_soil(run, part->subject, &soil) && digging_cycles_create(run, &soil, 0.05, &cycles);
    int count = options->n > 0 ? options->n : CYCLES;
    count = options->seconds > 0.0 ? (int)fmin(count, ceil(options->seconds / CYCLE_SECONDS)) : count;
    CyclesWatch watch = {.play = play, .cycles = &cycles, .whole = count * CYCLE_SECONDS};
    snprintf(watch.what, sizeof watch.what, "cycles in %.40s", part->subject);
    cycles.after_tick = note_cycle_tick;
    cycles.context = &watch;
    for (int k = 0; good && k < count; k++) {
        begin_run(play);
        digging_cycles_run(&cycles, k);
        end_run(play);
    }
    show(play, watch.what, watch.whole, watch.whole);
    if (run != NULL && !good) {
        status_fail(play->status, STATUS_BAD_FILE, "%s", run->failure);
    }
    soil_destroy(cycles.soil);
    run_destroy(run);
    return good;
}

/// 10,000 grains that are stirred over the same that lie still; ratio in place of the shares.
static bool play_stir(Play *play, const Part *part)
{
    BenchSteps steps[2] = {{.wall = {0}}, {.wall = {0}}};
    bool good = bench_stir(play->options, play->report, steps, play->status);
    if (good) {
        json_t *row = bench_report_row(play->report, part->name, 10000, play->options->threads,
                                       bench_solver_name(play->options->solver), &steps[1].wall);
        bench_report_extra(row, "settled_ms_median", bench_times_median(&steps[0].wall));
        bench_report_extra(row, "over_settled",
                           bench_times_median(&steps[1].wall) / bench_times_median(&steps[0].wall));
        bench_report_extra(row, "goal_over_settled", part->goal_p99);
        bench_report_end(play->report, row);
    }
    bench_steps_free(&steps[0]);
    bench_steps_free(&steps[1]);
    return good;
}

/// ---- table ---------------------------------------------------------------------------------------------------------

static const BenchColumn columns[] = {{"name", -20},      {"steps", 6},         {"ms_p99", 6},
                                      {"share_p99", 9},   {"goal_p99", 8},      {"share_p999", 10},
                                      {"goal_p999", 9},   {"share_max", 9},     {"ode_ms", 6},
                                      {"n", 6},           {"contacts", 8},      {"spawned", 7},
                                      {"faces", 5},       {"listed_share", 12}, {"worst_run", 9},
                                      {"worst_time", 10}, {"over_settled", 12}, {"goal_over_settled", 17}};

static void report_part(Play *play, const Part *part)
{
    Tally *tally = &play->tally;
    json_t *row = bench_report_row(play->report, part->name, tally->most.particles, play->options->threads,
                                   bench_solver_name(play->options->solver), &tally->ms);
    const struct {
        const char *key;
        double value;
    } extras[] = {{"share_p99", bench_times_quantile(&tally->share, 0.99)},
                  {"goal_p99", part->goal_p99},
                  {"share_p999", bench_times_quantile(&tally->share, 0.999)},
                  {"goal_p999", part->goal_p999},
                  {"share_max", bench_times_quantile(&tally->share, 1.0)},
                  {"ode_ms", tally->frame_ms},
                  {"contacts", tally->most.contacts},
                  {"listed_share", (double)tally->listed / (double)tally->ms.count},
                  {"lists", tally->most.lists},
                  {"spawned", tally->most.spawned},
                  {"absorbed", tally->most.absorbed},
                  {"active_columns", tally->most.active_columns},
                  {"faces", tally->most.faces},
                  {"failed", tally->most.failed},
                  {"slipping_share", (double)tally->slipping / (double)tally->ms.count},
                  {"edge_lowest", tally->lowest},
                  {"worst_run", (double)tally->worst.run},
                  {"worst_time", tally->worst.time},
                  {"worst_particles", tally->worst.counters.particles},
                  {"worst_contacts", tally->worst.counters.contacts},
                  {"worst_spawned", tally->worst.counters.spawned},
                  {"worst_absorbed", tally->worst.counters.absorbed},
                  {"worst_lists", tally->worst.counters.lists}};
    for (size_t k = 0; k < sizeof extras / sizeof extras[0]; k++) {
        bench_report_extra(row, extras[k].key, extras[k].value);
    }
    bench_report_end(play->report, row);
}

static const Part parts[] = {
    {"trench", play_exercise, "trench", 0.10, 0.25},
    {"cycles-sand", play_cycles, "sand", 0.15, NAN},
    {"cycles-topsoil", play_cycles, "topsoil", 0.15, NAN},
    {"cycles-gravel", play_cycles, "gravel", 0.15, NAN},
    {"cycles-loam", play_cycles, "loam", 0.15, NAN},
    {"cycles-clay", play_cycles, "clay", 0.15, NAN},
    {"cycles-wet-clay", play_cycles, "wet-clay", 0.15, NAN},
    {"random-trench", play_clumsy, "trench", 0.20, 0.35},
    {"random-soils", play_clumsy, "soils", 0.20, 0.35},
    {"random-truck-loading", play_clumsy, "truck-loading", 0.20, 0.35},
    {"random-boulders", play_clumsy, "boulders", 0.20, 0.35},
    {"random-dozing", play_clumsy, "dozing", 0.20, 0.35},
    {"stuck-dozer", play_stuck, "dozing", 0.15, NAN},
    {"stuck-stick", play_stuck, "trench", 0.15, NAN},
    {"stirred", play_stir, "", 1.6, NAN},
};
enum { PARTS = sizeof parts / sizeof parts[0] };

/// True when a part's name is `length` bytes of `wanted`, or begins with them and a hyphen.
static bool is_named(const Part *part, const char *wanted, size_t length)
{
    return strncmp(part->name, wanted, length) == 0 && (part->name[length] == '\0' || part->name[length] == '-');
}

/// Marks the parts that --only names. False with `status` when it names none there is.
static bool choose_parts(const char *only, bool chosen[PARTS], Status *status)
{
    for (int k = 0; k < PARTS; k++) {
        chosen[k] = only == NULL;
    }
    for (const char *name = only; name != NULL; name = strchr(name, ',') != NULL ? strchr(name, ',') + 1 : NULL) {
        size_t length = strcspn(name, ",");
        bool known = false;
        for (int k = 0; k < PARTS; k++) {
            bool meant = is_named(&parts[k], name, length);
            chosen[k] = chosen[k] || meant;
            known = known || meant;
        }
        if (!known) {
            return status_fail(status, STATUS_BAD_USAGE,
                               "--only %.60s: trench, cycles, random, stuck, stirred, or one "
                               "of theirs as the table names it",
                               name);
        }
    }
    return true;
}

bool bench_play(const BenchOptions *options, BenchReport *report, Status *status)
{
    bool chosen[PARTS];
    if (!choose_parts(options->only, chosen, status)) {
        return false;
    }
    report->columns = columns;
    report->column_count = sizeof columns / sizeof columns[0];
    Play play = {
        .options = options, .report = report, .status = status, .ode = ode_frame_create(options, report, status)};
    bool good = play.ode != NULL;
    for (int k = 0; good && k < PARTS; k++) {
        if (!chosen[k]) {
            continue;
        }
        play.tally = (Tally){.lowest = HUGE_VAL};
        good = parts[k].run(&play, &parts[k]);
        if (good && play.tally.ms.count > 0) {
            report_part(&play, &parts[k]);
        }
        bench_times_free(&play.tally.ms);
        bench_times_free(&play.tally.share);
    }
    ode_frame_destroy(play.ode);
    return good;
}
