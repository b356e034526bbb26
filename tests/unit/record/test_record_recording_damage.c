/// What becomes of a recording when something goes wrong: changed rows, flipped bytes, cut and foreign files, a killed
/// program, a full disk. The program starts itself for what ends a process.
#include "tests/support/recording_refused.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

enum { LONGEST = 4000 };

/// Verifies the changed file, which must open and must not be what was recorded.
static VerifyResult find_difference(const Fixture *fixture)
{
    Status status = {0};
    VerifyResult result;
    Recording *recording = open_good(fixture->path);
    assert_false(recording_verify(recording, 0, true, 1, NULL, NULL, &result, &status));
    assert_int_equal(status.code, STATUS_NOT_VERIFIED);
    assert_true(result.field[0] != '\0');
    assert_non_null(strstr(status.text, result.field));
    recording_close(recording);
    return result;
}

/// Changes a fresh copy by SQL; expects the first difference at `tick` in a field beginning so.
static void expect_found(const Fixture *fixture, const char *sql, int64_t tick, const char *field)
{
    restore_copy(fixture);
    sql_number(fixture->path, sql);
    VerifyResult result = find_difference(fixture);
    if (result.first_difference != tick || strncmp(result.field, field, strlen(field)) != 0) {
        fail_msg("%s: found at %d in %s, wanted %d in %s", sql, (int)result.first_difference, result.field, (int)tick,
                 field);
    }
}

static void expect_refused_after(const Fixture *fixture, const char *sql, const char *reason)
{
    restore_copy(fixture);
    sql_number(fixture->path, sql);
    expect_refused(fixture->path, reason);
}

TEST_WITH(changed_rows_are_found_with_tick_and_field, const Fixture *fixture)
{
    expect_found(
        fixture,
        "UPDATE input SET controls=CAST(substr(controls,1,4)||x'0102'||substr(controls,7) AS BLOB) WHERE tick=100", 101,
        "input.controls");
    expect_found(fixture, "UPDATE state SET hash=hash+1 WHERE tick=75", 75, "state.hash");
    expect_found(fixture, "UPDATE state SET hash=hash+1 WHERE tick=0", 0, "state.hash");
    expect_found(fixture,
                 "UPDATE keyframe SET zstd=CAST(substr(zstd,1,40)||x'0055'||substr(zstd,43) AS BLOB) WHERE tick=180",
                 180, "keyframe");
    expect_found(fixture, "UPDATE keyframe SET zstd=(SELECT zstd FROM keyframe WHERE tick=0) WHERE tick=180", 180,
                 "session.tick");
    expect_found(fixture, "UPDATE keyframe SET zstd=x'28b52ffd' WHERE tick=180", 180, "keyframe");
}

TEST_WITH(a_forged_input_is_found_in_the_state, const Fixture *fixture)
{
    // A row with its right hash, from a recording of other controls: only the replay can tell.
    char forged[512], sql[1024];
    path_in(fixture->folder, "forged.spade", forged);
    Status status = {0};
    Session *session = make_session(1);
    RecorderParams params = {.path = forged};
    Recorder *recorder = recorder_create(&params, session, &status);
    assert_good(recorder != NULL, status);
    OperatorControls controls = control_neutral;
    controls.axis[CONTROL_SWING] = CONTROL_FULL;
    for (int tick = 0; tick < 101; tick++) {
        session_tick(session, &controls);
        assert_good(recorder_tick(recorder, session, &status), status);
    }
    assert_good(recorder_close(recorder, session, &status), status);
    session_destroy(session);
    restore_copy(fixture);
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(fixture->path, &db), SQLITE_OK);
    snprintf(sql, sizeof sql, "ATTACH '%s' AS other; REPLACE INTO input SELECT * FROM other.input WHERE tick=100;",
             forged);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
    VerifyResult result = find_difference(fixture);
    assert_int_equal(result.first_difference, 101);
    assert_null(strstr(result.field, "input"));
    assert_null(strstr(result.field, "hash"));
}

