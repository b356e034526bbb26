/// What incidents cost: points beyond what a rule lets pass, the end of the attempt, and the lines of the score sheet.

#include "tests/support/score_fixture.h"
#include "tests/support/test.h"
#include "trainer/sim/exercise.h"

enum { ROWS = 40, COLUMNS = 60 };
#define SPACING 0.1

/// A trench of 4 x 1.2 x 1 m that is dug over a part of its length.
typedef struct Site {
    SceneParams scene;
    float heights[ROWS * COLUMNS];
    ExerciseSample sample;
    Exercise *exercise;
} Site;

static Site *make_site(void)
{
    Site *site = calloc(1, sizeof *site);
    assert_non_null(site);
    SceneParams *scene = &site->scene;
    scene->ground.column_spacing = SPACING;
    scene->ground.layer_count = scene->soil_count = 1;
    scene->soils[0].bank_density = 1500.0;
    scene->exercise = (SceneExercise){
        .kind = EXERCISE_TRENCH,
        .time_limit = 600.0,
        .par_time = 200.0,
        .trench = {.length = 4.0,
                   .width = 1.2,
                   .depth = 1.0,
                   .tolerance = 0.05,
                   .dump_x = 2.0,
                   .dump_y = 9.0,
                   .dump_radius = 2.0},
        .rules_count = 2,
        .rules = {{.incident = INCIDENT_TOUCH, .thing = "truck", .energy = 1000.0, .limit = 1, .points = 4.0},
                  {.incident = INCIDENT_PERSON_HIT, .fail = true}}};
    site->sample = (ExerciseSample){.dt = 1.0 / 60.0,
                                    .heights = site->heights,
                                    .rows = ROWS,
                                    .columns = COLUMNS,
                                    .spacing = SPACING,
                                    .origin_x = -0.95,
                                    .origin_y = -1.95};
    take_scores("trench", &scene->exercise);
    site->exercise = exercise_create(scene);
    assert_non_null(site->exercise);
    exercise_start(site->exercise, &site->sample);
    return site;
}

static void dig(Site *site, double length)
{
    for (int k = 0; k < ROWS * COLUMNS; k++) {
        double x = site->sample.origin_x + k % COLUMNS * SPACING, y = site->sample.origin_y + k / COLUMNS * SPACING;
        site->heights[k] = x > 0.0 && x < length && fabs(y) < 0.6 ? -1.0F : 0.0F;
    }
    site->sample.tick++;
    exercise_tick(site->exercise, &site->sample);
}

static void touch(Site *site, const char *thing, double energy)
{
    ExerciseEvent event = {.tick = site->sample.tick, .number = {.energy = energy}};
    event.thing = event_thing(THING_FIXTURE, 0, thing);
    exercise_report(site->exercise, INCIDENT_TOUCH, &event);
}

static double metric(const Site *site, const char *name)
{
    ExerciseMetric metrics[EXERCISE_MAX_METRICS];
    int count = exercise_metrics(site->exercise, metrics);
    for (int k = 0; k < count; k++) {
        if (strcmp(metrics[k].name, name) == 0) {
            return metrics[k].value;
        }
    }
    fail_msg("no metric %s", name);
    return 0.0;
}

static void free_site(Site *site)
{
    exercise_destroy(site->exercise);
    free(site);
}

TEST(rules_take_points_beyond_their_limit)
{
    Site *site = make_site();
    char lines[EXERCISE_MAX_SHEET][EXERCISE_TEXT];
    dig(site, 3.0);
    assert_false(exercise_is_finished(site->exercise));
    double before = exercise_score(site->exercise);
    assert_true(before > 30.0);
    touch(site, "the truck's bed", 2000.0); // let pass
    touch(site, "the truck's bed", 500.0); // too gentle
    touch(site, "wall", 2000.0); // another thing
    assert_int_equal(exercise_sheet(site->exercise, lines), 0);
    assert_near(exercise_score(site->exercise), before, 0.0);
    touch(site, "the truck's cab", 2000.0);
    touch(site, "the truck's cab", 1000.0);
    assert_near(exercise_score(site->exercise), before - 8.0, 1e-12);
    assert_near(metric(site, "points_incidents"), -8.0, 1e-12);
    assert_near(metric(site, "touch_count"), 5.0, 0.0);
    assert_int_equal(exercise_sheet(site->exercise, lines), 1);
    assert_string_equal(lines[0], "-8.0 points: touched something (truck), 2 times");
    assert_null(exercise_failure(site->exercise));
    free_site(site);
}

