/// Targets, questions, steps and the rows of a score, on samples whose figures are known by hand.

#include "machine/machine.h"
#include "tests/support/test.h"
#include "tests/support/event_fixture.h"
#include "trainer/sim/exercise.h"

enum { SIDE = 10 };
#define DT (1.0 / 60.0)

typedef struct Yard {
    SceneParams scene;
    float heights[SIDE * SIDE];
    ExerciseSample sample;
    Exercise *exercise;
} Yard;

static Yard *make_yard(void)
{
    Yard *yard = calloc(1, sizeof *yard);
    assert_non_null(yard);
    SceneParams *scene = &yard->scene;
    scene->ground.column_spacing = 0.1;
    scene->ground.layer_count = scene->soil_count = 1;
    scene->soils[0].bank_density = 1500.0;
    scene->exercise =
        (SceneExercise){.kind = EXERCISE_TASKS, .time_limit = 300.0, .par_time = 100.0, .pass_mark = 70.0};
    yard->sample = (ExerciseSample){.dt = DT,
                                    .heights = yard->heights,
                                    .rows = SIDE,
                                    .columns = SIDE,
                                    .spacing = 0.1,
                                    .spilled = {-1.0, -1.0},
                                    .moved = {-1.0, -1.0}};
    return yard;
}

static void start(Yard *yard)
{
    exercise_destroy(yard->exercise);
    yard->exercise = exercise_create(&yard->scene);
    assert_non_null(yard->exercise);
    yard->sample.tick = 0;
    exercise_start(yard->exercise, &yard->sample);
}

static void free_yard(Yard *yard)
{
    exercise_destroy(yard->exercise);
    free(yard);
}

static void tick(Yard *yard, int count)
{
    for (int k = 0; k < count; k++) {
        yard->sample.tick++;
        yard->sample.ground =
            yard->sample.tick % exercise_look_interval(yard->sample.dt) == 0 ? EXERCISE_SETTLED : EXERCISE_NOT_LOOKED;
        exercise_tick(yard->exercise, &yard->sample);
    }
}

static double value(const Yard *yard, Metric metric)
{
    double values[METRIC_COUNT];
    exercise_values(yard->exercise, values);
    return values[metric];
}

static const ExerciseEvent *last_event(const Yard *yard, const char *kind)
{
    for (int k = exercise_event_count(yard->exercise) - 1; k >= 0; k--) {
        if (is_event(exercise_event(yard->exercise, k), kind)) {
            return exercise_event(yard->exercise, k);
        }
    }
    return NULL;
}

static void add_step(Yard *yard, Metric metric, double least)
{
    SceneExercise *exercise = &yard->scene.exercise;
    exercise->steps[exercise->steps_count++] =
        (SceneStep){.text = "do it", .metric = metric, .least = least, .most = SCENE_NO_LIMIT};
}

static void add_score(Yard *yard, Metric metric, double weight, double full, double zero)
{
    SceneExercise *exercise = &yard->scene.exercise;
    exercise->scores[exercise->scores_count++] = (SceneScore){.metric = metric,
                                                              .weight = weight,
                                                              .full = full,
                                                              .zero = zero,
                                                              .fail_below = -SCENE_NO_LIMIT,
                                                              .fail_above = SCENE_NO_LIMIT};
}

TEST(a_target_counts_once_it_was_held)
{
    Yard *yard = make_yard();
    SceneExercise *exercise = &yard->scene.exercise;
    exercise->targets_count = 2;
    exercise->targets[0] = (SceneTarget){.x = 3.0, .y = 4.0, .z = 1.0, .radius = 0.5, .hold = 1.0};
    exercise->targets[1] = (SceneTarget){
        .what = SCENE_TARGET_MACHINE, .x = -5.0, .radius = 1.0, .heading = M_PI / 2.0, .heading_tolerance = 0.1};
    add_step(yard, METRIC_TARGETS_REACHED, 2.0);
    start(yard);
    tick(yard, 120); // two seconds somewhere else
    yard->sample.tip = vec3(3.0, 4.3, 1.0); // 0.3 m from its middle
    tick(yard, 30);
    yard->sample.tip = vec3(3.0, 4.6, 1.0); // left again too early: the second begins anew
    tick(yard, 1);
    yard->sample.tip = vec3(3.0, 4.3, 1.0);
    tick(yard, 59);
    assert_near(value(yard, METRIC_TARGETS_REACHED), 0.0, 0.0);
    tick(yard, 2);
    assert_near(value(yard, METRIC_TARGETS_REACHED), 1.0, 0.0);
    assert_near(value(yard, METRIC_TARGETS_SHARE), 0.5, 0.0);
    assert_near(value(yard, METRIC_TARGET_ERROR), 0.3, 1e-12);
    assert_near(value(yard, METRIC_TARGET_TIME), (120 + 30 + 1 + 60) * DT, 1.5 * DT);
    assert_near(last_event(yard, "target")->number.duration, value(yard, METRIC_TARGET_TIME), 1e-12);
    yard->sample.base = vec3(-5.0, 0.9, 0.4);
    yard->sample.heading = M_PI / 2.0 + 0.2; // there, but looking elsewhere
    tick(yard, 60);
    assert_near(value(yard, METRIC_TARGETS_REACHED), 1.0, 0.0);
    assert_false(exercise_is_finished(yard->exercise));
    yard->sample.heading = M_PI / 2.0 - 2.0 * M_PI + 0.05;
    tick(yard, (int)exercise_look_interval(yard->sample.dt));
    assert_near(value(yard, METRIC_TARGETS_REACHED), 2.0, 0.0);
    assert_near(value(yard, METRIC_TARGET_ERROR), 0.5 * (0.3 + 0.9), 1e-12);
    assert_int_equal(exercise_end(yard->exercise), EXERCISE_DONE);
    free_yard(yard);
}

