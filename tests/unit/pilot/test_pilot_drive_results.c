/// What is kept of a drive: the attempt of one that was asked for, nothing of one that was not, and what happens when
/// it cannot be kept.
// test: waits
#include <sys/stat.h>

#include "tests/support/silent_host.h"
#include "tests/support/recording_fixture.h"
#include "tests/support/reseal.h"
#include "trainer/pilot/drive.h"
#include "data/core/data_files.h"
#include "trainer/results/results_store.h"

/// Half a second of the scripted operator in the trench.
static RunOptions plain(void)
{
    return (RunOptions){
        .scene = "trench", .operator_name = "auto", .seconds = 0.5, .threads = 1, .shot_at = -1.0, .camera = -1};
}

/// Makes a folder with a home of its own; the results go to its r.db.
static RunOptions plain_with_results(char folder[64], char db[512], char home[512])
{
    RunOptions options = plain();
    make_folder(folder);
    assert_int_equal(setenv("XDG_DATA_HOME", path_in(folder, "home", home), 1), 0);
    options.results = path_in(folder, "r.db", db);
    return options;
}

static Drive *start(const RunOptions *options)
{
    Status status = {0};
    Drive *drive = calloc(1, sizeof *drive);
    assert_non_null(drive);
    assert_good(drive_create(drive, &(DriveParams){.options = options}, &status), status);
    return drive;
}

static void run(Drive *drive)
{
    Status status = {0};
    assert_good(drive_run(drive, &silent_host, &status), status);
}

static bool leave(Drive *drive, Status *status)
{
    bool good = drive_close(drive, true, status);
    drive_destroy(drive);
    free(drive);
    return good;
}

typedef struct Kept {
    int count;
    ResultAttempt attempt;
} Kept;

static bool keep(void *context, const ResultAttempt *attempt)
{
    Kept *kept = context;
    kept->count++;
    kept->attempt = *attempt;
    return true;
}

TEST(an_attempt_says_what_was_driven)
{
    char folder[64], db[512], recording[512], hash[RESULT_HASH];
    Status status = {0};
    make_folder(folder);
    RunOptions options = plain();
    options.results = path_in(folder, "r.db", db);
    options.record = path_in(folder, "a.spade", recording);
    options.trainee = "Ada";
    options.course = "excavator";
    Drive *drive = start(&options);
    run(drive);
    int rows = session_scene(drive->session)->exercise.scores_count;
    ExerciseMetric metrics[EXERCISE_MAX_METRICS];
    int figures = exercise_metrics(session_exercise(drive->session), metrics);
    assert_true(rows > 0 && figures > 10);
    assert_good(leave(drive, &status), status);
    Kept kept = {0};
    Results *results = results_open(db, RESULTS_READ, &status);
    assert_good(results != NULL, status);
    assert_good(results_each(results, NULL, keep, &kept, &status), status);
    results_close(results);
    const ResultAttempt *attempt = &kept.attempt;
    assert_int_equal(kept.count, 1);
    assert_string_equal(attempt->trainee, "Ada");
    assert_string_equal(attempt->scene, "trench");
    assert_string_equal(attempt->course, "excavator");
    assert_string_equal(attempt->machine, "excavator-22t");
    assert_string_equal(attempt->operator_name, "auto");
    assert_string_equal(attempt->end, "aborted");
    assert_false(attempt->finished || attempt->passed);
    assert_near(attempt->duration, 0.5, 1e-12); // 30 ticks of 1/60 s
    assert_int_equal(attempt->metric_count, figures);
    assert_int_equal(attempt->score_count, rows);
    assert_string_equal(attempt->recording, recording);
    assert_true(results_hash_file(recording, hash));
    assert_string_equal(attempt->recording_hash, hash);
    remove_folder(folder);
}

TEST(each_start_is_an_attempt_and_none_is_kept_unasked)
{
    char folder[64], db[512], home[512];
    Status status = {0};
    make_folder(folder);
    assert_int_equal(setenv("XDG_DATA_HOME", path_in(folder, "home", home), 1), 0);
    RunOptions options = plain();
    Drive *drive = start(&options);
    run(drive);
    assert_good(leave(drive, &status), status);
    assert_int_not_equal(access(home, F_OK), 0);
    options.results = path_in(folder, "r.db", db);
    drive = start(&options);
    run(drive);
    assert_good(drive_restart(drive, &status), status);
    run(drive);
    assert_good(drive_restart(drive, &status), status); // no tick follows: no attempt
    assert_good(leave(drive, &status), status);
    assert_int_equal(sql_number(db, "select count(*) from attempt"), 2);
    assert_int_equal(sql_number(db, "select count(*) from trainee"), 0);
    remove_folder(folder);
}

