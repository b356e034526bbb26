/// The machine's step with 20 track contacts and 50 rocks, beside a truck: what a tick costs without soil in motion.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data/schema/load.h"
#include "tests/bench/ode_site.h"
#include "trainer/sim/coupling.h"
#include "trainer/sim/session_rocks.h"
#include "trainer/sim/session_solids.h"

enum { ROCKS = 50, PATCHES = 10 /* a side */, MOST_SEEDS = 100 };
#define SECONDS 6.0

/// Where the rocks are: none, falling and landing as a heap, at rest in it, in the bucket; falling beside a truck in
/// whose bed the bucket stands.
typedef enum Place { PLACE_NONE, PLACE_MOTION, PLACE_PILE, PLACE_BUCKET, PLACE_TRUCK, PLACES } Place;

static const char *const names[PLACES] = {"machine", "rocks-motion", "rocks-pile", "rocks-carried", "truck"};

/// Ticks in which the bucket comes down on the bed's floor.
enum { LOWERING = 32 };
/// Of ODE's ticks, one in so many is solved exactly.
enum { EXACT_EVERY = 4 };
#define TARE 20000.0 ///< kg of the truck among ODE's bodies

typedef struct Yard {
    SceneParams scene;
    MachineParams params;
    Machine *machine;
    MachineState state;
    Soil *soil;
    SessionRocks *rocks;
    SessionTrucks *trucks; ///< NULL: none
    SessionSolids *solids;
    int touches; ///< of the last step
} Yard;

static SceneRocks rocks_of(Place place)
{
    SceneRocks rocks = {
        .x = 7.0, .y = 6.0, .size = 0.3, .largest = 0.7, .count = ROCKS, .spread = 1.5, .density = 2600};
    if (place == PLACE_MOTION || place == PLACE_TRUCK) {
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
        session_solids_destroy(yard->solids);
        session_trucks_destroy(yard->trucks);
        machine_destroy(yard->machine);
        soil_destroy(yard->soil);
        free(yard);
    }
}

/// The bucket hangs over the middle of the bed, across it.
static void place_truck(Yard *yard)
{
    static const double pose[4] = {0.0, 0.70, -1.65, -0.8}; // rad: swing, boom, stick, bucket
    memcpy(yard->params.start_pose, pose, sizeof pose);
    yard->scene.exercise.truck.x = 6.6;
    yard->scene.exercise.truck.y = -0.5;
    yard->scene.exercise.truck.heading = 0.5 * M_PI;
}

