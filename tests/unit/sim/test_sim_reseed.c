/// A session that is put to the start of another seed: it is the session that is made with that seed.
#include "tests/support/test.h"
#include "trainer/pilot/autopilot.h"
#include "trainer/sim/sim.h"

enum { MOST_SCENES = 128, TICKS = 60 };

static Session *open_session(const char *scene, uint64_t seed)
{
    Status status = {0};
    Session *session =
        session_create(&(SessionParams){.scene = scene, .has_seed = true, .seed = seed, .threads = 1}, &status);
    assert_good(session != NULL, status);
    return session;
}

static void reseed(Session *session, uint64_t seed)
{
    Status status = {0};
    assert_good(session_reseed(session, seed, &status), status);
    assert_true(session_seed(session) == seed);
    assert_int_equal(session_frame(session)->tick, 0);
}

/// Levers of which some are held and then reversed.
static OperatorControls levers(int tick)
{
    OperatorControls controls = control_neutral;
    controls.axis[CONTROL_THROTTLE] = CONTROL_FULL;
    controls.axis[tick / 12 % CONTROL_COUNT] = (int16_t)(tick / 6 % 2 == 0 ? CONTROL_FULL : -CONTROL_FULL);
    return controls;
}

/// Both sessions make the same ticks with the same bits.
static void expect_alike(Session *session, Session *fresh, int ticks)
{
    assert_true(state_hash(session) == state_hash(fresh));
    for (int tick = 0; tick < ticks; tick++) {
        OperatorControls controls = levers(tick);
        session_tick(session, &controls);
        session_tick(fresh, &controls);
    }
    assert_true(state_hash(session) == state_hash(fresh));
    assert_true(session_frame(session)->score == session_frame(fresh)->score);
    assert_true(session_frame(session)->mass_drift == 0);
}

TEST(every_scene_starts_as_a_new_session_does)
{
    Status status = {0};
    DataListEntry scenes[MOST_SCENES];
    int count = data_list("scenes", scenes, MOST_SCENES, &status);
    assert_true(count > 20);
    for (int k = 0; k < count; k++) {
        Session *session = open_session(scenes[k].name, 5), *fresh = open_session(scenes[k].name, 9);
        assert_true(state_hash(session) != state_hash(fresh));
        reseed(session, 9);
        expect_alike(session, fresh, 2);
        session_destroy(session);
        session_destroy(fresh);
    }
}

/// Also from a pit with grains in it, with rocks, trucks and an exercise under way, and again and again.
TEST(nothing_is_left_of_what_was_done)
{
    static const char *const scenes[] = {"trench", "truck-loading", "boulders", "haul"};
    for (size_t k = 0; k < sizeof scenes / sizeof scenes[0]; k++) {
        Session *session = open_session(scenes[k], 5);
        Autopilot *pilot = autopilot_create(session);
        for (int tick = 0; tick < 6 * TICKS; tick++) {
            OperatorControls controls;
            autopilot_controls(pilot, session, &controls);
            session_tick(session, &controls);
        }
        autopilot_destroy(pilot);
        for (uint64_t seed = 0; seed < 2; seed++) {
            Session *fresh = open_session(scenes[k], seed);
            reseed(session, seed);
            expect_alike(session, fresh, TICKS);
            session_destroy(fresh);
        }
        session_destroy(session);
    }
}

TEST_GROUP(NULL, NULL)
