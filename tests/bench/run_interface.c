/// The interface for programs (trainer/api/spadework.h) beside the session that it wraps, and many sessions at once.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/bench/bench.h"
#include "trainer/api/spadework.h"
#include "trainer/sim/sim.h"

enum { LEVERS = 6, TICKS_A_STEP = 3, MANY = 16, ROUNDS = 5, NUMBERS = 512, PATCH = 64 };
#define DIG_SECONDS 10.0

/// Levers of an excavator that digs, lifts, swings and tips, again and again.
static void dig(int tick, double levers[LEVERS])
{
    static const double parts[][4] = {// swing, stick, boom, bucket
                                      {0.0, -0.2, -0.8, -0.3}, {0.0, 0.8, 0.0, 0.4},   {0.0, 0.5, 0.1, 0.9},
                                      {0.5, 0.0, 0.8, 0.0},    {0.3, -0.6, 0.1, -1.0}, {-0.8, -0.3, 0.0, 0.0}};
    enum { TICKS = 70, PARTS = sizeof parts / sizeof parts[0] };
    memset(levers, 0, LEVERS * sizeof *levers);
    memcpy(levers, parts[tick / TICKS % PARTS], sizeof parts[0]);
}

/// The same as the session itself takes them.
static OperatorControls controls_of(const double levers[LEVERS])
{
    static const ControlAxis axes[LEVERS] = {CONTROL_SWING,  CONTROL_STICK,      CONTROL_BOOM,
                                             CONTROL_BUCKET, CONTROL_LEFT_TRACK, CONTROL_RIGHT_TRACK};
    OperatorControls controls = control_neutral;
    for (int k = 0; k < LEVERS; k++) {
        controls.axis[axes[k]] = control_quantise(levers[k]);
    }
    return controls;
}

/// Keeps the text of a session's last failure.
static bool holds(int result, Spadework session, Status *status)
{
    char text[SPADEWORK_TEXT] = "";
    if (result == SPADEWORK_GOOD) {
        return true;
    }
    spadework_error(session, text, sizeof text);
    return status_fail(status, STATUS_LACKING, "%.900s", text);
}

static bool open_session(int64_t seed, Spadework *session, Status *status)
{
    char error[SPADEWORK_TEXT];
    SpadeworkParams params = SPADEWORK_PARAMS;
    params.scene = "trench";
    params.seed = seed;
    return spadework_create(&params, session, error) == SPADEWORK_GOOD ||
           status_fail(status, STATUS_LACKING, "%.900s", error);
}

static size_t count_numbers(Spadework session, double values[NUMBERS])
{
    size_t count = 1;
    while (count < NUMBERS && spadework_observe(session, values, count) != SPADEWORK_GOOD) {
        count++;
    }
    return count;
}

static double sum_of(const BenchSteps *steps)
{
    double sum = 0.0;
    for (size_t k = 0; k < steps->cpu.count; k++) {
        sum += steps->cpu.ms[k];
    }
    return sum;
}

/// Steps a session by itself and through the interface in turn, with the same levers; then reads a patch.
static bool measure_steps(const BenchOptions *options, BenchReport *report, Status *status)
{
    BenchSteps own = {0}, through = {0}, read = {0}, heights = {0};
    static float ground[PATCH * PATCH], design[PATCH * PATCH];
    static uint8_t mask[PATCH * PATCH];
    SpadeworkPatch patch = SPADEWORK_PATCH;
    double levers[LEVERS], values[NUMBERS];
    Spadework session = 0;
    Session *plain = session_create(&(SessionParams){.scene = "trench", .threads = 1}, status);
    bool good = plain != NULL && open_session(-1, &session, status);
    size_t count = good ? count_numbers(session, values) : 0;
    int ticks = good ? bench_step_count(options, DIG_SECONDS, session_dt(plain)) : 0;
    for (int k = 0; k < ticks && good; k++) {
        dig(k, levers);
        OperatorControls controls = controls_of(levers);
        for (int turn = 0; turn < 2; turn++) {
            BenchSample before = bench_now();
            if ((turn + k) % 2 == 0) {
                session_tick(plain, &controls);
                bench_steps_add(&own, bench_since(before));
            } else {
                good = holds(spadework_step(session, levers, LEVERS, 1), session, status);
                bench_steps_add(&through, bench_since(before));
            }
        }
        BenchSample before = bench_now();
        good = good && holds(spadework_observe(session, values, count), session, status);
        bench_steps_add(&read, bench_since(before));
        before = bench_now();
        good = good && holds(spadework_heights(session, &patch, ground, design, mask), session, status);
        bench_steps_add(&heights, bench_since(before));
    }
    if (good) {
        int particles = session_frame(plain)->counters.particles;
        bench_report_end(report, bench_report_steps(report, "interface-session-tick", particles, 1, "default", &own));
        json_t *row = bench_report_steps(report, "interface-step", particles, 1, "default", &through);
        bench_report_extra(row, "share_of_session_tick", sum_of(&through) / sum_of(&own));
        bench_report_end(report, row);
        bench_report_end(report, bench_report_steps(report, "interface-observe", particles, 1, "default", &read));
        bench_report_end(report, bench_report_steps(report, "interface-heights", particles, 1, "default", &heights));
    }
    session_destroy(plain);
    spadework_close(session);
    BenchSteps *all[] = {&own, &through, &read, &heights};
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++) {
        bench_steps_free(all[k]);
    }
    return good;
}

