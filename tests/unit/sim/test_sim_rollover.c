/// A machine that drives with one track over an edge rolls over: the attempt is over, its engine is off, its levers are
/// dead, and it comes to rest on its house without sinking through the ground. The fall is the same from a state within
/// it.
// test: long

#include "machine/solids.h"
#include "tests/support/event_fixture.h"
#include "tests/support/test.h"
#include "trainer/sim/sim.h"

enum { SAVED_AT = 330, TICKS = 20 * 60 };

/// Ahead at full lever, and once it lies with boom and swing, too.
static void drive(Session *session)
{
    bool lies = exercise_is_finished(session_exercise(session));
    OperatorControls controls = control_neutral;
    controls.axis[CONTROL_LEFT_TRACK] = controls.axis[CONTROL_RIGHT_TRACK] = control_quantise(1.0);
    controls.axis[CONTROL_BOOM] = controls.axis[CONTROL_SWING] = control_quantise(lies ? 1.0 : 0.0);
    session_tick(session, &controls);
}

static int64_t tick_of(const Session *session, const char *kind)
{
    for (int k = 0; k < exercise_event_count(session_exercise(session)); k++) {
        const ExerciseEvent *event = exercise_event(session_exercise(session), k);
        if (is_event(event, kind)) {
            return event->tick;
        }
    }
    return -1;
}

/// m by which a corner of the machine's steel lies below the ground at most; tracks press into it.
static double deepest_corner(Session *session, int *part)
{
    double deepest = 0.0;
    const Machine *machine = session_machine(session);
    for (int k = 0; k < machine_part_count(machine); k++) {
        Vec3 points[CONVEX_MAX_POINTS];
        int count = machine_part_points(machine, session_machine_state(session), k, points);
        for (int n = 0; n < count; n++) {
            double depth = soil_get_height(session_soil(session), points[n].x, points[n].y) - points[n].z;
            *part = depth > deepest ? k : *part;
            deepest = fmax(deepest, depth);
        }
    }
    return deepest;
}

TEST(a_track_over_an_edge_rolls_the_machine_over_and_ends_the_attempt)
{
    Status status;
    SessionParams params = {.scene = SPADEWORK_TEST_DIR "/support/edge.yaml", .threads = 1};
    Session *session = session_create(&params, &status);
    assert_good(session != NULL, status);
    StateBuffer saved = {0};
    double swing = 0.0, boom = 0.0;
    for (int k = 0; k < TICKS; k++) {
        if (k == SAVED_AT) {
            assert_good(state_save(session, &saved, &status), status);
        }
        drive(session);
        if (k == TICKS - 120) {
            swing = session_frame(session)->machine.angle[0];
            boom = session_frame(session)->machine.angle[1];
        }
    }
    int64_t over = tick_of(session, "tipped_over");
    print_message("edge %d, over %d\n", (int)tick_of(session, "track_off_edge"), (int)over);
    assert_true(over > 0 && tick_of(session, "finished") == over);
    assert_string_equal(exercise_failure(session_exercise(session)), "The machine has tipped over.");
    const SessionFrame *frame = session_frame(session);
    assert_true(session_machine_state(session)->engine_speed < 1.0);
    assert_true(fabs(frame->machine.roll) > 0.7);
    assert_near(frame->machine.angle[0], swing, 0.01); // at rest, whatever the levers say
    assert_near(frame->machine.angle[1], boom, 0.01);
    assert_near(frame->machine.speed_over_ground, 0.0, 0.02);
    int part = 0;
    double deepest = deepest_corner(session, &part);
    print_message("rolled %.2f rad; %s is %.2f m in the ground\n", frame->machine.roll,
                  machine_part_name(session_machine(session), part), deepest);
    assert_true(deepest < 0.35);
    uint64_t hash = state_hash(session);
    assert_good(state_restore(session, saved.data, saved.size, &status), status);
    assert_good(session_after_restore(session, &status), status);
    for (int k = SAVED_AT; k < TICKS; k++) {
        drive(session);
    }
    assert_true(state_hash(session) == hash);
    state_buffer_free(&saved);
    session_destroy(session);
}

/// The boom presses the machine up on its rear edge until its weight is past it: only the arm holds it then. It used to
/// drive on.
TEST(a_machine_that_its_boom_lifts_past_the_tipping_line_has_tipped_over)
{
    Status status;
    Session *session = session_create(&(SessionParams){.scene = "truck-loading", .threads = 1}, &status);
    assert_good(session != NULL, status);
    while (tick_of(session, "tipped_over") < 0 && session_frame(session)->time < 12.0) {
        double t = session_frame(session)->time;
        OperatorControls controls = control_neutral;
        controls.axis[CONTROL_STICK] = control_quantise(t >= 0.3 && t < 2.0 ? 0.6 : 0.0);
        controls.axis[CONTROL_BOOM] = control_quantise(t < 2.0 ? 0.0 : -1.0);
        session_tick(session, &controls);
    }
    assert_true(tick_of(session, "finished") == tick_of(session, "tipped_over"));
    const ExerciseEvent *over = exercise_event(session_exercise(session), 0);
    for (int k = 0; !is_event(over, "tipped_over"); k++) {
        over = exercise_event(session_exercise(session), k);
    }
    print_message("%.2f rad at %.1f s\n", over->number.inclination, (double)over->tick / 60.0);
    assert_true(over->number.inclination > 0.70 && over->number.inclination < 1.05); // less than what lies anyway
    session_destroy(session);
}

TEST_GROUP(NULL, NULL)
