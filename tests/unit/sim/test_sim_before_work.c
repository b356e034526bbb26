/// What the operator does before the work: on foot round the machine, what is found and reported, climbing in and out;
/// key, safety lever, travel range, power mode, auto-idle and cold oil; and that all of it is state.
#include "data/core/constants.h"
#include "tests/support/event_fixture.h"
#include "tests/support/test.h"
#include "trainer/sim/session.h"
#include "trainer/sim/state_io.h"

#define SCENE SPADEWORK_TEST_DIR "/support/walk.yaml"
#define SEAT  "exercise.walk_round.x=0.9" // beside the door

static Session *open_with(const char *const *set, int count)
{
    Status status;
    SessionParams params = {.scene = SCENE, .set = set, .set_count = count, .threads = 1};
    Session *session = session_create(&params, &status);
    assert_good(session != NULL, status);
    return session;
}

/// Holds levers for some time; `throttle` -1..1.
static void hold(Session *session, double seconds, double throttle, ControlAxis axis, double value)
{
    OperatorControls controls = control_neutral;
    controls.axis[CONTROL_THROTTLE] = control_quantise(throttle);
    controls.axis[axis] = control_quantise(value);
    for (int k = 0; k < (int)lround(60.0 * seconds); k++) {
        session_tick(session, &controls);
    }
    assert_true(session_is_finite(session));
}

static void rest(Session *session, double seconds)
{
    hold(session, seconds, 1.0, CONTROL_HORN, 0.0);
}

static void press(Session *session, ControlAxis axis)
{
    hold(session, 0.1, 1.0, axis, 1.0);
    rest(session, 0.1);
}

static const CabReadout *cab(const Session *session)
{
    return &session_frame(session)->cab;
}

static const FootReadout *foot(const Session *session)
{
    return &session_frame(session)->foot;
}

static double value_of(const Session *session, Metric metric)
{
    double values[METRIC_COUNT];
    exercise_values(session_exercise(session), values);
    return values[metric];
}

static int count_events(const Session *session, EventKind kind, int form)
{
    const Exercise *exercise = session_exercise(session);
    int count = 0;
    for (int k = 0; k < exercise_event_count(exercise); k++) {
        const ExerciseEvent *event = exercise_event(exercise, k);
        count += event->kind == (int)kind && event->form == form;
    }
    return count;
}

/// Beside the door; a thing in view is judged first.
static void climb_in(Session *session)
{
    press(session, CONTROL_INSPECT);
    if (foot(session)->open >= 0) {
        hold(session, 0.1, 1.0, CONTROL_ANSWER, 0.1 * FOOT_ANSWER_FINE);
        rest(session, 0.1);
        press(session, CONTROL_INSPECT);
    }
    assert_true(cab(session)->seated);
}

/// An operator in the cab with the engine off.
static Session *open_seated(const char *extra)
{
    const char *set[] = {SEAT, extra};
    Session *session = open_with(set, extra != NULL ? 2 : 1);
    hold(session, 0.5, 1.0, CONTROL_STICK, -1.0);
    climb_in(session);
    return session;
}

static void start_engine(Session *session)
{
    hold(session, CAB_KEY_HELD + session_machine_params(session)->switches.crank_time + 0.2, 1.0, CONTROL_IGNITION,
         1.0);
    rest(session, 1.0);
    assert_int_equal(cab(session)->engine, CAB_ENGINE_RUNS);
}

static double boom_angle(const Session *session)
{
    const MachineParams *machine = session_machine_params(session);
    return session_frame(session)->machine.angle[machine_joint_of_control(machine, CONTROL_BOOM)];
}

/// ---- start-up ------------------------------------------------------------------------------------------------------