/// What a trench's scene asks in steps decides when it is done; without steps 0.95 of its volume.
TEST(a_trench_is_done_when_its_steps_are)
{
    for (int steps = 0; steps < 2; steps++) {
        Yard *yard = make_yard();
        yard->scene.exercise.kind = EXERCISE_TRENCH;
        yard->scene.exercise.trench =
            (SceneTrench){.x = 0.2, .y = 0.45, .length = 0.5, .width = 0.6, .depth = 1.0, .tolerance = 0.1};
        if (steps > 0) {
            add_step(yard, METRIC_REMOVED_SHARE, 0.93);
        }
        start(yard);
        for (int k = 0; k < SIDE * SIDE; k++) {
            yard->heights[k] = -0.9f;
        }
        int looks = 2 * (int)exercise_look_interval(yard->sample.dt);
        tick(yard, looks);
        assert_false(exercise_is_finished(yard->exercise));
        for (int k = 0; k < SIDE * SIDE; k++) {
            yard->heights[k] = -0.94f;
        }
        tick(yard, looks);
        assert_near(value(yard, METRIC_REMOVED_SHARE), 0.94, 1e-6);
        assert_int_equal(exercise_is_finished(yard->exercise), steps > 0);
        free_yard(yard);
    }
}

TEST(levers_are_locked_until_the_questions_are_answered)
{
    Yard *yard = make_yard();
    SceneExercise *exercise = &yard->scene.exercise;
    exercise->questions_count = 2;
    for (int k = 0; k < 2; k++) {
        exercise->questions[k] =
            (SceneQuestion){.text = "?", .answers_count = 3, .answers = {"a", "b", "c"}, .right = 2};
    }
    add_step(yard, METRIC_QUESTIONS_ANSWERED, 2.0);
    add_score(yard, METRIC_QUESTIONS_SHARE, 100.0, 1.0, 0.0);
    start(yard);
    assert_true(exercise_is_locked(yard->exercise));
    yard->sample.answer = 4; // there is no such answer
    tick(yard, 2);
    assert_int_equal(exercise_question(yard->exercise), 0);
    yard->sample.answer = 0;
    tick(yard, 1);
    yard->sample.answer = 2;
    tick(yard, 30); // held down: one answer
    assert_int_equal(exercise_question(yard->exercise), 1);
    assert_true(exercise_is_locked(yard->exercise));
    yard->sample.answer = 0;
    tick(yard, 1);
    yard->sample.answer = 3;
    tick(yard, (int)exercise_look_interval(yard->sample.dt));
    assert_false(exercise_is_locked(yard->exercise));
    assert_int_equal(exercise_question(yard->exercise), -1);
    assert_int_equal(exercise_answer(yard->exercise, 0), 2);
    assert_int_equal(exercise_answer(yard->exercise, 1), 3);
    assert_near(value(yard, METRIC_QUESTIONS_SHARE), 0.5, 0.0);
    assert_near(exercise_score(yard->exercise), 50.0, 1e-9);
    assert_int_equal(exercise_end(yard->exercise), EXERCISE_DONE);
    assert_false(exercise_is_passed(yard->exercise));
    char text[SCORE_VERDICT];
    exercise_verdict(yard->exercise, &reader_of_files, text);
    assert_string_equal(text, "Not passed: 50.0 of 70 points");
    free_yard(yard);
}

