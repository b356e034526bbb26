/// Where a row of the score lost most, on scripts whose worst moment is known by hand: a stretch of the exercise's own
/// ticks, each with what happens from then on.

#include "machine/machine.h"
#include "tests/support/test.h"
#include "trainer/sim/exercise.h"

#define DT 0.05

enum {
    EVERY = 2, ///< ticks from a stand to the next
    RELIEF = MACHINE_LIMIT_BIT(MACHINE_LIMIT_RELIEF),
    SLIP = MACHINE_LIMIT_BIT(MACHINE_LIMIT_SLIP),
};

typedef struct Script {
    SceneParams scene;
    ExerciseSample sample;
    Exercise *exercise;
    ScoreTrail trail;
    float ground;
} Script;

static Script *begin(const SceneExercise *asked)
{
    Script *script = calloc(1, sizeof *script);
    assert_non_null(script);
    script->scene.ground.column_spacing = 0.1;
    script->scene.ground.layer_count = script->scene.soil_count = 1;
    script->scene.soils[0].bank_density = 1500.0;
    script->scene.exercise = *asked;
    script->sample = (ExerciseSample){.dt = DT,
                                      .fuel = 100.0,
                                      .full = 1200.0,
                                      .payload = 100.0,
                                      .swings = true,
                                      .edge_clear = true,
                                      .edge_height = 2.0,
                                      .compacted = -1.0,
                                      .exposed = -1.0,
                                      .heights = &script->ground,
                                      .rows = 1,
                                      .columns = 1,
                                      .spacing = 0.1};
    script->exercise = exercise_create(&script->scene);
    assert_non_null(script->exercise);
    exercise_start(script->exercise, &script->sample);
    score_trail_add(&script->trail, script->exercise, 0);
    return script;
}

static void end(Script *script)
{
    score_trail_free(&script->trail);
    exercise_destroy(script->exercise);
    free(script);
}

/// Goes on until second `until`; the ground is looked at as often as in a session.
static void drive(Script *script, double until)
{
    ExerciseSample *sample = &script->sample;
    while (sample->tick < (int64_t)lround(until / DT)) {
        sample->tick++;
        sample->ground = sample->tick % exercise_look_interval(DT) == 0 ? EXERCISE_SETTLED : EXERCISE_NOT_LOOKED;
        exercise_tick(script->exercise, sample);
        if (sample->tick % EVERY == 0) {
            score_trail_add(&script->trail, script->exercise, sample->tick);
        }
    }
}

/// The row's moments are at these seconds, to a look at the ground.
static void check(const Script *script, int row, bool scaled, int count, const double *seconds)
{
    int64_t ticks[SCORE_MOMENTS];
    int found = score_moments(&script->scene.exercise, row, scaled, script->trail.stands, script->trail.count,
                              INT64_MAX, DT, ticks);
    assert_int_equal(found, count);
    for (int k = 0; k < count; k++) {
        if (fabs((double)ticks[k] * DT - seconds[k]) > EXERCISE_LOOK_TIME + 2.0 * DT) {
            fail_msg("row %d, moment %d is at %.2f s, by hand %.2f s", row, k, (double)ticks[k] * DT, seconds[k]);
        }
    }
}

/// Relief from 10 for 3 s and from 30 for 6 s, 1 s of pause and 2 s more; slip once, from 50; spill of 20 kg at 15 s,
/// of 100 kg at 40 s in two falls, 80 kg of which are cleaned up at 55 s.
TEST(what_is_counted_was_lost_where_it_grew_most)
{
    SceneExercise asked = {
        .kind = EXERCISE_TRUCK_LOADING,
        .time_limit = 1e4,
        .truck = {.target_mass = 1000.0},
        .scores_count = 3,
        .scores = {{METRIC_RELIEF_SHARE, SCORE_GROUP_MACHINE, 40, 0, 0.1, METRIC_SCORE, -1e300, 1e300, ""},
                   {METRIC_SLIP_SHARE, SCORE_GROUP_MACHINE, 30, 0, 0.1, METRIC_SCORE, -1e300, 1e300, ""},
                   {METRIC_SPILLED_SHARE, SCORE_GROUP_SPILL, 30, 0, 0.1, METRIC_SCORE, -1e300, 1e300, ""}}};
    static const struct {
        double until, spilled;
        int limits;
    } stretches[] = {{10, 0, 0},      {13, 0, RELIEF},  {15, 0, 0},  {30, 20, 0}, {36, 20, RELIEF},
                     {37, 20, 0},     {39, 20, RELIEF}, {40, 20, 0}, {41, 70, 0}, {50, 120, 0},
                     {51, 120, SLIP}, {55, 120, 0},     {60, 40, 0}};
    Script *script = begin(&asked);
    for (size_t k = 0; k < sizeof stretches / sizeof stretches[0]; k++) {
        script->sample.limits = stretches[k].limits;
        script->sample.spilled.mass = stretches[k].spilled;
        script->sample.moved.mass = 2000.0;
        drive(script, stretches[k].until);
    }
    check(script, 0, false, 2, (const double[]){30.0, 10.0});
    check(script, 1, false, 1, (const double[]){50.0});
    check(script, 2, false, 1, (const double[]){40.0});
    end(script);
}