TEST(levers_are_dead_until_the_engine_runs_and_the_safety_lever_is_down)
{
    Session *session = open_seated(NULL);
    double before = boom_angle(session);
    hold(session, 1.0, 1.0, CONTROL_BOOM, 1.0);
    assert_near(boom_angle(session), before, 1e-3);
    assert_true(session_frame(session)->machine.engine_speed == 0.0);
    start_engine(session);
    assert_true(session_frame(session)->machine.engine_speed > 50.0);
    hold(session, 1.0, 1.0, CONTROL_BOOM, 1.0);
    assert_near(boom_angle(session), before, 1e-3);
    press(session, CONTROL_SAFETY_LEVER);
    assert_true(cab(session)->lever_down);
    hold(session, 1.0, 1.0, CONTROL_BOOM, 1.0);
    assert_true(boom_angle(session) > before + 0.05);
    assert_near(value_of(session, METRIC_HORN_FIRST), 0.0, 0.0); // it moved without the horn
    press(session, CONTROL_IGNITION);
    assert_int_equal(cab(session)->key, CAB_KEY_OFF);
    rest(session, 3.0);
    assert_true(session_frame(session)->machine.engine_speed == 0.0);
    session_destroy(session);
}

TEST(the_starter_does_not_turn_with_the_safety_lever_down)
{
    Session *session = open_seated(NULL);
    press(session, CONTROL_SAFETY_LEVER);
    hold(session, 3.0, 1.0, CONTROL_IGNITION, 1.0);
    assert_int_equal(cab(session)->engine, CAB_ENGINE_OFF);
    assert_int_equal(count_events(session, EVENT_SWITCH, EVENT_SWITCH_REFUSED), 1);
    rest(session, 0.2);
    press(session, CONTROL_SAFETY_LEVER);
    hold(session, 0.8, 1.0, CONTROL_IGNITION, 1.0);
    assert_int_equal(cab(session)->engine, CAB_ENGINE_CRANKS);
    assert_near(session_frame(session)->machine.engine_speed, 21.0, 0.5);
    rest(session, 1.0); // let go too early
    assert_int_equal(cab(session)->engine, CAB_ENGINE_OFF);
    session_destroy(session);
}

TEST(the_horn_before_the_first_movement_counts_and_parking_does)
{
    Session *session = open_seated(NULL);
    start_engine(session);
    assert_true(cab(session)->horn_due);
    hold(session, 0.3, 1.0, CONTROL_HORN, 1.0);
    press(session, CONTROL_SAFETY_LEVER);
    hold(session, 0.5, 1.0, CONTROL_SWING, 0.5);
    assert_near(value_of(session, METRIC_HORN_FIRST), 1.0, 0.0);
    assert_near(value_of(session, METRIC_PARKED), 0.0, 0.0);
    press(session, CONTROL_SAFETY_LEVER);
    press(session, CONTROL_IGNITION);
    assert_near(value_of(session, METRIC_PARKED), 0.0, 0.0); // the bucket hangs in the air
    session_destroy(session);
}

TEST(range_mode_and_auto_idle_bound_speeds)
{
    Session *session = open_seated(NULL);
    start_engine(session);
    hold(session, 0.3, 1.0, CONTROL_HORN, 1.0);
    press(session, CONTROL_SAFETY_LEVER);
    hold(session, 3.0, 1.0, CONTROL_LEFT_TRACK, 1.0);
    double low = session_machine_state(session)->track_speed[0];
    press(session, CONTROL_TRAVEL_RANGE);
    hold(session, 3.0, 1.0, CONTROL_LEFT_TRACK, 1.0);
    double high = session_machine_state(session)->track_speed[0];
    assert_near(low / high, session_machine_params(session)->switches.low_travel, 0.05);
    double full = session_frame(session)->machine.engine_speed;
    rest(session, 1.0);
    press(session, CONTROL_POWER_MODE);
    rest(session, 3.0);
    assert_true(session_frame(session)->machine.engine_speed < full - 8.0);
    press(session, CONTROL_AUTO_IDLE);
    rest(session, 3.0); // 4 s of neutral levers are asked for
    double before = session_frame(session)->machine.engine_speed;
    rest(session, 6.0);
    assert_true(cab(session)->idles);
    assert_true(session_frame(session)->machine.engine_speed < before - 30.0);
    hold(session, 2.0, 1.0, CONTROL_BOOM, 0.3);
    assert_false(cab(session)->idles);
    assert_true(session_frame(session)->machine.engine_speed > before - 8.0);
    session_destroy(session);
}

