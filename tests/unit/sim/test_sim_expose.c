/// What is measured of a pipe that is to be dug free, by hand: the share of its length that is bare, and the hardest
/// knock.
#include "tests/support/test.h"
#include "trainer/sim/session.h"

#define SCENE SPADEWORK_TEST_DIR "/support/pipe.yaml"

static double value_of(const Session *session, Metric metric)
{
    double values[METRIC_COUNT];
    exercise_values(session_exercise(session), values);
    return values[metric];
}

static Session *open_scene(const char *const *set, int count)
{
    Status status;
    SessionParams params = {.scene = SCENE, .set = set, .set_count = count, .threads = 1};
    Session *session = session_create(&params, &status);
    assert_good(session != NULL, status);
    OperatorControls neutral = control_neutral;
    for (int k = 0; k < 30; k++) {
        session_tick(session, &neutral);
    }
    return session;
}

/// The pipe is 5 m long; a pit over it bares 2 m of its crown, but for a film of a few millimetres.
TEST(a_pit_bares_what_it_is_long)
{
    Session *session = open_scene(NULL, 0);
    assert_near(value_of(session, METRIC_EXPOSED_SHARE), 0.0, 0.0);
    session_destroy(session);
    static const double films[] = {0.003, 0.007};
    for (int k = 0; k < 2; k++) {
        char height[64];
        snprintf(height, sizeof height, "ground.earthworks.0.height=%g", -1.0 + films[k]);
        session = open_scene((const char *[]){height}, 1);
        assert_near(value_of(session, METRIC_EXPOSED_SHARE), 0.0, 0.0); // the pit is beside it
        session_destroy(session);
        session = open_scene((const char *[]){height, "ground.earthworks.0.x=2"}, 2);
        assert_near(value_of(session, METRIC_EXPOSED_SHARE), k == 0 ? 0.4 : 0.0, 0.021); // columns of 0.1 m
        session_destroy(session);
    }
}

/// A slot of one column along the crown shows a thin stripe of the pipe: it is not bare.
TEST(a_slot_along_the_crown_bares_nothing)
{
    static const double widths[] = {0.1, 0.3, 1.0};
    for (int k = 0; k < 3; k++) {
        char width[64];
        snprintf(width, sizeof width, "ground.earthworks.0.width=%g", widths[k]);
        Session *session =
            open_scene((const char *[]){"ground.earthworks.0.height=-0.997", "ground.earthworks.0.x=2", width}, 3);
        assert_near(value_of(session, METRIC_EXPOSED_SHARE), widths[k] > 0.2 ? 0.4 : 0.0, 0.021);
        session_destroy(session);
    }
}

/// The screen shows how much is bare and how high the edge is over the crown.
TEST(the_screen_shows_what_is_bare)
{
    Session *session = open_scene((const char *[]){"ground.earthworks.0.height=-0.997", "ground.earthworks.0.x=2"}, 2);
    char lines[EXERCISE_MAX_PROGRESS][EXERCISE_TEXT];
    int count = exercise_progress(session_exercise(session), NULL, TEXT_UNITS_METRIC, lines), seen = 0;
    char edge[EXERCISE_TEXT];
    double over = session_frame(session)->machine.tip.z + 1.0; // the crown is 1 m deep
    snprintf(edge, sizeof edge, "Edge +%.2f m over the crown", over);
    for (int k = 0; k < count; k++) {
        seen += strncmp(lines[k], "Bare 4", 6) == 0 && strstr(lines[k], " % of 5.0") != NULL;
        seen += strcmp(lines[k], edge) == 0;
        print_message("%s\n", lines[k]);
    }
    assert_int_equal(seen, 2);
    session_destroy(session);
}

TEST(the_hardest_knock_on_it_counts_and_no_other)
{
    Session *session = open_scene(NULL, 0);
    Exercise *exercise = exercise_create(session_scene(session));
    assert_non_null(exercise);
    static const struct {
        const char *thing;
        double energy;
    } knocks[] = {{"water main", 500.0}, {"water main", 2000.0}, {"water main", 900.0}, {"chamber", 9000.0}};
    for (int k = 0; k < 4; k++) {
        ExerciseEvent event = {.tick = 10 + k, .number = {.energy = knocks[k].energy}};
        event.thing = event_thing(THING_FIXTURE, 0, knocks[k].thing);
        exercise_report(exercise, INCIDENT_TOUCH, &event);
    }
    double values[METRIC_COUNT];
    exercise_values(exercise, values);
    assert_near(values[METRIC_STRUCK], 2.0, 1e-12);
    exercise_destroy(exercise);
    session_destroy(session);
}

/// A row of a script: from its time on the levers stand so, until the next one.
typedef struct Row {
    double time, boom, stick;
} Row;

/// Strikes the bare pipe of strike.yaml, 0.15 m over the ground, by a script. Returns the hardest knock, kJ.
static double strike_by(const Row *rows, int count, double *touched)
{
    Status status;
    SessionParams params = {.scene = SPADEWORK_TEST_DIR "/support/strike.yaml", .threads = 1};
    Session *session = session_create(&params, &status);
    assert_good(session != NULL, status);
    for (int k = 0; k + 1 < count; k++) {
        while (session_frame(session)->time < rows[k + 1].time) {
            OperatorControls controls = control_neutral;
            controls.axis[CONTROL_BOOM] = control_quantise(rows[k].boom);
            controls.axis[CONTROL_STICK] = control_quantise(rows[k].stick);
            session_tick(session, &controls);
        }
    }
    double struck = value_of(session, METRIC_STRUCK);
    *touched = value_of(session, METRIC_INCIDENT_TOUCH);
    session_destroy(session);
    return struck;
}

/// A strike is one whether or not the bucket lay on the pipe before it; an edge that is drawn along the pipe, pressed
/// on hard, strikes nothing.
TEST(each_blow_counts_and_rubbing_does_not)
{
    double touched;
    static const Row strike[] = {{0.0, 0.0, 0.0}, {0.5, -0.3, 0.0}, {4.0, -0.3, 0.0}};
    assert_true(strike_by(strike, 3, &touched) > 1.0);
    static const Row laid_first[] = {{0.0, 0.0, 0.0},   {0.5, -0.1, 0.0}, {1.9, -0.06, 0.0}, {3.4, 0.4, 0.0},
                                     {3.65, -0.6, 0.0}, {4.15, 0.0, 0.0}, {5.5, 0.0, 0.0}};
    assert_true(strike_by(laid_first, 7, &touched) > 1.0);
    assert_near(touched, 2.0, 0.0);
    static const Row drawn[] = {
        {0.0, 0.0, 0.0}, {0.5, -0.1, 0.0}, {1.9, -0.055, 0.0}, {3.2, -0.03, 0.25}, {12.0, 0.0, 0.0}};
    assert_true(strike_by(drawn, 5, &touched) < 0.1);
}

TEST_GROUP(NULL, NULL)
