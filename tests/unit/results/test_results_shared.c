/// Shared results, with a server of the test's own: what stations add is on it once and whole, whatever the server does
/// meanwhile; what is deleted stays deleted; what is not ours is left as it is; what cannot be results is refused.
// test: waits
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/support/recording_fixture.h"
#include "trainer/results/results_store.h"
#include "trainer/results/results_output.h"
#include "trainer/results/results_shared.h"

enum { METRICS = 40, SCORES = 8, STATIONS = 12 };
#define POSTGRES "sh " SPADEWORK_TEST_DIR "/support/postgres.sh "

static char folder[64]; // of this program: the server, and a home for each station

/// ---- the server ----------------------------------------------------------------------------------------------------

static int server_do(const char *verb)
{
    char command[768];
    snprintf(command, sizeof command, POSTGRES "%s %s-server", verb, folder);
    int code = system(command);
    return WIFEXITED(code) ? WEXITSTATUS(code) : -1;
}

/// Runs SQL as the server's owner; the number in the first line that it answers.
static long long server_ask(const char *sql)
{
    char command[768], line[128] = "";
    setenv("TEST_SQL", sql, 1);
    snprintf(command, sizeof command, "printf '%%s' \"$TEST_SQL\" | " POSTGRES "sql %s-server", folder);
    FILE *answer = popen(command, "r");
    assert_non_null(answer);
    if (fgets(line, sizeof line, answer) == NULL) {
        line[0] = '\0';
    }
    assert_int_equal(pclose(answer), 0);
    return strtoll(line, NULL, 10);
}

static const char *url(void)
{
    static char text[256];
    snprintf(text, sizeof text, "postgresql://station@/spadework?host=%s-server", folder);
    return text;
}

static int start_server(void **state)
{
    (void)state;
    make_folder(folder);
    int code = server_do("start");
    if (code == 77) {
        printf("there is no PostgreSQL here: not tested\n");
        exit(77);
    }
    return code;
}

static int drop_server(void **state)
{
    (void)state;
    server_do("drop");
    remove_folder(folder);
    return 0;
}

/// An empty database, and stations that know nothing.
static void begin(void)
{
    char command[128];
    server_ask("SET client_min_messages = error; DROP SCHEMA public CASCADE; CREATE SCHEMA public AUTHORIZATION "
               "station; GRANT USAGE ON SCHEMA public TO reader");
    snprintf(command, sizeof command, "rm -rf '%s'/*", folder);
    assert_int_equal(system(command), 0);
}

/// ---- stations ------------------------------------------------------------------------------------------------------

static void be_station(char name)
{
    char home[128];
    snprintf(home, sizeof home, "%s/%c", folder, name);
    setenv("XDG_DATA_HOME", home, 1);
}

static Results *open_shared(ResultsMode mode)
{
    Status status = {0};
    Results *results = results_open(url(), mode, &status);
    assert_good(results != NULL, status);
    return results;
}

static Results *open_at(char station, ResultsMode mode)
{
    be_station(station);
    return open_shared(mode);
}

static void fill_attempt(ResultAttempt *attempt, const char *trainee, const char *started, double number)
{
    *attempt = (ResultAttempt){.duration = 60.0, .score = number, .finished = true, .passed = true};
    snprintf(attempt->trainee, sizeof attempt->trainee, "%s", trainee);
    snprintf(attempt->scene, sizeof attempt->scene, "trench");
    snprintf(attempt->course, sizeof attempt->course, "excavator");
    snprintf(attempt->started, sizeof attempt->started, "%s", started);
    snprintf(attempt->end, sizeof attempt->end, "done");
    snprintf(attempt->operator_name, sizeof attempt->operator_name, "person");
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
}

static void add_to(Results *results, const char *trainee, const char *started, double number)
{
    Status status = {0};
    ResultAttempt *attempt = calloc(1, sizeof *attempt);
    assert_non_null(attempt);
    fill_attempt(attempt, trainee, started, number);
    assert_good(results_add(results, attempt, &status), status);
    free(attempt);
}

/// A station adds, and does not send yet.
static void add(char station, const char *trainee, const char *started, double number)
{
    Results *results = open_at(station, RESULTS_WRITE);
    add_to(results, trainee, started, number);
    results_close(results);
}

