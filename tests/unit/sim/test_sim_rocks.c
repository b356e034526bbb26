/// Rocks in scenes: what the bucket and the tracks feel of them, what soil in motion does to them, and that they
/// repeat.
// test: long

#include "data/schema/machine_params.h"
#include "tests/support/test.h"
#include "trainer/sim/session.h"
#include "trainer/sim/state_io.h"

enum { TICKS = 60 }; // a second
// Rocks of rocks.yaml: those that fall come last.
enum { LEFT_TRACK, RIGHT_TRACK, IN_BUCKET, ON_GRAVEL };

static Session *open_file(const char *file, const char *const *set, int set_count)
{
    Status status;
    SessionParams params = {.scene = file, .threads = 1, .set = set, .set_count = set_count};
    Session *session = session_create(&params, &status);
    assert_good(session != NULL, status);
    return session;
}

static Session *open_scene(const char *const *set, int set_count)
{
    return open_file(SPADEWORK_TEST_DIR "/support/rocks.yaml", set, set_count);
}

static RockView view_of(const Session *session, int rock)
{
    RockView view;
    assert_true(rocks_get(session_rocks_get(session_rocks(session)), rock, &view));
    return view;
}

static void drive(Session *session, double seconds, ControlAxis axis, double lever)
{
    OperatorControls controls = control_neutral;
    controls.axis[axis] = control_quantise(lever);
    for (int tick = 0; tick < seconds * TICKS; tick++) {
        session_tick(session, &controls);
    }
}

/// A boulder that fell into the bucket, which is then curled in and lifted.
static Session *carry(void)
{
    Session *session = open_scene(NULL, 0);
    drive(session, 1.5, CONTROL_BUCKET, 1.0);
    drive(session, 1.0, CONTROL_BOOM, 0.6);
    return session;
}

TEST(a_rock_in_the_bucket_weighs_its_weight)
{
    Session *session = carry();
    drive(session, 3.0, CONTROL_BOOM, 0.0);
    double force = 0.0, mass = view_of(session, IN_BUCKET).mass;
    for (int k = 0; k < TICKS; k++) {
        drive(session, 1.0 / TICKS, CONTROL_BOOM, 0.0);
        force -= session_frame(session)->tool_wrench.force.z / TICKS;
    }
    const SessionFrame *frame = session_frame(session);
    print_message("the rock weighs %.1f N, the bucket feels %.1f N, payload %.1f kg\n", mass * STANDARD_GRAVITY, force,
                  frame->payload);
    assert_true(fabs(force - mass * STANDARD_GRAVITY) < 0.01 * mass * STANDARD_GRAVITY);
    assert_true(fabs(frame->payload - mass) < 1e-6 * mass);
    assert_true(view_of(session, IN_BUCKET).motion.frame.position.z > 1.0);
    session_destroy(session);
}

/// The bucket closes on a boulder and the boom presses it down: forces stay what the cylinders and the machine's weight
/// give.
TEST(a_bucket_pressed_on_a_rock_does_not_kick)
{
    static const char *const set[] = {"rocks.0.x=6.6", "rocks.0.z=0", "rocks.0.size=0.9"};
    Session *session = open_scene(set, 3);
    double fastest = 0.0, strongest = 0.0;
    for (int tick = 0; tick < 6 * TICKS; tick++) {
        OperatorControls controls = control_neutral;
        controls.axis[CONTROL_BOOM] = control_quantise(-1.0);
        controls.axis[CONTROL_BUCKET] = control_quantise(tick > 3 * TICKS ? 1.0 : 0.0);
        session_tick(session, &controls);
        const SessionFrame *frame = session_frame(session);
        RockView rock = view_of(session, 0);
        fastest = fmax(fastest, vec3_length(rock.motion.velocity));
        strongest = fmax(strongest, vec3_length(frame->tool_wrench.force));
        assert_true(session_is_finite(session));
    }
    print_message("rock at most %.2f m/s, bucket at most %.0f kN, machine pitches %.2f\n", fastest, 1e-3 * strongest,
                  session_frame(session)->machine.pitch);
    assert_true(fastest < 6.0);
    assert_true(strongest < 300e3);
    session_destroy(session);
}

