/// The scripted driver without soil: a whole haul, how gently it moves, when it stops, and that it goes on from any
/// saved state.
// test: sanitized

#include "data/core/constants.h"
#include "data/schema/load.h"
#include "machine/truck.h"
#include "tests/support/state_tape.h"
#include "tests/support/test.h"

#define TICK (1.0 / 60.0)

/// A truck on a site whose ground is given by a function; soil in the bed is a number.
typedef struct Yard {
    TruckParams params;
    TruckRoute route;
    TruckState state;
    double load; ///< kg
    double slope; ///< of the ground, along x
    double heap; ///< m: height of what lies within 3 m beyond the dump, once the truck is near
    bool called, blocked;
} Yard;

static void open_yard(Yard *yard)
{
    static SceneParams scene;
    static MachineParams machine;
    Status status;
    memset(yard, 0, sizeof *yard);
    assert_good(data_load_scene("haul", NULL, 0, &scene, &machine, NULL, &status), status);
    yard->params = scene.truck;
    assert_true(truck_route(&scene.truck, &scene.exercise.truck, &scene.exercise.haul, &yard->route));
    truck_start(&yard->route, TRUCK_LOADING, &yard->state);
}

static void look_at_ground(const Yard *yard, double ground[TRUCK_PROBE_COUNT])
{
    TruckPlace place = truck_place(&yard->route, &yard->state);
    Vec3 points[TRUCK_PROBE_COUNT];
    truck_probes(&yard->params, &place, points);
    for (int k = 0; k < TRUCK_PROBE_COUNT; k++) {
        ground[k] = yard->slope * points[k].x;
    }
}

/// One tick. Loads 1.5 t each 15 s while it stands at the spot; tips 1 t/s while the bed is steep.
static TruckNews tick(Yard *yard)
{
    TruckSight sight = {.called = yard->called, .may_go = true, .blocked = yard->blocked, .heap = yard->heap};
    look_at_ground(yard, sight.ground);
    TruckNews news = truck_step(&yard->params, &yard->route, 8000.0, &sight, TICK, &yard->state);
    if (truck_is_at_spot(&yard->state) && lround(yard->state.phase_time / TICK) % 900 == 1) {
        yard->load += 1500.0;
    }
    if (truck_tail_open(&yard->state) && yard->state.bed_angle > 0.5) {
        yard->load = fmax(0.0, yard->load - 1000.0 * TICK);
    }
    truck_weigh(&yard->params, yard->load, TICK, &yard->state);
    assert_true(truck_is_finite(&yard->state));
    return news;
}

TEST(the_driver_hauls)
{
    Yard yard;
    open_yard(&yard);
    int seen[TRUCK_PHASE_COUNT] = {0}, order = 0, news_seen[8] = {0};
    double raised = 0.0;
    for (int t = 0; t < 400 * 60 && yard.state.loads < 2; t++) {
        int before = yard.state.phase;
        news_seen[tick(&yard)]++;
        seen[yard.state.phase]++;
        raised = fmax(raised, yard.state.bed_angle);
        if (yard.state.phase != before) {
            assert_int_equal(yard.state.phase, (before + 1) % TRUCK_PHASE_COUNT);
            order++;
        }
    }
    assert_int_equal(order, TRUCK_PHASE_COUNT + 5);
    assert_int_equal(yard.state.departures, 2);
    assert_int_equal(yard.state.all_passes, 12); // six of 1.5 t are more than 8 t
    assert_true(fabs(yard.state.delivered - 2 * 9000.0) < 1e-6);
    assert_true(raised == yard.params.tip.angle);
    assert_true(fabs(seen[TRUCK_RAISING] * TICK / 2.0 - yard.params.tip.raise_time) < 2.0);
    assert_true(fabs(seen[TRUCK_LOWERING] * TICK / 2.0 - yard.params.tip.lower_time) < 2.0);
    assert_int_equal(news_seen[TRUCK_NEWS_FULL], 2);
    assert_int_equal(news_seen[TRUCK_NEWS_SPOTTED], 1);
    assert_int_equal(news_seen[TRUCK_NEWS_TIPPED], 2);
    assert_int_equal(news_seen[TRUCK_NEWS_BLOCKED] + news_seen[TRUCK_NEWS_FREE], 0);
}

