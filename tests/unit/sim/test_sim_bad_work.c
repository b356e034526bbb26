/// Bad work does not pass: what the shipped exercises make of figures and events of bad drives.
#include "data/schema/load.h"
#include "tests/support/test.h"
#include "trainer/sim/exercise.h"
#include "trainer/sim/score.h"

static const SceneExercise *asked_of(const char *name)
{
    static SceneParams scene;
    static MachineParams machine;
    Status status = {0};
    assert_good(data_load_scene(name, NULL, 0, &scene, &machine, NULL, &status), status);
    return &scene.exercise;
}

static Verdict judge(const SceneExercise *asked, double values[METRIC_COUNT])
{
    values[METRIC_FINISHED] = 1.0;
    values[METRIC_SCORE] = score_total(score_sum(asked, values), 0.0, INCIDENT_COUNT);
    return score_judge(asked, values, INCIDENT_COUNT);
}

/// Laid down at its place in time: swings of up to 20 degrees and impacts of up to 0.6 m/s pass, others do not.
TEST(a_load_that_swings_or_drops_does_not_pass)
{
    static const struct {
        double swing, impact;
        VerdictKind kind;
    } lifts[] = {{5.2, 0.13, VERDICT_PASSED},
                 {16.0, 0.33, VERDICT_PASSED},
                 {34.6, 0.13, VERDICT_LIMIT},
                 {5.2, 1.5, VERDICT_LIMIT},
                 {20.1, 0.13, VERDICT_LIMIT}};
    const SceneExercise *asked = asked_of("lift-pipe");
    for (size_t k = 0; k < sizeof lifts / sizeof *lifts; k++) {
        double values[METRIC_COUNT] = {[METRIC_LOADS_LIFTED] = 1.0,
                                       [METRIC_LOADS_PLACED] = 1.0,
                                       [METRIC_PACE_SHARE] = 1.0,
                                       [METRIC_LOAD_SWING] = lifts[k].swing,
                                       [METRIC_LOAD_IMPACT] = lifts[k].impact};
        assert_int_equal(judge(asked, values).kind, lifts[k].kind);
    }
}

/// A load on the hook is far from its place: no row takes points for it before it is laid down.
TEST(lifting_a_load_takes_no_points)
{
    const SceneExercise *asked = asked_of("lift-pipe");
    double values[METRIC_COUNT] = {0};
    double before = score_sum(asked, values);
    values[METRIC_LOADS_LIFTED] = 1.0;
    values[METRIC_LOAD_OFFSET] = 9.4;
    values[METRIC_LOAD_HEADING] = 90.0;
    ScoreRow rows[SCENE_MAX_SCORES];
    int count = score_rows(asked, values, rows);
    for (int k = 0; k < count; k++) {
        assert_near(rows[k].scale * (1.0 - rows[k].share), 0.0, rows[k].value == 0.0 ? 1.0 : 1e-12);
    }
    assert_true(score_sum(asked, values) >= before);
}

static double taken(const SceneExercise *asked, const double *energies, int count)
{
    ExerciseEvent events[8] = {0};
    for (int k = 0; k < count; k++) {
        events[k] = (ExerciseEvent){.tick = k, .kind = INCIDENT_TOUCH, .number = {.energy = energies[k]}};
        events[k].thing = event_thing(THING_FIXTURE, 0, "water main");
    }
    Incident cause;
    double points = exercise_apply_rules(asked, events, count, &cause);
    assert_int_equal(cause, INCIDENT_COUNT);
    return points;
}

/// Teeth that come straight down on the main at 0.25 m/s give it 0.11 kJ, at 0.54 m/s 0.4005, at 1.2 m/s 1.7 (22 t).
TEST(a_hard_strike_of_a_main_does_not_pass_and_touches_cost)
{
    const SceneExercise *asked = asked_of("expose-pipe");
    assert_near(taken(asked, (const double[]){111.0, 156.0}, 2), 0.0, 1e-12);
    assert_near(taken(asked, (const double[]){250.0, 390.0}, 2), 4.0, 1e-12);
    assert_near(taken(asked, (const double[]){111.0, 2100.0}, 2), 2.0, 1e-12);
    static const double struck[] = {111.0, 400.5};
    double points[3];
    for (int k = 0; k < 5; k++) {
        double values[METRIC_COUNT] = {[METRIC_EXPOSED_SHARE] = 0.4,
                                       [METRIC_STEPS_SHARE] = 1.0,
                                       [METRIC_WORK_SHARE] = 1.0,
                                       [METRIC_PACE_SHARE] = 1.0,
                                       [METRIC_STRUCK] = k < 3 ? 0.0 : 1e-3 * struck[k - 3],
                                       [METRIC_INCIDENT_TOUCH] = k < 3 ? 2.0 * k : 1.0};
        Verdict verdict = judge(asked, values);
        assert_int_equal(verdict.kind, k == 4 ? VERDICT_LIMIT : VERDICT_PASSED);
        if (k < 3) {
            points[k] = verdict.score;
        }
    }
    assert_true(points[1] <= points[0] - 4.0 && points[2] <= points[0] - 8.0);
}

TEST_GROUP(NULL, NULL)