TEST(steps_are_ticked_off_for_good)
{
    Yard *yard = make_yard();
    add_step(yard, METRIC_TIP_PATH, 2.0);
    add_step(yard, METRIC_TIME, 4.0);
    add_score(yard, METRIC_STEPS_SHARE, 100.0, 1.0, 0.0);
    start(yard);
    yard->sample.tip = vec3(1.0, 0.0, 0.0);
    tick(yard, 60);
    assert_near(value(yard, METRIC_STEPS_SHARE), 0.5 * (1.0 / 2.0 + 1.0 / 4.0), 1e-9);
    assert_int_equal(exercise_step_tick(yard->exercise, 0), 0);
    yard->sample.tip = vec3(3.0, 0.0, 0.0);
    tick(yard, 1);
    assert_int_equal(exercise_step_tick(yard->exercise, 0), 61);
    assert_near(value(yard, METRIC_STEPS_DONE), 1.0, 0.0);
    tick(yard, 180 + (int)exercise_look_interval(yard->sample.dt));
    assert_int_equal(exercise_end(yard->exercise), EXERCISE_DONE);
    assert_near(exercise_score(yard->exercise), 100.0, 1e-9);
    assert_true(exercise_is_passed(yard->exercise));
    free_yard(yard);
}

/// Points and losses of a row of which less is better, 40 points from 0 to 10 s of slip, scaled by half of the work.
TEST(a_row_is_weight_times_share_times_scale)
{
    Yard *yard = make_yard();
    add_step(yard, METRIC_TIP_PATH, 1.0);
    add_step(yard, METRIC_TIME, 1000.0);
    add_score(yard, METRIC_STEPS_SHARE, 60.0, 1.0, 0.0);
    add_score(yard, METRIC_SLIP_TIME, 40.0, 0.0, 10.0);
    yard->scene.exercise.scores[1].of = METRIC_STEPS_SHARE;
    yard->scene.exercise.scores[1].fail_above = 3.0;
    start(yard);
    yard->sample.tip = vec3(2.0, 0.0, 0.0);
    tick(yard, 1);
    yard->sample.limits = MACHINE_LIMIT_BIT(MACHINE_LIMIT_SLIP);
    tick(yard, 120);
    double steps = value(yard, METRIC_STEPS_SHARE);
    ScoreRow rows[SCENE_MAX_SCORES];
    assert_int_equal(exercise_score_rows(yard->exercise, rows), 2);
    assert_near(steps, 0.5 * (1.0 + 121.0 * DT / 1000.0), 1e-9);
    assert_near(rows[1].share, 0.8, 1e-9);
    assert_near(rows[1].points, 40.0 * 0.8 * steps, 1e-9);
    assert_near(exercise_score(yard->exercise), metric_tenths(60.0 * steps + rows[1].points), 1e-9);
    assert_false(rows[1].failed);
    // Of half of 40 points a fifth is lost; events tell of it at the looks in between, a point or more at a time.
    double told = 0.0;
    for (int k = 0; k < exercise_event_count(yard->exercise); k++) {
        told += exercise_event(yard->exercise, k)->number.points;
    }
    assert_true(told <= -2.5 && told >= -4.1);
    assert_string_equal(last_event(yard, "points")->thing.name, "track_slip_s");
    tick(yard, 120);
    exercise_score_rows(yard->exercise, rows);
    assert_true(rows[1].failed);
    // Left now, nothing is judged; at its end the limit is what counts.
    char text[SCORE_VERDICT];
    exercise_verdict(yard->exercise, &reader_of_files, text);
    assert_memory_equal(text, "Not finished: left with", 23);
    yard->sample.limits = 0;
    tick(yard, 1000 * 60);
    assert_true(exercise_is_finished(yard->exercise));
    exercise_verdict(yard->exercise, &reader_of_files, text);
    assert_string_equal(text, "Not passed: time with slipping tracks 4.0 s, allowed at most 3.0 s");
    assert_false(exercise_is_passed(yard->exercise));
    free_yard(yard);
}

TEST(an_idle_run_fails_when_the_time_is_up)
{
    Yard *yard = make_yard();
    yard->scene.exercise.time_limit = 10.0;
    add_step(yard, METRIC_TIP_PATH, 1.0);
    add_score(yard, METRIC_STEPS_SHARE, 80.0, 1.0, 0.0);
    add_score(yard, METRIC_PACE_SHARE, 20.0, 1.0, 0.0);
    start(yard);
    tick(yard, 11 * 60);
    assert_int_equal(exercise_end(yard->exercise), EXERCISE_TIME_UP);
    assert_near(exercise_score(yard->exercise), 0.0, 1e-9);
    assert_false(exercise_is_passed(yard->exercise));
    free_yard(yard);
}

TEST_GROUP(NULL, NULL)
