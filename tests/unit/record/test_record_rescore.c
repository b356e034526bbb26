/// Recordings that are scored anew: by their own rules, by others, by another work on the same site.
// test: long

#include "tests/support/recording_fixture.h"
#include "trainer/record/rescore.h"

static char folder[64];
static char path[512];

static int record_some(void **state)
{
    (void)state;
    make_folder(folder);
    path_in(folder, "a.spade", path);
    record_as(&(RecorderParams){.path = path, .trainee = "Ann", .operator_name = "auto"}, 1, 20 * TICK_RATE, NULL);
    return 0;
}

static int remove_it(void **state)
{
    (void)state;
    remove_folder(folder);
    return 0;
}

static Rescore rescored(const RescoreRules *rules)
{
    Rescore result;
    Status status = {0};
    assert_good(rescore_recording(path, rules, &result, &status), status);
    return result;
}

TEST(its_own_rules_give_its_own_score)
{
    Rescore result = rescored(NULL);
    assert_string_equal(result.trainee, "Ann");
    assert_string_equal(result.scene, "trench");
    assert_true(result.before > 1.0);
    assert_near(result.after, result.before, 1e-9);
    assert_false(result.passed || result.replayed);
}

/// 100 points for the time driven, of which 20 s are a fifth of the way to 100 s.
TEST(other_rules_weigh_the_recorded_figures)
{
    Status status = {0};
    RescoreRules *rules = rescore_rules_load("trench", &status);
    assert_good(rules != NULL, status);
    SceneExercise *exercise = &rules->scene.exercise;
    exercise->scores_count = 1;
    exercise->scores[0] = (SceneScore){.metric = METRIC_TIME,
                                       .weight = 100.0,
                                       .full = 100.0,
                                       .fail_below = -SCENE_NO_LIMIT,
                                       .fail_above = SCENE_NO_LIMIT};
    exercise->pass_mark = 20.0;
    Rescore result = rescored(rules);
    assert_near(result.after, 20.0, 1e-6);
    assert_false(result.replayed);
    assert_false(result.passed); // it was left, and did not come to its end
    assert_string_equal(result.verdict, "Not finished: left with 20.0 points");
    exercise->scores[0].fail_above = 19.0;
    result = rescored(rules);
    assert_false(result.passed);
    rescore_rules_free(rules);
}

/// The same trench, asked for half as deep: more of it is dug, and that is only known by driving it again.
TEST(other_work_is_measured_by_replaying)
{
    Status status = {0};
    char other[600];
    path_in(folder, "shallow.yaml", other);
    char command[1400];
    snprintf(command, sizeof command, "sed 's/depth: 1.5/depth: 0.75/' " SPADEWORK_DATA_DIR "/scenes/trench.yaml > %s",
             other);
    assert_int_equal(system(command), 0); // NOLINT(cert-env33-c): a test's own file
    RescoreRules *rules = rescore_rules_load(other, &status);
    assert_good(rules != NULL, status);
    Rescore deep = rescored(NULL), shallow = rescored(rules);
    assert_true(shallow.replayed);
    assert_true(shallow.after > 1.5 * deep.after);
    rescore_rules_free(rules);
}

/// A recording holds no figure of a pipe that its scene did not ask for.
TEST(what_is_to_be_dug_free_is_measured_by_replaying)
{
    Status status = {0};
    RescoreRules *rules = rescore_rules_load("trench", &status);
    assert_good(rules != NULL, status);
    assert_false(rescored(rules).replayed);
    snprintf(rules->scene.exercise.expose, sizeof rules->scene.exercise.expose, "main");
    assert_true(rescored(rules).replayed);
    rescore_rules_free(rules);
}

TEST(another_site_is_refused)
{
    Status status = {0};
    RescoreRules *rules = rescore_rules_load("slot-dozing", &status);
    assert_good(rules != NULL, status);
    Rescore result;
    assert_false(rescore_recording(path, rules, &result, &status));
    assert_int_equal(status.code, STATUS_BAD_USAGE);
    assert_non_null(strstr(status.text, "was driven on another site (trench): slot-dozing"));
    rescore_rules_free(rules);
    assert_null(rescore_rules_load("nosuch", &status));
    assert_false(rescore_recording("/dev/null", NULL, &result, &status));
    assert_int_equal(status.code, STATUS_BAD_FILE);
}

TEST_GROUP(record_some, remove_it)
