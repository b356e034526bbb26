/// The file of results: what is added is read again, whole or not at all, whatever happens to the writer, the disk and
/// the file; what is not a file of results is left as it is.
// test: sanitized, waits
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

#include "tests/support/recording_fixture.h"
#include "trainer/results/results_store.h"

enum { METRICS = 40, SCORES = 8 };

/// An attempt whose numbers follow from its own: every metric has the value `number`.
static ResultAttempt *make_attempt(const char *trainee, const char *scene, int number)
{
    ResultAttempt *attempt = calloc(1, sizeof *attempt);
    assert_non_null(attempt);
    snprintf(attempt->trainee, sizeof attempt->trainee, "%s", trainee);
    snprintf(attempt->scene, sizeof attempt->scene, "%s", scene);
    snprintf(attempt->title, sizeof attempt->title, "A trench");
    snprintf(attempt->started, sizeof attempt->started, "2026-11-%02dT10:00:00Z", 1 + number % 28);
    snprintf(attempt->end, sizeof attempt->end, "done");
    snprintf(attempt->operator_name, sizeof attempt->operator_name, "person");
    attempt->duration = 60.0;
    attempt->score = number % 101;
    attempt->finished = true;
    attempt->passed = attempt->score >= 70.0;
    attempt->metric_count = METRICS;
    for (int k = 0; k < METRICS; k++) {
        snprintf(attempt->metrics[k].name, sizeof attempt->metrics[k].name, "figure_%02d", k);
        snprintf(attempt->metrics[k].unit, sizeof attempt->metrics[k].unit, "m");
        attempt->metrics[k].value = number;
    }
    attempt->score_count = SCORES;
    for (int k = 0; k < SCORES; k++) {
        attempt->scores[k] = (ResultScore){.label = "row", .group = "work", .weight = 12.5, .points = number};
    }
    return attempt;
}

static Results *open_results(const char *path)
{
    Status status = {0};
    Results *results = results_open(path, RESULTS_WRITE, &status);
    assert_good(results != NULL, status);
    return results;
}

static void add(Results *results, const char *trainee, const char *scene, int number)
{
    Status status = {0};
    ResultAttempt *attempt = make_attempt(trainee, scene, number);
    assert_good(results_add(results, attempt, &status), status);
    free(attempt);
}

typedef struct Seen {
    int count;
    double sum; ///< of points
    char last[RESULT_NAME];
} Seen;

static bool see(void *context, const ResultAttempt *attempt)
{
    Seen *seen = context;
    seen->count++;
    seen->sum += attempt->score;
    snprintf(seen->last, sizeof seen->last, "%s", attempt->trainee);
    assert_int_equal(attempt->metric_count, METRICS);
    assert_int_equal(attempt->score_count, SCORES);
    assert_true(attempt->metrics[METRICS - 1].value == attempt->scores[SCORES - 1].points);
    assert_int_equal(strlen(attempt->uuid), 36);
    return true;
}

static Seen look(const char *path, const ResultFilter *filter)
{
    Seen seen = {0};
    Status status = {0};
    Results *results = results_open(path, RESULTS_READ, &status);
    assert_good(results != NULL, status);
    assert_good(results_each(results, filter, see, &seen, &status), status);
    results_close(results);
    return seen;
}

static void refuse_open(const char *path, ResultsMode mode, StatusCode code, const char *part)
{
    Status status = {0};
    assert_null(results_open(path, mode, &status));
    assert_int_equal(status.code, code);
    if (strstr(status.text, part) == NULL) {
        fail_msg("told: %s; wanted: %s", status.text, part);
    }
}

/// ---- contents ------------------------------------------------------------------------------------------------------

TEST(what_is_added_is_read_by_trainee_class_and_scene)
{
    char folder[64], path[512];
    Status status = {0};
    make_folder(folder);
    Results *results = open_results(path_in(folder, "r.db", path));
    add(results, "Ada", "trench", 40);
    add(results, "Ada", "haul", 80);
    add(results, "Bo", "trench", 50);
    add(results, "", "trench", 10);
    assert_good(results_add_member(results, "Spring", "Bo", &status), status);
    results_close(results);
    assert_int_equal(look(path, NULL).count, 4);
    assert_true(look(path, &(ResultFilter){.trainee = "Ada"}).sum == 120.0);
    assert_true(look(path, &(ResultFilter){.trainee = "Ada", .scene = "haul"}).sum == 80.0);
    assert_true(look(path, &(ResultFilter){.class_name = "Spring"}).sum == 50.0);
    assert_string_equal(look(path, &(ResultFilter){.class_name = "Spring"}).last, "Bo");
    assert_int_equal(look(path, &(ResultFilter){.trainee = "Cy"}).count, 0);
    remove_folder(folder);
}

