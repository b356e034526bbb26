/// Trucks in a session: a whole haul with soil, from the horn to the empty truck, loses nothing, is counted, and goes
/// on from any state.
// test: long

#include "tests/support/test.h"
#include "tests/support/event_fixture.h"

#include "soil/soil_lab.h"
#include "trainer/pilot/autopilot.h"
#include "trainer/sim/session.h"
#include "trainer/sim/state_io.h"

enum { TICKS = 60, GRAINS_ALONG = 16, GRAINS_ACROSS = 9, GRAINS_UP = 3 };

/// The scene's machine looks away from the trucks unless `set` says otherwise.
static Session *open_session(const char *const *set, int set_count, int threads)
{
    static const char *const away[] = {"machine.heading_deg=-90"};
    set = set_count > 0 ? set : away;
    set_count = set_count > 0 ? set_count : 1;
    Status status;
    SessionParams params = {.scene = "haul", .set = set, .set_count = set_count, .threads = threads};
    Session *session = session_create(&params, &status);
    assert_good(session != NULL, status);
    return session;
}

/// Grains in the bed of truck 1, kg.
static double fill_bed(Session *session)
{
    const double radius = 0.05, apart = 0.11, mass = 1.0;
    Soil *soil = session_soil(session);
    Pose bed = soil_get_tray_frame(soil, 0);
    for (int k = 0; k < GRAINS_ALONG * GRAINS_ACROSS * GRAINS_UP; k++) {
        int i = k % GRAINS_ALONG, j = k / GRAINS_ALONG % GRAINS_ACROSS, layer = k / (GRAINS_ALONG * GRAINS_ACROSS);
        double stray = (k * 7 % 5 - 2) * 0.002;
        Vec3 local = vec3((i - 8) * apart + stray, (j - 4) * apart - stray, 0.06 + layer * apart);
        Vec3 at = pose_apply(&bed, local);
        assert_true(soil_add_particle(soil, at, vec3(0, 0, 0), radius, 0, mass) >= 0);
    }
    return GRAINS_ALONG * GRAINS_ACROSS * GRAINS_UP * mass;
}

/// The horn is heard at the end of the second second.
static void tick(Session *session)
{
    OperatorControls controls = control_neutral;
    int64_t now = session_frame(session)->tick;
    controls.axis[CONTROL_HORN] = now >= 110 && now < 120 ? CONTROL_FULL : 0;
    session_tick(session, &controls);
}

static const char *phase_of(const Session *session, int truck)
{
    return truck_phase_names[session_trucks_state(session_trucks(session), truck)->phase];
}

static double metric(const Session *session, const char *name)
{
    ExerciseMetric metrics[EXERCISE_MAX_METRICS];
    int count = exercise_metrics(session_exercise(session), metrics);
    for (int k = 0; k < count; k++) {
        if (strcmp(metrics[k].name, name) == 0) {
            return metrics[k].value;
        }
    }
    fail_msg("no metric %s", name);
    return 0.0;
}

static bool has_event(const Session *session, const char *detail)
{
    for (int k = 0; k < exercise_event_count(session_exercise(session)); k++) {
        const ExerciseEvent *event = exercise_event(session_exercise(session), k);
        char text[EVENT_TEXT];
        if (is_event(event, "truck") && strstr(english_of(event, NULL, text), detail) != NULL) {
            return true;
        }
    }
    return false;
}

TEST(a_whole_haul_loses_nothing)
{
    Session *session = open_session(NULL, 0, 1);
    double load = fill_bed(session);
    const SceneHaul *haul = &session_scene(session)->exercise.haul;
    Soil *soil = session_soil(session);
    double before = soil_get_height(soil, haul->dump.x, haul->dump.y - 3.5);
    int64_t total = soil_get_ledger(soil).total;
    double least = load, worst = 0.0;
    int looks = 0;
    for (int t = 0; t < 120 * TICKS && strcmp(phase_of(session, 0), "waiting") != 0; t++) {
        tick(session);
        assert_true(soil_get_ledger(soil).total == total);
        bool looked =
            t > exercise_look_interval(session_dt(session)) && exercise_held(session_exercise(session)) == 0.0;
        worst = looked ? fmax(worst, fabs(metric(session, "loaded_kg") - load)) : worst;
        looks += looked;
        least = fmin(least, soil_get_tray_mass(soil, 0));
    }
    assert_string_equal(phase_of(session, 0), "waiting");
    assert_string_equal(phase_of(session, 1), "loading");
    print_message("of %.0f kg %.1f are delivered, %.1f stay in the bed; counted as loaded within %.2f kg\n", load,
                  metric(session, "delivered_kg"), least, worst);
    assert_true(metric(session, "delivered_kg") > 0.95 * load);
    assert_true(looks > 30 * TICKS);
    assert_true(worst < 0.01 * load); // nothing falls off on the way, and what is tipped still counts
    assert_true(metric(session, "truck_loads") == 0.0); // it was not worth the way
    assert_true(metric(session, "passes_per_truck") == 0.0); // and no other load was
    assert_true(metric(session, "spilled_kg") < 0.02 * load);
    double after = soil_get_height(soil, haul->dump.x, haul->dump.y - 3.5);
    assert_true(after > before + 0.1);
    assert_true(has_event(session, "truck 1 leaves as told: 432 kg in 1 passes"));
    assert_true(has_event(session, "truck 1 has tipped"));
    assert_true(has_event(session, "truck 2 is at the spot"));
    assert_false(has_event(session, "stops"));
    session_destroy(session);
}

