/// Sessions that last for hours: the scripted operator, the same with a beginner's hands, and random levers in turn, a
/// stretch of two minutes each. Each stretch is recorded; every eighth one is replayed and compared.
///
/// One of the parts begins its exercise anew in the same process when it is over, the others are one session to the
/// end. A machine that has tipped over, or is about to leave the site, is put back: the state before the stretch is
/// restored.
#include <malloc.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/bench/bench.h"
#include "tests/soak/soak.h"
#include "tests/support/drives/random_script.h"
#include "trainer/pilot/pilot.h"
#include "trainer/record/record.h"
#include "trainer/sim/sim.h"

enum {
    STRETCH_SECONDS = 120,
    SHORT_STRETCHES = 4, ///< times as many as whole ones would be, at most
    SCRIPT_SECONDS = 20, ///< of random levers, then others
    LOST_MOST = 3, ///< stretches in a row that end so; then the session's first state is restored
    KEPT_MESSAGES = 100, ///< of ODE in a stretch, from which on its recording is kept to be looked at
    LOST_EVERY = 300, ///< ticks between two looks at whether the machine lies or leaves; if so the stretch is over
    REST_SECONDS = 10, ///< that a scripted operator may rest before random levers go on
    VERIFIED_EVERY = 8, ///< stretches
    ANEW_EVERY = 16, ///< stretches in a session of the part that begins its exercise anew, at most
};

#define CLUMSINESS   0.6 ///< of the beginner's hands
#define UPRIGHT      0.6 ///< cosine of the tilt from which on a machine is put back
#define EDGE_MARGIN  4.0 ///< m from the site's edge, in which a machine is put back
#define TIMES_GROW   2.0 ///< allowed: p99 of a tick in the last third over that in the first
#define MEMORY_GROWS 8e6 ///< bytes, allowed: from the first third to the last, beside new tiles and grains
#define GRAIN_BYTES  4e3 ///< of each grain more than there ever were: room for its contacts is kept (pair_list.h)
#define TILE_BYTES   80e3 ///< of a tile of ground: 78 kB (soil.h), and what the allocator rounds up

/// A part of the test.
typedef struct Part {
    const char *name;
    double share; ///< ratio of the hours
    bool anew; ///< the exercise begins anew when it is over
    const char *set[2];
} Part;

static const Part parts[] = {
    {"trench", 0.2, true, {"exercise.time_limit=1200"}},
    {"haul", 0.4, false, {"exercise.time_limit=36000"}},
    {"slot-dozing", 0.4, false, {"exercise.time_limit=36000"}},
};
enum { PARTS = sizeof parts / sizeof parts[0] };

typedef enum Driver { DRIVER_AUTO, DRIVER_CLUMSY, DRIVER_RANDOM, DRIVER_COUNT } Driver;
static const char *const driver_names[DRIVER_COUNT] = {"auto", "clumsy", "random"};

/// What a stretch was like.
typedef struct Stretch {
    double p99, p50; ///< ms of processor time a tick
    double resident; ///< bytes of the process after it
    double heap; ///< bytes that were asked for and not given back
    double tiles; ///< number of tiles of ground in the state
    double grains; ///< the most that there were at a time until then
} Stretch;

typedef struct SoakDrive {
    const Part *part;
    const char *folder;
    Session *session;
    SessionWatch watch;
    WatchFigures worst; ///< of the sessions before
    int64_t ticks; ///< driven in all
    int sessions, restores, verified, stretches;
    double longest; ///< s that a session's time reached
    int64_t session_ticks; ///< driven in this session
    int lost; ///< stretches in a row after which the machine was put back
    int told; ///< messages of ODE before this stretch
    StateBuffer home; ///< this session's first state
    int begun; ///< the stretch with which this session began
    Stretch *list; ///< [capacity]
    int capacity;
    uint64_t seed; ///< of the next script
    ClumsyScript script;
    bool failed;
} SoakDrive;

void soak_list_parts(void)
{
    for (int k = 0; k < PARTS; k++) {
        printf("%s %g\n", parts[k].name, parts[k].share);
    }
}

static bool wrong(SoakDrive *drive, const char *what, const char *text)
{
    printf("%s: WRONG in stretch %d, tick %lld: %s: %s\n", drive->part->name, drive->stretches,
           drive->session != NULL ? (long long)session_frame(drive->session)->tick : -1, what, text);
    fflush(stdout);
    drive->failed = true;
    return false;
}