TEST_WITH(a_difference_of_another_build_says_so, const Fixture *fixture)
{
    restore_copy(fixture);
    sql_number(fixture->path, "UPDATE state SET hash=0 WHERE tick=5");
    sql_number(fixture->path, "UPDATE meta SET value='0.0.9' WHERE key='build'");
    Status status = {0};
    VerifyResult result;
    Recording *recording = open_good(fixture->path);
    assert_false(recording_verify(recording, 0, false, 1, NULL, NULL, &result, &status));
    assert_non_null(strstr(status.text, "recorded by version 0.0.9, this is version"));
    recording_close(recording);
}

TEST_WITH(tables_that_do_not_fit_are_refused, const Fixture *fixture)
{
    expect_refused_after(fixture, "DELETE FROM input WHERE tick=30", "199 inputs");
    expect_refused_after(fixture, "UPDATE input SET tick=1000 WHERE tick=30", "input of tick 30 is missing");
    expect_refused_after(fixture, "UPDATE state SET tick=1000 WHERE tick=30", "state of tick 30 is missing");
    expect_refused_after(fixture, "UPDATE input SET controls=x'0011' WHERE tick=9", "tick 9 is not 52 bytes");
    expect_refused_after(fixture, "UPDATE input SET controls=CAST(x'0080'||substr(controls,3) AS BLOB) WHERE tick=9",
                         "swing at tick 9 is -32768");
    expect_refused_after(fixture, "UPDATE input SET controls=hex(controls) WHERE tick=9", "tick 9 is not 52 bytes");
    expect_refused_after(fixture, "DELETE FROM keyframe WHERE tick=0", "keyframe");
    expect_refused_after(fixture, "UPDATE meta SET value='fast' WHERE key='seed'", "meta seed is fast");
    expect_refused_after(fixture, "DELETE FROM meta WHERE key='tick_rate'", "meta tick_rate is missing");
    expect_refused_after(fixture, "UPDATE meta SET value='jacobi' WHERE key='solver'", "default, p2, gs");
    expect_refused_after(fixture, "UPDATE file SET text=replace(text,'depth: 1.5','depth: 1.6') WHERE kind='scenes'",
                         "not the recorded one");
    expect_refused_after(fixture, "DROP TABLE metric", "lacks the table metric");
    expect_refused_after(fixture, "ALTER TABLE event ADD COLUMN place", "other columns");
    expect_refused_after(fixture, "PRAGMA user_version=8", "format 8");
    expect_refused_after(fixture, "PRAGMA application_id=1", "another program");
    expect_refused_after(fixture, "PRAGMA journal_mode=WAL", "header is wrong");
}

TEST_WITH(foreign_files_are_refused_and_left_alone, const Fixture *fixture)
{
    static const char png[200] = "\x89PNG\r\n\x1a\n";
    expect_refused("/nowhere/at/all.spade", "No such file");
    expect_refused(fixture->folder, "folder");
    expect_refused("/dev/null", "device");
    write_whole(fixture->path, "", 0);
    expect_refused(fixture->path, "empty");
    write_whole(fixture->path, png, sizeof png);
    expect_refused(fixture->path, "not a recording");
    write_whole(fixture->path, "kind: scene\n", 12);
    expect_refused(fixture->path, "not a recording");
    unlink(fixture->path);
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(fixture->path, &db), SQLITE_OK);
    sqlite3_exec(db, "CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL)", NULL, NULL, NULL);
    sqlite3_close(db);
    expect_refused(fixture->path, "another program");
}

TEST_WITH(a_cut_file_is_refused_at_any_length, const Fixture *fixture)
{
    size_t size;
    char *bytes = read_whole(fixture->good, &size);
    for (size_t k = 1; k < 16; k++) {
        write_whole(fixture->path, bytes, size * k / 16);
        expect_refused(fixture->path, "");
    }
    write_whole(fixture->path, bytes, size - 1);
    expect_refused(fixture->path, "");
    write_whole(fixture->path, bytes, 99);
    expect_refused(fixture->path, "not a recording");
    free(bytes);
}