/// Saved and restored into `other`, both come to the same bits.
static void check_restored(Session *session, Session *other)
{
    StateBuffer saved = {0};
    Status status;
    assert_true(state_save(session, &saved, &status));
    assert_true(state_restore(other, saved.data, saved.size, &status));
    assert_true(session_after_restore(other, &status));
    const char *phase = phase_of(session, 0);
    for (int k = 0; k < 10; k++) {
        tick(session);
        tick(other);
    }
    if (state_hash(session) != state_hash(other)) {
        fail_msg("restored while %s it goes on otherwise", phase);
    }
    state_buffer_free(&saved);
}

/// At the beginning of every phase, and in the middle of all that last.
TEST(every_phase_is_restored)
{
    const char *const set[] = {"exercise.haul.trucks=1", "machine.heading_deg=-90"};
    Session *session = open_session(set, 2, 1), *other = open_session(set, 2, 3);
    fill_bed(session);
    int seen[TRUCK_PHASE_COUNT] = {0}, checks = 0;
    for (int t = 0; t < 120 * TICKS && !has_event(session, "at the spot"); t++) {
        const TruckState *truck = session_trucks_state(session_trucks(session), 0);
        int *times = &seen[truck->phase];
        if (*times == 0 || (*times == 1 && truck->phase_time > 2.0)) {
            ++*times;
            checks++;
            check_restored(session, other);
        }
        tick(session);
    }
    for (int phase = 0; phase < TRUCK_PHASE_COUNT; phase++) {
        assert_true(seen[phase] > 0);
    }
    assert_true(checks >= 2 * TRUCK_PHASE_COUNT - 3);
    session_destroy(session);
    session_destroy(other);
}

/// The bucket, swung into the way of the truck that leaves, stops it; nothing else happens to either.
TEST(the_bucket_stops_a_truck)
{
    const char *const set[] = {"machine.heading_deg=160"};
    Session *session = open_session(set, 1, 1);
    for (int t = 0; t < 12 * TICKS; t++) {
        OperatorControls controls = control_neutral;
        controls.axis[CONTROL_THROTTLE] = CONTROL_FULL;
        controls.axis[CONTROL_HORN] = t == 60 ? CONTROL_FULL : 0;
        controls.axis[CONTROL_SWING] = control_quantise(t > 170 && t < 260 ? 0.8 : 0.0);
        session_tick(session, &controls);
    }
    assert_true(has_event(session, "truck 1 stops: the bucket is in its way"));
    assert_string_equal(phase_of(session, 0), "hauling");
    assert_true(session_trucks_state(session_trucks(session), 0)->speed == 0.0);
    session_destroy(session);
}

/// m: how far the middle of the first truck's rear axle is beside its driver's road, and ahead of where he wants it.
static double off_road(const Session *session, double *ahead)
{
    static TruckRoute route;
    const SceneParams *scene = session_scene(session);
    assert_true(truck_route(&scene->truck, &scene->exercise.truck, &scene->exercise.haul, &route));
    TruckPlace want = truck_place(&route, session_trucks_state(session_trucks(session), 0));
    Pose chassis = session_trucks_pose(session_trucks(session), 0).chassis;
    Vec3 axle = pose_apply(&chassis, vec3(scene->truck.rear_axle, 0.0, 0.0));
    double x = axle.x - want.x, y = axle.y - want.y, c = cos(want.heading), s = sin(want.heading);
    *ahead = c * x + s * y;
    return c * y - s * x;
}