/// Each track pushes the rock that it meets along, presses it into the ground and climbs what stands out.
TEST(tracks_feel_rocks)
{
    Session *session = open_scene(NULL, 0);
    drive(session, 1.0, CONTROL_BUCKET, 1.0);
    double highest = 0.0, steepest = 0.0, level = session_frame(session)->machine.base.z;
    double start[2] = {view_of(session, LEFT_TRACK).motion.frame.position.x,
                       view_of(session, RIGHT_TRACK).motion.frame.position.x};
    for (int tick = 0; tick < 6 * TICKS; tick++) {
        OperatorControls controls = control_neutral;
        controls.axis[CONTROL_LEFT_TRACK] = controls.axis[CONTROL_RIGHT_TRACK] = control_quantise(0.6);
        session_tick(session, &controls);
        const MachineReadout *machine = &session_frame(session)->machine;
        highest = fmax(highest, machine->base.z - level);
        steepest = fmax(steepest, fmax(fabs(machine->pitch), fabs(machine->roll)));
        assert_true(session_is_finite(session));
    }
    double end[2] = {view_of(session, LEFT_TRACK).motion.frame.position.x,
                     view_of(session, RIGHT_TRACK).motion.frame.position.x};
    print_message("climbs %.2f m, leans %.2f, drove %.2f m; rocks pushed %.2f, %.2f m\n", highest, steepest,
                  session_frame(session)->machine.base.x, end[0] - start[0], end[1] - start[1]);
    assert_true(highest > 0.02 && end[0] > start[0] + 0.05 && end[1] > start[1] + 0.05); // pressed in, pushed, climbed
    session_destroy(session);
}

/// A tonne of rock that lies on loam has sunk in and sleeps; the ground under it is a dent whose soil lies beside
/// it, to the quantum.
TEST(a_rock_leaves_a_dent)
{
    static const char *const set[] = {"rocks.0.x=-6.6", "rocks.0.z=0", "rocks.0.size=0.9"};
    Session *session = open_scene(set, 3);
    int64_t total = session_frame(session)->ledger.total;
    drive(session, 2.0, CONTROL_BOOM, 0.0);
    RockView rock = view_of(session, 0);
    Vec3 at = rock.motion.frame.position;
    double around = 0.0;
    for (int k = 0; k < 4; k++) {
        double x = k & 1 ? 1.0 : -1.0, y = k & 2 ? 1.0 : -1.0;
        around += 0.25 * soil_get_height(session_soil(session), at.x + x, at.y + y);
    }
    double dent = around - soil_get_height(session_soil(session), at.x, at.y);
    print_message("%.0f kg of rock, %.3f m deep, asleep %d\n", rock.mass, dent, rock.asleep);
    assert_true(rock.asleep && dent > 0.003 && dent < 0.2);
    assert_true(session_frame(session)->ledger.total == total);
    session_destroy(session);
}

/// N: the largest force of the rocks on a body of the machine while it is driven.
static double strongest_on(Session *session, int body, double seconds, double tracks)
{
    double strongest = 0.0;
    OperatorControls controls = control_neutral;
    controls.axis[CONTROL_LEFT_TRACK] = controls.axis[CONTROL_RIGHT_TRACK] = control_quantise(tracks);
    for (int tick = 0; tick < seconds * TICKS; tick++) {
        Wrench loads[MACHINE_MAX_BODIES] = {{{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}}};
        session_tick(session, &controls);
        session_rocks_add_loads(session_rocks(session), loads);
        strongest = fmax(strongest, vec3_length(loads[body].force));
        assert_true(session_is_finite(session));
    }
    return strongest;
}

/// A boulder that falls on the boom, or on the house, hits it with more than its weight and stays on top of neither
/// machine nor ground below it.
TEST(rocks_that_fall_hit_boom_and_house)
{
    static const char *const set[2][3] = {{"rocks.0.x=4.3", "rocks.0.z=6", "rocks.0.size=0.5"},
                                          {"rocks.0.x=-3.13", "rocks.0.z=5", "rocks.0.size=0.9"}};
    static const int body[2] = {EXCAVATOR_BOOM, EXCAVATOR_HOUSE};
    for (int k = 0; k < 2; k++) {
        Session *session = open_scene(set[k], 3);
        double weight = view_of(session, IN_BUCKET).mass * STANDARD_GRAVITY;
        double strongest = strongest_on(session, body[k], 3.0, 0.0);
        print_message("body %d is hit with %.1f weights\n", body[k], strongest / weight);
        assert_true(strongest > weight);
        session_destroy(session);
    }
}