/// A station exchanges; how many wait afterwards.
static int exchange(char station, bool wanted, char text[1024])
{
    Status status = {0};
    Results *results = open_at(station, RESULTS_WRITE);
    bool good = results_exchange(results, 2.0, NULL, &status);
    int waiting = results_waiting(results);
    results_close(results);
    if (good != wanted) {
        fail_msg("exchanged: %d; %s", good, status.text);
    }
    if (text != NULL) {
        snprintf(text, 1024, "%s", status.text);
    }
    return waiting;
}

/// Stations exchange one after the other; nothing waits afterwards.
static void exchange_all(const char *stations)
{
    for (const char *one = stations; *one != '\0'; one++) {
        assert_int_equal(exchange(*one, true, NULL), 0);
    }
}

/// A trainee joins a class at a station.
static void join(char station, const char *class_name, const char *trainee)
{
    Status status = {0};
    Results *results = open_at(station, RESULTS_WRITE);
    assert_good(results_add_member(results, class_name, trainee, &status), status);
    results_close(results);
}

static void delete_at(char station, const char *trainee)
{
    Status status = {0};
    Results *results = open_at(station, RESULTS_READ);
    assert_good(results_delete_trainee(results, trainee, NULL, &status), status);
    results_close(results);
}

/// A station adds an attempt of Ada's with a recording.
/// place  where it was driven; "": not known
static void add_recorded(char station, const char *started, double number, const char *place)
{
    Status status = {0};
    Results *results = open_at(station, RESULTS_WRITE);
    ResultAttempt *attempt = calloc(1, sizeof *attempt);
    fill_attempt(attempt, "Ada", started, number);
    snprintf(attempt->recording, sizeof attempt->recording, "/x/ada.spade");
    snprintf(attempt->recording_hash, sizeof attempt->recording_hash, "553f4ac431919d15");
    snprintf(attempt->station, sizeof attempt->station, "%s", place);
    assert_good(results_add(results, attempt, &status), status);
    free(attempt);
    results_close(results);
}

typedef struct Seen {
    int count;
    double sum; ///< of points
    char comment[RESULT_COMMENT], grade[RESULT_GRADE]; ///< of the last one
} Seen;

static bool see(void *context, const ResultAttempt *attempt)
{
    Seen *seen = context;
    seen->count++;
    seen->sum += attempt->score;
    memcpy(seen->comment, attempt->comment, sizeof seen->comment);
    memcpy(seen->grade, attempt->grade, sizeof seen->grade);
    assert_int_equal(attempt->metric_count, METRICS);
    assert_int_equal(attempt->score_count, SCORES);
    assert_true(attempt->metrics[METRICS - 1].value == attempt->score);
    assert_true(attempt->scores[SCORES - 1].points == attempt->score);
    return true;
}

/// What a station sees of a trainee (NULL: of all).
static Seen look(char station, const char *trainee)
{
    Seen seen = {0};
    Status status = {0};
    Results *results = open_at(station, RESULTS_READ);
    assert_good(results_each(results, &(ResultFilter){.trainee = trainee}, see, &seen, &status), status);
    results_close(results);
    return seen;
}

/// ---- both ways -----------------------------------------------------------------------------------------------------

TEST(what_one_station_adds_another_reads_to_the_last_bit)
{
    Status status = {0};
    begin();
    add('a', "Ada", "2026-11-01T10:00:00Z", 100.0 / 3.0);
    add('b', "Bo", "2026-11-01T10:00:01Z", 0.1 + 0.2);
    exchange_all("ab");
    assert_true(look('a', NULL).count == 2 && look('b', NULL).count == 2 && look('c', NULL).count == 2);
    assert_true(look('c', "Ada").sum == 100.0 / 3.0 && look('c', "Bo").sum == 0.1 + 0.2);
    Results *results = open_at('c', RESULTS_READ);
    ResultProgress *progress = NULL;
    assert_int_equal(results_progress(results, "Ada", &progress, &status), 1);
    assert_true(progress[0].best == 100.0 / 3.0);
    free(progress);
    results_close(results);
}