/// rad that the boom rises in a second with oil so warm.
static double rise(const char *oil)
{
    Session *session = open_seated(oil);
    start_engine(session);
    press(session, CONTROL_SAFETY_LEVER);
    double before = boom_angle(session);
    hold(session, 1.5, 1.0, CONTROL_BOOM, 1.0);
    double way = boom_angle(session) - before;
    session_destroy(session);
    return way;
}

TEST(cold_oil_is_slower_and_warms_up_at_relief)
{
    double warm = rise("exercise.start_up.oil_c=30"), cold = rise("exercise.start_up.oil_c=-10");
    assert_true(cold > 0.3 * warm && cold < 0.75 * warm);
    Session *session = open_seated("exercise.start_up.oil_c=5");
    start_engine(session);
    press(session, CONTROL_SAFETY_LEVER);
    hold(session, 4.0, 1.0, CONTROL_BUCKET, 1.0); // to its end
    double before = cab(session)->oil;
    hold(session, 20.0, 1.0, CONTROL_BUCKET, 1.0);
    assert_true(cab(session)->oil > before + 1.0);
    assert_true(value_of(session, METRIC_COLD_RELIEF) > 15.0);
    assert_true(value_of(session, METRIC_WARM_SHARE) > 0.05 && value_of(session, METRIC_WARM_SHARE) < 1.0);
    session_destroy(session);
}

TEST(an_engine_that_the_instructor_stopped_is_started_with_the_key)
{
    Session *session = open_seated(NULL);
    Status status;
    start_engine(session);
    assert_good(session_order(session, &(SessionOrder){.fault = SESSION_FAULT_ENGINE, .value = 1.0}, &status), status);
    rest(session, 3.0);
    assert_int_equal(cab(session)->engine, CAB_ENGINE_OFF);
    assert_true(session_frame(session)->machine.engine_speed == 0.0);
    start_engine(session);
    assert_false(session_orders_act(session_orders(session)));
    assert_true(session_frame(session)->machine.engine_speed > 50.0);
    session_destroy(session);
}

TEST(without_switches_all_is_ready_and_counts_as_done)
{
    static const char *const set[] = {"exercise.start_up.switches=no", SEAT};
    Session *session = open_with(set, 2);
    assert_false(cab(session)->has);
    assert_true(cab(session)->lever_down);
    assert_near(value_of(session, METRIC_PARKED), 1.0, 0.0);
    assert_near(value_of(session, METRIC_WARM_SHARE), 1.0, 0.0);
    assert_true(session_frame(session)->machine.engine_speed > 100.0);
    session_destroy(session);
}

/// ---- walk-round ----------------------------------------------------------------------------------------------------

static void answer(Session *session, int which)
{
    hold(session, 0.1, 1.0, CONTROL_ANSWER, 0.1 * which);
    rest(session, 0.1);
}

TEST(the_operator_walks_turns_and_goes_round_the_machine_and_not_off_the_site)
{
    Session *session = open_with(NULL, 0);
    assert_true(foot(session)->walks);
    Vec3 before = foot(session)->eye;
    double yaw = foot(session)->yaw;
    hold(session, 1.0, 1.0, CONTROL_STICK, -1.0); // ahead, against the machine
    assert_true(foot(session)->eye.y < before.y - 0.5);
    assert_true(foot(session)->eye.y > 1.6); // its upper house is 2.78 m wide
    hold(session, 0.5, 1.0, CONTROL_SWING, 1.0);
    assert_near(foot(session)->yaw, yaw - 0.5 * FOOT_TURNING, 0.05);
    hold(session, 0.5, 1.0, CONTROL_BOOM, 1.0);
    assert_near(foot(session)->pitch, 0.5 * FOOT_LOOKING, 0.05);
    before = foot(session)->eye;
    hold(session, 1.0, 1.0, CONTROL_BUCKET, -1.0); // to the right
    assert_near(vec3_length(vec3_sub(foot(session)->eye, before)), FOOT_WALKING, 0.3);
    hold(session, 1.5, 1.0, CONTROL_SWING, 1.0); // about: away from the machine
    hold(session, 30.0, 1.0, CONTROL_STICK, -1.0);
    assert_true(fabs(foot(session)->eye.x) <= 14.5 && fabs(foot(session)->eye.y) <= 14.5);
    session_destroy(session);
}

