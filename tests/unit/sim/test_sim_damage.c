/// Damage of trucks and fixtures by the energy of blows, what it costs, and that a rescoring takes the same; a wall
/// that is rammed falls and lies; what a truck's driver says to its load.

#include "data/core/constants.h"
#include "data/schema/schema.h"
#include "tests/support/event_fixture.h"
#include "tests/support/test.h"
#include "trainer/sim/exercise_state.h"
#include "trainer/sim/sim.h"
#include "trainer/sim/truck_driver.h"

static Session *open_session(const char *scene, const char *const *set, int count)
{
    Status status;
    SessionParams params = {.scene = scene, .set = set, .set_count = count, .threads = 1};
    Session *session = session_create(&params, &status);
    assert_good(session != NULL, status);
    return session;
}

/// Events of a kind; the last one's form is written.
static int count_events(const Exercise *exercise, const char *kind, int *form, double *points)
{
    int count = 0;
    for (int k = 0; k < exercise_event_count(exercise); k++) {
        const ExerciseEvent *event = exercise_event(exercise, k);
        if (is_event(event, kind)) {
            count++;
            *form = event->form;
            *points = event->number.points;
        }
    }
    return count;
}

/// The same of the exercise's score and of the rules that a rescoring applies to its events.
static void assert_costs(const Exercise *exercise, const SceneExercise *asked, double points)
{
    ExerciseEvent events[EXERCISE_MAX_EVENTS];
    int count = exercise_event_count(exercise);
    for (int k = 0; k < count; k++) {
        events[k] = *exercise_event(exercise, k);
    }
    Incident cause;
    assert_near(exercise_apply_rules(asked, events, count, &cause), points, 1e-12);
    assert_near(exercise_deduction(exercise), points, 1e-12);
}

TEST(a_truck_is_scratched_dented_and_wrecked_by_energy)
{
    Session *session = open_session("haul", NULL, 0);
    const SceneParams *scene = session_scene(session);
    Exercise *exercise = exercise_create(scene);
    static const struct {
        double energy;
        int events, form;
    } blows[] = {{499.0, 0, -1},
                 {500.0, 1, EVENT_SCRATCHED},
                 {900.0, 1, EVENT_SCRATCHED},
                 {3000.0, 2, EVENT_DENTED},
                 {30000.0, 3, EVENT_DENTED},
                 {2000.0, 3, EVENT_DENTED},
                 {6000.0, 4, EVENT_WRECKED},
                 {90000.0, 4, EVENT_WRECKED}};
    SiteDamage damage = {0};
    int said = -1;
    for (size_t k = 0; k < sizeof blows / sizeof *blows; k++) {
        SolidBlow blow = {.fixture = -1, .truck = 1, .energy = blows[k].energy};
        blow.thing = event_thing(THING_TRUCK_PART, 1, "bed");
        int form = -1;
        double points = 0.0;
        site_damage_tick(&damage, scene, &blow, 1, (int64_t)k, exercise);
        assert_int_equal(count_events(exercise, "truck_damaged", &form, &points), blows[k].events);
        assert_int_equal(form, blows[k].form);
        assert_int_equal(count_events(exercise, "truck", &said, &points), blows[k].events); // the driver complains
        assert_int_equal(said, form < 0 ? -1 : EVENT_TRUCK_SCRATCHED + form);
    }
    assert_int_equal(damage.truck[1].worst, DAMAGE_WRECKED);
    assert_int_equal(damage.truck[0].worst, DAMAGE_NONE);
    assert_costs(exercise, &scene->exercise, 2.0 + 10.0 + 10.0 + 40.0);
    char lines[EXERCISE_MAX_SHEET][EXERCISE_TEXT];
    assert_int_equal(exercise_sheet(exercise, lines), 1);
    assert_string_equal(lines[0], "-62.0 points: a truck was damaged, 4 times");
    exercise_destroy(exercise);
    session_destroy(session);
}