TEST(classes_are_joined_and_left_in_order)
{
    Status status = {0};
    ResultTrainee *list = NULL;
    begin();
    Results *results = open_at('a', RESULTS_WRITE);
    assert_good(results_add_member(results, "Spring", "Ada", &status), status);
    assert_good(results_add_member(results, "Spring", "Bo", &status), status);
    assert_good(results_remove_member(results, "Spring", "Ada", &status), status);
    assert_good(results_add_member(results, "Autumn", "Ada", &status), status);
    assert_good(results_remove_member(results, "Autumn", "Ada", &status), status);
    results_close(results);
    exchange_all("a");
    results = open_at('b', RESULTS_READ);
    assert_int_equal(results_trainees(results, "Spring", &list, &status), 1);
    assert_string_equal(list[0].name, "Bo");
    free(list);
    assert_int_equal(results_trainees(results, "Autumn", &list, &status), -1);
    results_close(results);
    assert_int_equal(server_ask("SELECT count(*) FROM class"), 1);
}

TEST(twelve_stations_that_start_at_once_make_the_tables_once)
{
    begin();
    pid_t stations[STATIONS];
    for (int k = 0; k < STATIONS; k++) {
        stations[k] = fork();
        if (stations[k] == 0) {
            Status status = {0};
            be_station((char)('a' + k));
            Results *results = results_open(url(), RESULTS_WRITE, &status);
            ResultAttempt *attempt = calloc(1, sizeof *attempt);
            fill_attempt(attempt, "Ada", "2026-11-01T10:00:00Z", k);
            bool good = results != NULL && results_add(results, attempt, &status) &&
                        results_exchange(results, 20.0, NULL, &status);
            if (!good) {
                fprintf(stderr, "%s\n", status.text);
            }
            _exit(good ? 0 : 1);
        }
    }
    for (int k = 0; k < STATIONS; k++) {
        int code = -1;
        waitpid(stations[k], &code, 0);
        assert_int_equal(code, 0);
    }
    assert_int_equal(server_ask("SELECT count(*) FROM spadework_layout WHERE layout = 3"), 1);
    assert_int_equal(server_ask("SELECT changes FROM spadework_layout"), STATIONS);
    assert_int_equal(look('z', NULL).count, STATIONS);
}

/// ---- what goes wrong -----------------------------------------------------------------------------------------------

/// Lets the server do something at each row of a table, by a constraint: those are the administrator's own affair.
static void trouble(const char *table, const char *what, const char *column)
{
    char sql[512];
    snprintf(sql, sizeof sql,
             "CREATE OR REPLACE FUNCTION trouble(number double precision) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN "
             "%s; RETURN true; END $$; ALTER TABLE %s ADD CONSTRAINT trouble CHECK (trouble(%s)) NOT VALID",
             what, table, column);
    server_ask(sql);
}

static void no_trouble(const char *table)
{
    char sql[128];
    snprintf(sql, sizeof sql, "ALTER TABLE %s DROP CONSTRAINT trouble", table);
    server_ask(sql);
}

TEST(what_fails_amid_a_transaction_waits_and_comes_once)
{
    static const char *const troubles[][2] = {
        {"PERFORM pg_terminate_backend(pg_backend_pid())", "terminat"},
        {"RAISE EXCEPTION 'no space left on device' USING ERRCODE = '53100'", "no space left"},
        {"PERFORM pg_sleep(20)", "time"},
        {"RAISE EXCEPTION 'not allowed' USING ERRCODE = '42501'", "not allowed"},
    };
    char text[1024];
    begin();
    exchange_all("a");
    for (int k = 0; k < 4; k++) {
        add('a', "Ada", "2026-11-01T10:00:00Z", 10.0);
        trouble("attempt_score", troubles[k][0], "points");
        assert_int_equal(exchange('a', false, text), 1);
        assert_contains(text, troubles[k][1]);
        assert_int_equal(server_ask("SELECT count(*) FROM attempt"), k);
        no_trouble("attempt_score");
        exchange_all("a");
        assert_int_equal(server_ask("SELECT count(*) FROM attempt"), k + 1);
        assert_int_equal(server_ask("SELECT count(*) FROM attempt_score"), (k + 1) * SCORES);
    }
}

TEST(what_was_committed_but_not_confirmed_is_not_there_twice)
{
    Status status = {0};
    char command[256];
    begin();
    add('a', "Ada", "2026-11-01T10:00:00Z", 10.0);
    join('a', "Spring", "Ada");
    snprintf(command, sizeof command, "cp -r '%s/a' '%s/z'", folder, folder); // as a kill after the commit leaves it
    assert_int_equal(system(command), 0);
    exchange_all("a");
    Results *results = open_at('b', RESULTS_READ);
    assert_good(results_remove_member(results, "Spring", "Ada", &status), status);
    results_close(results);
    exchange_all("bz");
    assert_int_equal(server_ask("SELECT count(*) FROM attempt"), 1);
    assert_int_equal(server_ask("SELECT count(*) FROM attempt_metric"), METRICS);
    assert_int_equal(server_ask("SELECT count(*) FROM membership"), 0); // joined once, before he left
}

