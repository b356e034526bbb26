/// A grab in a session: a log and a rock below it are gripped, lifted, carried and let go, nobody hooks anything up,
/// and a restored state continues with the same bits while it holds them.
#include "tests/support/test.h"
#include "trainer/sim/session.h"
#include "trainer/sim/state_io.h"

static Session *open_scene(const char *const *set, int count)
{
    Status status;
    Session *session =
        session_create(&(SessionParams){.scene = "sorting", .threads = 1, .set = set, .set_count = count}, &status);
    assert_good(session != NULL, status);
    return session;
}

static void drive(Session *session, double seconds, double boom, double jaws)
{
    OperatorControls controls = control_neutral;
    controls.axis[CONTROL_BOOM] = control_quantise(boom);
    controls.axis[CONTROL_AUXILIARY] = control_quantise(jaws);
    for (int k = 0; k < (int)lround(60.0 * seconds); k++) {
        session_tick(session, &controls);
    }
    assert_true(session_is_finite(session));
}

static double figure(const Session *session, Metric metric)
{
    ExerciseMetric metrics[EXERCISE_MAX_METRICS];
    int count = exercise_metrics(session_exercise(session), metrics);
    for (int k = 0; k < count; k++) {
        if (strcmp(metrics[k].name, metric_infos[metric].name) == 0) {
            return metrics[k].value;
        }
    }
    fail_msg("%s is not measured", metric_infos[metric].name);
    return 0.0;
}

static const char *const log_below[] = {"exercise.loads.0.x=6.62", "rocks.0.x=3", "rocks.0.y=-5.5"};

/// A state that is restored before anything touches a log that lies gives the same touch.
TEST(a_restored_log_is_touched_alike)
{
    Session *session = open_scene(log_below, 3), *other = open_scene(log_below, 3);
    StateBuffer buffer = {0};
    Status status;
    drive(session, 2.0, 0.0, 0.0);
    assert_true(session_loads_get(session_loads(session), 0)->asleep[0] != 0);
    assert_true(state_save(session, &buffer, &status));
    assert_true(state_restore(other, buffer.data, buffer.size, &status));
    drive(session, 1.0, 0.0, -1.0);
    drive(other, 1.0, 0.0, -1.0);
    drive(session, 2.0, -0.35, 0.0);
    drive(other, 2.0, -0.35, 0.0);
    drive(session, 1.5, 0.0, 1.0);
    drive(other, 1.5, 0.0, 1.0);
    assert_true(session_loads_get(session_loads(session), 0)->asleep[0] == 0);
    assert_true(state_hash(session) == state_hash(other));
    state_buffer_free(&buffer);
    session_destroy(other);
    session_destroy(session);
}

/// Down until the jaws are around what lies below, closed, and up again.
static void fetch(Session *session, double down)
{
    drive(session, 0.8, 0.0, -1.0);
    drive(session, down, -0.35, 0.0);
    drive(session, 0.7, 0.0, 0.0);
    drive(session, 2.0, 0.0, 1.0);
    drive(session, 0.5, 0.0, 0.0);
    drive(session, 2.5, 0.4, 0.0);
    drive(session, 1.0, 0.0, 0.0);
}

static void assert_goes_on(Session *session, const char *const *set, int count)
{
    Session *other = open_scene(set, count);
    StateBuffer buffer = {0};
    Status status;
    assert_true(state_save(session, &buffer, &status));
    assert_true(state_restore(other, buffer.data, buffer.size, &status));
    assert_true(state_hash(session) == state_hash(other));
    drive(session, 1.0, 0.2, 0.3);
    drive(other, 1.0, 0.2, 0.3);
    assert_true(state_hash(session) == state_hash(other));
    state_buffer_free(&buffer);
    session_destroy(other);
}

TEST(a_log_is_gripped_carried_and_let_go)
{
    Session *session = open_scene(log_below, 3);
    fetch(session, 1.5);
    double height = session_loads_get(session_loads(session), 0)->motion.position[2];
    print_message("the log hangs %.2f m over the ground\n", height);
    assert_true(height > 0.6);
    assert_near(figure(session, METRIC_LOADS_LIFTED), 1.0 / 3.0, 1e-9); // the first of three
    assert_int_equal(session_frame(session)->lift.hooked, -1);
    assert_goes_on(session, log_below, 3);
    drive(session, 1.5, 0.0, -1.0);
    height = session_loads_get(session_loads(session), 0)->motion.position[2];
    assert_true(height < 0.4);
    session_destroy(session);
}

static const char *const rock_below[] = {"exercise.loads.0.x=11",      "rocks.0.x=6.62",          "rocks.0.y=0",
                                         "exercise.rock_place.x=6.62", "exercise.rock_place.y=0", "rocks.0.size=0.95"};

static double rock_height(const Session *session)
{
    RockView view;
    assert_true(rocks_get(session_rocks_get(session_rocks(session)), 0, &view));
    return view.motion.frame.position.z;
}

TEST(a_rock_is_gripped_held_and_let_go)
{
    Session *session = open_scene(rock_below, 6);
    double placed = 0.0;
    drive(session, 0.5, 0.0, 0.0);
    placed = figure(session, METRIC_ROCKS_PLACED);
    assert_true(placed > 0.0 && placed < 1.0);
    fetch(session, 0.9);
    double height = rock_height(session);
    assert_true(height > 0.8);
    assert_true(figure(session, METRIC_ROCKS_PLACED) == 0.0); // it hangs over its place
    drive(session, 10.0, 0.0, 0.0);
    print_message("the rock hangs %.3f m over the ground, %.1f mm lower after 10 s\n", height,
                  1e3 * (height - rock_height(session)));
    assert_near(rock_height(session), height, 0.02);
    assert_goes_on(session, rock_below, 6);
    drive(session, 2.0, 0.0, -1.0);
    assert_true(rock_height(session) < 0.6);
    session_destroy(session);
}

/// Loads without a sling need a grab, and a load with one needs an eye.
TEST(scenes_that_cannot_be)
{
    static const struct {
        const char *set[2], *says;
    } wrong[] = {
        {{"machine.attachment=grading-bucket-1800"}, "exercise.loads.0.sling: the key is missing: only a machine"},
        {{"exercise.loads.2.sling=2"}, "excavator-22t with sorting-grab-1200 has no lifting_eye"},
        {{"exercise.loads.0.hooked=yes"}, "exercise.loads.0.sling: the key is missing: hooked, spread"},
        {{"exercise.loads.0.density=2000"}, "exercise.loads.0.density: read 2000, allowed 300 to 1300"},
        {{"exercise.loads.0.mass=200"}, "exercise.loads.0.mass: a log has a density in its place"},
        {{"exercise.loads.0.friction=2"}, "exercise.loads.0.friction: read 2, allowed 0.05 to 1.2"},
        {{"exercise.loads.2.mass=2000"}, "exercise.loads.2.mass: read 2000, allowed up to"},
        {{"exercise.rock_place.radius=0.1"}, "exercise.rock_place.radius: read 0.1, allowed 0.3 to 20"},
        {{"exercise.rock_place.x=90"}, "exercise.rock_place.x: 90 lies outside the site"},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        Status status;
        SessionParams params = {.scene = "sorting", .threads = 1, .set = wrong[k].set, .set_count = 1};
        Session *session = session_create(&params, &status);
        if (session != NULL || strstr(status.text, wrong[k].says) == NULL) {
            fail_msg("%s gives \"%s\", expected \"%s\"", wrong[k].set[0], session != NULL ? "" : status.text,
                     wrong[k].says);
        }
    }
}

TEST_GROUP(NULL, NULL)