/// A truck that the arm has hit at full swing is shoved aside and stays there; when it drives, it comes back to its
/// road, holds it within centimetres, and arrives.
TEST(a_truck_that_was_pushed_finds_its_road)
{
    const char *const set[] = {"machine.heading_deg=-90", "exercise.haul.trucks=1"};
    Session *session = open_session(set, 2, 1);
    double pushed = 0.0, ahead = 0.0, worst = 0.0, behind = 0.0;
    for (int t = 0; t < 60 * TICKS && strcmp(phase_of(session, 0), "raising") != 0; t++) {
        OperatorControls controls = control_neutral;
        controls.axis[CONTROL_THROTTLE] = CONTROL_FULL;
        controls.axis[CONTROL_SWING] = control_quantise(t < 240 ? -1.0 : t < 380 ? 0.8 : 0.0);
        controls.axis[CONTROL_HORN] = t == 400 ? CONTROL_FULL : 0;
        session_tick(session, &controls);
        double off = fabs(off_road(session, &ahead));
        pushed = t < 400 ? off : pushed;
        if (session_trucks_state(session_trucks(session), 0)->distance > 15.0) {
            worst = fmax(worst, off);
            behind = fmax(behind, fabs(ahead));
        }
    }
    print_message("pushed aside by %.3f m; on the road at most %.3f m beside it, %.3f m before or behind\n", pushed,
                  worst, behind);
    assert_string_equal(phase_of(session, 0), "raising");
    assert_true(pushed > 0.01);
    assert_true(worst < 0.05 && behind < 0.10);
    session_destroy(session);
}

TEST(one_truck_is_enough)
{
    const char *const set[] = {"exercise.haul.trucks=1", "machine.heading_deg=-90"};
    Session *session = open_session(set, 2, 1);
    assert_int_equal(session_trucks_count(session_trucks(session)), 1);
    assert_true(session_trucks_ready(session_trucks(session)));
    for (int t = 0; t < 120 * TICKS && !has_event(session, "at the spot"); t++) {
        tick(session);
    }
    assert_true(has_event(session, "truck 1 is at the spot"));
    assert_true(session_trucks_ready(session_trucks(session)));
    session_destroy(session);
}

/// The scripted operator holds its load while no truck is there, and goes on with the next one. The truck is sent away
/// with two buckets.
TEST(the_operator_waits_for_the_next_truck)
{
    Status status;
    SessionParams params = {.scene = "haul", .threads = 1};
    Session *session = session_create(&params, &status);
    assert_non_null(session);
    Autopilot *autopilot = autopilot_create(session);
    int64_t away = 0;
    double held = 0.0, lost = 0.0, before = 0.0;
    for (int t = 0; t < 75 * TICKS; t++) {
        OperatorControls controls;
        autopilot_controls(autopilot, session, &controls);
        controls.axis[CONTROL_HORN] = t == 28 * TICKS ? CONTROL_FULL : 0;
        session_tick(session, &controls);
        double payload = session_frame(session)->payload;
        bool ready = session_trucks_ready(session_trucks(session)), lifts = autopilot_phase(autopilot)[0] == 'l';
        away += !ready;
        held = ready ? held : fmax(held, payload);
        lost = !ready && lifts && payload > 100.0 ? fmax(lost, before - payload) : lost;
        before = payload;
    }
    const TruckState *second = session_trucks_state(session_trucks(session), 1);
    print_message(
        "%d s without a truck, %.0f kg held, at most %.1f kg lost in a tick; then %.0f kg in the second truck\n",
        (int)(away / TICKS), held, lost, second->load);
    assert_true(away > 15 * TICKS);
    assert_true(held > 250.0);
    assert_true(lost < 0.1 * held);
    assert_true(second->load > 0.5 * held);
    autopilot_destroy(autopilot);
    session_destroy(session);
}

/// A truck without a haul has no driver: it comes to rest on its springs, and then stands bit for bit.
TEST(a_truck_without_a_haul_stands_still)
{
    Status status;
    SessionParams params = {.scene = "truck-loading", .threads = 1};
    Session *session = session_create(&params, &status);
    assert_non_null(session);
    assert_int_equal(session_trucks_count(session_trucks(session)), 1);
    assert_false(session_trucks_driven(session_trucks(session)));
    assert_true(session_trucks_ready(session_trucks(session)));
    for (int t = 0; t < 600 && !session_trucks_readout(session_trucks(session), 0).asleep; t++) {
        tick(session);
    }
    assert_true(session_trucks_readout(session_trucks(session), 0).asleep);
    tick(session); // the tray goes to where the truck has come to rest
    Pose before = soil_get_tray_frame(session_soil(session), 0);
    for (int t = 0; t < 150; t++) {
        tick(session);
    }
    Pose after = soil_get_tray_frame(session_soil(session), 0);
    assert_memory_equal(&before, &after, sizeof before);
    session_destroy(session);
}

TEST_GROUP(NULL, NULL)