TEST(what_the_server_refuses_does_not_hold_up_the_rest)
{
    char text[RESULTS_TOLD];
    begin();
    exchange_all("a");
    trouble("attempt", "IF number = 13 THEN RAISE EXCEPTION 'no' USING ERRCODE = '23514'; END IF", "score");
    for (int k = 10; k < 20; k++) {
        add('a', "Ada", "2026-11-01T10:00:00Z", k);
    }
    exchange_all("a");
    assert_int_equal(server_ask("SELECT count(*) FROM attempt"), 9);
    Results *results = open_shared(RESULTS_READ);
    assert_true(results_shared_told(results, text));
    assert_contains(text, "1 that the server refuses is kept here");
    results_close(results);
    assert_int_equal(look('a', NULL).count, 10);
}

TEST(a_server_that_stands_still_costs_no_more_than_the_patience)
{
    begin();
    exchange_all("a");
    add('a', "Ada", "2026-11-01T10:00:00Z", 10.0);
    assert_int_equal(server_do("freeze"), 0);
    time_t start = time(NULL);
    assert_int_equal(look('a', NULL).count, 1); // waits once, and is left alone then
    assert_int_equal(look('a', NULL).count, 1);
    time_t took = time(NULL) - start;
    assert_int_equal(server_do("thaw"), 0);
    assert_true(took >= 3 && took <= 6);
    exchange_all("a");
    assert_int_equal(server_ask("SELECT count(*) FROM attempt"), 1);
}

TEST(names_and_paths_of_other_encodings_and_tricks_go_over)
{
    begin();
    Results *results = open_at('a', RESULTS_WRITE);
    ResultAttempt *attempt = calloc(1, sizeof *attempt);
    Status status = {0};
    fill_attempt(attempt, "Robert'); DROP TABLE attempt;--\\\"{,}", "2026-11-01T10:00:00Z", 10.0);
    snprintf(attempt->recording, sizeof attempt->recording, "/home/andr\351/\xf0\x9f\x9a\x9c/$1.spade");
    assert_good(results_add(results, attempt, &status), status);
    free(attempt);
    add_to(results, "Andr\351", "2026-11-01T10:00:01Z", 11.0);
    add_to(results, "Zo\xc3\xab \xf0\x9f\x9a\x9c", "2026-11-01T10:00:02Z", 12.0);
    results_close(results);
    exchange_all("a");
    assert_int_equal(look('b', "Robert'); DROP TABLE attempt;--\\\"{,}").count, 1);
    assert_int_equal(look('b', "Andr?").count, 1);
    assert_int_equal(look('b', "Zo\xc3\xab \xf0\x9f\x9a\x9c").count, 1);
}

/// ---- deletion ------------------------------------------------------------------------------------------------------

TEST(who_is_deleted_stays_deleted_everywhere)
{
    begin();
    add('a', "Ada", "2026-11-01T10:00:00Z", 10.0);
    exchange_all("a");
    add('b', "Ada", "2026-11-01T11:00:00Z", 20.0); // does not reach the server before she is deleted
    delete_at('c', "Ada");
    exchange_all("cba");
    assert_int_equal(server_ask("SELECT count(*) FROM attempt"), 0);
    assert_int_equal(server_ask("SELECT count(*) FROM trainee"), 0);
    assert_int_equal(server_ask("SELECT count(*) FROM course_progress"), 0);
    assert_true(look('a', NULL).count == 0 && look('b', NULL).count == 0 && look('c', NULL).count == 0);
    add('a', "Ada", "2199-01-01T00:00:00Z", 30.0); // another one of that name, later
    exchange_all("a");
    assert_int_equal(look('b', "Ada").count, 1);
}