static bool yard_build(Yard *yard, Place place, uint64_t seed, Status *status)
{
    const char *scene = place == PLACE_TRUCK ? "truck-loading" : "trench";
    if (!data_load_scene(scene, NULL, 0, &yard->scene, &yard->params, NULL, status)) {
        return false;
    }
    if (place == PLACE_TRUCK) {
        place_truck(yard);
        yard->scene.ground.mound_count = 0;
    }
    yard->scene.ground.roughness = 0.0;
    yard->scene.rocks_count = place == PLACE_NONE ? 0 : 1;
    yard->scene.rocks[0] = rocks_of(place);
    yard->params.tracks.patches = PATCHES;
    yard->soil = soil_create(&yard->scene, seed, SOIL_SOLVER_DEFAULT, 1, status);
    yard->machine = machine_create(&yard->params, status);
    if (yard->soil == NULL || yard->machine == NULL ||
        !session_trucks_create(&yard->scene, yard->soil, &yard->trucks, status)) {
        return false;
    }
    machine_start(yard->machine, 0.0, 0.0, soil_get_height(yard->soil, 0.0, 0.0), 0.0, &yard->state);
    RockPlace at = {.machine = yard->machine, .state = &yard->state, .soil = yard->soil};
    return session_solids_create(&yard->scene, yard->trucks, NULL, yard->machine, &yard->state, &yard->solids,
                                 status) &&
           session_rocks_create(&yard->scene, seed, &at, &yard->rocks, status);
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

/// One step of the machine and what it touches, as a session does it.
static void yard_step(Yard *yard, const OperatorControls *controls, const MachineGround *ground,
                      const Wrench loads[MACHINE_MAX_BODIES], double elapsed)
{
    double dt = 1.0 / yard->scene.rates.tick_rate, h = dt / yard->scene.rates.substeps;
    MachineMover movers[SESSION_MOVERS] = {{.mass = 0.0}};
    MachineTouch *touches =
        session_solids_find(yard->solids, yard->trucks, NULL, elapsed, dt, yard->machine, &yard->state, &yard->touches);
    session_trucks_fill_movers(yard->trucks, elapsed, dt, h, touches, yard->touches, movers);
    const MachineInputs inputs = {.controls = controls,
                                  .ground = ground,
                                  .loads = loads,
                                  .touches = touches,
                                  .touch_count = yard->touches,
                                  .movers = movers,
                                  .mover_count = SCENE_MAX_TRUCKS};
    machine_step(yard->machine, &inputs, h, &yard->state);
    session_trucks_set_motion(yard->trucks, movers);
    session_solids_add_touches(yard->solids, yard->machine, &yard->state, movers, h);
}

/// One tick of machine, truck and rocks, as a session does it.
static void yard_tick(Yard *yard, const OperatorControls *controls)
{
    static const SessionTruckRocks none[SCENE_MAX_TRUCKS];
    double dt = 1.0 / yard->scene.rates.tick_rate, h = dt / yard->scene.rates.substeps;
    RockPlace place = {.machine = yard->machine, .state = &yard->state, .soil = yard->soil};
    SessionTruckHazard nothing = {.radius = 0.0}; // nobody drives
    session_trucks_begin_tick(yard->trucks, yard->soil, &nothing, controls, 0, dt, NULL);
    static const SiteDamage whole = {0};
    session_solids_begin_tick(yard->solids, &yard->scene, &whole);
    session_rocks_begin(yard->rocks, &place, dt);
    for (int k = 0; k < yard->scene.rates.substeps; k++) {
        Vec3 positions[MACHINE_MAX_PATCHES];
        MachineGround ground[MACHINE_MAX_PATCHES];
        Wrench loads[MACHINE_MAX_BODIES] = {{{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}}};
        int count = machine_track_patches(yard->machine, &yard->state, positions);
        coupling_ground(yard->soil, yard->scene.soils, &machine_params(yard->machine)->tracks, positions, count,
                        ground);
        session_rocks_add_loads(yard->rocks, loads);
        yard_step(yard, controls, ground, loads, (double)k / yard->scene.rates.substeps);
        session_rocks_substep(yard->rocks, &place, h);
    }
    session_rocks_end(yard->rocks, &place, dt);
    session_trucks_end_tick(yard->trucks, yard->soil, none, dt);
}

/// What is in the bucket is curled in and swung; else the machine works its arm in the air.
static OperatorControls levers_at(Place place, int tick)
{
    OperatorControls controls = control_neutral;
    controls.axis[CONTROL_THROTTLE] = CONTROL_FULL;
    if (place == PLACE_TRUCK) { // it stands on the floor, and is pulled to and fro
        controls.axis[CONTROL_BOOM] = control_quantise(tick < LOWERING ? -0.4 : -0.1);
        controls.axis[CONTROL_STICK] = control_quantise(tick < LOWERING ? 0.0 : tick / 60 % 2 ? 0.2 : -0.2);
        return controls;
    }
    controls.axis[CONTROL_BUCKET] = control_quantise(place == PLACE_BUCKET && tick < 90 ? 1.0 : 0.0);
    controls.axis[CONTROL_BOOM] = control_quantise(tick >= 90 && tick < 120 ? 0.6 : 0.0);
    controls.axis[CONTROL_SWING] = control_quantise(tick >= 120 ? (tick / 60 % 2 ? 0.6 : -0.6) : 0.0);
    return controls;
}

typedef struct MachineTimes {
    BenchSteps steps;
    double awake, contacts, carried, touches; ///< sums over the steps
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
            times->touches += yard->touches;
            if (yard->rocks != NULL) {
                RocksCounters counters = rocks_get_counters(session_rocks_get(yard->rocks));
                RockPlace at = {.machine = yard->machine, .state = &yard->state, .soil = yard->soil};
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
        int first = place == PLACE_BUCKET ? 90 : place == PLACE_TRUCK ? LOWERING : 0, length = ticks - done;
        if (place == PLACE_MOTION || place == PLACE_TRUCK) { // the rocks are on their way for a second
            int moving = 60 - first;
            length = length > moving ? moving : length;
        }
        good = measure(place, (uint64_t)seed, first, first + length, &times, status);
        done += length;
    }
    if (good) {
        json_t *row = bench_report_steps(report, names[place], 0, 1, bench_solver_name(options->solver), &times.steps);
        bench_report_extra(row, "cpu_ms_p99", bench_times_quantile(&times.steps.cpu, 0.99));
        bench_report_extra(row, "awake", place == PLACE_NONE ? (double)NAN : times.awake / done);
        bench_report_extra(row, "rock_contacts", place == PLACE_NONE ? (double)NAN : times.contacts / done);
        bench_report_extra(row, "payload_kg", place == PLACE_BUCKET ? times.carried / done : (double)NAN);
        bench_report_extra(row, "touches", place == PLACE_TRUCK ? times.touches / done : (double)NAN);
        bench_report_end(report, row);
    }
    bench_steps_free(&times.steps);
    return good;
}

/// ODE's own steps of the same bodies, exact and quick, in turn.
static bool run_ode(const BenchOptions *options, BenchReport *report, Status *status)
{
    static const char *const rows[2] = {"truck-ode-quick", "truck-ode-exact"};
    BenchSteps steps[2];
    double contacts[2] = {0.0, 0.0};
    int ticks = bench_step_count(options, SECONDS, 1.0 / 60.0), done[2] = {0, 0};
    memset(steps, 0, sizeof steps);
    Yard *yard = yard_create(PLACE_TRUCK, 1, status);
    OdeSite *site = NULL;
    if (yard != NULL) {
        site = ode_site_create(&yard->params, TARE, yard->scene.exercise.truck.floor_height, ROCKS);
    }
    for (int k = 0; site != NULL && k < ticks; k++) {
        int exact = k % EXACT_EVERY == 0, count;
        bench_steps_add(&steps[exact], ode_site_tick(site, exact, &count));
        contacts[exact] += count;
        done[exact]++;
    }
    for (int k = 0; site != NULL && k < 2; k++) {
        json_t *row = bench_report_steps(report, rows[k], 0, 1, bench_solver_name(options->solver), &steps[k]);
        bench_report_extra(row, "cpu_ms_p99", bench_times_quantile(&steps[k].cpu, 0.99));
        bench_report_extra(row, "contacts", done[k] > 0 ? contacts[k] / done[k] : (double)NAN);
        bench_report_end(report, row);
        bench_steps_free(&steps[k]);
    }
    bool good = site != NULL || status_fail(status, STATUS_LACKING, "out of memory for ODE's bodies");
    ode_site_destroy(site);
    yard_destroy(yard);
    return good;
}

bool bench_machine(const BenchOptions *options, BenchReport *report, Status *status)
{
    bool good = true;
    for (int place = 0; good && place < PLACES; place++) {
        bench_report_says(report, "%s", names[place]);
        good = run_place((Place)place, options, report, status);
    }
    if (good) {
        bench_report_says(report, "ODE's own steps of the same bodies");
        good = run_ode(options, report, status);
    }
    return good;
}
