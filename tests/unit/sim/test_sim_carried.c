/// The load of a bucket is weighed on its way from the dig to the dump: a made-up bucket that loses what is known.
#include "tests/support/test.h"
#include "trainer/sim/exercise.h"

static void tick(Exercise *exercise, ExerciseSample *sample, double payload, int count)
{
    sample->payload = payload;
    for (int k = 0; k < count; k++) {
        sample->tick++;
        exercise_tick(exercise, sample);
    }
}

static double metric(const Exercise *exercise, const char *name)
{
    ExerciseMetric metrics[EXERCISE_MAX_METRICS];
    int count = exercise_metrics(exercise, metrics);
    for (int k = 0; k < count; k++) {
        if (strcmp(metrics[k].name, name) == 0) {
            return metrics[k].value;
        }
    }
    fail_msg("no metric %s", name);
    return 0.0;
}

/// Of 1200 kg in the cut 100 stay there as the edge comes out, 50 fall as the bucket is curled on, 30 as it is lifted
/// and 20 on the swing. Twice: the metrics are means of the cycles.
TEST(test_a_load_is_weighed_on_its_way)
{
    SceneParams scene = {.soil_count = 1};
    scene.soils[0].bank_density = 1500.0;
    scene.exercise.time_limit = scene.exercise.par_time = 600.0;
    ExerciseSample sample = {.dt = 1.0 / 60.0,
                             .fuel = 100.0,
                             .full = 1200.0,
                             .tool_size = 1.0,
                             .swings = true,
                             .joint_speed = 0.5,
                             .ground = EXERCISE_NOT_LOOKED};
    Exercise *exercise = exercise_create(&scene);
    assert_non_null(exercise);
    exercise_start(exercise, &sample);
    for (int cycle = 0; cycle < 2; cycle++) {
        sample.curl_speed = 0.5;
        sample.edge_clear = false;
        sample.edge_height = -0.3;
        sample.tip = (Vec3){0.0, 0.0, 0.0};
        for (double payload = 0.0; payload < 1200.0; payload += 10.0) {
            tick(exercise, &sample, payload, 2);
        }
        tick(exercise, &sample, 1100.0, 30);
        sample.edge_clear = true;
        sample.edge_height = 2.0;
        tick(exercise, &sample, 1050.0, 30);
        sample.curl_speed = 0.0;
        tick(exercise, &sample, 1020.0, 30);
        sample.swing_speed = 0.6;
        sample.tip = (Vec3){0.0, 6.0, 2.0};
        tick(exercise, &sample, 1020.0, 1);
        tick(exercise, &sample, 1000.0, 60);
        sample.curl_speed = -0.8;
        sample.swing_speed = 0.0;
        tick(exercise, &sample, 500.0, 30);
        tick(exercise, &sample, 0.0, 240);
        sample.curl_speed = 0.0; // the way back ends the dump, and with it the cycle
        sample.swing_speed = -0.6;
        tick(exercise, &sample, 0.0, 60);
        sample.swing_speed = 0.0;
    }
    assert_near(metric(exercise, "cycles"), 2.0, 0.0);
    assert_near(metric(exercise, "carried_clear_kg"), 1100.0, 1e-9);
    assert_near(metric(exercise, "carried_curled_kg"), 1050.0, 1e-9);
    assert_near(metric(exercise, "carried_swing_kg"), 1020.0, 1e-9);
    assert_near(metric(exercise, "carried_dump_kg"), 1000.0, 1e-9);
    exercise_destroy(exercise);
}

TEST_GROUP(NULL, NULL)