/// A dozer that backs up pushes the boulder behind it with its ripper.
TEST(the_ripper_meets_a_rock)
{
    static const char *const set[] = {"machine.file=dozer-20t", "rocks.0.x=-6.5", "rocks.0.z=0", "rocks.0.size=0.9"};
    Session *session = open_scene(set, 4);
    int rock = 0;
    for (int k = 0; k < 4; k++) {
        rock = fabs(view_of(session, k).motion.frame.position.x + 6.5) < 0.3 ? k : rock;
    }
    double start = view_of(session, rock).motion.frame.position.x;
    double strongest = strongest_on(session, DOZER_RIPPER, 6.0, -0.4);
    double pushed = start - view_of(session, rock).motion.frame.position.x;
    print_message("ripper feels %.1f kN, rock pushed %.2f m, machine at %.2f\n", 1e-3 * strongest, pushed,
                  session_frame(session)->machine.base.x);
    assert_true(strongest > 1e3 && strongest < 400e3);
    assert_true(pushed > 0.2);
    session_destroy(session);
}

/// Restored in mid-motion: a rock in the bucket, soil in motion around it.
TEST(a_restored_session_goes_on_bit_for_bit)
{
    Session *session = carry(), *other = open_scene(NULL, 0);
    drive(session, 0.5, CONTROL_BOOM, -0.8);
    StateBuffer buffer = {0};
    Status status;
    assert_true(state_save(session, &buffer, &status));
    assert_true(state_restore(other, buffer.data, buffer.size, &status));
    assert_true(state_hash(session) == state_hash(other));
    drive(session, 2.0, CONTROL_BOOM, -0.8);
    drive(other, 2.0, CONTROL_BOOM, -0.8);
    assert_true(session_frame(session)->counters.particles > 0);
    assert_true(state_hash(session) == state_hash(other));
    state_buffer_free(&buffer);
    session_destroy(other);
    session_destroy(session);
}

/// A boulder that fell on loose grains comes to rest on them, off the ground, and they give way below it; no soil is
/// lost.
TEST(loose_soil_bears_a_rock)
{
    Session *session = open_scene(NULL, 0);
    int64_t total = session_frame(session)->ledger.total;
    drive(session, 6.0, CONTROL_HORN, 0.0);
    RockView rock = view_of(session, ON_GRAVEL);
    double ground = soil_get_height(session_soil(session), rock.motion.frame.position.x, rock.motion.frame.position.y);
    print_message("the rock lies %.3f m over the ground, %.4f m/s, asleep %d\n", rock.motion.frame.position.z - ground,
                  vec3_length(rock.motion.velocity), rock.asleep);
    assert_true(rock.motion.frame.position.z - ground > 0.30 && rock.motion.frame.position.z - ground < 0.60);
    assert_true(vec3_length(rock.motion.velocity) < 0.05);
    assert_true(session_frame(session)->ledger.total == total);
    session_destroy(session);
}

static double kg_in_bed(Session *session)
{
    RockPlace place = {
        .machine = session_machine(session), .state = session_machine_state(session), .soil = session_soil(session)};
    Vec3 moment;
    return session_rocks_tray_load(session_rocks(session), &place, 0, &moment);
}

/// Rocks that fell into a bed lie on its floor and weigh on the truck's axles; they go where it goes, and slide off its
/// open tail when it tips.
TEST(a_bed_holds_rocks_until_it_tips)
{
    Session *session = open_file(SPADEWORK_TEST_DIR "/support/rocks-truck.yaml", NULL, 0);
    int count = session_rocks_count(session_rocks(session));
    drive(session, 6.0, CONTROL_HORN, 0.0);
    double mass = (double)session_rocks_mass(session_rocks(session)) * SOIL_QUANTUM;
    assert_near(kg_in_bed(session), mass, 1e-6);
    for (int i = 0; i < count; i++) {
        assert_true(view_of(session, i).motion.frame.position.z > 1.3 && view_of(session, i).asleep);
    }
    SessionTruckReadout truck = session_trucks_readout(session_trucks(session), 0);
    double tare = session_scene(session)->truck.tare;
    print_message("%.0f kg of rocks: axles bear %.0f and %.0f kg\n", mass, truck.front, truck.rear);
    assert_near(truck.front + truck.rear, tare + mass, 0.002 * tare);
    drive(session, 0.5, CONTROL_HORN, 1.0);
    const TruckState *driver = session_trucks_state(session_trucks(session), 0);
    while (driver->phase != TRUCK_RAISING && session_frame(session)->time < 90.0) {
        drive(session, 1.0 / TICKS, CONTROL_HORN, 0.0);
    }
    assert_near(kg_in_bed(session), mass, 1e-6);
    while (driver->phase != TRUCK_LOWERING && session_frame(session)->time < 150.0) {
        drive(session, 1.0 / TICKS, CONTROL_HORN, 0.0);
    }
    drive(session, 2.0, CONTROL_HORN, 0.0);
    print_message("%.0f of %.0f kg still in the bed\n", kg_in_bed(session), mass);
    assert_true(kg_in_bed(session) == 0.0);
    for (int i = 0; i < count; i++) {
        assert_true(view_of(session, i).motion.frame.position.z < 1.0 &&
                    view_of(session, i).motion.frame.position.x > 15.0);
    }
    session_destroy(session);
}

