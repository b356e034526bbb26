/// Loads on slings in a session: hooking up, the gauge, what they run into and hang over, states that go on to the bit,
/// and scenes that cannot be.
#include "data/core/constants.h"
#include "tests/support/test.h"
#include "tests/support/event_fixture.h"
#include "trainer/sim/session.h"
#include "trainer/sim/state_io.h"

#define SCENE SPADEWORK_TEST_DIR "/support/lift.yaml"

static Session *open_with(const char *const *set, int count, Status *status)
{
    SessionParams params = {.scene = SCENE, .set = set, .set_count = count, .threads = 1};
    return session_create(&params, status);
}

static Session *open_scene(void)
{
    Status status;
    Session *session = open_with(NULL, 0, &status);
    assert_good(session != NULL, status);
    return session;
}

static void drive(Session *session, double seconds, double swing, double boom, double hook)
{
    OperatorControls controls = control_neutral;
    controls.axis[CONTROL_SWING] = control_quantise(swing);
    controls.axis[CONTROL_BOOM] = control_quantise(boom);
    controls.axis[CONTROL_AUXILIARY] = control_quantise(hook);
    controls.axis[CONTROL_THROTTLE] = CONTROL_FULL;
    for (int k = 0; k < (int)lround(60.0 * seconds); k++) {
        session_tick(session, &controls);
    }
    assert_true(session_is_finite(session));
}

/// The last event of a kind; NULL: there is none.
static const ExerciseEvent *last_event(const Session *session, const char *kind)
{
    const Exercise *exercise = session_exercise(session);
    const ExerciseEvent *found = NULL;
    for (int k = 0; k < exercise_event_count(exercise); k++) {
        const ExerciseEvent *event = exercise_event(exercise, k);
        found = is_event(event, kind) ? event : found;
    }
    return found;
}

static void assert_told(const Session *session, const char *kind, const char *words)
{
    const ExerciseEvent *event = last_event(session, kind);
    char text[EVENT_TEXT] = "";
    if (event == NULL || strstr(english_of(event, NULL, text), words) == NULL) {
        fail_msg("no %s with \"%s\", but \"%s\"", kind, words, text);
    }
}

static const SessionLift *lift_of(const Session *session)
{
    return &session_frame(session)->lift;
}

/// A pipe that is on the hook is lifted: the gauge reads its weight, and its share of what tips the machine.
TEST(the_gauge_reads_what_hangs)
{
    Session *session = open_scene();
    assert_int_equal(lift_of(session)->hooked, 0);
    assert_false(lift_of(session)->hangs);
    drive(session, 9.0, 0.0, 0.25, 0.0);
    drive(session, 6.0, 0.0, 0.0, 0.0);
    assert_true(lift_of(session)->hangs);
    assert_told(session, "lifted_off", "the pipe hangs free, 600 kg");
    double weight = 600.0 * STANDARD_GRAVITY, mean = 0.0;
    for (int k = 0; k < 600; k++) {
        drive(session, 1.0 / 60.0, 0.0, 0.0, 0.0);
        mean += lift_of(session)->pull / 600.0;
    }
    print_message("gauge %.4f of the weight at %.2f m, %.3f of tipping\n", mean / weight,
                  lift_of(session)->moment.radius, lift_of(session)->moment.share);
    assert_near(mean / weight, 1.0, 0.005);
    assert_near(lift_of(session)->moment.share, lift_of(session)->pull / lift_of(session)->moment.tipping, 1e-12);
    assert_true(lift_of(session)->moment.share > 0.08 && lift_of(session)->moment.share < 0.2);
    double values[METRIC_COUNT];
    exercise_values(session_exercise(session), values);
    assert_near(values[METRIC_LOADS_LIFTED], 0.5, 1e-12); // one of two
    session_destroy(session);
}

/// Nobody takes a taut sling off, nor hooks up what is out of reach; each press of the lever asks once.
TEST(hooking_up)
{
    Session *session = open_scene();
    drive(session, 9.0, 0.0, 0.25, 0.0);
    drive(session, 1.0, 0.0, 0.0, 1.0);
    assert_told(session, "hook_refused", "the sling of the pipe is not slack");
    assert_int_equal(lift_of(session)->hooked, 0);
    drive(session, 2.0, 0.0, 0.0, 0.0);
    for (int k = 0; k < 110 && last_event(session, "laid_down") == NULL;
         k++) { // no further: the bucket would stand on it
        drive(session, 0.1, 0.0, -0.25, 0.0);
    }
    drive(session, 3.0, 0.0, 0.0, 0.0);
    assert_told(session, "set_down", "the pipe is set down at ");
    assert_told(session, "laid_down", "the pipe lies");
    drive(session, 0.5, 0.0, 0.0, 1.0);
    assert_told(session, "unhooked", "the pipe is taken off the hook");
    assert_int_equal(lift_of(session)->hooked, -1);
    assert_int_equal(lift_of(session)->in_reach, 0);
    drive(session, 1.0, 0.0, 0.0, 0.0);
    assert_int_equal(session_loads_get(session_loads(session), 0)->asleep[0], 1);
    drive(session, 0.5, 0.0, 0.0, 1.0);
    assert_told(session, "hooked", "the pipe is on the hook");
    assert_int_equal(session_loads_get(session_loads(session), 0)->asleep[0], 0);
    drive(session, 0.5, 0.0, 0.0, 0.0);
    drive(session, 0.5, 0.0, 0.0, 1.0);
    assert_int_equal(lift_of(session)->hooked, -1);
    drive(session, 4.0, 0.0, 0.5, 0.0);
    drive(session, 0.5, 0.0, 0.0, 1.0);
    assert_told(session, "hook_refused", "no sling reaches the eye");
    session_destroy(session);
}