/// A truck that takes 100 kg at 10 s, at 20 s and at 70 s: what is missing of work and pace was lost from 20 s on, and
/// in the 40 s from 70 s on.
TEST(work_that_is_missing_stood_still_for_longest)
{
    SceneExercise asked = {
        .kind = EXERCISE_TRUCK_LOADING,
        .par_time = 60.0,
        .time_limit = 1e4,
        .truck = {.target_mass = 1000.0},
        .scores_count = 3,
        .scores = {{METRIC_TARGET_SHARE, SCORE_GROUP_WORK, 50, 1, 0, METRIC_SCORE, -1e300, 1e300, ""},
                   {METRIC_PACE_SHARE, SCORE_GROUP_TIME, 30, 1, 0, METRIC_SCORE, -1e300, 1e300, ""},
                   {METRIC_RELIEF_SHARE, SCORE_GROUP_MACHINE, 20, 0, 1, METRIC_TARGET_SHARE, -1e300, 1e300, ""}}};
    Script *script = begin(&asked);
    for (int k = 0; k < 4; k++) {
        script->sample.beds[0].mass = 100.0 * k;
        drive(script, (const double[]){10.0, 20.0, 70.0, 110.0}[k]);
    }
    check(script, 0, false, 2, (const double[]){20.0, 70.0});
    check(script, 1, false, 2, (const double[]){20.0, 70.0});
    check(script, 2, true, 2, (const double[]){20.0, 70.0}); // no relief, but little done
    check(script, 2, false, 0, NULL);
    // What is unloaded again was lost there.
    script->sample.beds[0].mass = 100.0;
    drive(script, 120.0);
    check(script, 0, false, 1, (const double[]){110.0});
    end(script);
}

/// Targets missed by 0.1, 0.3 and 0.15 m at 10, 20 and 30 s; the way to the second takes 4 s longer.
TEST(the_worst_target_is_found)
{
    SceneExercise asked = {
        .kind = EXERCISE_TASKS,
        .time_limit = 1e4,
        .targets_count = 3,
        .scores_count = 2,
        .scores = {{METRIC_TARGET_ERROR, SCORE_GROUP_ACCURACY, 50, 0, 0.5, METRIC_SCORE, -1e300, 1e300, ""},
                   {METRIC_TARGET_TIME, SCORE_GROUP_TIME, 50, 0, 20, METRIC_SCORE, -1e300, 1e300, ""}}};
    for (int k = 0; k < 3; k++) {
        asked.targets[k] = (SceneTarget){.what = SCENE_TARGET_TIP, .x = 10.0 * (k + 1), .radius = 0.5, .hold = 0.5};
    }
    Script *script = begin(&asked);
    for (int k = 0; k < 3; k++) {
        script->sample.tip = (Vec3){0.0, 0.0, 0.0};
        drive(script, (const double[]){10.0, 24.0, 34.0}[k]);
        script->sample.tip = (Vec3){10.0 * (k + 1) + (const double[]){0.1, 0.3, 0.15}[k], 0.0, 0.0};
        drive(script, (const double[]){11.0, 25.0, 35.0}[k]);
    }
    check(script, 0, false, 3, (const double[]){24.5, 34.5, 10.5});
    check(script, 1, false, 3, (const double[]){24.5, 10.5, 34.5});
    end(script);
}

/// Stands that are given by hand.
static void set_stands(ScoreStand *stands, int count, const double (*points)[2])
{
    for (int k = 0; k < count; k++) {
        stands[k] = (ScoreStand){.tick = (int64_t)lround(points[k][0] / DT), .amount = {(float)points[k][1]}};
    }
}

/// An error that is worked off in the end, a long loss that is worst in its middle, and what came after the end.
TEST(long_losses_errors_and_the_end)
{
    SceneExercise asked = {
        .scores_count = 1,
        .scores = {{METRIC_SURFACE_RMS, SCORE_GROUP_ACCURACY, 100, 0, 0.1, METRIC_SCORE, -1e300, 1e300, ""}}};
    ScoreStand stands[64];
    int64_t ticks[SCORE_MOMENTS];
    static const double worked_off[][2] = {{0, 0.2}, {10, 0.15}, {12, 0.1}, {50, 0.05}, {60, 0.02}};
    set_stands(stands, 5, worked_off);
    assert_true(score_moments(&asked, 0, false, stands, 5, INT64_MAX, DT, ticks) >= 1);
    assert_int_equal(ticks[0], 240); // 12 s
    // 40 s of loss, one after the other, the fastest from 20 s on; a jump at 55 s comes after the end.
    for (int k = 0; k < 60; k++) {
        double fast = k > 20 ? k - 20 : 0;
        stands[k] = (ScoreStand){.tick = 20L * k, .amount = {(float)(0.001 * (k < 40 ? k : 40) + 0.01 * fast)}};
    }
    stands[55].amount[0] = 10.0F;
    assert_true(score_moments(&asked, 0, false, stands, 60, 20L * 54, DT, ticks) >= 1);
    assert_int_equal(ticks[0], 20 * 20);
    assert_int_equal(score_moments(&asked, 0, false, stands, 1, INT64_MAX, DT, ticks), 0);
    assert_int_equal(score_moments(&asked, 0, false, NULL, 0, INT64_MAX, DT, ticks), 0);
}

TEST_GROUP(NULL, NULL)