TEST(people_come_and_go_with_all_that_is_theirs)
{
    char folder[64], path[512];
    Status status = {0};
    ResultTrainee *list = NULL;
    make_folder(folder);
    Results *results = open_results(path_in(folder, "r.db", path));
    add(results, "Ada", "trench", 40);
    add(results, "Ada", "trench", 90);
    add(results, "Bo", "trench", 50);
    assert_good(results_add_member(results, "Spring", "Ada", &status), status);
    assert_good(results_add_member(results, "Spring", "Ada", &status), status); // twice is once
    assert_int_equal(results_trainees(results, NULL, &list, &status), 2);
    assert_string_equal(list[0].name, "Ada");
    assert_int_equal(list[0].attempts, 2);
    assert_int_equal(list[0].passed, 1);
    assert_true(list[0].best == 90.0);
    free(list);
    assert_int_equal(results_trainees(results, "Autumn", &list, &status), -1);
    assert_int_equal(status.code, STATUS_BAD_USAGE);
    assert_false(results_remove_member(results, "Spring", "Bo", &status));
    assert_int_equal(status.code, STATUS_BAD_USAGE);
    assert_false(results_delete_trainee(results, "Cy", NULL, &status));
    assert_int_equal(status.code, STATUS_BAD_USAGE);
    assert_false(results_add_member(results, "Spring", "A\nda", &status));
    assert_int_equal(status.code, STATUS_BAD_USAGE);
    assert_good(results_delete_trainee(results, "Ada", NULL, &status), status);
    results_close(results);
    assert_int_equal(sql_number(path, "select count(*) from attempt"), 1);
    assert_int_equal(sql_number(path, "select count(*) from attempt_metric"), METRICS);
    assert_int_equal(sql_number(path, "select count(*) from attempt_score"), SCORES);
    assert_int_equal(sql_number(path, "select count(*) from membership"), 0);
    assert_int_equal(sql_number(path, "select count(*) from class"), 0); // nobody is in it
    remove_folder(folder);
}

TEST(passing_a_scene_of_a_course_is_progress)
{
    char folder[64], path[512];
    Status status = {0};
    make_folder(folder);
    Results *results = open_results(path_in(folder, "r.db", path));
    static const int points[] = {50, 75, 95, 80}; // the first does not pass
    for (size_t k = 0; k < sizeof points / sizeof points[0]; k++) {
        ResultAttempt *attempt = make_attempt("Ada", "trench", points[k]);
        snprintf(attempt->course, sizeof attempt->course, "excavator");
        assert_good(results_add(results, attempt, &status), status);
        free(attempt);
    }
    results_close(results);
    assert_int_equal(sql_number(path, "select count(*) from course_progress"), 1);
    assert_int_equal(sql_number(path, "select best from course_progress"), 95);
    ResultProgress *list = NULL;
    results = open_results(path);
    assert_int_equal(results_progress(results, "Bo", &list, &status), 0);
    free(list);
    assert_int_equal(results_progress(results, "Ada", &list, &status), 1);
    assert_string_equal(list[0].course, "excavator");
    assert_string_equal(list[0].scene, "trench");
    assert_string_equal(list[0].passed, "2026-11-12T10:00:00Z"); // of 95 points, the earliest by its date
    assert_true(list[0].best == 95.0);
    free(list);
    results_close(results);
    remove_folder(folder);
}

/// ---- files that are none -------------------------------------------------------------------------------------------