/// A bucket that is lowered on a pipe stands on it: the machine rises on it, and the pipe stays below the bucket by
/// friction. It is free when the boom is raised.
TEST(a_bucket_stands_on_a_pipe)
{
    static const char *const set[] = {"exercise.loads.0.x=6.3", "exercise.loads.0.hooked=no",
                                      "exercise.loads.0.radius=0.2"};
    Status status;
    Session *session = open_with(set, 3, &status);
    assert_good(session != NULL, status);
    double highest = 0.0;
    for (int k = 0; k < 15; k++) {
        drive(session, 0.1, 0.0, -0.25, 0.0);
        highest = fmax(highest, session_frame(session)->machine.pitch);
    }
    const HungLoad *pipe = session_loads_get(session_loads(session), 0);
    double x = pipe->motion.position[0];
    drive(session, 2.0, 0.0, 0.0, 0.0);
    print_message("pitch %.1f degrees on the pipe, which has come %.3f m and bears %.1f kN\n", highest * 180.0 / M_PI,
                  x - 6.3, 1e-3 * pipe->borne[0]);
    assert_true(highest > 0.03);
    assert_true(pipe->borne[0] > 20e3);
    assert_near(pipe->motion.position[0], x, 0.03);
    drive(session, 3.0, 0.0, 0.4, 0.0);
    assert_near(pipe->borne[0], 600.0 * STANDARD_GRAVITY, 60.0);
    assert_int_equal(pipe->asleep[0], 1);
    session_destroy(session);
}

/// Swung to the left, the pipe runs into the wall and stays on this side of it; to the right it comes over a person.
TEST(what_a_load_runs_into)
{
    Session *session = open_scene();
    drive(session, 9.0, 0.0, 0.25, 0.0);
    double farthest = 0.0;
    for (int k = 0; k < 30; k++) {
        drive(session, 0.2, -0.3, 0.0, 0.0);
        Pose frame = hung_load_frame(session_loads_get(session_loads(session), 0));
        for (int end = -1; end <= 1; end += 2) {
            Vec3 at = pose_apply(&frame, vec3(2.0 * end, 0.0, 0.0));
            farthest = at.x > 2.6 ? fmax(farthest, at.y) : farthest; // beside the wall's end it goes on
        }
    }
    print_message("the pipe's end comes to %.2f m, the wall's face is at 6.75 m\n", farthest);
    assert_true(farthest > 6.0 && farthest < 6.80);
    session_destroy(session);

    session = open_scene();
    drive(session, 9.0, 0.0, 0.25, 0.0);
    assert_null(last_event(session, "load_over_person"));
    drive(session, 4.0, 0.35, 0.0, 0.0);
    assert_true(last_event(session, "load_over_person") != NULL || last_event(session, "person_hit") != NULL);
    session_destroy(session);
}

/// From a state in the middle of a swing it goes on to the bit, in the same session and in another one.
TEST(goes_on_from_a_saved_state)
{
    Status status;
    Session *session = open_scene(), *other = open_scene();
    StateBuffer saved = {0};
    drive(session, 9.0, 0.2, 0.25, 0.0);
    assert_good(state_save(session, &saved, &status), status);
    drive(session, 3.0, -0.4, 0.1, 1.0);
    uint64_t hash = state_hash(session);
    assert_good(state_restore(other, saved.data, saved.size, &status), status);
    drive(other, 3.0, -0.4, 0.1, 1.0);
    assert_true(state_hash(other) == hash);
    assert_good(state_restore(session, saved.data, saved.size, &status), status);
    drive(session, 3.0, -0.4, 0.1, 1.0);
    assert_true(state_hash(session) == hash);
    state_buffer_free(&saved);
    session_destroy(session);
    session_destroy(other);
}

/// Scenes in which a load cannot be where it is.
TEST(loads_that_cannot_be)
{
    static const struct {
        const char *set[3], *words;
    } cases[] = {
        {{"exercise.loads.0.sling=0.5"}, "exercise.loads.0.hooked (pipe): its sling of 0.5 m does not reach"},
        {{"exercise.loads.1.x=6.5", "exercise.loads.1.y=7"}, "exercise.loads.1 (other): it starts in the wall"},
        {{"exercise.loads.1.x=8.3", "exercise.loads.1.y=0"}, "exercise.loads.1 (other): it starts in the pipe"},
        {{"exercise.loads.1.x=0", "exercise.loads.1.y=1.2"}, "exercise.loads.1 (other): the machine starts in it"},
        {{"exercise.loads.1.hooked=yes"}, "another load hangs there already"},
        {{"machine.file=dozer-20t"}, "dozer-20t has no lifting_eye"},
        {{"machine.attachment=hammer-1700"}, "excavator-22t with hammer-1700 has no lifting_eye"},
        {{"exercise.loads.0.x=14.9"}, "lies outside the site"},
        {{"exercise.loads.0.spread=3.9"}, "exercise.loads.0.spread"},
        {{"exercise.loads.0.mass=9999"}, "what a steel pipe of these measures weighs"},
        {{"exercise.loads.0.tag_lines=100"}, "allowed with `place`"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        Status status;
        int count = 0;
        while (count < 3 && cases[k].set[count] != NULL) {
            count++;
        }
        Session *session = open_with(cases[k].set, count, &status);
        if (session != NULL || strstr(status.text, cases[k].words) == NULL) {
            fail_msg("case %zu: \"%s\" instead of \"%s\"", k, session != NULL ? "" : status.text, cases[k].words);
        }
    }
}

TEST_GROUP(NULL, NULL)