/// Fastest change of velocity of a corner of the bed while the bed is down, m/s2, and the greatest speed of the truck.
static void watch_bed(Yard *yard, double *acceleration, double *speed)
{
    Vec3 at[3] = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    *acceleration = *speed = 0.0;
    int known = 0;
    for (int t = 0; t < 400 * 60 && yard->state.loads < 1; t++) {
        tick(yard);
        Pose chassis, bed;
        truck_frames(&yard->params, &yard->route, &yard->state, &chassis, &bed);
        bool down = yard->state.bed_angle == 0.0;
        at[0] = at[1];
        at[1] = at[2];
        at[2] = pose_apply(&bed, vec3(0.5 * yard->params.bed.length, 0.5 * yard->params.bed.width, 0.5));
        known = down ? known + 1 : 0;
        *speed = fmax(*speed, yard->state.speed);
        if (known >= 3) {
            Vec3 change = vec3_sub(vec3_add(at[0], at[2]), vec3_scale(at[1], 2.0));
            *acceleration = fmax(*acceleration, vec3_length(change) / (TICK * TICK));
        }
    }
}

/// The corner of the bed that is farthest from the rear axle: what lies there, held by friction of tan(20 degrees)
/// alone, stays.
TEST(the_load_is_not_thrown)
{
    Yard yard;
    open_yard(&yard);
    double acceleration, speed;
    watch_bed(&yard, &acceleration, &speed);
    print_message("fastest %.1f km/h, %.2f m/s2 at the bed's corner\n", 3.6 * speed, acceleration);
    assert_true(acceleration < STANDARD_GRAVITY * tan(20.0 * M_PI / 180.0));
    assert_true(speed <= yard.params.drive.speed_empty);
    open_yard(&yard);
    yard.slope = 0.08;
    watch_bed(&yard, &acceleration, &speed);
    assert_true(acceleration < STANDARD_GRAVITY * tan(20.0 * M_PI / 180.0));
}

/// On a slope of 8 % along x: level across the slope, pitched along it, over the ground under its wheels.
TEST(it_stands_as_the_ground_slopes)
{
    Yard yard;
    open_yard(&yard);
    yard.slope = 0.08;
    double ground[TRUCK_PROBE_COUNT];
    look_at_ground(&yard, ground);
    truck_settle(ground, &yard.state);
    Pose chassis, bed;
    truck_frames(&yard.params, &yard.route, &yard.state, &chassis, &bed);
    const double rise = sin(atan(0.08));
    assert_true(fabs(chassis.rotation.m[2][0] + rise) < 1e-9); // heading 180 degrees: nose down
    assert_true(fabs(chassis.rotation.m[2][1]) < 1e-9);
    Vec3 axle = pose_apply(&chassis, vec3(yard.params.rear_axle, 0, 0));
    assert_true(fabs(axle.z - 0.08 * axle.x) < 1e-3);
    while (yard.state.phase != TRUCK_RAISING) {
        tick(&yard);
    }
    truck_frames(&yard.params, &yard.route, &yard.state, &chassis, &bed); // heading 90 degrees now
    assert_true(fabs(chassis.rotation.m[2][1] + rise) < 0.005); // its left looks to -x: down
    assert_true(fabs(chassis.rotation.m[2][0]) < 0.005);
    assert_true(fabs(chassis.position.z - 0.08 * chassis.position.x) < 0.05);
    assert_true(bed.position.z - chassis.position.z > 0.9 * yard.params.bed.floor_height);
}

TEST(the_horn_sends_it_away)
{
    Yard yard;
    open_yard(&yard);
    for (int t = 0; t < 120; t++) {
        tick(&yard);
    }
    assert_int_equal(yard.state.phase, TRUCK_LOADING);
    yard.called = yard.blocked = true; // the bucket still hangs over the bed
    assert_int_equal(tick(&yard), TRUCK_NEWS_NONE);
    yard.called = false;
    tick(&yard);
    assert_int_equal(yard.state.phase, TRUCK_LOADING);
    assert_false(truck_is_at_spot(&yard.state));
    yard.blocked = false;
    int wait = 0;
    for (TruckNews news = tick(&yard); news != TRUCK_NEWS_CALLED; news = tick(&yard)) {
        assert_int_equal(news, TRUCK_NEWS_NONE);
        wait++;
    }
    assert_true(wait >= 55 && wait <= 65); // a second after the way is free
    assert_int_equal(yard.state.phase, TRUCK_HAULING);
    assert_true(yard.state.hauled == 1500.0);
}

TEST(it_stops_for_what_is_in_its_way)
{
    Yard yard;
    open_yard(&yard);
    while (yard.state.phase != TRUCK_HAULING || yard.state.distance < 10.0) {
        tick(&yard);
    }
    double speed = yard.state.speed, from = yard.state.distance;
    yard.blocked = true;
    assert_int_equal(tick(&yard), TRUCK_NEWS_BLOCKED);
    int ticks = 1;
    for (; yard.state.speed > 0.0; ticks++) {
        assert_int_equal(tick(&yard), TRUCK_NEWS_NONE);
    }
    double way = speed * speed / (2.0 * yard.params.drive.braking);
    assert_true(fabs(yard.state.distance - from - way) < 0.1);
    from = yard.state.distance;
    for (int t = 0; t < 300; t++) {
        tick(&yard);
    }
    assert_true(yard.state.distance == from);
    yard.blocked = false;
    int wait = 0;
    while (tick(&yard) != TRUCK_NEWS_FREE) {
        assert_true(yard.state.speed == 0.0);
        wait++;
    }
    assert_true(wait >= 55 && wait <= 65);
    tick(&yard);
    tick(&yard);
    assert_true(yard.state.speed > 0.0);
}