/// kg of rocks higher than `height` over the ground, with their number.
static double lifted(const Session *session, double height, int *count)
{
    double mass = 0.0;
    *count = 0;
    for (int i = 0; i < session_rocks_count(session_rocks(session)); i++) {
        RockView rock = view_of(session, i);
        mass += rock.motion.frame.position.z > height ? rock.mass : 0.0;
        *count += rock.motion.frame.position.z > height;
    }
    return mass;
}

/// Levers of an operator who reaches out, draws the bucket through the heap just below the ground, curls it in, and
/// lifts it.
static OperatorControls dig(const SessionFrame *frame, int *phase)
{
    double boom = 0.0, stick = 0.0, bucket = 0.0;
    Vec3 tip = frame->machine.tip;
    double curl = frame->machine.angle[EXCAVATOR_JOINT_BUCKET];
    switch (*phase) {
    case 0:
        boom = 2.0 * (0.8 - tip.z);
        stick = -0.8;
        bucket = 3.0 * (curl + 0.35);
        *phase += tip.x > 8.4;
        break;
    case 1:
        boom = 2.0 * (0.1 - tip.z);
        *phase += fabs(tip.z - 0.1) < 0.08;
        break;
    case 2:
        boom = 3.0 * (-0.1 - tip.z) + 0.2;
        stick = 0.6;
        bucket = 3.0 * (curl + 0.35);
        *phase += tip.x < 6.0;
        break;
    case 3:
        boom = 0.3;
        stick = 0.1;
        bucket = 1.0;
        *phase += curl < -1.7;
        break;
    default:
        boom = tip.z < 2.0 ? 0.7 : 0.0;
        bucket = 0.3;
        break;
    }
    OperatorControls controls = control_neutral;
    controls.axis[CONTROL_BOOM] = control_quantise(fmax(-1.0, fmin(boom, 1.0)));
    controls.axis[CONTROL_STICK] = control_quantise(stick);
    controls.axis[CONTROL_BUCKET] = control_quantise(fmax(-1.0, fmin(bucket, 1.0)));
    return controls;
}

/// Rocks that soil in motion sees.
static int rocks_that_feel_soil(const Session *session)
{
    SoilTool tools[ROCK_TOOLS];
    int count = session_rocks_tools(session_rocks(session), tools), seen = 0;
    for (int k = 0; k < count; k++) {
        seen += tools[k].motion.frame.position.z > -100.0;
    }
    return seen;
}

/// Digs in the heap of a seed, lifts, dumps. Returns how many rocks were lifted.
static int dig_rocks(const char *seed)
{
    Session *session = open_file(SPADEWORK_TEST_DIR "/support/rocks-heap.yaml", &seed, 1);
    int64_t total = session_frame(session)->ledger.total;
    int phase = 0, count, left, most = 0;
    for (int tick = 0; tick < 10 * TICKS; tick++) {
        OperatorControls controls = dig(session_frame(session), &phase);
        session_tick(session, &controls);
        int feel = rocks_that_feel_soil(session);
        most = feel > most ? feel : most;
    }
    assert_true(most > 8);
    const SessionFrame *frame = session_frame(session);
    double mass = lifted(session, 1.2, &count), payload = frame->payload;
    print_message("%s: %d rocks of %.0f kg lifted, payload %.0f kg; %d felt moving soil at once\n", seed, count, mass,
                  payload, most);
    assert_int_equal(phase, 4);
    assert_true(payload > 0.9 * mass);
    drive(session, 4.0, CONTROL_BUCKET, -1.0);
    assert_true(lifted(session, 1.2, &left) == 0.0);
    print_message("%.0f kg left after dumping\n", frame->payload);
    assert_true(frame->payload < 0.2 * payload);
    assert_true(frame->ledger.total == total);
    session_destroy(session);
    return count;
}

/// Dug out of a heap with soil around them, carried, and dumped. How many there are is chance: 1 to 8 over twelve
/// heaps, 4.2 in the mean.
TEST(the_bucket_digs_rocks)
{
    int count = dig_rocks("seed=1") + dig_rocks("seed=2") + dig_rocks("seed=3") + dig_rocks("seed=4");
    assert_true(count >= 6);
}

TEST_GROUP(NULL, NULL)
