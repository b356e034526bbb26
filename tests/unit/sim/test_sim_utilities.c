/// A pipe in use that the bucket strikes: water leaks and floods the pit, by the volume that its pressure gives, to the
/// end of the attempt; gas and a cable end it at once and stop the machine; a soft touch breaks nothing. A leak goes on
/// from any state alike.

#include "data/core/constants.h"
#include "data/schema/schema.h"
#include "tests/support/event_fixture.h"
#include "tests/support/test.h"
#include "trainer/sim/sim.h"
#include "trainer/sim/utilities.h"

static Session *open_pipe(const char *const *set, int count)
{
    Status status;
    SessionParams params = {
        .scene = SPADEWORK_TEST_DIR "/support/leak.yaml", .set = set, .set_count = count, .threads = 1};
    Session *session = session_create(&params, &status);
    assert_good(session != NULL, status);
    return session;
}

/// The boom comes down with `lever` for a second, and is lifted then.
static void strike(Session *session, double lever, double until)
{
    while (session_frame(session)->time < until) {
        double t = session_frame(session)->time;
        OperatorControls controls = control_neutral;
        controls.axis[CONTROL_BOOM] = control_quantise(t < 0.3 ? 0.0 : t < 2.5 ? -lever : t < 4.5 ? 0.3 : 0.0);
        controls.axis[CONTROL_SWING] = control_quantise(t > 6.0 ? 0.5 : 0.0);
        session_tick(session, &controls);
    }
}

static const ExerciseEvent *event_of(const Session *session, const char *kind, int *count)
{
    const ExerciseEvent *found = NULL;
    *count = 0;
    for (int k = 0; k < exercise_event_count(session_exercise(session)); k++) {
        const ExerciseEvent *event = exercise_event(session_exercise(session), k);
        if (is_event(event, kind)) {
            found = event;
            ++*count;
        }
    }
    return found;
}

/// The limits by wall and strength: F = (1.17 - 0.0029 D/t) 0.1 m t s, E = F t / 2.
TEST(a_pipe_bears_what_its_wall_does)
{
    SceneFixture plastic = {.radius = 0.25, .utility = {.medium = SCENE_MEDIUM_WATER, .strength = 25e6}};
    double wall = 0.5 / 17.0, force = (1.17 - 0.0029 * 17.0) * 0.1 * wall * 25e6;
    assert_near(pipe_limits(&plastic).force, force, 1e-6);
    assert_near(pipe_limits(&plastic).energy, 0.5 * force * wall, 1e-6);
    SceneFixture steel = {.radius = 0.25, .utility = {.wall = 0.008, .strength = 450e6}};
    assert_near(pipe_limits(&steel).force, 356e3, 1e3); // above the breakout force of a 22-t excavator
    steel.utility.limit = 777.0;
    assert_near(pipe_limits(&steel).energy, 777.0, 0.0);
}

TEST(a_struck_main_floods_the_pit_and_ends_the_attempt)
{
    Session *session = open_pipe(NULL, 0);
    strike(session, 0.4, 7.0);
    int count;
    const ExerciseEvent *broken = event_of(session, "main_broken", &count);
    assert_int_equal(count, 1);
    assert_near(broken->number.points, -20.0, 0.0);
    assert_true(broken->number.energy >= 500.0);
    assert_string_equal(broken->thing.name, "service pipe");
    const ExerciseEvent *flooded = event_of(session, "flooded", &count);
    assert_int_equal(count, 1);
    assert_near((double)(flooded->tick - broken->tick) / 60.0, 3.0, 2.0 / 60.0);
    double ran = 3.0 * utilities_leak(0.05, 4e5);
    assert_near(flooded->number.volume, ran, 0.02 * ran);
    FloodPool pool = session_water(session);
    assert_near(pool.volume + pool.run_off, flooded->number.volume, 1e-9);
    assert_true(pool.depth > 0.005 && pool.depth < 0.2);
    assert_string_equal(exercise_failure(session_exercise(session)), "Water from the broken main flooded the site.");
    assert_near(session_frame(session)->score, 0.0, 0.0);
    char text[EVENT_TEXT];
    assert_non_null(strstr(english_of(flooded, NULL, text), "out of the service pipe in 3"));
    session_destroy(session);
}

TEST(gas_and_a_cable_end_the_attempt_at_once_and_stop_the_machine)
{
    static const char *const media[][3] = {{"fixtures.0.utility.medium=gas", "gas_pipe_broken", "Gas escapes."},
                                           {"fixtures.0.utility.medium=cable", "cable_hit", "A power cable was hit."}};
    for (int k = 0; k < 2; k++) {
        const char *const set[] = {media[k][0], "exercise.rules.0.event=touch"};
        Session *session = open_pipe(set, 2);
        strike(session, 0.4, 8.0);
        int count, finished;
        const ExerciseEvent *broken = event_of(session, media[k][1], &count);
        const ExerciseEvent *end = event_of(session, "finished", &finished);
        assert_int_equal(count, 1);
        assert_int_equal(finished, 1);
        assert_true(end->tick == broken->tick);
        const char *why = exercise_failure(session_exercise(session));
        assert_true(strncmp(why, media[k][2], strlen(media[k][2])) == 0);
        assert_near(session_frame(session)->machine.speed[0], 0.0, 0.01); // the lever of the swing is dead
        assert_true(session_machine_state(session)->engine_speed < 1.0);
        assert_near(session_water(session).volume, 0.0, 0.0);
        session_destroy(session);
    }
}

TEST(a_soft_touch_breaks_nothing)
{
    Session *session = open_pipe((const char *[]){"fixtures.0.utility.limit_kj=50"}, 1);
    strike(session, 0.2, 6.0);
    int count, touched;
    event_of(session, "main_broken", &count);
    event_of(session, "touch", &touched);
    assert_int_equal(count, 0);
    assert_true(touched >= 1);
    assert_null(exercise_failure(session_exercise(session)));
    session_destroy(session);
}

TEST(a_leak_goes_on_from_any_state_alike)
{
    Status status;
    Session *session = open_pipe(NULL, 0);
    StateBuffer saved = {0};
    strike(session, 0.4, 3.0);
    assert_true(session_water(session).volume > 0.0);
    assert_good(state_save(session, &saved, &status), status);
    strike(session, 0.4, 6.0);
    uint64_t hash = state_hash(session);
    Session *other = open_pipe(NULL, 0);
    assert_good(state_restore(other, saved.data, saved.size, &status), status);
    assert_good(session_after_restore(other, &status), status);
    strike(other, 0.4, 6.0);
    assert_true(state_hash(other) == hash);
    FloodPool a = session_water(session), b = session_water(other);
    assert_memory_equal(&a, &b, sizeof a);
    state_buffer_free(&saved);
    session_destroy(other);
    session_destroy(session);
}

TEST_GROUP(NULL, NULL)