/// It sees the bucket ahead, as far as it needs to stop, and not what is beside the road.
TEST(it_looks_where_it_goes)
{
    Yard yard;
    open_yard(&yard);
    double front = yard.params.front; // the bed's middle is at 0, 6.5; it looks to -x
    assert_true(truck_looks_ahead(&yard.params, &yard.route, &yard.state, -front - 1.5, 6.5, 0.5));
    assert_true(truck_looks_ahead(&yard.params, &yard.route, &yard.state, 0.0, 6.5, 0.5)); // over the bed
    assert_false(truck_looks_ahead(&yard.params, &yard.route, &yard.state, -front - 6.0, 6.5, 0.5));
    assert_false(truck_looks_ahead(&yard.params, &yard.route, &yard.state, -front - 1.5, 2.0, 0.5));
    assert_false(truck_looks_ahead(&yard.params, &yard.route, &yard.state, 6.0, 6.5, 0.5)); // behind
    yard.state.speed = 4.0;
    assert_true(truck_looks_ahead(&yard.params, &yard.route, &yard.state, -front - 6.0, 6.5, 0.5));
}

/// The truck tips before the heap that the last load left, and its way back begins there.
TEST(a_heap_makes_it_tip_earlier)
{
    Yard yard;
    open_yard(&yard);
    const TruckWay *out = &yard.route.roads[TRUCK_ROAD_OUT];
    while (yard.state.phase != TRUCK_HAULING || yard.state.distance < out->length - 4.0) {
        tick(&yard);
    }
    yard.heap = 0.6;
    while (yard.state.phase == TRUCK_HAULING) {
        tick(&yard);
    }
    assert_int_equal(yard.state.phase, TRUCK_RAISING);
    double missing = out->length - yard.state.distance;
    assert_true(missing > 2.0 && missing < 4.0);
    TruckPlace there = truck_place(&yard.route, &yard.state);
    while (yard.state.phase == TRUCK_RAISING) {
        tick(&yard);
    }
    TruckPlace then = truck_place(&yard.route, &yard.state);
    assert_true(hypot(then.x - there.x, then.y - there.y) < 1e-9);
}

/// Saved and restored in the middle of each phase, everything goes on to the last bit.
TEST(it_goes_on_from_any_phase)
{
    static Tape tape;
    for (int phase = 0; phase < TRUCK_PHASE_COUNT; phase++) {
        Yard yard, other;
        open_yard(&yard);
        while (yard.state.phase != phase || yard.state.phase_time < 0.5) {
            tick(&yard);
            if (yard.state.phase == TRUCK_WAITING && phase == TRUCK_WAITING) {
                break; // nothing keeps it there
            }
        }
        open_yard(&other);
        other.load = yard.load;
        tape = (Tape){.visitor = {.field = write_tape}};
        truck_visit(&yard.state, &yard.route, &tape.visitor);
        tape.visitor = (StateVisitor){.field = read_tape, .restoring = true};
        tape.at = 0;
        truck_visit(&other.state, &other.route, &tape.visitor);
        assert_false(tape.visitor.failed);
        assert_memory_equal(&yard.state, &other.state, sizeof yard.state);
        for (int t = 0; t < 1200; t++) {
            tick(&yard);
            tick(&other);
        }
        assert_memory_equal(&yard.state, &other.state, sizeof yard.state);
    }
}

TEST(bad_states_are_not_restored)
{
    Yard yard;
    open_yard(&yard);
    const TruckState good = yard.state;
    for (int k = 0; k < 6; k++) {
        TruckState bad = good;
        bad.phase = k == 0 ? TRUCK_PHASE_COUNT : k == 1 ? -1 : bad.phase;
        bad.distance = k == 2 ? 1e9 : k == 3 ? (double)NAN : bad.distance;
        bad.bed_angle = k == 4 ? 7.0 : bad.bed_angle;
        bad.height[0] = k == 5 ? (double)INFINITY : bad.height[0];
        static Tape tape;
        tape = (Tape){.visitor = {.field = write_tape}};
        truck_visit(&bad, &yard.route, &tape.visitor);
        assert_true(tape.visitor.failed);
        assert_int_equal(bad.phase, TRUCK_LOADING);
    }
}

TEST_GROUP(NULL, NULL)
