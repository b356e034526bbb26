/// What is kept of a drive: the attempt of one that was asked for, nothing of one that was not, and what happens when
/// it cannot be kept.
#include <sys/stat.h>

#include "tests/support/recording_fixture.h"
#include "trainer/command/drive.h"
#include "trainer/results/results.h"

static bool begin(void *context, Drive *drive, DriveRound *round, Status *status)
{
    (void)context;
    (void)drive;
    (void)status;
    *round = (DriveRound){0};
    return true;
}

static void count(void *context, Drive *drive)
{
    (void)context;
    (void)drive;
}

static bool end(void *context, Drive *drive, bool last, Status *status)
{
    (void)context;
    (void)drive;
    (void)last;
    (void)status;
    return true;
}

static bool answer(void *context, Drive *drive, DriveFile file)
{
    (void)context;
    (void)drive;
    (void)file;
    return false;
}

/// Half a second of the scripted operator in the trench.
static RunOptions plain(void)
{
    return (RunOptions){
        .scene = "trench", .operator_name = "auto", .seconds = 0.5, .threads = 1, .shot_at = -1.0, .camera = -1};
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
    DriveHost host = {NULL, begin, count, end, answer};
    assert_good(drive_run(drive, &host, &status), status);
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
    refuse(&options, STATUS_BAD_USAGE, "--course a/b");
    options.course = "nowhere";
    refuse(&options, STATUS_BAD_FILE, "no course named nowhere in ");
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

TEST_MAIN(NULL, NULL)
