/// Somebody who walks in by order: where he appears, how far he comes, that he goes away again, what is told when he is
/// hit, and that he is state like everything else.
#include <unistd.h>

#include "tests/support/test.h"
#include "trainer/recording/recording.h"
#include "trainer/session/session.h"
#include "trainer/session/state_io.h"

static Session *open_free(void)
{
    Status status = {0};
    Session *session = session_create(&(SessionParams){.scene = "free", .threads = 1}, &status);
    assert_good(session != NULL, status);
    return session;
}

static void order(Session *session, double value)
{
    Status status = {0};
    assert_good(session_order(session, &(SessionOrder){SESSION_FAULT_PERSON, 0, value}, &status), status);
}

/// Ticks with a swing lever, -1..1.
static void drive(Session *session, int ticks, double swing)
{
    OperatorControls controls = {{0}};
    controls.axis[CONTROL_SWING] = control_quantise(swing);
    for (int k = 0; k < ticks; k++) {
        session_tick(session, &controls);
    }
}

static double distance_of(const Session *session)
{
    Vec3 feet, base = session_frame(session)->machine.base;
    return session_walker(session, &feet) ? hypot(feet.x - base.x, feet.y - base.y) : (double)NAN;
}

static const ExerciseEvent *event_of(const Session *session, const char *kind)
{
    const Exercise *exercise = session_exercise(session);
    for (int k = 0; k < exercise_event_count(exercise); k++) {
        if (strcmp(exercise_event(exercise, k)->kind, kind) == 0) {
            return exercise_event(exercise, k);
        }
    }
    return NULL;
}

TEST(he_comes_from_behind_stops_where_is_said_and_goes_away)
{
    Session *session = open_free();
    Vec3 feet, base = session_frame(session)->machine.base;
    double heading = session_frame(session)->machine.yaw;
    drive(session, 5, 0.0);
    assert_false(session_walker(session, &feet));
    order(session, 8.0);
    drive(session, 1, 0.0);
    assert_true(session_walker(session, &feet));
    double first = distance_of(session);
    assert_in_range((int)first, 12, 25);
    // Behind: nobody in the cab looks there.
    assert_true((feet.x - base.x) * cos(heading) + (feet.y - base.y) * sin(heading) < 0.0);
    drive(session, 60, 0.0);
    assert_near(distance_of(session), first - 1.4, 0.02);
    drive(session, 60 * 14, 0.0);
    assert_near(distance_of(session), 8.0, 0.02);
    order(session, 0.0);
    drive(session, 60, 0.0);
    assert_near(distance_of(session), 9.4, 0.03);
    drive(session, 60 * 14, 0.0);
    assert_false(session_walker(session, &feet));
    assert_non_null(event_of(session, "fault"));
    assert_null(event_of(session, "person_hit"));
    session_destroy(session);
}

/// Three metres from the middle is within the counterweight's swing.
TEST(a_counterweight_that_swings_into_him_is_told)
{
    Session *session = open_free();
    order(session, 3.0);
    drive(session, 60 * 16, 0.0);
    assert_near(distance_of(session), 3.0, 0.05);
    drive(session, 60 * 12, 0.5);
    const ExerciseEvent *hit = event_of(session, "person_hit");
    assert_non_null(hit);
    assert_string_equal(hit->thing, "the walker");
    assert_true(hit->number.speed > 0.1);
    session_destroy(session);
}

TEST(he_is_state_while_he_is_there_and_none_else)
{
    Session *session = open_free(), *other = open_free();
    StateBuffer saved = {0}, late = {0};
    Status status = {0};
    drive(session, 30, 0.2);
    drive(other, 30, 0.2);
    assert_true(state_hash(session) == state_hash(other));
    order(session, 5.0);
    drive(session, 120, 0.2);
    assert_good(state_save(session, &saved, &status), status);
    drive(session, 300, 0.2);
    uint64_t hash = state_hash(session);
    double distance = distance_of(session);
    assert_good(state_restore(other, saved.data, saved.size, &status), status);
    assert_good(session_after_restore(other, &status), status);
    drive(other, 300, 0.2);
    assert_true(state_hash(other) == hash);
    assert_near(distance_of(other), distance, 0.0);
    // A state without him takes him away.
    Session *third = open_free();
    assert_good(state_save(third, &late, &status), status);
    assert_good(state_restore(other, late.data, late.size, &status), status);
    assert_good(session_after_restore(other, &status), status);
    assert_true(isnan(distance_of(other)));
    assert_true(state_hash(other) == state_hash(third));
    state_buffer_free(&saved);
    state_buffer_free(&late);
    session_destroy(session);
    session_destroy(other);
    session_destroy(third);
}

TEST(a_recording_with_him_verifies_from_every_keyframe)
{
    char folder[] = "/tmp/spadework-walk-XXXXXX", path[64];
    Status status = {0};
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/walk.spade", folder);
    Session *session = open_free();
    Recorder *recorder = recorder_create(&(RecorderParams){.path = path}, session, &status);
    assert_good(recorder != NULL, status);
    for (int k = 0; k < 60 * 14; k++) {
        if (k == 100 || k == 700) {
            SessionOrder given = {SESSION_FAULT_PERSON, 0, k == 100 ? 6.0 : 0.0};
            order(session, given.value);
            assert_good(recorder_order(recorder, &given, &status), status);
        }
        drive(session, 1, k % 200 < 100 ? 0.5 : -0.5);
        assert_good(recorder_tick(recorder, session, &status), status);
    }
    assert_good(recorder_close(recorder, session, &status), status);
    session_destroy(session);
    VerifyResult result;
    Recording *recording = recording_open(path, &status);
    assert_good(recording != NULL, status);
    assert_good(recording_verify(recording, 0, true, 1, NULL, NULL, &result, &status), status);
    assert_true(result.keyframes >= 4);
    recording_close(recording);
    unlink(path);
    rmdir(folder);
}

TEST(how_near_he_may_come_has_a_range)
{
    Session *session = open_free();
    const double bad[] = {2.9, 20.1, -1.0, NAN};
    for (int k = 0; k < 4; k++) {
        Status status = {0};
        assert_false(session_order(session, &(SessionOrder){SESSION_FAULT_PERSON, 0, bad[k]}, &status));
        assert_non_null(strstr(status.text, "allowed 0 or 3..20 m"));
    }
    session_destroy(session);
}

TEST_MAIN(NULL, NULL)