/// Every station learns that somebody was deleted, so that no old file brings him back by way of any of them; who is
/// brought back on purpose is back everywhere.
TEST(who_was_deleted_comes_back_by_no_station_unasked)
{
    Status status = {0};
    ResultsImport import;
    char file[128];
    begin();
    snprintf(file, sizeof file, "%s/spring.json", folder);
    Results *results = open_at('a', RESULTS_WRITE);
    assert_good(results_add_member(results, "Spring", "Ada", &status), status);
    add_to(results, "Ada", "2026-11-01T10:00:00Z", 10.0);
    assert_good(results_export_class(results, "Spring", file, &status), status);
    results_close(results);
    exchange_all("ab");
    delete_at('c', "Ada");
    exchange_all("cb");
    results = open_at('b', RESULTS_WRITE);
    assert_good(results_import_class(results, file, false, &import, &status), status);
    assert_true(import.attempts == 0 && import.left_out == 1 && import.gone == 1);
    results_close(results);
    exchange_all("b");
    assert_int_equal(server_ask("SELECT count(*) FROM trainee"), 0);
    results = open_at('b', RESULTS_WRITE);
    assert_good(results_import_class(results, file, true, &import, &status), status);
    assert_true(import.attempts == 1 && import.left_out == 0 && import.gone == 0);
    results_close(results);
    exchange_all("b");
    assert_int_equal(server_ask("SELECT count(*) FROM attempt"), 1);
    exchange_all("a");
    assert_int_equal(look('a', "Ada").count, 1);
    be_station('a'); // who is no longer told of as deleted here either
    results = open_shared(RESULTS_WRITE);
    assert_good(results_import_class(results, file, false, &import, &status), status);
    assert_true(import.known == 1 && import.left_out == 0);
    results_close(results);
}

/// A recording of somebody who was deleted elsewhere is told of at the station where it lies, until it is deleted.
TEST(recordings_that_a_deletion_leaves_are_known_where_they_lie)
{
    Status status = {0};
    ResultsDeleted *left = NULL;
    begin();
    add_recorded('a', "2026-11-01T10:00:00Z", 10.0, "Simulator 1");
    exchange_all("ab");
    Results *results = open_at('b', RESULTS_READ);
    ResultsDeletion told;
    assert_good(results_describe(results, "Ada", &told, &status), status);
    assert_true(told.known && told.count == 1);
    assert_string_equal(told.attempts[0].station, "Simulator 1");
    assert_string_equal(told.attempts[0].recording, "/x/ada.spade");
    results_deletion_free(&told);
    assert_good(results_delete_trainee(results, "Ada", NULL, &status), status);
    results_close(results);
    exchange_all("ba");
    results = open_at('a', RESULTS_READ);
    assert_int_equal(results_left(results, &left, &status), 1);
    assert_string_equal(left[0].recording, "/x/ada.spade");
    assert_string_equal(left[0].hash, "553f4ac431919d15");
    free(left);
    assert_good(results_forget_left(results, "/x/ada.spade", &status), status);
    assert_int_equal(results_left(results, &left, &status), 0);
    free(left);
    results_close(results);
}

/// That a recording was cleared at its station is known at the others.
TEST(a_cleared_recording_is_told_everywhere)
{
    Status status = {0};
    begin();
    add('a', "Ada", "2026-11-01T10:00:00Z", 10.0);
    add_recorded('a', "2026-11-01T11:00:00Z", 20.0, "");
    exchange_all("a");
    assert_int_equal(look('b', "Ada").count, 2);
    Results *results = open_at('a', RESULTS_WRITE);
    assert_good(results_note_cleared(results, "/x/ada.spade", "/x/ada.spade", &status), status);
    results_close(results);
    exchange_all("a");
    assert_int_equal(server_ask("SELECT count(*) FROM attempt WHERE cleared <> ''"), 1);
    assert_int_equal(look('b', "Ada").count, 2);
    char db[DATA_PATH_LENGTH], command[768];
    snprintf(command, sizeof command, "ls '%s'/b/spadework/shared-*.db", folder);
    FILE *answer = popen(command, "r");
    assert_true(answer != NULL && fgets(db, sizeof db, answer) != NULL);
    pclose(answer);
    db[strcspn(db, "\n")] = '\0';
    assert_int_equal(sql_number(db, "select count(*) from attempt where cleared <> '' and recording = '/x/ada.spade'"),
                     1);
    assert_int_equal(sql_number(db, "select count(*) from attempt"), 2);
}