static bool begin_session(SoakDrive *drive)
{
    Status status = {0};
    SessionParams params = {.scene = drive->part->name, .set = drive->part->set, .set_count = 1, .threads = 1};
    drive->session = session_create(&params, &status);
    if (drive->session == NULL) {
        return wrong(drive, "session", status.text);
    }
    watch_begin(&drive->watch, drive->session);
    drive->sessions++;
    drive->session_ticks = 0;
    drive->lost = 0;
    drive->begun = drive->stretches;
    return state_save(drive->session, &drive->home, &status) || wrong(drive, "state", status.text);
}

static void end_session(SoakDrive *drive)
{
    soak_worse(&drive->worst, &drive->watch.worst);
    session_destroy(drive->session);
    drive->session = NULL;
}

/// A machine that lies, or is at the edge of the site.
static bool is_lost(const Session *session)
{
    const MachineReadout *machine = &session_frame(session)->machine;
    const SceneGround *ground = &session_scene(session)->ground;
    Pose frame;
    machine_get_body_frame(session_machine(session), session_machine_state(session), MACHINE_BASE, &frame);
    return frame.rotation.m[2][2] < UPRIGHT || fabs(machine->base.x) > 0.5 * ground->size_x - EDGE_MARGIN ||
           fabs(machine->base.y) > 0.5 * ground->size_y - EDGE_MARGIN;
}

/// ---- a stretch -----------------------------------------------------------------------------------------------------

/// Who drives in a stretch, and what he remembers.
typedef struct Hands {
    Driver driver;
    Autopilot *autopilot;
    ClumsyHands clumsy;
    double rested; ///< s
    int script_tick; ///< of the random script
} Hands;

static void random_levers(SoakDrive *drive, Hands *hands, OperatorControls *controls)
{
    int ticks = (int)(SCRIPT_SECONDS / session_dt(drive->session));
    if (hands->script_tick % ticks == 0) {
        random_script_make(drive->seed++, SCRIPT_SECONDS, &drive->script);
    }
    clumsy_levers(&drive->script, hands->script_tick % ticks * session_dt(drive->session), controls);
    hands->script_tick++;
}

static void move_levers(SoakDrive *drive, Hands *hands, OperatorControls *controls)
{
    double dt = session_dt(drive->session);
    if (hands->autopilot == NULL || hands->rested > REST_SECONDS) {
        random_levers(drive, hands, controls);
        return;
    }
    double time = session_frame(drive->session)->time;
    if (hands->driver == DRIVER_CLUMSY) {
        OperatorAim aim;
        clumsy_aim(&hands->clumsy, time, &aim);
        autopilot_misjudge(hands->autopilot, &aim);
    }
    autopilot_controls(hands->autopilot, drive->session, controls);
    if (hands->driver == DRIVER_CLUMSY) {
        clumsy_move(&hands->clumsy, time, dt, controls);
    }
    hands->rested = strcmp(autopilot_phase(hands->autopilot), "rest") == 0 ? hands->rested + dt : 0.0;
}

/// Drives one stretch and records it. The ticks' times go into `times`.
static bool drive_ticks(SoakDrive *drive, Driver driver, Recorder *recorder, BenchTimes *times)
{
    Status status = {0};
    Session *session = drive->session;
    Hands hands = {.driver = driver, .autopilot = driver != DRIVER_RANDOM ? autopilot_create(session) : NULL};
    clumsy_start(&hands.clumsy, CLUMSINESS, drive->seed);
    int ticks = (int)(STRETCH_SECONDS / session_dt(session));
    bool good = true;
    for (int tick = 0; good && tick < ticks && (tick % LOST_EVERY != 0 || !is_lost(session)); tick++) {
        OperatorControls controls = control_neutral;
        move_levers(drive, &hands, &controls);
        BenchSample before = bench_now();
        session_tick(session, &controls);
        bench_times_add(times, bench_since(before).cpu_ms);
        drive->ticks++;
        drive->session_ticks++;
        good = recorder_tick(recorder, session, &status) || wrong(drive, "recorder", status.text);
        good = good && (watch_tick(&drive->watch, session) ||
                        wrong(drive, watch_kind_names[drive->watch.kind], drive->watch.fault));
    }
    autopilot_destroy(hands.autopilot);
    return good;
}

static bool verify(SoakDrive *drive, const char *path)
{
    Status status = {0};
    VerifyResult result = {0};
    Recording *recording = recording_open(path, &status);
    bool good = recording != NULL &&
                recording_verify(recording, recording_first_tick(recording), false, 1, NULL, NULL, &result, &status);
    recording_close(recording);
    drive->verified += good;
    return good || wrong(drive, "recording", status.text);
}

/// ---- after a stretch -----------------------------------------------------------------------------------------------