/// Refused, and equal to the byte afterwards.
static void refuse_file(const char *path, const char *part)
{
    char command[1200];
    snprintf(command, sizeof command, "cp '%s' '%s.before'", path, path);
    assert_int_equal(system(command), 0);
    refuse_open(path, RESULTS_WRITE, STATUS_BAD_FILE, part);
    refuse_open(path, RESULTS_READ, STATUS_BAD_FILE, part);
    snprintf(command, sizeof command, "cmp -s '%s' '%s.before' && [ ! -e '%s-journal' ] && rm '%s.before'", path, path,
             path, path);
    assert_int_equal(system(command), 0);
}

TEST(foreign_and_damaged_files_are_refused_and_left)
{
    char folder[64], path[512], command[1200];
    make_folder(folder);
    path_in(folder, "x.db", path);
    snprintf(command, sizeof command, "echo 'not a database, but a text that is longer than a header' >'%s'", path);
    assert_int_equal(system(command), 0);
    refuse_file(path, "not an SQLite file");
    remove(path);
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "create table a(b); insert into a values(1)", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
    refuse_file(path, "of another program");
    refuse_open(folder, RESULTS_WRITE, STATUS_BAD_FILE, "a folder");
    refuse_open("/nowhere/r.db", RESULTS_WRITE, STATUS_LACKING, "/nowhere/r.db");
    refuse_open(path_in(folder, "none.db", path), RESULTS_READ, STATUS_BAD_FILE, "there are no results");
    assert_int_not_equal(access(path, F_OK), 0);
    refuse_open(":memory:", RESULTS_WRITE, STATUS_BAD_USAGE, "no name");
    Results *results = open_results(path);
    for (int k = 0; k < 20; k++) {
        add(results, "Ada", "trench", k);
    }
    results_close(results);
    snprintf(command, sizeof command, "truncate -s 20000 '%s'", path);
    assert_int_equal(system(command), 0);
    refuse_file(path, "damaged");
    remove(path);
    results_close(open_results(path));
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "pragma user_version = 99", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
    refuse_file(path, "layout 99");
    remove_folder(folder);
}

/// ---- whatever happens ----------------------------------------------------------------------------------------------

/// Adds attempts for ever, each with numbers of its own.
static void write_endlessly(const char *path, int writer)
{
    Status status = {0};
    for (int number = 0;; number++) {
        Results *results = results_open(path, RESULTS_WRITE, &status);
        ResultAttempt *attempt = make_attempt(writer == 0 ? "Ada" : "Bo", "trench", number);
        if (results == NULL || !results_add(results, attempt, &status)) {
            fprintf(stderr, "%s\n", status.text);
            _exit(9);
        }
        free(attempt);
        results_close(results);
    }
}

static int64_t parts_missing(const char *path)
{
    return sql_number(
        path,
        "select count(*) from attempt a where (select count(*) from attempt_metric m where m.attempt "
        "= a.id) <> 40 or (select count(*) from attempt_score s where s.attempt = a.id) <> 8 or a.trainee is null");
}

static int64_t is_whole(const char *path)
{
    return sql_number(path, "select count(*) from pragma_integrity_check where integrity_check = 'ok'");
}

/// Forty writers are killed at moments that differ; after each the file is whole and every attempt is whole or absent.
TEST(a_killed_writer_leaves_whole_attempts)
{
    enum { KILLS = 40 };
    char folder[64], path[512];
    make_folder(folder);
    path_in(folder, "r.db", path);
    int64_t before = 0;
    for (int k = 0; k < KILLS; k++) {
        pid_t writer = fork();
        assert_true(writer >= 0);
        if (writer == 0) {
            write_endlessly(path, 0);
        }
        // From the making of the file to many attempts: primes spread the moments over the steps of a transaction.
        long wait = 200000L + (long)(k * 7919L % 40L) * 4000000L;
        nanosleep(&(struct timespec){0, wait}, NULL);
        kill(writer, SIGKILL);
        int state = 0;
        assert_int_equal(waitpid(writer, &state, 0), writer);
        assert_true(WIFSIGNALED(state));
        results_close(open_results(path));
        assert_int_equal(is_whole(path), 1);
        assert_int_equal(parts_missing(path), 0);
        int64_t now = sql_number(path, "select count(*) from attempt");
        assert_true(now >= before);
        before = now;
    }
    assert_true(before > 0); // some were written
    print_message("%d kills, %lld attempts, all whole\n", KILLS, (long long)before);
    remove_folder(folder);
}