TEST(things_are_found_from_near_and_judged)
{
    Session *session = open_with(NULL, 0);
    assert_int_equal(foot(session)->near, -1); // too far
    press(session, CONTROL_INSPECT);
    assert_int_equal(foot(session)->open, -1);
    hold(session, 0.5, 1.0, CONTROL_STICK, -1.0);
    hold(session, 0.25, 1.0, CONTROL_SWING, 1.0);
    assert_int_equal(foot(session)->near, 0);
    press(session, CONTROL_INSPECT);
    assert_int_equal(foot(session)->open, 0);
    Vec3 before = foot(session)->eye;
    hold(session, 0.5, 1.0, CONTROL_STICK, -1.0); // who looks closely stands
    assert_near(vec3_length(vec3_sub(foot(session)->eye, before)), 0.0, 0.01);
    answer(session, FOOT_ANSWER_REPORT);
    assert_int_equal(foot(session)->open, -1);
    assert_int_equal(count_events(session, EVENT_INSPECTION, EVENT_INSPECTION_FOUND), 1);
    assert_near(value_of(session, METRIC_FOUND_SHARE), 0.5, 1e-12);
    assert_near(value_of(session, METRIC_LOOKED_SHARE), 0.25, 1e-12);
    assert_near(value_of(session, METRIC_FALSE_REPORTS), 0.0, 0.0);
    char text[EVENT_TEXT];
    const Exercise *exercise = session_exercise(session);
    assert_string_equal(english_of(exercise_event(exercise, exercise_event_count(exercise) - 1),
                                   &session_scene(session)->exercise, text),
                        "reported rightly: glass");
    session_destroy(session);
}

TEST(the_horn_inspects_on_foot_and_climbing_in_early_is_counted)
{
    static const char *const set[] = {SEAT};
    Session *session = open_with(set, 1);
    hold(session, 0.5, 1.0, CONTROL_STICK, -1.0);
    assert_true(foot(session)->at_door);
    hold(session, 0.1, 1.0, CONTROL_HORN, 1.0);
    rest(session, 0.1);
    assert_true(cab(session)->seated);
    assert_near(value_of(session, METRIC_EARLY_START), 1.0, 0.0);
    assert_int_equal(count_events(session, EVENT_INSPECTION, EVENT_INSPECTION_EARLY), 1);
    press(session, CONTROL_SAFETY_LEVER);
    press(session, CONTROL_INSPECT); // not with the safety lever down
    assert_true(cab(session)->seated);
    press(session, CONTROL_SAFETY_LEVER);
    press(session, CONTROL_INSPECT);
    assert_false(cab(session)->seated);
    assert_true(foot(session)->at_door);
    session_destroy(session);
}

TEST(what_was_reported_on_the_site_is_gone_once_the_operator_sits)
{
    static const char *const set[] = {"exercise.walk_round.x=-2.0", "exercise.walk_round.heading_deg=180"};
    Session *session = open_with(set, 2);
    Pose place;
    hold(session, 0.5, 1.0, CONTROL_BOOM, -1.0); // down, at the ball
    assert_int_equal(foot(session)->near, 2);
    press(session, CONTROL_INSPECT);
    answer(session, FOOT_ANSWER_REPORT);
    assert_true(session_thing(session, 2, &place));
    assert_near(place.position.x, -3.5, 1e-9);
    hold(session, 1.75, 1.0, CONTROL_SWING, 1.0); // about, to the door
    hold(session, 1.7, 1.0, CONTROL_STICK, -1.0);
    climb_in(session);
    assert_false(session_thing(session, 2, &place));
    session_destroy(session);
}