static void find_tiles(StateVisitor *visitor, const char *name, void *data, size_t size, size_t count)
{
    double *tiles = *(double **)(visitor + 1);
    if (strcmp(name, "ground.tiles") == 0 && size == sizeof(int32_t) && count == 1) {
        *tiles += *(const int32_t *)data;
    }
}

static double count_tiles(Session *session)
{
    double tiles = 0.0;
    struct {
        StateVisitor base;
        double *tiles;
    } visitor = {{.field = find_tiles}, &tiles};
    session_visit(session, &visitor.base);
    return tiles;
}

static void note_stretch(SoakDrive *drive, Driver driver, BenchTimes *times)
{
    Stretch *stretch = &drive->list[drive->stretches];
    stretch->p50 = bench_times_median(times);
    stretch->p99 = bench_times_quantile(times, 0.99);
    stretch->tiles = count_tiles(drive->session);
    stretch->grains = fmax(drive->watch.worst.particles, drive->worst.particles);
    stretch->resident = bench_resident_bytes();
    struct mallinfo2 heap = mallinfo2();
    stretch->heap = (double)(heap.uordblks + heap.hblkhd);
    const SessionFrame *frame = session_frame(drive->session);
    printf("%s: stretch %3d %-6s %7.0f s of session %d: total %lld, %5d grains, p50 %5.2f p99 %5.2f ms, %.1f MB, heap "
           "%.1f MB, %3.0f tiles, %d events, %d messages\n",
           drive->part->name, drive->stretches, driver_names[driver], frame->time, drive->sessions,
           (long long)frame->ledger.total, frame->counters.particles, stretch->p50, stretch->p99,
           stretch->resident / 1e6, stretch->heap / 1e6, stretch->tiles, frame->event_count, soak_messages());
    fflush(stdout);
}

/// Puts a machine back that lies, or leaves: to where the stretch began, or the session.
static bool put_back(SoakDrive *drive, const StateBuffer *before)
{
    Status status = {0};
    if (!is_lost(drive->session)) {
        drive->lost = 0;
        return true;
    }
    drive->lost++;
    drive->restores++;
    watch_jump(&drive->watch);
    const StateBuffer *to = drive->lost < LOST_MOST ? before : &drive->home;
    return state_restore(drive->session, to->data, to->size, &status) || wrong(drive, "restore", status.text);
}

static bool run_stretch(SoakDrive *drive)
{
    Status status = {0};
    char path[512];
    snprintf(path, sizeof path, "%.400s/%s-%d.spade", drive->folder, drive->part->name, drive->stretches);
    unlink(path);
    StateBuffer before = {0};
    BenchTimes times = {0};
    Driver driver = (Driver)(drive->stretches % DRIVER_COUNT);
    RecorderParams params = {.path = path,
                             .operator_name = driver_names[driver],
                             .parent = drive->session_ticks > 0 ? "the stretch before" : NULL,
                             .parent_tick = session_frame(drive->session)->tick};
    Recorder *recorder = recorder_create(&params, drive->session, &status);
    bool good = recorder != NULL && state_save(drive->session, &before, &status);
    if (!good) {
        wrong(drive, "recorder", status.text);
    }
    good = good && drive_ticks(drive, driver, recorder, &times);
    Status closed = {0};
    if (recorder != NULL && !recorder_close(recorder, drive->session, &closed)) {
        good = wrong(drive, "recorder", closed.text);
    }
    good = good && (drive->stretches % VERIFIED_EVERY != 0 || verify(drive, path));
    good = good && put_back(drive, &before);
    state_buffer_free(&before);
    if (good) {
        note_stretch(drive, driver, &times);
        if (soak_messages() - drive->told < KEPT_MESSAGES) {
            unlink(path);
        }
        drive->told = soak_messages();
    }
    bench_times_free(&times);
    return good;
}

/// ---- a part --------------------------------------------------------------------------------------------------------

typedef double StretchValue(const Stretch *stretch);
static double value_p99(const Stretch *stretch)
{
    return stretch->p99;
}
static double value_resident(const Stretch *stretch)
{
    return stretch->resident;
}
static double value_heap(const Stretch *stretch)
{
    return stretch->heap;
}
/// What is not of the heap: code, stacks, and what somebody took from the system himself.
static double value_beside(const Stretch *stretch)
{
    return fmax(stretch->resident - stretch->heap, 0.0);
}
static double value_grains(const Stretch *stretch)
{
    return stretch->grains;
}
static double value_tiles(const Stretch *stretch)
{
    return stretch->tiles;
}