/// What a reader does with a file, short of replaying it: every row and keyframe is looked at.
static void read_everything(const char *path)
{
    Status status = {0};
    Recording *recording = recording_open(path, &status);
    if (recording == NULL) {
        assert_true(status.text[0] != '\0');
        return;
    }
    ExerciseEvent events[16];
    ExerciseMetric metrics[16];
    recording_events(recording, events, 16);
    recording_metrics(recording, metrics, 16);
    Session *session = recording_create_session(recording, 1, &status);
    for (int64_t tick = 0; session != NULL && tick <= recording_ticks(recording); tick += TICK_RATE) {
        if (!recording_seek(recording, session, tick, &status)) {
            assert_true(status.text[0] != '\0');
        }
    }
    session_destroy(session);
    recording_close(recording);
}

TEST_WITH(flipped_bytes_never_crash, const Fixture *fixture)
{
    size_t size;
    char *bytes = read_whole(fixture->good, &size);
    uint32_t random = 12345;
    for (int k = 0; k < 150; k++) {
        random = random * 1664525u + 1013904223u;
        size_t at = k < 100 ? (size_t)k : random % size;
        bytes[at] ^= (char)(1 << (random >> 29));
        write_whole(fixture->path, bytes, size);
        read_everything(fixture->path);
        bytes[at] ^= (char)(1 << (random >> 29));
    }
    free(bytes);
}

TEST_WITH(a_path_that_cannot_be_written_is_told, const Fixture *fixture)
{
    Session *session = make_session(1);
    struct {
        const char *path, *reason;
    } cases[] = {{fixture->good, "exists already"},
                 {fixture->folder, "exists already"},
                 {"/nowhere/at/all.spade", "No such file"},
                 {"/dev/null/x.spade", "Not a directory"},
                 {"", "not a name"},
                 {":memory:", "not a name"}};
    size_t size, size_after;
    char *before = read_whole(fixture->good, &size);
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        Status status = {0};
        RecorderParams params = {.path = cases[k].path};
        assert_null(recorder_create(&params, session, &status));
        assert_int_equal(status.code, STATUS_LACKING);
        if (strstr(status.text, cases[k].reason) == NULL) {
            fail_msg("told: %s; wanted: %s", status.text, cases[k].reason);
        }
    }
    char *after = read_whole(fixture->good, &size_after);
    assert_int_equal(size, size_after);
    assert_memory_equal(before, after, size);
    free(before);
    free(after);
    session_destroy(session);
}

/// Records until it is killed, or until writing fails (exit code 4, the reason on stdout); tells each tick on stdout.
static int record_endlessly(const char *path, rlim_t largest_file)
{
    if (largest_file > 0) {
        struct rlimit limit = {largest_file, largest_file};
        setrlimit(RLIMIT_FSIZE, &limit);
    }
    Status status = {0};
    SessionParams session_params = {.scene = "trench", .threads = 1};
    Session *session = session_create(&session_params, &status);
    Autopilot *pilot = autopilot_create(session);
    RecorderParams params = {.path = path, .trainee = "Ada"};
    Recorder *recorder = recorder_create(&params, session, &status);
    for (int64_t tick = 1; recorder != NULL && tick <= LONGEST; tick++) {
        OperatorControls controls;
        autopilot_controls(pilot, session, &controls);
        session_tick(session, &controls);
        if (!recorder_tick(recorder, session, &status)) {
            bool again = recorder_tick(recorder, session, &status);
            bool closed = recorder_close(recorder, session, &status);
            printf("%s\n", again || closed ? "still writing after a failure" : status.text);
            fflush(stdout);
            _exit((int)status.code);
        }
        char line[32];
        int length = snprintf(line, sizeof line, "%d\n", (int)tick);
        if (write(STDOUT_FILENO, line, (size_t)length) != length) {
            _exit(9);
        }
    }
    _exit(8);
}

