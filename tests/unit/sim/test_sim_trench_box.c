/// A trench box in a session: it holds the walls and saves who stands in it, bends when the soil presses too hard, and
/// a wall that falls without it buries a person and ends the attempt.
#include "tests/support/event_fixture.h"
#include "tests/support/test.h"
#include "trainer/sim/session.h"
#include "trainer/sim/state_io.h"

#define SCENE SPADEWORK_TEST_DIR "/support/box.yaml"

/// The trench of the scene, longer and 3.3 m deep: its walls do not stand. The box is as long as fits in it.
#define DEEP "ground.earthworks.0.height=-3.3", "ground.earthworks.0.length=10", "ground.earthworks.0.x=3.5"
#define LONG                                                                                                           \
    "exercise.loads.0.length=9.6", "exercise.loads.0.height=3.4", "exercise.loads.0.x=3.5", "exercise.loads.0.y=0"

static Session *open_with(const char *const *set, int count, Status *status)
{
    SessionParams params = {.scene = SCENE, .set = set, .set_count = count, .threads = 1};
    return session_create(&params, status);
}

static Session *open_good(const char *const *set, int count)
{
    Status status;
    Session *session = open_with(set, count, &status);
    assert_good(session != NULL, status);
    return session;
}

static void wait_seconds(Session *session, double seconds)
{
    for (int k = 0; k < (int)(60.0 * seconds); k++) {
        session_tick(session, &control_neutral);
    }
}

/// The first event of a kind; NULL: there is none.
static const ExerciseEvent *first_event(const Session *session, const char *kind)
{
    const Exercise *exercise = session_exercise(session);
    for (int k = 0; k < exercise_event_count(exercise); k++) {
        if (is_event(exercise_event(exercise, k), kind)) {
            return exercise_event(exercise, k);
        }
    }
    return NULL;
}

static void assert_says(const ExerciseEvent *event, const char *words)
{
    char text[EVENT_TEXT] = "";
    assert_non_null(event);
    if (strstr(english_of(event, NULL, text), words) == NULL) {
        fail_msg("no \"%s\" in \"%s\"", words, text);
    }
}

TEST(a_wall_that_falls_buries_who_stands_before_it)
{
    Session *session = open_good((const char *[]){DEEP}, 3);
    wait_seconds(session, 1.0);
    const ExerciseEvent *fell = first_event(session, "wall_fell"), *buried = first_event(session, "person_buried");
    assert_says(fell, "from a wall 3.3");
    assert_says(buried, "on pipe layer from a wall 3.3");
    assert_true(fell->number.load > 5e3 && fell->number.height > 3.2);
    assert_true(fabs(fell->number.y) < 0.9); // at the foot of one of the walls
    assert_true(exercise_end(session_exercise(session)) == EXERCISE_FAILED);
    assert_true(exercise_cause(session_exercise(session)) == INCIDENT_PERSON_BURIED);
    assert_string_equal(exercise_failure(session_exercise(session)), "A person was buried.");
    session_destroy(session);
}

TEST(a_box_holds_the_walls_and_saves_who_stands_in_it)
{
    Session *session = open_good((const char *[]){DEEP, LONG}, 7);
    wait_seconds(session, 3.0);
    assert_null(first_event(session, "wall_fell"));
    assert_null(first_event(session, "person_buried"));
    assert_null(first_event(session, "box_overloaded"));
    assert_true(soil_get_counters(session_soil(session)).failed == 0);
    SoilPlate plates[SOIL_MAX_PLATES];
    assert_int_equal(session_loads_plates(session_loads(session), plates), 2);
    assert_near(plates[0].y - plates[1].y, 1.4 - 0.08, 1e-6);
    assert_near(plates[0].bottom, -3.3, 0.03);
    assert_near(plates[0].top - plates[0].bottom, 3.4, 1e-9);
    session_destroy(session);
}

/// Ka rho g z - 2 c sqrt(Ka) of the loam is 7.4 kPa at 3.3 m: a box that bears 4 kPa bends, and holds nothing any more.
TEST(a_box_that_is_too_weak_bends)
{
    Session *session = open_good((const char *[]){DEEP, LONG, "exercise.loads.0.rating_kpa=4"}, 8);
    wait_seconds(session, 2.0);
    const ExerciseEvent *bent = first_event(session, "box_overloaded");
    assert_says(bent, "the soil presses on the trench box with 1");
    double root = tan(M_PI / 6.0), expected = root * root * 1540.0 * STANDARD_GRAVITY * 3.3 - 2.0 * 8e3 * root;
    assert_near(bent->number.share, expected / 4e3, 0.03 * expected / 4e3);
    SoilPlate plates[SOIL_MAX_PLATES];
    assert_int_equal(session_loads_plates(session_loads(session), plates), 0);
    assert_non_null(first_event(session, "wall_fell"));
    assert_non_null(first_event(session, "person_buried"));
    session_destroy(session);
}

/// Walls that are lower or lighter than the exercise names are not reported; a person is buried all the same.
TEST(only_walls_that_count_are_reported)
{
    Session *session = open_good((const char *[]){DEEP, "exercise.walls.height=3.5"}, 4);
    wait_seconds(session, 1.0);
    assert_null(first_event(session, "wall_fell"));
    assert_non_null(first_event(session, "person_buried"));
    session_destroy(session);
}

/// A state that was saved before a wall falls continues with the same bits and the same events.
TEST(a_fall_after_a_restored_state_is_the_same)
{
    const char *set[] = {DEEP, LONG, "exercise.loads.0.rating_kpa=4"};
    Session *session = open_good(set, 8), *other = open_good(set, 8);
    Status status;
    StateBuffer saved = {0};
    session_tick(session, &control_neutral);
    assert_good(state_save(session, &saved, &status), status);
    wait_seconds(session, 1.5);
    assert_good(state_restore(other, saved.data, saved.size, &status), status);
    wait_seconds(other, 1.5);
    assert_true(state_hash(session) == state_hash(other));
    assert_int_equal(exercise_event_count(session_exercise(session)), exercise_event_count(session_exercise(other)));
    state_buffer_free(&saved);
    session_destroy(session);
    session_destroy(other);
}

TEST(boxes_and_walls_that_cannot_be)
{
    static const struct {
        const char *set, *words;
    } cases[] = {
        {"exercise.loads.0.width=0.4", "exercise.loads.0.width: read 0.4, allowed 0.5 to 5"},
        {"exercise.loads.0.height=7", "exercise.loads.0.height: read 7, allowed 0.5 to 6"},
        {"exercise.loads.0.rating_kpa=0", "exercise.loads.0.rating_kpa: read 0, allowed 1 to 500"},
        {"exercise.loads.0.radius=0.3", "allowed width, height and rating_kpa together, and no radius"},
        {"exercise.loads.0.wall=0.5", "exercise.loads.0.wall: read 0.5, allowed up to a quarter of width"},
        {"exercise.loads.0.wall=0.005", "twice what two steel plates of these measures weigh"},
        {"exercise.walls.mass=10", "exercise.walls.mass: read 10, allowed 50 to 100000"},
        {"exercise.walls.height=0.1", "exercise.walls.height: read 0.1, allowed 0.3 to 10"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        Status status;
        Session *session = open_with(&cases[k].set, 1, &status);
        if (session != NULL || strstr(status.text, cases[k].words) == NULL) {
            fail_msg("case %zu: \"%s\" instead of \"%s\"", k, session != NULL ? "" : status.text, cases[k].words);
        }
    }
}

TEST_GROUP(NULL, NULL)
