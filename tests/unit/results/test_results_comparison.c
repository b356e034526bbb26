/// The runs that a debrief compares with: the expert's best, the trainee's own last ones, found also where a recording
/// was moved into the user's folder, and never one that is another file by now.
// test: sanitized
#include <sys/stat.h>

#include "tests/support/recording_fixture.h"
#include "tests/support/reseal.h"
#include "trainer/results/results_comparison.h"
#include "data/core/data_files.h"

static char home[64];
static char original[512]; ///< a recording to copy

static int make_home(void **state)
{
    (void)state;
    make_folder(home);
    assert_int_equal(setenv("XDG_DATA_HOME", home, 1), 0);
    assert_int_equal(setenv("XDG_CONFIG_HOME", home, 1), 0);
    record(path_in(home, "original", original), 1, 30, NULL);
    return 0;
}

static int remove_home(void **state)
{
    (void)state;
    remove_folder(home);
    return 0;
}

static void set_meta(const char *path, const char *key, const char *value)
{
    char sql[160];
    snprintf(sql, sizeof sql, "UPDATE meta SET value = '%s' WHERE key = '%s'", value, key);
    sql_number(path, sql);
}

/// A recording of its own for who drove when.
static void make_recording(const char *path, const char *trainee, const char *operator_name, const char *created)
{
    char command[1200];
    snprintf(command, sizeof command, "cp '%s' '%s'", original, path);
    assert_int_equal(system(command), 0);
    set_meta(path, "trainee", trainee);
    Credit credit = {.driver = CREDIT_PERSON};
    char clumsy[32];
    credit_of_operator(operator_name, &credit);
    snprintf(clumsy, sizeof clumsy, "%.9g", credit.clumsy);
    set_meta(path, "operator", operator_name);
    set_meta(path, "driver", credit_driver_name(credit.driver));
    set_meta(path, "clumsy", clumsy);
    set_meta(path, "created", created);
    assert_true(reseal(path));
}

/// The same as an attempt of the results.
static void add(const char *path, const char *trainee, const char *operator_name, const char *started, double score)
{
    Status status = {0};
    make_recording(path, trainee, operator_name, started);
    ResultAttempt *attempt = calloc(1, sizeof *attempt);
    snprintf(attempt->trainee, sizeof attempt->trainee, "%s", trainee);
    snprintf(attempt->scene, sizeof attempt->scene, "trench");
    Credit credit = {.driver = CREDIT_PERSON};
    credit_of_operator(operator_name, &credit);
    attempt->driver = credit.driver;
    attempt->clumsy = credit.clumsy;
    snprintf(attempt->operator_name, sizeof attempt->operator_name, "%s", operator_name);
    snprintf(attempt->started, sizeof attempt->started, "%s", started);
    snprintf(attempt->recording, sizeof attempt->recording, "%s", path);
    assert_true(results_hash_file(path, attempt->recording_hash));
    attempt->duration = 0.5; // 30 ticks
    attempt->score = score;
    Results *results = results_open(NULL, RESULTS_WRITE, &status);
    assert_good(results != NULL, status);
    assert_good(results_add(results, attempt, &status), status);
    results_close(results);
    free(attempt);
}

static bool is_expert(const char *trainee, const char *operator_name)
{
    Credit credit = {.driver = CREDIT_PERSON};
    credit_of_operator(operator_name, &credit);
    return credit_is_expert(&credit, trainee);
}

TEST(an_expert_is_a_scripted_operator_in_nobodys_name)
{
    assert_true(is_expert("", "auto"));
    assert_true(is_expert("", "expert"));
    assert_true(is_expert("", "expert:pad"));
    assert_false(is_expert("", "expert, clumsy 0.50"));
    assert_false(is_expert("Ada", "expert"));
    assert_false(is_expert("", "person"));
    assert_false(is_expert("", "levers.csv"));
}

TEST(who_has_no_company_is_told_how_to_get_it)
{
    Status status = {0};
    ResultsComparison comparison;
    char path[512], found[DATA_PATH_LENGTH], command[RESULTS_COMMAND];
    make_recording(path_in(home, "alone.spade", path), "Ada", "person", "2026-11-05T08:00:00Z");
    assert_good(results_find_comparison(NULL, path, &comparison, &status), status);
    assert_int_equal(comparison.count, 0);
    assert_false(comparison.has_expert || comparison.is_expert);
    assert_string_equal(comparison.scene, "trench");
    assert_false(results_find_expert(NULL, "trench", true, found, &status));
    assert_int_equal(status.code, STATUS_GOOD);
    results_expert_command("trench", command);
    assert_string_equal(command, "spadework run trench --headless --operator expert --keep");
    assert_good(results_find_comparison(NULL, "/dev/null", &comparison, &status), status);
    assert_int_equal(comparison.count, 0);
    assert_false(results_find_comparison("/nowhere/results.db", path, &comparison, &status));
}