/// What an instructor says at one station is read at the others; of two who say something of one attempt, the later.
TEST(a_comment_and_a_grade_are_told_everywhere)
{
    Status status = {0};
    char uuid[RESULT_UUID];
    begin();
    add('a', "Ada", "2026-11-01T10:00:00Z", 10.0);
    exchange_all("ab");
    Results *results = open_at('b', RESULTS_WRITE);
    assert_good(results_find_attempt(results, "last", NULL, uuid, &status), status);
    assert_good(results_set_remark(results, uuid, RESULT_REMARK_COMMENT, "Keep the \"bucket\" low, Zo\u00eb", &status),
                status);
    assert_good(results_set_remark(results, uuid, RESULT_REMARK_GRADE, "2+", &status), status);
    results_close(results);
    exchange_all("ba");
    assert_int_equal(server_ask("SELECT count(*) FROM attempt WHERE comment = 'Keep the \"bucket\" low, Zo\u00eb' AND "
                                "grade = '2+' AND commented <> ''"),
                     1);
    Seen seen = look('a', "Ada");
    assert_int_equal(seen.count, 1);
    assert_string_equal(seen.comment, "Keep the \"bucket\" low, Zo\u00eb");
    assert_string_equal(seen.grade, "2+");
    server_ask("UPDATE attempt SET commented = '2099-01-01T00:00:00Z', comment = 'later'");
    results = open_at('a', RESULTS_WRITE);
    assert_good(results_set_remark(results, uuid, RESULT_REMARK_COMMENT, "earlier", &status), status);
    results_close(results);
    exchange_all("a");
    assert_int_equal(server_ask("SELECT count(*) FROM attempt WHERE comment = 'later'"), 1);
}

/// ---- what is not ours ----------------------------------------------------------------------------------------------

static void refuse_database(const char *sql, const char *part)
{
    char text[1024];
    begin();
    server_ask(sql);
    long long before = server_ask("SELECT count(*) FROM pg_class");
    assert_int_equal(exchange('a', false, text), 0);
    assert_contains(text, part);
    assert_int_equal(server_ask("SELECT count(*) FROM pg_class"), before);
    Status status = {0};
    assert_null(results_open(url(), RESULTS_READ, &status));
    assert_int_equal(status.code, STATUS_BAD_FILE);
}

TEST(a_foreign_database_and_a_later_layout_are_left_alone)
{
    refuse_database("CREATE TABLE invoices(id int)", "other tables");
    refuse_database("CREATE TABLE spadework_layout(number int); GRANT ALL ON spadework_layout TO station",
                    "other tables");
    refuse_database("CREATE TABLE spadework_layout(layout int, database text, changes bigint); INSERT INTO "
                    "spadework_layout VALUES(99, 'x', 1); GRANT ALL ON spadework_layout TO station",
                    "layout 99");
}