TEST(two_programs_write_at_once)
{
    enum { EACH = 60 };
    char folder[64], path[512];
    make_folder(folder);
    path_in(folder, "r.db", path);
    pid_t writers[2];
    for (int w = 0; w < 2; w++) {
        writers[w] = fork();
        assert_true(writers[w] >= 0);
        if (writers[w] == 0) {
            Status status = {0};
            Results *results = results_open(path, RESULTS_WRITE, &status); // both make it
            for (int k = 0; k < EACH && results != NULL; k++) {
                ResultAttempt *attempt = make_attempt(w == 0 ? "Ada" : "Bo", "trench", k);
                bool good = results_add(results, attempt, &status);
                free(attempt);
                if (!good) {
                    break;
                }
            }
            fprintf(stderr, "%s%s", status.text, status.text[0] != '\0' ? "\n" : "");
            _exit((int)status.code);
        }
    }
    for (int w = 0; w < 2; w++) {
        int state = 0;
        assert_int_equal(waitpid(writers[w], &state, 0), writers[w]);
        assert_true(WIFEXITED(state) && WEXITSTATUS(state) == 0);
    }
    assert_int_equal(sql_number(path, "select count(*) from attempt"), 2 * EACH);
    assert_int_equal(parts_missing(path), 0);
    assert_int_equal(is_whole(path), 1);
    remove_folder(folder);
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/// Another program that has the file locked when this returns, and for half a second more.
static pid_t hold_for_half_a_second(const char *path)
{
    int pipes[2];
    char byte = 0;
    assert_int_equal(pipe(pipes), 0);
    pid_t holder = fork();
    assert_true(holder >= 0);
    if (holder == 0) {
        sqlite3 *db = NULL;
        bool good = sqlite3_open(path, &db) == SQLITE_OK &&
                    sqlite3_exec(db, "begin exclusive", NULL, NULL, NULL) == SQLITE_OK &&
                    write(pipes[1], &byte, 1) == 1;
        nanosleep(&(struct timespec){0, 500000000L}, NULL);
        _exit(good ? 0 : 9);
    }
    assert_int_equal(read(pipes[0], &byte, 1), 1);
    close(pipes[0]);
    close(pipes[1]);
    return holder;
}

/// A lock is waited for, then told; one that is given up in time is not noticed.
TEST(a_locked_file_waits_and_then_says_so)
{
    char folder[64], path[512];
    Status status = {0};
    make_folder(folder);
    Results *results = open_results(path_in(folder, "r.db", path));
    sqlite3 *other = NULL;
    assert_int_equal(sqlite3_open(path, &other), SQLITE_OK);
    assert_int_equal(sqlite3_exec(other, "begin immediate", NULL, NULL, NULL), SQLITE_OK);
    ResultAttempt *attempt = make_attempt("Ada", "trench", 1);
    double start = now();
    assert_false(results_add(results, attempt, &status));
    assert_int_equal(status.code, STATUS_LACKING);
    assert_non_null(strstr(status.text, "locked"));
    assert_null(strchr(status.text, '\n'));
    assert_true(now() - start > 0.8e-3 * RESULTS_PATIENCE_MS);
    assert_int_equal(sqlite3_exec(other, "rollback", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(other);
    pid_t holder = hold_for_half_a_second(path);
    start = now();
    assert_good(results_add(results, attempt, &status), status);
    assert_true(now() - start > 0.2);
    assert_int_equal(waitpid(holder, NULL, 0), holder);
    free(attempt);
    results_close(results);
    assert_int_equal(sql_number(path, "select count(*) from attempt"), 1);
    remove_folder(folder);
}

/// Files may grow no further, as on a full disk: it is told in one line, and what was there is there.
TEST(a_full_disk_loses_nothing_of_before)
{
    char folder[64], path[512];
    make_folder(folder);
    Results *results = open_results(path_in(folder, "r.db", path));
    add(results, "Ada", "trench", 100);
    results_close(results);
    pid_t writer = fork();
    assert_true(writer >= 0);
    if (writer == 0) {
        struct stat info;
        Status status = {0};
        signal(SIGXFSZ, SIG_IGN);
        stat(path, &info);
        setrlimit(RLIMIT_FSIZE, &(struct rlimit){(rlim_t)info.st_size + 8192, (rlim_t)info.st_size + 8192});
        results = results_open(path, RESULTS_WRITE, &status);
        for (int k = 0; results != NULL && k < 99; k++) {
            ResultAttempt *attempt = make_attempt("Ada", "trench", k);
            bool good = results_add(results, attempt, &status);
            free(attempt);
            if (!good) {
                bool told =
                    strstr(status.text, "what was there before is kept") != NULL && strchr(status.text, '\n') == NULL;
                _exit(told && status.code == STATUS_LACKING ? 4 : 9);
            }
        }
        _exit(8);
    }
    int state = 0;
    assert_int_equal(waitpid(writer, &state, 0), writer);
    assert_true(WIFEXITED(state));
    assert_int_equal(WEXITSTATUS(state), 4);
    assert_true(sql_number(path, "select count(*) from attempt") >= 1);
    assert_int_equal(sql_number(path, "select count(*) from attempt where score = 100"), 1);
    assert_int_equal(parts_missing(path), 0);
    assert_int_equal(is_whole(path), 1);
    remove_folder(folder);
}

/// ---- readers hold up nobody ----------------------------------------------------------------------------------------

typedef struct Slow {
    const char *path;
    int count, added;
} Slow;

/// A reader who takes his time, as a pager does: meanwhile another program adds, and it may.
static bool add_meanwhile(void *context, const ResultAttempt *attempt)
{
    Slow *slow = context;
    Status status = {0};
    (void)attempt;
    if (slow->count++ % 100 == 7) {
        sqlite3 *other = NULL;
        assert_int_equal(sqlite3_open(slow->path, &other), SQLITE_OK); // which waits for no lock at all
        int code = sqlite3_exec(other, "begin exclusive; commit", NULL, NULL, NULL);
        sqlite3_close(other);
        assert_int_equal(code, SQLITE_OK);
        Results *results = results_open(slow->path, RESULTS_WRITE, &status);
        assert_good(results != NULL, status);
        add(results, "Bo", "haul", 1);
        results_close(results);
        slow->added++;
    }
    return true;
}

TEST(who_reads_holds_nothing_while_he_is_told)
{
    enum { ATTEMPTS = 300 };
    char folder[64], path[512];
    Status status = {0};
    make_folder(folder);
    Results *results = open_results(path_in(folder, "r.db", path));
    for (int k = 0; k < ATTEMPTS; k++) {
        add(results, "Ada", "trench", k);
    }
    Slow slow = {.path = path};
    assert_good(results_each(results, NULL, add_meanwhile, &slow, &status), status);
    assert_int_equal(slow.count, ATTEMPTS); // those that there were at its beginning
    assert_int_equal(slow.added, 3);
    assert_int_equal(look(path, NULL).count, ATTEMPTS + slow.added);
    results_close(results);
    remove_folder(folder);
}

/// What is deleted while somebody reads is left out, and nothing is read by half.
static bool delete_meanwhile(void *context, const ResultAttempt *attempt)
{
    Slow *slow = context;
    assert_true(attempt->metric_count == METRICS && attempt->score_count == SCORES);
    if (slow->count++ == 0) {
        sql_number(slow->path, "pragma foreign_keys = on");
        sql_number(slow->path, "delete from attempt_metric where attempt > 200");
        sql_number(slow->path, "delete from attempt_score where attempt > 200");
        sql_number(slow->path, "delete from attempt where id > 200");
    }
    return true;
}

TEST(what_is_deleted_meanwhile_is_left_out)
{
    char folder[64], path[512];
    Status status = {0};
    make_folder(folder);
    Results *results = open_results(path_in(folder, "r.db", path));
    for (int k = 0; k < 300; k++) {
        add(results, "Ada", "trench", k % 28 == 0 ? 28 * k : k); // out of order of time, too
    }
    Slow slow = {.path = path};
    assert_good(results_each(results, &(ResultFilter){.trainee = "Ada"}, delete_meanwhile, &slow, &status), status);
    assert_true(slow.count >= 200 && slow.count < 300);
    results_close(results);
    remove_folder(folder);
}

/// ---- files that were made elsewhere --------------------------------------------------------------------------------

static void change_file(const char *path, const char *sql)
{
    sqlite3 *db = NULL;
    char *fault = NULL;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    if (sqlite3_exec(db, sql, NULL, NULL, &fault) != SQLITE_OK) {
        fail_msg("%s: %s", sql, fault);
    }
    sqlite3_close(db);
}

/// What a stranger's file could do behind the program's back is refused by name, and left.
TEST(triggers_views_and_foreign_tables_are_refused)
{
    static const char *const cases[][2] = {
        {"create trigger tt after insert on attempt begin update attempt set score = 100, passed = 1; end",
         "results hold no such trigger as tt"},
        {"create trigger tt after insert on attempt begin delete from attempt; end", "results hold no such trigger as"},
        {"create view v as select * from attempt", "results hold no such view as v"},
        {"create table mine(a)", "results hold no such table as mine"},
        {"create virtual table f using fts5(a)", "results hold no such table as f"},
        {"create index i on attempt(score)", "results hold no such index as i"},
        {"alter table attempt add column more text", "other columns than results have are in the table attempt"},
        {"alter table attempt rename column score to points", "other columns than results have are in the "},
        {"drop table attempt_score", "it lacks the table attempt_score"},
        {"drop index attempt_of_trainee", "it lacks the index attempt_of_trainee"},
        {"pragma writable_schema = on; update sqlite_schema set sql = replace(sql, 'passed INTEGER', 'passed TEXT') "
         "where name = 'attempt'",
         "other columns than results have are in the table attempt"},
        {"pragma user_version = 2", "other columns than results have are in the table attempt"}, // which it is not of
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        char folder[64], path[512];
        make_folder(folder);
        Results *results = open_results(path_in(folder, "r.db", path));
        add(results, "Ada", "trench", 40);
        results_close(results);
        change_file(path, cases[k][0]);
        refuse_file(path, cases[k][1]);
        refuse_file(path, "it is left as it is: put a copy from before in its place");
        remove_folder(folder);
    }
    char folder[64], path[512];
    make_folder(folder);
    Results *results = open_results(path_in(folder, "r.db", path));
    add(results, "Ada", "trench", 40);
    results_close(results);
    change_file(path, "analyze"); // SQLite's own statistics are no stranger's
    assert_int_equal(look(path, NULL).count, 1);
    remove_folder(folder);
}

/// A file as an older program has made it: with what came later taken away.
static void make_older(const char *path, int layout)
{
    Results *results = open_results(path);
    add(results, "Ada", "trench", 80); // by a person
    add(results, "Ada", "haul", 90); // over a recording
    add(results, "Bo", "trench", 95); // by a script
    add(results, "", "trench", 97); // by the expert
    results_close(results);
    change_file(path, "update attempt set course = 'excavator', passed = 1;"
                      "update attempt set parent = '/x/expert.spade' where scene = 'haul';"
                      "update attempt set operator = 'blind.csv' where score = 95;"
                      "update attempt set operator = 'expert, clumsy 0.25' where score = 97;"
                      "insert into attempt_metric select id, 'passed', '1', 1 from attempt;"
                      "insert into attempt_metric select id, 'score', '1', score from attempt;"
                      "insert into course_progress select trainee, course, scene, started, score from attempt where "
                      "trainee is not null");
    change_file(path, "alter table attempt drop column changed; alter table attempt drop column comment;"
                      "alter table attempt drop column grade; alter table attempt drop column commented;"
                      "pragma user_version = 4");
    if (layout == 4) {
        return;
    }
    change_file(path, "drop index attempt_of_start; drop index attempt_of_scene; drop index attempt_of_seal;"
                      "drop table trainee_gone; drop table left_recording; drop table upkeep;"
                      "alter table server drop column gone;"
                      "alter table attempt drop column driver; alter table attempt drop column clumsy;"
                      "alter table attempt drop column parent_at; alter table attempt drop column language;"
                      "alter table attempt drop column station; alter table attempt drop column cleared;"
                      "pragma user_version = 3");
    if (layout < 3) {
        change_file(path, "drop table outbox; drop table server; pragma user_version = 2");
    }
    if (layout < 2) {
        change_file(path, "alter table attempt drop column recording_seal; pragma user_version = 1");
    }
}

typedef struct Credited {
    int count, passed, drivers[CREDIT_DRIVERS];
} Credited;

static bool count_credit(void *context, const ResultAttempt *attempt)
{
    Credited *self = context;
    self->count++;
    self->passed += attempt->passed;
    self->drivers[attempt->driver]++;
    return true;
}

/// An older file is copied before it is brought up to date, and who had no credit of his own loses the pass.
TEST(older_layouts_are_copied_and_brought_up_to_date)
{
    for (int layout = 1; layout <= 3; layout++) {
        char folder[64], path[512], copy[512], again[512], name[32];
        Status status = {0};
        struct stat info;
        make_folder(folder);
        make_older(path_in(folder, "r.db", path), layout);
        snprintf(name, sizeof name, "r.db.layout-%d", layout);
        path_in(folder, name, copy);
        Results *results = results_open(path, RESULTS_READ, &status);
        assert_good(results != NULL, status);
        assert_non_null(strstr(results_notice(results), copy));
        assert_non_null(strstr(results_notice(results), "2 attempts that a script drove under a name"));
        Credited seen = {0};
        assert_good(results_each(results, NULL, count_credit, &seen, &status), status);
        assert_int_equal(seen.count, 4);
        assert_int_equal(seen.passed, 2); // hers, and the expert's, who has no name
        assert_int_equal(seen.drivers[CREDIT_PERSON], 2);
        assert_int_equal(seen.drivers[CREDIT_SCRIPT], 1);
        assert_int_equal(seen.drivers[CREDIT_EXPERT], 1);
        ResultProgress *progress = NULL;
        assert_int_equal(results_progress(results, NULL, &progress, &status), 1);
        assert_string_equal(progress[0].trainee, "Ada");
        assert_string_equal(progress[0].scene, "trench");
        free(progress);
        results_close(results);
        assert_int_equal(sql_number(path, "select count(*) from attempt where clumsy = 0.25"), 1);
        assert_int_equal(sql_number(path, "select count(*) from attempt_metric where name = 'passed' and value <> 0"),
                         2);
        assert_int_equal(sql_number(copy, "pragma user_version"), layout);
        assert_int_equal(sql_number(copy, "select sum(passed) from attempt"), 4);
        assert_int_equal(stat(copy, &info), 0);
        assert_int_equal(info.st_mode & 0777, 0600);
        results = open_results(path); // up to date: nothing is said, and no copy made
        assert_string_equal(results_notice(results), "");
        results_close(results);
        snprintf(name, sizeof name, "r.db.layout-%d-2", layout);
        assert_int_not_equal(access(path_in(folder, name, again), F_OK), 0);
        remove_folder(folder);
    }
}

/// Without room for the copy nothing is changed.
/// Attempts of layout 4 have no comment and were not changed, as far as is known.
TEST(attempts_of_layout_4_take_a_comment)
{
    char folder[64], path[512], uuid[RESULT_UUID];
    Status status = {0};
    make_folder(folder);
    make_older(path_in(folder, "r.db", path), 4);
    Results *results = results_open(path, RESULTS_WRITE, &status);
    assert_good(results != NULL, status);
    assert_non_null(strstr(results_notice(results), "r.db.layout-4"));
    assert_good(results_find_attempt(results, "last", &(ResultFilter){.trainee = "Bo"}, uuid, &status), status);
    assert_good(results_set_remark(results, uuid, RESULT_REMARK_GRADE, "B", &status), status);
    results_close(results);
    assert_int_equal(sql_number(path, "select count(*) from attempt where grade = 'B' and score = 95"), 1);
    assert_int_equal(sql_number(path, "select count(*) from attempt where changed = '' and comment = ''"), 4);
    remove_folder(folder);
}

/// Comment and grade belong to the attempt; what is too long or has control characters is refused, and so is an attempt
/// that there is not.
TEST(remarks_are_checked)
{
    char folder[64], path[512], uuid[RESULT_UUID], longest[RESULT_COMMENT + 1];
    Status status = {0};
    make_folder(folder);
    Results *results = open_results(path_in(folder, "r.db", path));
    assert_false(results_find_attempt(results, "last", NULL, uuid, &status));
    assert_contains(status.text, "there is no attempt last; allowed the uuid or the recording");
    add(results, "Ada", "trench", 40);
    assert_good(results_find_attempt(results, "last", NULL, uuid, &status), status);
    memset(longest, 'a', RESULT_COMMENT);
    longest[RESULT_COMMENT] = '\0';
    assert_false(results_set_remark(results, uuid, RESULT_REMARK_COMMENT, longest, &status));
    assert_contains(status.text, "comment: read 601 bytes");
    assert_contains(status.text, "allowed 0..600 bytes of one line");
    longest[RESULT_COMMENT - 1] = '\0';
    assert_good(results_set_remark(results, uuid, RESULT_REMARK_COMMENT, longest, &status), status);
    assert_false(results_set_remark(results, uuid, RESULT_REMARK_COMMENT, "two\nlines", &status));
    assert_false(results_set_remark(results, uuid, RESULT_REMARK_COMMENT, "a\xe2\x80\xae", &status));
    assert_false(results_set_remark(results, uuid, RESULT_REMARK_GRADE, "sixteen bytes ..", &status));
    assert_contains(status.text, "grade: read 16 bytes, sixteen bytes .., allowed 0..15 bytes");
    assert_int_equal(status.code, STATUS_BAD_USAGE);
    assert_false(results_set_remark(results, "no-such-attempt", RESULT_REMARK_GRADE, "B", &status));
    assert_contains(status.text, "there is no attempt no-such-attempt");
    results_close(results);
    assert_int_equal(sql_number(path, "select count(*) from attempt where length(comment) = 600 and grade = ''"), 1);
    remove_folder(folder);
}

TEST(an_older_layout_that_cannot_be_copied_is_left)
{
    char folder[64], path[512];
    make_folder(folder);
    make_older(path_in(folder, "r.db", path), 3);
    pid_t opener = fork();
    assert_true(opener >= 0);
    if (opener == 0) {
        Status status = {0};
        signal(SIGXFSZ, SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &(struct rlimit){16384, 16384});
        Results *results = results_open(path, RESULTS_WRITE, &status);
        _exit(results == NULL && status.code == STATUS_LACKING && strstr(status.text, "older layout 3") != NULL ? 0
                                                                                                                : 9);
    }
    int state = 0;
    assert_int_equal(waitpid(opener, &state, 0), opener);
    assert_true(WIFEXITED(state));
    assert_int_equal(WEXITSTATUS(state), 0);
    assert_int_equal(sql_number(path, "pragma user_version"), 3);
    char command[600];
    snprintf(command, sizeof command, "[ \"$(ls '%s')\" = r.db ]", folder); // no half of a copy
    assert_int_equal(system(command), 0);
    remove_folder(folder);
}

/// ---- how often all of it is read -----------------------------------------------------------------------------------

/// A large file is checked whole once in a week and after a program that was killed, not at each opening.
TEST(a_large_file_is_not_read_whole_at_each_opening)
{
    char folder[64], path[512];
    make_folder(folder);
    Results *results = open_results(path_in(folder, "r.db", path));
    add(results, "Ada", "trench", 80);
    results_close(results);
    // Ten megabytes in one text, and damage in a page that no list reads.
    change_file(path, "update attempt set build = hex(zeroblob(5000000))");
    results_close(open_results(path));
    assert_int_equal(sql_number(path, "select checked > '2020' from upkeep"), 1);
    int64_t page = sql_number(path, "select rootpage from sqlite_schema where name = 'attempt_of_seal'");
    int64_t size = sql_number(path, "pragma page_size");
    int file = open(path, O_WRONLY);
    assert_true(file >= 0);
    assert_int_equal(pwrite(file, "damage", 6, (page - 1) * size), 6);
    close(file);
    results_close(open_results(path)); // it was checked just now
    change_file(path, "update upkeep set checked = strftime('%Y-%m-%dT%H:%M:%SZ', 'now', '-8 days')");
    refuse_open(path, RESULTS_READ, STATUS_BAD_FILE, "is damaged");
    change_file(path, "update upkeep set checked = '2199-01-01T00:00:00Z'"); // a clock that was wrong
    refuse_open(path, RESULTS_READ, STATUS_BAD_FILE, "is damaged");
    remove_folder(folder);
}

TEST_GROUP(NULL, NULL)
