/// Fixtures and trucks in a session: a machine that runs into one is stopped, and the event says which part met what;
/// the run goes on from any state with the same bits; a machine does not start inside one.

#include "tests/support/test.h"

#include "trainer/session/session.h"
#include "trainer/session/state_io.h"

enum { TICKS = 240, SAVED_AT = 110 };

static Session *open_session(const char *scene, const char *const *set, int set_count, Status *status)
{
    SessionParams params = {.scene = scene, .set = set, .set_count = set_count, .threads = 1};
    return session_create(&params, status);
}

/// Swings to the left, into what is there.
static void tick(Session *session)
{
    OperatorControls controls = {{0}};
    controls.axis[CONTROL_BOOM] = session_frame(session)->tick < 40 ? control_quantise(0.3) : 0;
    controls.axis[CONTROL_SWING] = control_quantise(-1.0);
    session_tick(session, &controls);
}

/// Events of the kind `touch`; the first one's text.
static int touches(const Session *session, const char **first)
{
    const Exercise *exercise = session_exercise(session);
    int count = 0;
    for (int k = 0; k < exercise_event_count(exercise); k++) {
        const ExerciseEvent *event = exercise_event(exercise, k);
        if (strcmp(event->kind, "touch") == 0) {
            *first = count++ == 0 ? event->detail : *first;
        }
    }
    return count;
}

/// Drives a session of a scene into what stands at its left, twice from a state on the way.
static void run_into(const char *scene, const char *what)
{
    Status status;
    Session *session = open_session(scene, NULL, 0, &status);
    assert_good(session != NULL, status);
    StateBuffer saved = {0};
    for (int k = 0; k < TICKS; k++) {
        if (k == SAVED_AT) {
            assert_good(state_save(session, &saved, &status), status);
        }
        tick(session);
    }
    const char *text = "";
    int count = touches(session, &text);
    print_message("%s: %d touches, first: %s\n", scene, count, text);
    assert_true(count >= 1 && count <= 4);
    assert_non_null(strstr(text, what));
    const MachineReadout *readout = &session_frame(session)->machine;
    assert_near(readout->speed[0], 0.0, 0.02);
    print_message("swing at %.2f of its relief\n",
                  readout->pressure[0] / session_machine_params(session)->swing.relief);
    assert_true(readout->pressure[0] > 0.95 * session_machine_params(session)->swing.relief);
    uint64_t hash = state_hash(session);
    assert_good(state_restore(session, saved.data, saved.size, &status), status);
    assert_good(session_after_restore(session, &status), status);
    for (int k = SAVED_AT; k < TICKS; k++) {
        tick(session);
    }
    assert_true(state_hash(session) == hash);
    state_buffer_free(&saved);
    session_destroy(session);
}

TEST(an_arm_that_swings_into_a_container_is_told_of)
{
    run_into("tight-site", "bucket touches container at ");
}

TEST(a_truck_is_solid)
{
    run_into("truck-loading", " touches the truck's ");
}

/// The tail of a truck on the road is not there while it is open; nothing of it reaches into the machine at the start.
TEST(a_haul_has_solid_trucks)
{
    Status status;
    Session *session = open_session("haul", NULL, 0, &status);
    assert_good(session != NULL, status);
    for (int k = 0; k < 60; k++) {
        session_tick(session, &(OperatorControls){{0}});
    }
    const char *text = "";
    assert_int_equal(touches(session, &text), 0);
    session_destroy(session);
}

TEST(a_machine_does_not_start_in_a_wall)
{
    static const char *const set[] = {"fixtures.0.y=0"};
    Status status;
    assert_null(open_session("tight-site", set, 1, &status));
    assert_int_equal(status.code, STATUS_BAD_FILE);
    assert_non_null(strstr(status.text, "fixtures.0 (wall): the machine starts in it: its "));
}

TEST_MAIN(NULL, NULL)