/// What could change rows behind the stations' back, or would not hold them, is refused by name.
TEST(triggers_rules_and_changed_tables_are_refused)
{
    static const char *const cases[][2] = {
        {"CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.score = 100; RETURN NEW; END $$; CREATE "
         "TRIGGER tt BEFORE INSERT ON attempt FOR EACH ROW EXECUTE FUNCTION f()",
         "results hold no such trigger as tt on the table attempt"},
        {"CREATE RULE r AS ON INSERT TO attempt DO INSTEAD NOTHING",
         "results hold no such rule as r on the table attempt"},
        {"ALTER TABLE attempt RENAME COLUMN score TO points",
         "other columns than results have are in the table attempt: score"},
        {"ALTER TABLE attempt ALTER COLUMN passed TYPE text",
         "other columns than results have are in the table attempt: passed"},
        {"DROP TABLE operation", "it lacks the table operation"},
        {"ALTER TABLE membership RENAME TO m; CREATE VIEW membership AS SELECT * FROM m",
         "it lacks the table membership"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        char text[1024];
        begin();
        add('a', "Ada", "2026-11-01T10:00:00Z", 10.0);
        exchange_all("a");
        add('a', "Ada", "2026-11-01T11:00:00Z", 20.0);
        server_ask("SET client_min_messages = error; DROP FUNCTION IF EXISTS f CASCADE");
        server_ask(cases[k][0]);
        assert_int_equal(exchange('a', false, text), 1); // it waits here
        assert_contains(text, cases[k][1]);
        assert_contains(text, "it is left as it is");
    }
    begin();
    exchange_all("a");
    server_ask("CREATE TABLE notes(text text); ALTER TABLE trainee ADD COLUMN number text"); // whoever keeps more
    exchange_all("a");
}

/// A server as an older program has made it is brought up to date, and who had no credit of his own loses the pass.
TEST(an_older_server_is_brought_up_to_date)
{
    begin();
    add('a', "Ada", "2026-11-01T10:00:00Z", 80.0);
    add('a', "Bo", "2026-11-01T11:00:00Z", 90.0);
    add('a', "Cy", "2026-11-01T12:00:00Z", 95.0);
    exchange_all("a");
    server_ask(
        "UPDATE attempt SET parent = '/x/expert.spade' WHERE score = 90; UPDATE attempt SET operator = "
        "'expert, clumsy 0.25' WHERE score = 95;"
        "ALTER TABLE attempt DROP COLUMN driver, DROP COLUMN clumsy, DROP COLUMN parent_at, DROP COLUMN "
        "language, DROP COLUMN station, DROP COLUMN cleared, DROP COLUMN changed, DROP COLUMN comment, DROP COLUMN "
        "grade, DROP COLUMN commented; UPDATE spadework_layout SET layout = 1");
    exchange_all("b");
    assert_int_equal(server_ask("SELECT count(*) FROM spadework_layout WHERE layout = 3"), 1);
    assert_int_equal(server_ask("SELECT sum(passed) FROM attempt"), 1);
    assert_int_equal(server_ask("SELECT count(*) FROM course_progress"), 1);
    assert_int_equal(server_ask("SELECT count(*) FROM attempt WHERE driver = 'expert' AND clumsy = 0.25"), 1);
    assert_int_equal(look('b', NULL).count, 3);
}

TEST(a_database_that_was_made_anew_is_sent_everything_again)
{
    begin();
    add('a', "Ada", "2026-11-01T10:00:00Z", 10.0);
    join('a', "Spring", "Ada");
    exchange_all("a");
    add('b', "Bo", "2026-11-01T10:00:00Z", 20.0);
    exchange_all("b");
    server_ask("SET client_min_messages = error; DROP SCHEMA public CASCADE; CREATE SCHEMA public AUTHORIZATION "
               "station");
    exchange_all("ab");
    assert_int_equal(server_ask("SELECT count(*) FROM attempt"), 2);
    assert_int_equal(server_ask("SELECT count(*) FROM membership"), 1);
}

/// Puts a value that cannot be into the server, and lets a new station read it.
static void refuse_row(const char *sql, const char *part)
{
    char text[1024];
    begin();
    add('a', "Ada", "2026-11-01T10:00:00Z", 10.0);
    exchange_all("a");
    server_ask(sql);
    exchange('b', false, text);
    assert_contains(text, part);
}

TEST(rows_that_cannot_be_results_are_refused)
{
    refuse_row("UPDATE attempt SET score = 1000", "score: read 1000, allowed is 0..100");
    refuse_row("UPDATE attempt SET duration = 'NaN'", "duration: read no number");
    refuse_row("UPDATE attempt SET duration = '-Infinity'", "duration: read no number");
    refuse_row("UPDATE attempt SET passed = 7", "passed: read 7");
    refuse_row("UPDATE attempt SET title = E'a\\033[2Jb'", "title: read");
    refuse_row("UPDATE attempt SET recording = repeat('x', 10000000)", "recording: read");
    refuse_row("UPDATE attempt SET uuid = ''", "uuid: read");
    refuse_row("UPDATE attempt SET driver = ''", "driver: read");
    refuse_row("UPDATE attempt SET clumsy = 3", "clumsy: read 3, allowed is 0..1");
    refuse_row("UPDATE attempt SET parent_at = 'NaN'", "parent_at: read no number");
    refuse_row("UPDATE attempt SET station = repeat('x', 200)", "station: read");
    refuse_row("UPDATE attempt_metric SET value = 'Infinity'", "value: read no number");
    refuse_row("UPDATE attempt_score SET share = -3", "share: read -3");
    refuse_row("UPDATE course_progress SET best = 1e9", "best: read");
    refuse_row("UPDATE trainee SET created = repeat('x', 90)", "created: read");
    refuse_row("INSERT INTO attempt_metric SELECT id, 'm' || n, 'm', 1 FROM attempt, generate_series(1, 1000) n",
               "metrics: read 1040");
    refuse_row("UPDATE spadework_layout SET changes = -1", "damaged");
}

TEST_GROUP(start_server, drop_server)