TEST(a_rule_that_fails_ends_the_attempt_without_points)
{
    Site *site = make_site();
    char lines[EXERCISE_MAX_SHEET][EXERCISE_TEXT];
    dig(site, 3.0);
    exercise_report(site->exercise, INCIDENT_PERSON_HIT, &(ExerciseEvent){.tick = site->sample.tick});
    assert_true(exercise_is_finished(site->exercise));
    assert_string_equal(exercise_failure(site->exercise), "A person was hit.");
    assert_near(exercise_score(site->exercise), 0.0, 0.0);
    assert_int_equal(exercise_sheet(site->exercise, lines), 1);
    assert_string_equal(lines[0], "no points, failed: a person was hit");
    const ExerciseEvent *last = exercise_event(site->exercise, exercise_event_count(site->exercise) - 1);
    assert_int_equal(last->kind, EVENT_FINISHED);
    free_site(site);
}

/// Whatever else fills the list, what a rule names is still told, then what ends the attempt and the end; the rest is
/// counted as lost.
TEST(a_full_list_of_events_keeps_room_for_what_counts)
{
    Site *site = make_site();
    ExerciseEvent slam = {.tick = 0};
    for (int k = 0; k < 600; k++) {
        exercise_report(site->exercise, INCIDENT_SLAM, &slam);
    }
    int before = exercise_event_count(site->exercise);
    assert_true(before < EXERCISE_MAX_EVENTS);
    assert_near(metric(site, "slam_count"), 600.0, 0.0);
    assert_near(metric(site, "events_lost"), 600.0 - before, 0.0);
    for (int k = 0; k < 20; k++) {
        touch(site, "truck", 2000.0);
    }
    assert_int_equal(exercise_event_count(site->exercise), EXERCISE_MAX_EVENTS - 2);
    assert_near(metric(site, "events_lost"), 620.0 - (EXERCISE_MAX_EVENTS - 2), 0.0);
    exercise_report(site->exercise, INCIDENT_PERSON_HIT, &slam);
    assert_int_equal(exercise_event_count(site->exercise), EXERCISE_MAX_EVENTS);
    assert_int_equal(exercise_event(site->exercise, before)->kind, EVENT_TOUCH);
    assert_int_equal(exercise_event(site->exercise, EXERCISE_MAX_EVENTS - 2)->kind, EVENT_PERSON_HIT);
    assert_int_equal(exercise_event(site->exercise, EXERCISE_MAX_EVENTS - 1)->kind, EVENT_FINISHED);
    free_site(site);
}

/// Work that is done is judged: what happens afterwards is noted and costs nothing.
TEST(what_happens_after_the_end_costs_nothing)
{
    Site *site = make_site();
    dig(site, 4.0);
    assert_true(exercise_is_finished(site->exercise));
    double whole = exercise_score(site->exercise);
    int events = exercise_event_count(site->exercise);
    touch(site, "the truck's bed", 2000.0);
    touch(site, "the truck's bed", 2000.0);
    exercise_report(site->exercise, INCIDENT_PERSON_HIT, &(ExerciseEvent){.tick = site->sample.tick});
    assert_near(exercise_score(site->exercise), whole, 0.0);
    assert_null(exercise_failure(site->exercise));
    assert_int_equal(exercise_event_count(site->exercise), events + 3);
    free_site(site);
}

TEST_GROUP(NULL, NULL)
