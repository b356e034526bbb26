/// A session as other programs use it: made, put back to its start, saved and restored, many in one process.
///
/// Every figure is that of one thread. What is restored is a pit that the scripted operator dug, with the soil in
/// motion, and the start in turn: each time all of the ground that was touched changes.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/bench/trench.h"
#include "trainer/sim/state_io.h"

#define TICK_SECONDS 10.0 ///< measured from the pit on
enum { DIG_LONGER = 3 }; ///< times as long the pit is dug before
enum { REPEATS = 31, FEW = 9, SESSIONS = 16, SESSIONS_BEFORE = 2, SCENE_NAME = 64 };

/// What the rows measure.
typedef struct Door {
    const BenchOptions *options;
    BenchReport *report;
    const char *scene;
    Session *session; ///< at its start, or in its pit
    StateBuffer start, dug;
    OperatorControls *levers; ///< [ticks] from the pit on
    int ticks;
    int particles; ///< in the pit
} Door;

static Session *open_scene(const char *scene, Status *status)
{
    return session_create(&(SessionParams){.scene = scene, .threads = 1}, status);
}

/// Begins a row "STEP-SCENE".
static json_t *begin_row(const Door *door, const char *step, BenchSteps *steps)
{
    char name[SCENE_NAME + 32];
    snprintf(name, sizeof name, "%s-%s", step, door->scene);
    return bench_report_steps(door->report, name, door->particles, 1, "default", steps);
}

static void end_row(const Door *door, const char *step, BenchSteps *steps)
{
    bench_report_end(door->report, begin_row(door, step, steps));
    bench_steps_free(steps);
}

/// ---- sessions ------------------------------------------------------------------------------------------------------

static bool measure_create(Door *door, Status *status)
{
    BenchSteps first = {0}, again = {0};
    bool good = true;
    for (int k = 0; k <= FEW && good; k++) {
        BenchSample before = bench_now();
        Session *session = open_scene(door->scene, status);
        bench_steps_add(k == 0 ? &first : &again, bench_since(before));
        good = session != NULL;
        session_destroy(session);
    }
    if (good) {
        end_row(door, "create-first", &first);
        end_row(door, "create", &again);
    }
    bench_steps_free(&first);
    bench_steps_free(&again);
    return good;
}

/// Resident bytes of a further session at its start: what the process grows by from the second to the last.
static bool measure_memory(Door *door, Status *status)
{
    Session *sessions[SESSIONS] = {0};
    BenchTimes none = {0};
    double before = 0.0;
    bool good = true;
    for (int k = 0; k < SESSIONS && good; k++) {
        before = k == SESSIONS_BEFORE ? bench_resident_bytes() : before;
        sessions[k] = open_scene(door->scene, status);
        good = sessions[k] != NULL;
    }
    if (good) {
        char name[SCENE_NAME + 32];
        snprintf(name, sizeof name, "memory-%s", door->scene);
        json_t *row = bench_report_row(door->report, name, 0, 1, "default", &none);
        double each = (bench_resident_bytes() - before) / (SESSIONS - SESSIONS_BEFORE);
        bench_report_extra(row, "kb_a_session", each / 1e3);
        bench_report_end(door->report, row);
    }
    for (int k = 0; k < SESSIONS; k++) {
        session_destroy(sessions[k]);
    }
    return good;
}

/// ---- a pit ---------------------------------------------------------------------------------------------------------

/// Digs the pit and notes the levers from there on.
static bool dig(Door *door, Status *status)
{
    door->session = open_scene(door->scene, status);
    if (door->session == NULL || !state_save(door->session, &door->start, status)) {
        return false;
    }
    door->ticks = bench_step_count(door->options, TICK_SECONDS, session_dt(door->session));
    door->levers = calloc((size_t)door->ticks, sizeof *door->levers);
    Autopilot *pilot = autopilot_create(door->session);
    bool good = door->levers != NULL && pilot != NULL;
    if (!good) {
        status_fail(status, STATUS_LACKING, "out of memory for the operator");
    }
    for (int k = -DIG_LONGER * door->ticks; k < door->ticks && good; k++) {
        OperatorControls levers;
        if (k == 0) {
            door->particles = session_frame(door->session)->counters.particles;
            good = state_save(door->session, &door->dug, status);
        }
        autopilot_controls(pilot, door->session, &levers);
        session_tick(door->session, &levers);
        if (k >= 0) {
            door->levers[k] = levers;
        }
    }
    autopilot_destroy(pilot);
    return good;
}

