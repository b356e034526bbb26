/// Fixtures in a session: a machine that runs into one is stopped, and the event says which part met what; the run goes
/// on from any state with the same bits; a machine does not start inside one.

#include "tests/support/test.h"

#include "trainer/session/session.h"
#include "trainer/session/state_io.h"

enum { TICKS = 240, SAVED_AT = 110 };

static Session *open_session(const char *const *set, int set_count, Status *status)
{
    SessionParams params = {.scene = "tight-site", .set = set, .set_count = set_count, .threads = 1};
    return session_create(&params, status);
}

/// Swings to the left, into the container.
static void tick(Session *session)
{
    OperatorControls controls = {{0}};
    controls.axis[CONTROL_BOOM] = session_frame(session)->tick < 40 ? control_quantise(0.5) : 0;
    controls.axis[CONTROL_SWING] = control_quantise(-0.6);
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

TEST(an_arm_that_swings_into_a_container_is_told_of)
{
    Status status;
    Session *session = open_session(NULL, 0, &status);
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
    print_message("%d touches, first: %s\n", count, text);
    assert_true(count >= 1 && count <= 3);
    assert_non_null(strstr(text, "bucket touches container at "));
    const MachineReadout *readout = &session_frame(session)->machine;
    assert_near(readout->speed[0], 0.0, 0.02);
    assert_true(readout->limit == MACHINE_LIMIT_RELIEF);
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

TEST(a_machine_does_not_start_in_a_wall)
{
    static const char *const set[] = {"fixtures.0.y=0"};
    Status status;
    assert_null(open_session(set, 1, &status));
    assert_int_equal(status.code, STATUS_BAD_FILE);
    assert_non_null(strstr(status.text, "fixtures.0 (wall): the machine starts in it: its "));
}

TEST_MAIN(NULL, NULL)