static void refuse(const RunOptions *options, StatusCode code, const char *part)
{
    Status status = {0};
    Drive *drive = calloc(1, sizeof *drive);
    assert_false(drive_create(drive, &(DriveParams){.options = options}, &status));
    assert_int_equal(status.code, code);
    if (strstr(status.text, part) == NULL) {
        fail_msg("\"%s\" is not in: %s", part, status.text);
    }
    free(drive);
}

TEST(what_cannot_be_kept_is_told)
{
    char folder[64], db[512];
    Status status = {0};
    make_folder(folder);
    path_in(folder, "r.db", db);
    RunOptions options = plain();
    options.results = db;
    options.trainee = "A\tda";
    refuse(&options, STATUS_BAD_USAGE, "--trainee");
    options.trainee = "Ada";
    options.course = "a/b";
    refuse(&options, STATUS_BAD_FILE, "--course a/b: ");
    options.course = "nowhere";
    refuse(&options, STATUS_BAD_FILE, "--course no course named nowhere in ");
    options.course = NULL;
    options.results = "/nowhere/r.db";
    refuse(&options, STATUS_LACKING, "/nowhere/r.db");
    options.results = db;
    Drive *drive = start(&options);
    run(drive);
    assert_int_equal(remove(db), 0); // something else lies there at the end
    assert_int_equal(mkdir(db, 0700), 0);
    assert_false(leave(drive, &status));
    assert_int_equal(status.code, STATUS_BAD_FILE);
    assert_non_null(strstr(status.text, "a folder"));
    remove_folder(folder);
}

/// ---- results that cannot be had ------------------------------------------------------------------------------------

/// Somebody who has the results open, as a pager that waits or a browser of databases does.
static sqlite3 *hold_open(const char *db)
{
    sqlite3 *other = NULL;
    assert_int_equal(sqlite3_open(db, &other), SQLITE_OK);
    assert_int_equal(sqlite3_exec(other, "begin; select count(*) from attempt", NULL, NULL, NULL), SQLITE_OK);
    return other;
}

static int count_waiting(const char *folder, const char *ending)
{
    char command[700];
    snprintf(command, sizeof command, "ls '%s'/home/spadework/waiting 2>/dev/null | grep -c '%s$'", folder, ending);
    FILE *answer = popen(command, "r");
    int count = -1;
    assert_non_null(answer);
    assert_int_equal(fscanf(answer, "%d", &count), 1);
    pclose(answer);
    return count;
}