/// Median of a figure over some stretches.
static double median_of(const SoakDrive *drive, StretchValue *value, int from, int to)
{
    BenchTimes list = {0};
    for (int k = from; k < to; k++) {
        bench_times_add(&list, value(&drive->list[k]));
    }
    double median = bench_times_median(&list);
    bench_times_free(&list);
    return median;
}

/// Median of a figure over the last third of the stretches less that over the first.
static double growth_of(const SoakDrive *drive, StretchValue *value)
{
    int third = drive->stretches / 3;
    return median_of(drive, value, drive->stretches - third, drive->stretches) - median_of(drive, value, 0, third);
}

/// What must not grow: the first third against the last. Memory that was asked for and is touched for the first time
/// makes the process larger, too, and is not lost: what counts is the heap, and what grows beside it.
static void judge(SoakDrive *drive)
{
    int third = drive->stretches / 3, last = drive->stretches - third;
    if (third == 0) {
        return;
    }
    double hours = (double)drive->ticks / 216000.0 * last / drive->stretches; // between the middles of both thirds
    double from = median_of(drive, value_p99, 0, third), to = median_of(drive, value_p99, last, drive->stretches);
    double heap = growth_of(drive, value_heap), beside = growth_of(drive, value_beside);
    double tiles = growth_of(drive, value_tiles), grains = growth_of(drive, value_grains);
    printf("%s: p99 of a tick %.2f ms in the first third, %.2f in the last; in %.2f h the heap %+.2f MB (%+.2f MB/h), "
           "of which tiles of ground %+.2f MB, contacts of grains up to %+.2f MB; beside it %+.2f MB; resident %+.2f "
           "MB\n",
           drive->part->name, from, to, hours, heap / 1e6, heap / 1e6 / hours, tiles * TILE_BYTES / 1e6,
           grains * GRAIN_BYTES / 1e6, beside / 1e6, growth_of(drive, value_resident) / 1e6);
    char text[128];
    if (to > TIMES_GROW * from) {
        snprintf(text, sizeof text, "%.2f ms grew to %.2f ms", from, to);
        wrong(drive, "p99 of a tick", text);
    }
    if (heap - tiles * TILE_BYTES - grains * GRAIN_BYTES > MEMORY_GROWS || beside > MEMORY_GROWS) {
        snprintf(text, sizeof text,
                 "the heap grew by %.0f bytes, what is beside it by %.0f; %.0f tiles, %.0f grains more", heap, beside,
                 tiles, grains);
        wrong(drive, "memory", text);
    }
}

static bool is_over(const SoakDrive *drive)
{
    return drive->part->anew &&
           (exercise_is_finished(session_exercise(drive->session)) || drive->stretches - drive->begun >= ANEW_EVERY);
}

int soak_drive(const char *name, double hours, const char *folder)
{
    SoakDrive drive = {.part = NULL, .folder = folder, .seed = 1};
    for (int k = 0; k < PARTS; k++) {
        drive.part = strcmp(parts[k].name, name) == 0 ? &parts[k] : drive.part;
    }
    if (drive.part == NULL) {
        fprintf(stderr, "soak: %.60s is no part; `soak parts` lists them\n", name);
        return 2;
    }
    mkdir(folder, 0777);
    int64_t wanted = (int64_t)(hours * 216000.0);
    drive.capacity = SHORT_STRETCHES * (int)fmax(1.0, ceil(hours * 3600.0 / STRETCH_SECONDS));
    drive.list = calloc((size_t)drive.capacity, sizeof *drive.list);
    bool good = drive.list != NULL && begin_session(&drive);
    while (good && drive.ticks < wanted && drive.stretches < drive.capacity) {
        good = run_stretch(&drive);
        drive.stretches += good;
        drive.longest = fmax(drive.longest, session_frame(drive.session)->time);
        if (good && is_over(&drive) && drive.ticks < wanted) {
            end_session(&drive);
            good = begin_session(&drive);
        }
    }
    bool whole = good && (drive.ticks >= wanted || wrong(&drive, "stretches", "too many were short"));
    long long total = drive.session != NULL ? (long long)drive.watch.total : 0;
    end_session(&drive);
    if (whole) {
        judge(&drive);
    }
    soak_print_figures(drive.part->name, &drive.worst);
    printf("ROW %-12s %6.2f %8d %8.2f %16lld %8d %8d %6.0f %4d %s\n", drive.part->name, (double)drive.ticks / 216000.0,
           drive.sessions, drive.longest / 3600.0, total, drive.restores, drive.verified, drive.worst.particles,
           soak_messages(), drive.failed ? "WRONG" : "good");
    state_buffer_free(&drive.home);
    free(drive.list);
    return drive.failed ? 1 : 0;
}
