/// Somebody who walks in by order: where he appears, how far he comes, that he goes away again, what is told when he is
/// hit, and that he is state like everything else.
// test: long
#include <unistd.h>

#include "data/schema/scene_site.h"
#include "tests/support/test.h"
#include "tests/support/event_fixture.h"
#include "trainer/sim/persons.h"
#include "trainer/record/recording.h"
#include "trainer/record/record.h"
#include "trainer/sim/session.h"
#include "trainer/sim/state_io.h"

/// heading  degrees, where the machine looks; "": as the scene says
static Session *open_scene(const char *scene, const char *heading)
{
    Status status = {0};
    const char *set[] = {heading};
    Session *session = session_create(
        &(SessionParams){.scene = scene, .set = set, .set_count = heading[0] != '\0', .threads = 1}, &status);
    assert_good(session != NULL, status);
    return session;
}

static Session *open_free(void)
{
    return open_scene("free", "");
}

static void order_part(Session *session, int part, double value)
{
    Status status = {0};
    assert_good(session_order(session, &(SessionOrder){SESSION_FAULT_PERSON, part, value}, &status), status);
}

static void order(Session *session, double value)
{
    order_part(session, ORDER_WALKS_ROUND, value);
}

/// Ticks with a swing lever, -1..1.
static void drive(Session *session, int ticks, double swing)
{
    OperatorControls controls = control_neutral;
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
        if (is_event(exercise_event(exercise, k), kind)) {
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
    char text[EVENT_TEXT];
    assert_string_equal(called(&hit->thing, text), "the walker");
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
            SessionOrder given = {SESSION_FAULT_PERSON, ORDER_WALKS_ROUND, k == 100 ? 6.0 : 0.0};
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
        assert_false(session_order(session, &(SessionOrder){SESSION_FAULT_PERSON, k % 2, bad[k]}, &status));
        assert_non_null(strstr(status.text, "allowed 0 or 3..20 m"));
    }
    session_destroy(session);
}

/// m from the walker's middle to the nearest fixture of the scene that stands in nobody's head's height, seen from
/// above; less than 0 inside.
static double clearance_of(const Session *session)
{
    Vec3 feet, points[SCENE_POST_SIDES];
    const SceneParams *scene = session_scene(session);
    double nearest = HUGE_VAL;
    assert_true(session_walker(session, &feet));
    for (int k = 0; k < scene->fixtures_count; k++) {
        int count = scene->fixtures[k].bottom < 2.0 ? scene_fixture_outline(&scene->fixtures[k], points) : 0;
        double out = count > 0 ? -HUGE_VAL : HUGE_VAL; // beyond the side that he is farthest out of
        for (int side = 0; side < count; side++) {
            Vec3 a = points[side], b = points[(side + 1) % count];
            double left = ((b.x - a.x) * (feet.y - a.y) - (b.y - a.y) * (feet.x - a.x)) / hypot(b.x - a.x, b.y - a.y);
            out = fmax(out, -left);
        }
        nearest = fmin(nearest, out);
    }
    return nearest;
}

/// The wall of the site stands between him and the machine, 18 m long.
TEST(he_goes_round_what_stands_in_his_way)
{
    for (int part = ORDER_WALKS_STRAIGHT; part <= ORDER_WALKS_ROUND; part++) {
        Session *session = open_scene("tight-site", "machine.heading_deg=20");
        double nearest = HUGE_VAL, length = 0.0;
        Vec3 before = {0}, feet;
        order_part(session, part, 3.0);
        for (int k = 0; k < 60 * 25; k++) {
            drive(session, 1, 0.0);
            nearest = fmin(nearest, clearance_of(session));
            assert_true(session_walker(session, &feet));
            length += k > 0 ? hypot(feet.x - before.x, feet.y - before.y) : 0.0;
            before = feet;
        }
        print_message("%s: %.1f m, %.2f m from what stands there\n", part > 0 ? "round" : "straight", length, nearest);
        assert_near(distance_of(session), 3.0, 0.05);
        assert_true(part == ORDER_WALKS_STRAIGHT ? nearest < 0.0 : nearest > 0.55);
        order_part(session, part, 0.0);
        for (int k = 0; k < 60 * 25 && session_walker(session, &feet); k++) {
            drive(session, 1, 0.0);
        }
        assert_false(session_walker(session, &feet));
        session_destroy(session);
    }
}

/// Where a wall goes round the machine no way leads to it: he stops in front of it.
TEST(he_stops_where_no_way_leads_on)
{
    WalkRound round = {0};
    for (int k = 0; k < 4; k++) {
        double x = 5.0 * (k == 0) - 5.0 * (k == 2), y = 5.0 * (k == 1) - 5.0 * (k == 3), half = x != 0.0 ? 0.2 : 6.0;
        double other = x != 0.0 ? 6.0 : 0.2;
        walk_round_add(&round, (Vec3[]){{x - half, y - other, 0.0},
                                        {x + half, y - other, 0.0},
                                        {x + half, y + other, 0.0},
                                        {x - half, y + other, 0.0}});
    }
    Vec3 next = walk_round_next(&round, vec3(20.0, 0.0, 0.0), 0.0, 0.0);
    assert_true(next.x == 0.0 && next.y == 0.0); // straight on, up to the wall
    assert_true(walk_round_holds(&round, 5.7, 0.0) >= 0 && walk_round_holds(&round, 5.9, 0.0) < 0);
    round.count =
        1; // one of the walls alone is gone round by the nearer end; both are as far, the earlier corner counts
    next = walk_round_next(&round, vec3(20.0, 1.0, 0.0), 0.0, 0.0);
    assert_near(next.x, 5.8, 1e-9);
    assert_near(next.y, 6.6, 1e-9);
    round.count = 0;
    next = walk_round_next(&round, vec3(20.0, 1.0, 0.0), 0.0, 0.0);
    assert_true(next.x == 0.0 && next.y == 0.0);
}

/// Trucks come and go where he walks.
TEST(he_keeps_clear_of_trucks)
{
    for (int part = ORDER_WALKS_STRAIGHT; part <= ORDER_WALKS_ROUND; part++) {
        Session *session = open_scene("haul", "machine.heading_deg=-105");
        order_part(session, part, 3.0);
        drive(session, 60 * 60, 0.0);
        const ExerciseEvent *hit = event_of(session, "person_hit");
        char text[EVENT_TEXT];
        print_message("%s\n", hit != NULL ? english_of(hit, NULL, text) : "nobody is hit");
        assert_true((hit != NULL) == (part == ORDER_WALKS_STRAIGHT));
        session_destroy(session);
    }
}

TEST_GROUP(NULL, NULL)