static bool go_back(Door *door, const StateBuffer *state, BenchSteps *steps, Status *status)
{
    BenchSample before = bench_now();
    bool good = state_restore(door->session, state->data, state->size, status);
    bench_steps_add(steps, bench_since(before));
    return good;
}

static bool measure_states(Door *door, Status *status)
{
    BenchSteps reset = {0}, restore = {0}, save = {0}, hash = {0};
    StateBuffer copy = {0};
    bool good = true;
    for (int k = 0; k < REPEATS && good; k++) {
        good = go_back(door, &door->start, &reset, status) && go_back(door, &door->dug, &restore, status);
    }
    for (int k = 0; k < REPEATS && good; k++) {
        BenchSample before = bench_now();
        good = state_save(door->session, &copy, status);
        bench_steps_add(&save, bench_since(before));
        before = bench_now();
        (void)state_hash(door->session);
        bench_steps_add(&hash, bench_since(before));
    }
    if (good) {
        end_row(door, "reset", &reset);
        json_t *row = begin_row(door, "restore", &restore);
        bench_report_extra(row, "kb", (double)door->dug.size / 1e3);
        bench_report_end(door->report, row);
        end_row(door, "save", &save);
        end_row(door, "hash", &hash);
    }
    bench_steps_free(&reset);
    bench_steps_free(&restore);
    bench_steps_free(&save);
    bench_steps_free(&hash);
    state_buffer_free(&copy);
    return good;
}

static bool measure_ticks(Door *door, Status *status)
{
    BenchSteps ticks = {0}, unused = {0};
    bool good = go_back(door, &door->dug, &unused, status);
    for (int k = 0; k < door->ticks && good; k++) {
        BenchSample before = bench_now();
        session_tick(door->session, &door->levers[k]);
        bench_steps_add(&ticks, bench_since(before));
    }
    if (good) {
        double sum = 0.0;
        for (size_t k = 0; k < ticks.cpu.count; k++) {
            sum += ticks.cpu.ms[k];
        }
        json_t *row = begin_row(door, "tick", &ticks);
        bench_report_extra(row, "ticks_per_cpu_s", 1e3 * (double)door->ticks / sum);
        bench_report_end(door->report, row);
    }
    bench_steps_free(&ticks);
    bench_steps_free(&unused);
    return good;
}

/// Last, since the session is another one afterwards.
static bool measure_reseed(Door *door, Status *status)
{
    BenchSteps reseed = {0};
    bool good = true;
    for (uint64_t k = 0; k < FEW && good; k++) {
        BenchSample before = bench_now();
        good = session_reseed(door->session, 1000 + k, status);
        bench_steps_add(&reseed, bench_since(before));
    }
    if (good) {
        end_row(door, "reset-seed", &reseed);
    }
    bench_steps_free(&reseed);
    return good;
}

static bool measure_scene(Door *door, Status *status)
{
    bench_report_says(door->report, "%s", door->scene);
    bool good = measure_create(door, status) && measure_memory(door, status) && dig(door, status) &&
                measure_states(door, status) && measure_ticks(door, status) && measure_reseed(door, status);
    session_destroy(door->session);
    state_buffer_free(&door->start);
    state_buffer_free(&door->dug);
    free(door->levers);
    return good;
}

bool bench_door(const BenchOptions *options, BenchReport *report, Status *status)
{
    const char *names = options->only != NULL ? options->only : "trench";
    bool good = true;
    while (good && *names != '\0') {
        char scene[SCENE_NAME];
        size_t length = strcspn(names, ",");
        snprintf(scene, sizeof scene, "%.*s", length < SCENE_NAME ? (int)length : SCENE_NAME - 1, names);
        names += length + (names[length] == ',');
        Door door = {.options = options, .report = report, .scene = scene};
        good = measure_scene(&door, status);
    }
    return good && bench_interface(options, report, status);
}