/// The wall of tight-site: 18 m x 0.3 m x 3 m of 2400 kg/m3, so that its middle rises by 7.5 mm before it falls.
TEST(limits_of_fixtures_follow_from_their_measures)
{
    SceneFixture wall = {.length = 18.0, .width = 0.3, .bottom = -0.5, .top = 3.0};
    double limits[DAMAGE_CLASSES], fall = 2400.0 * 18.0 * 0.3 * 3.0 * STANDARD_GRAVITY * 0.5 * (hypot(3.0, 0.3) - 3.0);
    fixture_damage_limits(&wall, limits);
    assert_near(limits[2], fall, 1e-6 * fall);
    assert_near(limits[1], 0.2 * fall, 1e-6 * fall);
    assert_near(limits[0], 0.02 * fall, 1e-6 * fall);
    wall.damage[0] = 1.0;
    wall.damage[1] = 2.0;
    wall.damage[2] = 3.0;
    fixture_damage_limits(&wall, limits);
    assert_int_equal(damage_class(limits, 0.9), DAMAGE_NONE);
    assert_int_equal(damage_class(limits, 2.0), DAMAGE_DENTED);
    assert_int_equal(damage_class(limits, 3.0), DAMAGE_WRECKED);
    SceneFixture lying = scene_fixture_lying(&wall, 1.5); // to the north
    assert_near(lying.y, 0.5 * (0.3 + 3.0), 1e-12);
    assert_near(lying.width, 3.0, 0.0);
    assert_near(lying.top, 0.3, 0.0);
}

/// A dozer at full speed rams a wall across its way: the wall falls away from it and lies, for points that the scene
/// states; a state saved before the blow leads to the same.
TEST(a_rammed_wall_falls_and_costs_by_energy)
{
    enum { SAVED_AT = 120, TICKS = 540 };
    Status status;
    Session *session = open_session(SPADEWORK_TEST_DIR "/support/ram.yaml", NULL, 0);
    StateBuffer saved = {0};
    uint64_t hash = 0;
    for (int round = 0; round < 2; round++) {
        for (int k = round * SAVED_AT; k < TICKS; k++) {
            OperatorControls controls = control_neutral;
            controls.axis[CONTROL_LEFT_TRACK] = controls.axis[CONTROL_RIGHT_TRACK] =
                control_quantise(k < 420 ? 1.0 : 0.0);
            if (k == SAVED_AT && round == 0) {
                assert_good(state_save(session, &saved, &status), status);
            }
            session_tick(session, &controls);
        }
        int form = -1;
        double points = 0.0;
        assert_true(count_events(session_exercise(session), "fixture_damaged", &form, &points) >= 1);
        assert_int_equal(form, EVENT_WRECKED);
        assert_near(points, -25.0, 0.0);
        const ThingDamage *wall = &session_damage(session)->fixture[0];
        assert_int_equal(wall->worst, DAMAGE_WRECKED);
        assert_near(wall->heading, 0.0, 1e-9); // to the east, away from the machine
        assert_true(round == 0 || state_hash(session) == hash);
        hash = state_hash(session);
        assert_good(state_restore(session, saved.data, saved.size, &status), status);
        assert_good(session_after_restore(session, &status), status);
    }
    state_buffer_free(&saved);
    session_destroy(session);
}

/// A tick of a driver who wants to leave. Returns whether he stays.
static bool ask(const TruckParams *truck, double uneven, double over, TruckDriverState *state, Exercise *exercise)
{
    DriverSight sight = {.uneven = uneven, .excess = over * truck->payload, .over = over};
    return truck_driver_stays(truck, true, &sight, 1, 1.0, state, exercise);
}

TEST(a_driver_complains_leaves_late_or_refuses)
{
    Session *session = open_session("haul", NULL, 0);
    const TruckParams *truck = &session_scene(session)->truck;
    Exercise *exercise = exercise_create(session_scene(session));
    TruckDriverState state = {0};
    int form = -1;
    double points;
    assert_false(ask(truck, 0.14, 0.001, &state, exercise));
    assert_int_equal(count_events(exercise, "truck", &form, &points), 0);
    int late = 0;
    while (ask(truck, 0.16, 0.0, &state, exercise)) {
        late++;
    }
    assert_int_equal(late, 14); // s of 15 with the tick of the complaint
    assert_int_equal(count_events(exercise, "truck", &form, &points), 1);
    assert_int_equal(form, EVENT_TRUCK_UNEVEN);
    state = (TruckDriverState){0};
    assert_true(ask(truck, 0.0, 0.05, &state, exercise));
    assert_int_equal(count_events(exercise, "truck", &form, &points), 2);
    assert_int_equal(form, EVENT_TRUCK_TOO_HEAVY);
    state = (TruckDriverState){0};
    for (int k = 0; k < 100; k++) {
        assert_true(ask(truck, 0.0, 0.11, &state, exercise));
    }
    assert_int_equal(count_events(exercise, "truck", &form, &points), 3);
    assert_int_equal(form, EVENT_TRUCK_REFUSES);
    assert_false(ask(truck, 0.0, 0.09, &state, exercise)); // the bucket has taken some out
    exercise_destroy(exercise);
    session_destroy(session);
}

TEST_GROUP(NULL, NULL)