/// The attempt waits in a file, the drive is good, and the next program that opens the results stores it, once.
TEST(an_attempt_waits_while_somebody_reads)
{
    char folder[64], db[512], home[512], recording[512];
    Status status = {0};
    RunOptions options = plain_with_results(folder, db, home);
    options.trainee = "Locky";
    options.course = "excavator";
    options.record = path_in(folder, "a.spade", recording);
    Drive *drive = start(&options);
    run(drive);
    sqlite3 *reader = hold_open(db);
    assert_good(leave(drive, &status), status);
    assert_int_equal(count_waiting(folder, ".json"), 1);
    // A list leaves the reader alone, does not wait for him, and says what is there.
    Results *results = results_open(db, RESULTS_READ, &status);
    assert_good(results != NULL, status);
    assert_string_equal(results_notice(results), "");
    results_close(results);
    assert_int_equal(results_aside_count(db), 1);
    assert_int_equal(sqlite3_exec(reader, "rollback", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(reader);
    char other[512];
    results = results_open(path_in(folder, "other.db", other), RESULTS_WRITE, &status); // other results take nothing
    assert_good(results != NULL, status);
    results_close(results);
    assert_int_equal(count_waiting(folder, ".json"), 1);
    char command[1200];
    snprintf(command, sizeof command, "cp -r '%s/spadework/waiting' '%s/copy'", home, folder);
    assert_int_equal(system(command), 0);
    for (int k = 0; k < 2; k++) { // as of a program that was killed between storing it and removing the file
        Kept kept = {0};
        results = results_open(db, RESULTS_READ, &status);
        assert_good(results != NULL, status);
        assert_string_equal(results_notice(results),
                            k == 0 ? "1 attempt that waited for the results is stored now" : "");
        assert_good(results_each(results, NULL, keep, &kept, &status), status);
        results_close(results);
        assert_int_equal(kept.count, 1);
        assert_string_equal(kept.attempt.trainee, "Locky");
        assert_string_equal(kept.attempt.course, "excavator");
        assert_string_equal(kept.attempt.recording, recording);
        assert_int_equal(kept.attempt.driver, CREDIT_AUTO);
        assert_true(kept.attempt.metric_count > 10 && kept.attempt.recording_seal[0] != '\0');
        assert_int_equal(count_waiting(folder, ".json"), 0);
        snprintf(command, sizeof command, "cp '%s'/copy/* '%s/spadework/waiting'", folder, home);
        assert_int_equal(system(command), 0);
    }
    remove_folder(folder);
}

/// Without an end of its own an unasked drive is told and kept, too; results that are no file at all keep the attempt,
/// and the drive fails.
TEST(what_waits_for_results_that_are_none_is_stored_when_they_are)
{
    char folder[64], db[512], home[512];
    Status status = {0};
    RunOptions options = plain_with_results(folder, db, home);
    Drive *drive = start(&options);
    run(drive);
    assert_int_equal(remove(db), 0);
    assert_int_equal(mkdir(db, 0700), 0);
    assert_false(leave(drive, &status));
    assert_int_equal(status.code, STATUS_BAD_FILE);
    assert_int_equal(count_waiting(folder, ".json"), 1);
    assert_int_equal(rmdir(db), 0);
    Results *results = results_open(db, RESULTS_READ, &status); // what waits makes the file
    assert_good(results != NULL, status);
    results_close(results);
    assert_int_equal(sql_number(db, "select count(*) from attempt"), 1);
    remove_folder(folder);
}

/// A file that was cut or edited is set apart and told, and is in nobody's way.
TEST(a_damaged_file_that_waits_is_set_apart)
{
    static const char *const damages[] = {"truncate -s 700", "sed -i s/Ada/Eve/", "sed -i s/trench/haul/",
                                          "sed -i '1s/^/x/'", "truncate -s 0"};
    for (size_t k = 0; k < sizeof damages / sizeof damages[0]; k++) {
        char folder[64], db[512], home[512], command[1200];
        Status status = {0};
        make_folder(folder);
        assert_int_equal(setenv("XDG_DATA_HOME", path_in(folder, "home", home), 1), 0);
        path_in(folder, "r.db", db);
        ResultAttempt *attempt = calloc(1, sizeof *attempt);
        char file[DATA_PATH_LENGTH];
        snprintf(attempt->trainee, sizeof attempt->trainee, "Ada");
        snprintf(attempt->scene, sizeof attempt->scene, "trench");
        snprintf(attempt->end, sizeof attempt->end, "done");
        results_now(attempt->started);
        assert_good(results_set_aside(db, attempt, file, &status), status);
        free(attempt);
        snprintf(command, sizeof command, "%s '%s'", damages[k], file);
        assert_int_equal(system(command), 0);
        Results *results = results_open(db, RESULTS_WRITE, &status);
        assert_good(results != NULL, status);
        results_close(results);
        assert_int_equal(sql_number(db, "select count(*) from attempt"), 0);
        assert_int_equal(count_waiting(folder, ".json"), 0);
        assert_int_equal(count_waiting(folder, ".json.damaged"), 1);
        remove_folder(folder);
    }
}

/// What a newer program has set aside waits for it.
TEST(a_file_of_a_newer_program_waits_on)
{
    char folder[64], db[512], home[512], command[1200], file[DATA_PATH_LENGTH];
    Status status = {0};
    make_folder(folder);
    assert_int_equal(setenv("XDG_DATA_HOME", path_in(folder, "home", home), 1), 0);
    path_in(folder, "r.db", db);
    ResultAttempt *attempt = calloc(1, sizeof *attempt);
    snprintf(attempt->scene, sizeof attempt->scene, "trench");
    snprintf(attempt->end, sizeof attempt->end, "done");
    results_now(attempt->started);
    assert_good(results_set_aside(db, attempt, file, &status), status);
    free(attempt);
    snprintf(command, sizeof command, "sed -i 's/\"version\": 1/\"version\": 2/' '%s'", file);
    assert_int_equal(system(command), 0);
    Results *results = results_open(db, RESULTS_WRITE, &status);
    assert_good(results != NULL, status);
    results_close(results);
    assert_int_equal(count_waiting(folder, ".json"), 1);
    assert_int_equal(count_waiting(folder, ".json.damaged"), 0);
    remove_folder(folder);
}

/// Results that somebody holds for himself end no drive at its restart: what was driven waits, and so may what follows.
TEST(results_that_are_held_end_no_restart)
{
    char folder[64], db[512], home[512];
    Status status = {0};
    RunOptions options = plain_with_results(folder, db, home);
    Drive *drive = start(&options);
    run(drive);
    sqlite3 *holder = NULL;
    assert_int_equal(sqlite3_open(db, &holder), SQLITE_OK);
    assert_int_equal(sqlite3_exec(holder, "begin exclusive", NULL, NULL, NULL), SQLITE_OK);
    assert_good(drive_restart(drive, &status), status);
    assert_int_equal(sqlite3_exec(holder, "rollback", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(holder);
    run(drive);
    assert_good(leave(drive, &status), status);
    assert_int_equal(sql_number(db, "select count(*) from attempt"), 2);
    assert_int_equal(count_waiting(folder, ".json"), 0);
    remove_folder(folder);
}

/// A trainee's best run is one that counts: neither a script's under the name nor practice takes its place.
TEST(the_best_run_is_ones_own)
{
    static const struct {
        CreditDriver driver;
        const char *parent;
        double score;
        bool best;
    } runs[] = {{CREDIT_PERSON, "", 60.0, true},
                {CREDIT_PERSON, "", 50.0, false},
                {CREDIT_SCRIPT, "", 98.0, false},
                {CREDIT_PERSON, "parent.spade", 99.0, false}};
    enum { RUNS = sizeof runs / sizeof runs[0] };
    char folder[64], db[512];
    Status status = {0};
    make_folder(folder);
    Results *results = results_open(path_in(folder, "r.db", db), RESULTS_WRITE, &status);
    assert_good(results != NULL, status);
    for (int k = 0; k < RUNS; k++) {
        ResultAttempt *attempt = calloc(1, sizeof *attempt);
        attempt->driver = runs[k].driver;
        attempt->score = runs[k].score;
        attempt->parent_at = runs[k].parent[0] != '\0' ? 1.0 : -1.0;
        snprintf(attempt->parent, sizeof attempt->parent, "%s", runs[k].parent);
        snprintf(attempt->recording, sizeof attempt->recording, "/recordings/%d.spade", k);
        snprintf(attempt->trainee, sizeof attempt->trainee, "Ann");
        snprintf(attempt->scene, sizeof attempt->scene, "trench");
        snprintf(attempt->end, sizeof attempt->end, "done");
        results_new_uuid(attempt->uuid);
        results_now(attempt->started);
        assert_good(results_add(results, attempt, &status), status);
        free(attempt);
    }
    for (int k = 0; k < RUNS; k++) {
        char path[64];
        snprintf(path, sizeof path, "/recordings/%d.spade", k);
        assert_int_equal(results_is_best(results, path), runs[k].best);
    }
    results_close(results);
    remove_folder(folder);
}

/// Whoever was deleted while his attempt waited does not come back by it.
TEST(what_waits_of_a_deleted_trainee_is_dropped)
{
    char folder[64], db[512], home[512], file[DATA_PATH_LENGTH];
    Status status = {0};
    make_folder(folder);
    assert_int_equal(setenv("XDG_DATA_HOME", path_in(folder, "home", home), 1), 0);
    Results *results = results_open(path_in(folder, "r.db", db), RESULTS_WRITE, &status);
    assert_good(results != NULL, status);
    ResultAttempt *attempt = calloc(1, sizeof *attempt);
    snprintf(attempt->trainee, sizeof attempt->trainee, "Ada");
    snprintf(attempt->scene, sizeof attempt->scene, "trench");
    snprintf(attempt->end, sizeof attempt->end, "done");
    snprintf(attempt->started, sizeof attempt->started, "2026-11-01T10:00:00Z");
    assert_good(results_add(results, attempt, &status), status);
    attempt->uuid[0] = '\0';
    assert_good(results_set_aside(db, attempt, file, &status), status);
    assert_good(results_delete_trainee(results, "Ada", NULL, &status), status);
    results_close(results);
    free(attempt);
    results = results_open(db, RESULTS_READ, &status);
    assert_good(results != NULL, status);
    results_close(results);
    assert_int_equal(sql_number(db, "select (select count(*) from attempt) + (select count(*) from trainee)"), 0);
    assert_int_equal(count_waiting(folder, ".json"), 0);
    remove_folder(folder);
}

/// ---- an attempt out of its recording -------------------------------------------------------------------------------

static void check_same(const ResultAttempt *attempt, const ResultAttempt *stored)
{
    assert_string_equal(attempt->scene, stored->scene);
    assert_string_equal(attempt->language, "en");
    assert_string_equal(stored->language, "en");
    assert_string_equal(attempt->end, stored->end);
    assert_string_equal(attempt->operator_name, stored->operator_name);
    assert_string_equal(attempt->machine, stored->machine);
    assert_string_equal(attempt->recording, stored->recording);
    assert_string_equal(attempt->recording_hash, stored->recording_hash);
    assert_string_equal(attempt->recording_seal, stored->recording_seal);
    assert_int_equal(attempt->driver, CREDIT_AUTO);
    assert_near(attempt->duration, stored->duration, 1e-9);
    assert_true(attempt->score == stored->score && attempt->metric_count == stored->metric_count &&
                attempt->score_count == stored->score_count);
    for (int k = 0; k < attempt->metric_count; k++) { // read back by name
        for (int n = 0; n < stored->metric_count; n++) {
            assert_true(strcmp(attempt->metrics[k].name, stored->metrics[n].name) != 0 ||
                        attempt->metrics[k].value == stored->metrics[n].value);
        }
    }
}

TEST(a_recording_gives_the_attempt_that_its_drive_was)
{
    char folder[64], db[512], home[512], recording[512], copy[512], command[1200];
    Status status = {0};
    RunOptions options = plain_with_results(folder, db, home);
    options.record = path_in(folder, "a.spade", recording);
    options.trainee = "Ada";
    options.course = "excavator";
    Drive *drive = start(&options);
    run(drive);
    assert_good(leave(drive, &status), status);
    Kept kept = {0};
    Results *results = results_open(db, RESULTS_WRITE, &status);
    assert_good(results != NULL, status);
    assert_good(results_each(results, NULL, keep, &kept, &status), status);
    ResultAttempt *attempt = calloc(1, sizeof *attempt);
    assert_good(results_of_recording(recording, attempt, &status), status);
    const ResultAttempt *stored = &kept.attempt;
    assert_string_equal(attempt->uuid, stored->uuid);
    assert_string_equal(attempt->trainee, "Ada");
    assert_string_equal(attempt->course, "excavator");
    check_same(attempt, stored);
    assert_false(results_add_recorded(results, attempt, false, &status)); // it is there
    assert_int_equal(status.code, STATUS_BAD_FILE);
    assert_non_null(strstr(status.text, "is among the results already"));
    attempt->uuid[0] = '\0'; // by its seal alone, as recordings from before have it
    assert_false(results_add_recorded(results, attempt, false, &status));
    assert_good(results_delete_trainee(results, "Ada", NULL, &status), status);
    assert_good(results_of_recording(recording, attempt, &status), status);
    assert_false(results_add_recorded(results, attempt, false, &status));
    assert_non_null(strstr(status.text, "--restore"));
    assert_good(results_add_recorded(results, attempt, true, &status), status);
    results_close(results);
    // A changed one, and one that was cut short, are refused.
    snprintf(command, sizeof command, "cp '%s' '%s'", recording, path_in(folder, "b.spade", copy));
    assert_int_equal(system(command), 0);
    sql_number(copy, "update metric set value = 97 where name = 'score'");
    assert_false(results_of_recording(copy, attempt, &status));
    assert_int_equal(status.code, STATUS_NOT_VERIFIED);
    assert_int_equal(system(command), 0);
    sql_number(copy, "update meta set value = 'Bob' where key = 'trainee'");
    assert_false(results_of_recording(copy, attempt, &status));
    assert_int_equal(status.code, STATUS_NOT_VERIFIED);
    assert_false(results_of_recording("/dev/null", attempt, &status));
    assert_int_equal(status.code, STATUS_BAD_FILE);
    free(attempt);
    remove_folder(folder);
}

/// ---- the clean-up --------------------------------------------------------------------------------------------------

/// An old recording in the user's folder, of what an edit makes of another one.
static void put_old(const char *from, const char *folder, const char *name, const char *sql)
{
    char path[600], command[1400];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    snprintf(command, sizeof command, "cp '%s' '%s'", from, path);
    assert_int_equal(system(command), 0);
    sql_number(path, sql);
    assert_true(reseal(path));
    snprintf(command, sizeof command, "touch -d '2026-01-01' '%s'", path);
    assert_int_equal(system(command), 0);
}

static void write_settings(const char *home, const char *text)
{
    char path[600];
    snprintf(path, sizeof path, "%s/spadework/settings.yaml", home);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static bool is_there(const char *folder, const char *name)
{
    char path[600];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return access(path, F_OK) == 0;
}

/// Experts' runs, passed and marked ones stay unless a setting says otherwise; what goes is named, on the page and in
/// the results.
static void add_plain(Results *results, const char *folder, const char *const names[2])
{
    Status status = {0};
    for (int k = 0; k < 2; k++) {
        ResultAttempt *attempt = calloc(1, sizeof *attempt);
        snprintf(attempt->scene, sizeof attempt->scene, "trench");
        snprintf(attempt->recording, sizeof attempt->recording, "%.400s/%s", folder, names[k]);
        results_station(attempt->station);
        results_now(attempt->started);
        assert_good(results_add(results, attempt, &status), status);
        free(attempt);
    }
}

TEST(the_clean_up_takes_no_expert_no_pass_and_no_mark_unasked)
{
    static const char *const names[] = {"trench-2026-01-01-080000.spade", "trench-2026-01-02-080000.spade",
                                        "trench-2026-01-03-080000.spade", "trench-2026-01-04-080000.spade",
                                        "trench-2026-01-05-080000.spade"};
    char folder[64], home[512], big[512], recordings[560], db[512], marks[640];
    Status status = {0};
    make_folder(folder);
    path_in(folder, "home", home);
    assert_int_equal(setenv("XDG_DATA_HOME", home, 1), 0);
    assert_int_equal(setenv("XDG_CONFIG_HOME", home, 1), 0);
    snprintf(recordings, sizeof recordings, "%s/spadework/recordings", home);
    assert_good(user_make_folder(recordings, &status), status);
    write_settings(home, "kind: settings\nrecordings: {limit_gb: 0.1}\n");
    record(path_in(folder, "big.spade", big), 1, 30, NULL);
    sql_number(big, "create table filler(a)"); // thirty megabytes each; nobody replays it
    sql_number(big, "insert into filler values(zeroblob(30000000))");
    const char *person = "update meta set value = 'person' where key in ('driver', 'operator')";
    put_old(big, recordings, names[0], "update meta set value = '' where key = 'trainee'"); // an expert's
    char passed[640];
    snprintf(passed, sizeof passed, "%s/passed.spade", folder);
    put_old(big, folder, "passed.spade", person);
    sql_number(passed, "update metric set value = 1 where name = 'passed'");
    assert_true(reseal(passed));
    put_old(passed, recordings, names[1], "select 1"); // hers, and passed
    put_old(big, recordings, names[2], person); // marked
    put_old(big, recordings, names[3], person);
    put_old(big, recordings, names[4], person);
    snprintf(marks, sizeof marks, "%s/%s.marks", recordings, names[2]);
    FILE *file = fopen(marks, "w");
    fputs("0.1 look\n", file);
    fclose(file);
    // The results name the two plain ones.
    Results *results = results_open(path_in(folder, "r.db", db), RESULTS_WRITE, &status);
    assert_good(results != NULL, status);
    add_plain(results, recordings, &names[3]);
    results_close(results);
    RunOptions options = plain();
    options.keep = true;
    options.results = db;
    Drive *drive = start(&options);
    run(drive);
    assert_good(drive_close(drive, true, &status), status);
    assert_non_null(strstr(drive->results.cleared, names[3]));
    assert_non_null(strstr(drive->results.cleared, names[4]));
    drive_destroy(drive);
    free(drive);
    assert_true(is_there(recordings, names[0]) && is_there(recordings, names[1]) && is_there(recordings, names[2]));
    assert_false(is_there(recordings, names[3]) || is_there(recordings, names[4]));
    assert_int_equal(sql_number(db, "select count(*) from attempt where cleared > '2026'"), 2);
    write_settings(home, "kind: settings\nrecordings: {limit_gb: 0.1, clear: any}\n");
    put_old(big, recordings, names[3], person);
    drive = start(&options);
    run(drive);
    assert_good(leave(drive, &status), status);
    assert_false(is_there(recordings, names[0])); // the oldest of all
    remove_folder(folder);
}

TEST_GROUP(NULL, NULL)