/// ---- state ---------------------------------------------------------------------------------------------------------

/// Ticks of a walk and a start, by the number of the tick.
static OperatorControls scripted(int tick)
{
    OperatorControls controls = control_neutral;
    controls.axis[CONTROL_STICK] = tick < 40 ? -CONTROL_FULL : 0;
    controls.axis[CONTROL_INSPECT] = tick == 50 ? CONTROL_FULL : 0;
    controls.axis[CONTROL_IGNITION] = tick >= 60 && tick < 180 ? CONTROL_FULL : 0;
    controls.axis[CONTROL_SAFETY_LEVER] = tick == 200 ? CONTROL_FULL : 0;
    controls.axis[CONTROL_BOOM] = tick > 210 ? CONTROL_FULL / 2 : 0;
    return controls;
}

TEST(a_state_that_was_saved_goes_on_to_the_same_bits)
{
    static const char *const set[] = {SEAT};
    Session *session = open_with(set, 1), *other = open_with(set, 1);
    StateBuffer buffer = {0};
    Status status;
    for (int tick = 0; tick < 300; tick++) {
        OperatorControls controls = scripted(tick);
        session_tick(session, &controls);
        if (tick == 30 || tick == 100 || tick == 230) { // on foot, the starter turns, the boom rises
            assert_good(state_save(session, &buffer, &status), status);
            assert_good(state_restore(other, buffer.data, buffer.size, &status), status);
        }
        if (tick > 30) {
            if (tick != 100 && tick != 230) {
                session_tick(other, &controls);
            }
            assert_true(state_hash(session) == state_hash(other));
        }
    }
    assert_true(cab(session)->lever_down && cab(session)->engine == CAB_ENGINE_RUNS);
    state_buffer_free(&buffer);
    session_destroy(session);
    session_destroy(other);
}

/// ---- scenes that cannot be -----------------------------------------------------------------------------------------

TEST(wrong_walks_and_start_ups_are_refused_with_their_place)
{
    static const struct {
        const char *set, *words;
    } cases[] = {
        {"exercise.walk_round.things.0.on=arm",
         "read arm, allowed a body of excavator-22t: undercarriage, house, boom, stick, bucket"},
        {"exercise.walk_round.things.0.look=glass", "exercise.walk_round.things.0.look: read glass"},
        {"exercise.walk_round.things.0.report=maybe", "exercise.walk_round.things.0.report: read maybe"},
        {"exercise.walk_round.things.0.reach=9", "exercise.walk_round.things.0.reach: read 9, allowed 0.5 to 5"},
        {"exercise.walk_round.things.0.at.2=30", "read 30, allowed within 10 m of the origin of the house"},
        {"exercise.walk_round.things.2.at.0=40", "exercise.walk_round.things.2.at.0: 40 lies outside the site"},
        {"exercise.walk_round.x=40", "exercise.walk_round.x: 40 lies outside the site"},
        {"exercise.start_up.switches=maybe", "exercise.start_up.switches: read maybe"},
        {"exercise.start_up.oil_c=90", "exercise.start_up.oil_c: read 90, allowed -20 to 80"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        Status status;
        SessionParams params = {.scene = SCENE, .set = &cases[k].set, .set_count = 1, .threads = 1};
        Session *session = session_create(&params, &status);
        if (session != NULL || strstr(status.text, cases[k].words) == NULL) {
            fail_msg("%s: \"%s\" instead of \"%s\"", cases[k].set, session != NULL ? "" : status.text, cases[k].words);
        }
    }
}

TEST_GROUP(NULL, NULL)