/// Starts this program again to record; its stdout is returned as a stream.
static pid_t start_recording(const char *path, const char *largest_file, FILE **output)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        execl("/proc/self/exe", "child", "test_record_recording_damage", path, largest_file, (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    *output = fdopen(ends[0], "r");
    assert_non_null(*output);
    return child;
}

TEST_WITH(a_killed_program_loses_at_most_a_second, const Fixture *fixture)
{
    for (int k = 0; k < 4; k++) {
        char path[512], name[32], line[64];
        snprintf(name, sizeof name, "killed-%d.spade", k);
        path_in(fixture->folder, name, path);
        FILE *output;
        pid_t child = start_recording(path, "0", &output);
        int seen = 0, status;
        while (seen < 93 + 17 * k && fgets(line, sizeof line, output) != NULL) {
            seen = atoi(line);
        }
        assert_int_equal(kill(child, SIGKILL), 0);
        while (fgets(line, sizeof line, output) != NULL) {
            seen = atoi(line);
        }
        fclose(output);
        waitpid(child, &status, 0);
        assert_true(WIFSIGNALED(status));
        Recording *recording = open_good(path);
        assert_true(recording_ticks(recording) >= seen - TICK_RATE);
        assert_true(recording_ticks(recording) <= seen + 1);
        VerifyResult result;
        Status verified = {0};
        assert_good(recording_verify(recording, 0, false, 1, NULL, NULL, &result, &verified), verified);
        recording_close(recording);
    }
}

TEST_WITH(a_hot_journal_is_rolled_back_in_a_copy, const Fixture *fixture)
{
    // A commit cut in the middle: pages already overwritten, the journal beside them holding what they were.
    restore_copy(fixture);
    char journal[600];
    snprintf(journal, sizeof journal, "%s-journal", fixture->path);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        sqlite3 *db = NULL;
        sqlite3_open(fixture->path, &db);
        sqlite3_exec(db,
                     "PRAGMA cache_size=2; PRAGMA cache_spill=2; BEGIN; UPDATE input SET controls=zeroblob(9);"
                     "UPDATE state SET hash=0; DELETE FROM keyframe; UPDATE input SET hash=1;",
                     NULL, NULL, NULL);
        raise(SIGKILL);
    }
    int status;
    waitpid(child, &status, 0);
    size_t size, size_after, journal_size;
    char *before = read_whole(fixture->path, &size);
    free(read_whole(journal, &journal_size));
    assert_true(journal_size > 1000);
    Recording *recording = open_good(fixture->path);
    assert_int_equal(recording_ticks(recording), TICKS);
    VerifyResult result;
    Status verified = {0};
    assert_good(recording_verify(recording, 0, false, 1, NULL, NULL, &result, &verified), verified);
    recording_close(recording);
    char *after = read_whole(fixture->path, &size_after);
    assert_int_equal(size, size_after);
    assert_memory_equal(before, after, size);
    assert_int_equal(access(journal, F_OK), 0);
    free(before);
    free(after);
    unlink(journal);
}

TEST_WITH(a_full_disk_is_told_and_the_file_stays_good, const Fixture *fixture)
{
    char path[512], line[1024], last[1024] = "";
    path_in(fixture->folder, "full.spade", path);
    FILE *output;
    pid_t child = start_recording(path, "200000", &output);
    while (fgets(line, sizeof line, output) != NULL) {
        snprintf(last, sizeof last, "%s", line);
    }
    fclose(output);
    int status;
    waitpid(child, &status, 0);
    assert_true(WIFEXITED(status));
    if (WEXITSTATUS(status) != STATUS_LACKING || strstr(last, "writing the recording failed") == NULL ||
        strstr(last, path) == NULL) {
        fail_msg("ended with %d: %s", WEXITSTATUS(status), last);
    }
    Recording *recording = open_good(path);
    assert_true(recording_ticks(recording) >= TICK_RATE);
    VerifyResult result;
    Status verified = {0};
    assert_good(recording_verify(recording, 0, false, 1, NULL, NULL, &result, &verified), verified);
    recording_close(recording);
}

static int child(int count, char **arguments)
{
    return count == 3 ? record_endlessly(arguments[1], (rlim_t)strtoul(arguments[2], NULL, 10)) : 2;
}

TEST_GROUP_WITH_CHILD(set_up, tear_down, child)