/// Four earlier attempts of hers, one later, one of another; three experts, of whom the best one's file is another one
/// by now, and a clumsy one.
TEST(the_best_expert_and_the_last_attempts_are_found)
{
    Status status = {0};
    ResultsComparison comparison;
    char a[4][512], later[512], other[512], expert[3][512], clumsy[512], now[512], found[DATA_PATH_LENGTH];
    for (int k = 0; k < 4; k++) {
        char name[32], date[32];
        snprintf(name, sizeof name, "own-%d.spade", k);
        snprintf(date, sizeof date, "2026-11-0%dT08:00:00Z", 1 + k);
        add(path_in(home, name, a[k]), "Ada", "person", date, 50.0 + k);
    }
    // Neither a script under her name nor practice is an earlier attempt of hers.
    add(path_in(home, "script.spade", other), "Ada", "levers.csv", "2026-11-04T09:00:00Z", 97.0);
    add(path_in(home, "practice.spade", other), "Ada", "person", "2026-11-04T10:00:00Z", 97.0);
    sql_number(path_in(home, "spadework/results.db", found),
               "UPDATE attempt SET parent = '/x/expert.spade' WHERE started = '2026-11-04T10:00:00Z'");
    add(path_in(home, "now.spade", now), "Ada", "person", "2026-11-05T08:00:00Z", 60.0);
    add(path_in(home, "later.spade", later), "Ada", "person", "2026-11-06T08:00:00Z", 70.0);
    add(path_in(home, "other.spade", other), "Bo", "person", "2026-11-01T08:00:00Z", 99.0);
    add(path_in(home, "clumsy.spade", clumsy), "", "expert, clumsy 0.20", "2026-11-01T08:00:00Z", 99.0);
    add(path_in(home, "e0.spade", expert[0]), "", "auto", "2026-11-01T08:00:00Z", 98.0);
    add(path_in(home, "e1.spade", expert[1]), "", "expert", "2026-11-02T08:00:00Z", 95.0);
    add(path_in(home, "e2.spade", expert[2]), "", "expert", "2026-11-03T08:00:00Z", 92.0);
    set_meta(expert[0], "trainee", "changed");
    assert_good(results_find_comparison(NULL, now, &comparison, &status), status);
    assert_true(comparison.has_expert && !comparison.is_expert);
    assert_int_equal(comparison.count, 4);
    assert_string_equal(comparison.path[0], expert[1]);
    for (int k = 0; k < RESULTS_OWN_RUNS; k++) { // the last one first
        assert_string_equal(comparison.path[1 + k], a[3 - k]);
    }
    assert_true(results_find_expert(NULL, "trench", true, found, &status));
    assert_string_equal(found, expert[2]);
    assert_false(results_find_expert(NULL, "pad", true, found, &status));
    // An expert's own debrief has the best other expert beside it, and nobody's attempts.
    assert_good(results_find_comparison(NULL, expert[1], &comparison, &status), status);
    assert_true(comparison.is_expert);
    assert_int_equal(comparison.count, 1);
    assert_string_equal(comparison.path[0], expert[2]);
}

/// A run on another soil is compared with none of the usual one; the weather makes no difference.
TEST(runs_on_another_soil_are_left_out)
{
    Status status = {0};
    ResultsComparison comparison;
    char night[512], sand[512], now[512], db[512];
    add(path_in(home, "eve-night.spade", night), "Eve", "person", "2026-11-02T08:00:00Z", 50.0);
    add(path_in(home, "eve-sand.spade", sand), "Eve", "person", "2026-11-03T08:00:00Z", 60.0);
    add(path_in(home, "eve-now.spade", now), "Eve", "person", "2026-11-05T08:00:00Z", 60.0);
    path_in(home, "spadework/results.db", db);
    sql_number(db, "UPDATE attempt SET changed = 'weather.time=22' WHERE recording LIKE '%eve-night%'");
    sql_number(db, "UPDATE attempt SET changed = 'ground.layers.0.soil=sand' WHERE recording LIKE '%eve-sand%'");
    assert_good(results_find_comparison(NULL, now, &comparison, &status), status);
    assert_int_equal(comparison.count, 1 + comparison.has_expert);
    assert_string_equal(comparison.path[comparison.has_expert], night);
}

TEST(recordings_that_were_moved_into_the_folder_are_found_by_their_hash)
{
    Status status = {0};
    ResultsComparison comparison;
    char folder[DATA_PATH_LENGTH], from[512], now[512], to[DATA_PATH_LENGTH + 32], best[DATA_PATH_LENGTH + 32];
    assert_good(user_data_path("recordings", folder, &status) && user_make_folder(folder, &status), status);
    add(path_in(home, "cy-1.spade", from), "Cy", "person", "2026-11-01T08:00:00Z", 50.0);
    add(path_in(home, "cy-2.spade", now), "Cy", "person", "2026-11-02T08:00:00Z", 50.0);
    snprintf(to, sizeof to, "%s/renamed.spade", folder);
    assert_int_equal(rename(from, to), 0);
    // Experts in the folder that no attempt names count, too; this one has the most points.
    snprintf(best, sizeof best, "%s/best.spade", folder);
    make_recording(best, "", "expert", "2026-11-01T09:00:00Z");
    sql_number(best, "UPDATE metric SET value = 99.5 WHERE name = 'score'");
    assert_good(results_find_comparison(NULL, now, &comparison, &status), status);
    assert_string_not_equal(comparison.path[0], best); // one that was changed is compared with nobody
    assert_true(reseal(best));
    assert_good(results_find_comparison(NULL, now, &comparison, &status), status);
    assert_int_equal(comparison.count, 2);
    assert_string_equal(comparison.path[0], best);
    assert_string_equal(comparison.path[1], to);
    sql_number(best, "UPDATE meta SET value = '1' WHERE key = 'format'"); // of a format that is not replayed
    assert_good(results_find_comparison(NULL, now, &comparison, &status), status);
    assert_string_not_equal(comparison.path[0], best);
}

TEST_GROUP(make_home, remove_home)