/// ---- many sessions -------------------------------------------------------------------------------------------------

/// Sessions that dig, each a little later than the one before.
typedef struct Crowd {
    Spadework session[MANY];
    double levers[MANY * LEVERS];
    int tick;
} Crowd;

/// Steps the first `count` on `threads` threads for `steps` steps; adds the wall time to `times`.
static bool step_crowd(Crowd *crowd, int count, int threads, int steps, BenchSteps *times, Status *status)
{
    bool good = true;
    BenchSample before = bench_now();
    for (int k = 0; k < steps && good; k++) {
        for (int n = 0; n < count; n++) {
            dig(crowd->tick + 7 * n, crowd->levers + n * LEVERS);
        }
        good = holds(
            spadework_step_many(crowd->session, (size_t)count, crowd->levers, LEVERS, TICKS_A_STEP, threads, NULL),
            crowd->session[0], status);
        crowd->tick += TICKS_A_STEP;
    }
    bench_steps_add(times, bench_since(before));
    return good;
}

/// Steps a second of wall time: one session on one processor, and MANY on two, in rounds that take turns.
static bool measure_crowd(const BenchOptions *options, BenchReport *report, Status *status)
{
    BenchSteps one = {0}, many = {0};
    Crowd alone = {.tick = 0}, crowd = {.tick = 0};
    int steps = bench_step_count(options, DIG_SECONDS / ROUNDS, TICKS_A_STEP / 60.0);
    bool good = true;
    for (int k = 0; k < MANY && good; k++) {
        good = open_session(100 + k, &crowd.session[k], status) && open_session(100 + k, &alone.session[k], status);
    }
    for (int round = 0; round < ROUNDS && good; round++) {
        int begin = alone.tick; // each of the sessions alone, over the same part of its way
        for (int n = 0; n < MANY && good; n++) {
            Crowd single = {.session = {alone.session[n]}, .tick = begin + 7 * n};
            good = step_crowd(&single, 1, 1, steps, &one, status);
        }
        alone.tick = begin + steps * TICKS_A_STEP;
        good = good && step_crowd(&crowd, MANY, 2, steps, &many, status);
    }
    if (good) {
        double single = 0.0, together = 0.0;
        for (size_t k = 0; k < one.wall.count; k++) {
            single += one.wall.ms[k];
        }
        for (size_t k = 0; k < many.wall.count; k++) {
            together += many.wall.ms[k];
        }
        json_t *row = bench_report_steps(report, "interface-16-on-2", MANY, 2, "default", &many);
        bench_report_extra(row, "steps_per_s", 1e3 * MANY * ROUNDS * steps / together);
        bench_report_extra(row, "steps_per_s_of_1_on_1", 1e3 * MANY * ROUNDS * steps / single);
        bench_report_extra(row, "times_1_on_1", single / together);
        bench_report_end(report, row);
    }
    for (int k = 0; k < MANY; k++) {
        spadework_close(crowd.session[k]);
        spadework_close(alone.session[k]);
    }
    bench_steps_free(&one);
    bench_steps_free(&many);
    return good;
}

bool bench_interface(const BenchOptions *options, BenchReport *report, Status *status)
{
    return measure_steps(options, report, status) && measure_crowd(options, report, status);
}
