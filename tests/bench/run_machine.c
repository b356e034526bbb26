/// The machine's step with 20 track contacts and 50 rocks: what a tick costs without soil in motion.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data/load.h"
#include "tests/bench/bench.h"
#include "trainer/session/coupling.h"
#include "trainer/session/session_rocks.h"

enum { ROCKS = 50, PATCHES = 10 /* a side */, MOST_SEEDS = 100 };
#define SECONDS 6.0

/// Where the rocks are: none, falling and landing as a heap, at rest in it, in the bucket.
typedef enum Place { PLACE_NONE, PLACE_MOTION, PLACE_PILE, PLACE_BUCKET, PLACES } Place;

static const char *const names[PLACES] = {"machine", "rocks-motion", "rocks-pile", "rocks-carried"};

typedef struct Yard {
    SceneParams scene;
    MachineParams params;
    Machine *machine;
    MachineState state;
    Soil *soil;
    SessionRocks *rocks;
} Yard;

static SceneRocks rocks_of(Place place)
{
    SceneRocks rocks = {
        .x = 7.0, .y = 6.0, .size = 0.3, .largest = 0.7, .count = ROCKS, .spread = 1.5, .density = 2600};
    if (place == PLACE_MOTION) {
        rocks.z = 0.5;
    }
    if (place == PLACE_BUCKET) {
        rocks = (SceneRocks){
            .x = 6.35, .z = 2.0, .size = 0.2, .largest = 0.26, .count = ROCKS, .spread = 0.35, .density = 2600};
    }
    return rocks;
}

static void yard_destroy(Yard *yard)
{
    if (yard != NULL) {
        session_rocks_destroy(yard->rocks);
        machine_destroy(yard->machine);
        soil_destroy(yard->soil);
        free(yard);
    }
}

static bool yard_build(Yard *yard, Place place, uint64_t seed, Status *status)
{
    if (!data_load_scene("trench", NULL, 0, &yard->scene, &yard->params, NULL, status)) {
        return false;
    }
    yard->scene.ground.roughness = 0.0;
    yard->scene.rocks_count = place == PLACE_NONE ? 0 : 1;
    yard->scene.rocks[0] = rocks_of(place);
    yard->params.tracks.patches = PATCHES;
    yard->soil = soil_create(&yard->scene, seed, SOIL_SOLVER_DEFAULT, 1, status);
    yard->machine = machine_create(&yard->params, status);
    if (yard->soil == NULL || yard->machine == NULL) {
        return false;
    }
    machine_start(yard->machine, 0.0, 0.0, soil_get_height(yard->soil, 0.0, 0.0), 0.0, &yard->state);
    RockPlace at = {yard->machine, &yard->state, yard->soil};
    return session_rocks_create(&yard->scene, seed, &at, &yard->rocks, status);
}

static Yard *yard_create(Place place, uint64_t seed, Status *status)
{
    Yard *yard = calloc(1, sizeof *yard);
    if (yard == NULL) {
        status_fail(status, STATUS_LACKING, "out of memory for a yard");
    } else if (yard_build(yard, place, seed, status)) {
        return yard;
    }
    yard_destroy(yard);
    return NULL;
}

/// One tick of machine and rocks, as a session does it.
static void yard_tick(Yard *yard, const OperatorControls *controls)
{
    double dt = 1.0 / yard->scene.rates.tick_rate, h = dt / yard->scene.rates.substeps;
    RockPlace place = {yard->machine, &yard->state, yard->soil};
    session_rocks_begin(yard->rocks, &place, dt);
    for (int k = 0; k < yard->scene.rates.substeps; k++) {
        Vec3 positions[MACHINE_MAX_PATCHES];
        MachineGround ground[MACHINE_MAX_PATCHES];
        Wrench loads[MACHINE_MAX_BODIES] = {{{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}}};
        int count = machine_track_patches(yard->machine, &yard->state, positions);
        coupling_ground(yard->soil, yard->scene.soils, &machine_params(yard->machine)->tracks, positions, count,
                        ground);
        session_rocks_add_loads(yard->rocks, loads);
        machine_step_loaded(yard->machine, controls, ground, loads, h, &yard->state);
        session_rocks_substep(yard->rocks, &place, h);
    }
    session_rocks_end(yard->rocks, &place, dt);
}

/// What is in the bucket is curled in and swung; else the machine works its arm in the air.
static OperatorControls levers_at(Place place, int tick)
{
    OperatorControls controls = {{0}};
    controls.axis[CONTROL_THROTTLE] = CONTROL_FULL;
    controls.axis[CONTROL_BUCKET] = control_quantise(place == PLACE_BUCKET && tick < 90 ? 1.0 : 0.0);
    controls.axis[CONTROL_BOOM] = control_quantise(tick >= 90 && tick < 120 ? 0.6 : 0.0);
    controls.axis[CONTROL_SWING] = control_quantise(tick >= 120 ? (tick / 60 % 2 ? 0.6 : -0.6) : 0.0);
    return controls;
}

typedef struct MachineTimes {
    BenchSteps steps;
    double awake, contacts, carried; ///< sums over the steps
} MachineTimes;

/// Ticks of one yard, from `first` to `end`; only those count.
static bool measure(Place place, uint64_t seed, int first, int end, MachineTimes *times, Status *status)
{
    Yard *yard = yard_create(place, seed, status);
    for (int tick = 0; yard != NULL && tick < end; tick++) {
        OperatorControls controls = levers_at(place, tick);
        BenchSample start = bench_now();
        yard_tick(yard, &controls);
        BenchSample taken = bench_since(start);
        if (tick >= first) {
            bench_steps_add(&times->steps, taken);
            if (yard->rocks != NULL) {
                RocksCounters counters = rocks_get_counters(session_rocks_get(yard->rocks));
                RockPlace at = {yard->machine, &yard->state, yard->soil};
                times->awake += counters.awake;
                times->contacts += counters.contacts;
                times->carried += session_rocks_payload(yard->rocks, &at);
            }
        }
    }
    bool good = yard != NULL;
    yard_destroy(yard);
    return good;
}

static bool run_place(Place place, const BenchOptions *options, BenchReport *report, Status *status)
{
    MachineTimes times = {0};
    int ticks = bench_step_count(options, SECONDS, 1.0 / 60.0), done = 0;
    bool good = true;
    for (int seed = 1; good && done < ticks && seed < MOST_SEEDS; seed++) {
        int first = place == PLACE_BUCKET ? 90 : 0, length = ticks - done;
        length = place == PLACE_MOTION && length > 60 ? 60 : length; // they are on their way for a second
        good = measure(place, (uint64_t)seed, first, first + length, &times, status);
        done += length;
    }
    if (good) {
        json_t *row = bench_report_steps(report, names[place], 0, 1, bench_solver_name(options->solver), &times.steps);
        bench_report_extra(row, "cpu_ms_p99", bench_times_quantile(&times.steps.cpu, 0.99));
        bench_report_extra(row, "awake", place == PLACE_NONE ? (double)NAN : times.awake / done);
        bench_report_extra(row, "rock_contacts", place == PLACE_NONE ? (double)NAN : times.contacts / done);
        bench_report_extra(row, "payload_kg", place == PLACE_BUCKET ? times.carried / done : (double)NAN);
        bench_report_end(report, row);
    }
    bench_steps_free(&times.steps);
    return good;
}

bool bench_machine(const BenchOptions *options, BenchReport *report, Status *status)
{
    bool good = true;
    for (int place = 0; good && place < PLACES; place++) {
        bench_report_says(report, "%s", names[place]);
        good = run_place((Place)place, options, report, status);
    }
    return good;
}
