/// Recordings made to harm whoever opens them: journals that name other files, views and triggers, values without end,
/// texts with a terminal's commands. Each is refused, changes nothing and takes no time.
#include "tests/support/recording_refused.h"

#include <signal.h>
#include <sys/wait.h>

#include "trainer/record/recording_glance.h"

static const char *journal_of(const Fixture *fixture)
{
    static char path[600];
    snprintf(path, sizeof path, "%s-journal", fixture->path);
    return path;
}

static void put_big_endian(uint32_t value, unsigned char *bytes)
{
    for (int k = 0; k < 4; k++) {
        bytes[k] = (unsigned char)(value >> (24 - 8 * k));
    }
}

/// A journal that is hot, as a writer leaves it that is killed in the middle of a commit.
static void leave_journal(const Fixture *fixture)
{
    forge(fixture, "");
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        sqlite3 *db = NULL;
        sqlite3_open(fixture->path, &db);
        sqlite3_exec(db, "PRAGMA cache_size=2; PRAGMA cache_spill=2; BEGIN; UPDATE state SET hash=0;", NULL, NULL,
                     NULL);
        sqlite3_exec(db, "UPDATE input SET hash=1; DELETE FROM keyframe;", NULL, NULL, NULL);
        raise(SIGKILL);
    }
    int status;
    waitpid(child, &status, 0);
}

/// SQLite's record at a journal's end: page of the lock, name, its length, its sum, magic.
static void name_in_journal(const Fixture *fixture, const char *name)
{
    unsigned char page[4], tail[16] = "????????\xd9\xd5\x05\xf9\x20\xa1\x63\xd7";
    uint32_t length = (uint32_t)strlen(name), sum = 0;
    for (uint32_t k = 0; k < length; k++) {
        sum += (unsigned char)name[k];
    }
    put_big_endian(0x40000000U / 4096U + 1U, page);
    put_big_endian(length, tail);
    put_big_endian(sum, tail + 4);
    FILE *file = fopen(journal_of(fixture), "ab");
    assert_non_null(file);
    assert_int_equal(fwrite(page, 1, 4, file), 4);
    assert_int_equal(fwrite(name, 1, length, file), length);
    assert_int_equal(fwrite(tail, 1, 16, file), 16);
    fclose(file);
}

TEST_WITH(a_journal_that_names_another_file_is_refused, const Fixture *fixture)
{
    leave_journal(fixture);
    recording_close(open_good(fixture->path)); // it is a good one without the name
    size_t size;
    char *journal = read_whole(journal_of(fixture), &size);
    char victim[512];
    write_whole(path_in(fixture->folder, "victim", victim), journal,
                size); // as SQLite wants a journal of several databases to look
    free(journal);
    name_in_journal(fixture, victim);
    expect_refused(fixture->path, "names another file");
    assert_int_equal(access(victim, F_OK), 0);
    assert_int_equal(access(journal_of(fixture), F_OK), 0);
    unlink(journal_of(fixture));
}

TEST_WITH(a_journal_is_no_larger_than_its_recording_makes_it, const Fixture *fixture)
{
    leave_journal(fixture);
    struct stat info;
    assert_int_equal(stat(fixture->path, &info), 0);
    assert_int_equal(truncate(journal_of(fixture), 2 * info.st_size + (1 << 20)), 0);
    recording_close(open_good(fixture->path));
    assert_int_equal(truncate(journal_of(fixture), 2 * info.st_size + (1 << 20) + 1), 0);
    expect_refused(fixture->path, "the journal beside it has");
    unlink(journal_of(fixture));
}

TEST_WITH(what_a_recording_has_none_of_is_refused, const Fixture *fixture)
{
    static const char *const forged[][2] = {
        {"CREATE VIEW peek AS SELECT 1", "a recording has no view peek"},
        {"CREATE TRIGGER bang AFTER INSERT ON meta BEGIN SELECT 1; END", "a recording has no trigger bang"},
        {"CREATE INDEX slow ON state(hash)", "a recording has no index slow"},
        {"CREATE TABLE more(a)", "a recording has no table more"},
        {"DROP TABLE picture; CREATE TABLE picture(png BLOB NOT NULL, more)", "other columns"},
        {"DROP TABLE meta; CREATE VIEW meta AS SELECT 'scene' AS key, 'trench' AS value",
         "a recording has no view meta"},
        {"DROP TABLE metric; CREATE TABLE metric(name TEXT PRIMARY KEY, unit TEXT NOT NULL, value REAL NOT NULL, "
         "CHECK(value < 1e9))",
         "other columns"},
    };
    for (size_t k = 0; k < sizeof forged / sizeof *forged; k++) {
        forge(fixture, forged[k][0]);
        expect_refused(fixture->path, forged[k][1]);
    }
}

TEST_WITH(a_glance_evaluates_no_view, const Fixture *fixture)
{
    RecordingGlance glance;
    Status status = {0};
    size_t size = 0;
    forge(fixture, "");
    assert_good(recording_glance(fixture->path, &glance, &status), status);
    forge(fixture, "DROP TABLE picture; CREATE VIEW picture(png) AS WITH RECURSIVE n(k) AS "
                   "(SELECT 1 UNION ALL SELECT k + 1 FROM n) SELECT zeroblob(1) FROM n WHERE k < 0");
    assert_null(recording_glance_picture(fixture->path, &size));
    assert_false(recording_glance(fixture->path, &glance, &status));
    // Recordings of other formats have other tables, and are listed.
    forge(fixture, "CREATE TABLE more(a); UPDATE meta SET value = '8' WHERE key = 'format'");
    assert_good(recording_glance(fixture->path, &glance, &status), status);
    assert_false(glance.replayable);
}

TEST_WITH(a_keyframe_unpacks_to_no_gigabyte, const Fixture *fixture)
{
    // The head of a frame that promises 1 GiB, in four bytes.
    forge(fixture, "UPDATE keyframe SET zstd = x'28b52ffda000000040010000' WHERE tick = 180");
    Recording *recording = open_good(fixture->path);
    Status status = {0};
    Session *session = recording_create_session(recording, 1, &status);
    assert_good(session != NULL, status);
    assert_false(recording_seek(recording, session, 185, &status));
    assert_non_null(strstr(status.text, "for a state of 1073741824, allowed are states of 1.."));
    session_destroy(session);
    recording_close(recording);
}

TEST_WITH(no_command_of_a_terminal_is_told, const Fixture *fixture)
{
    forge(fixture, "UPDATE meta SET value = char(27) || ']0;own' || char(7) || char(155) || '2J' WHERE key = 'seed'");
    Status status = {0};
    assert_null(recording_open(fixture->path, &status));
    assert_non_null(strstr(status.text, "meta seed is \\u001b]0;own\\u0007\\u009b2J"));
    forge(fixture, "UPDATE meta SET value = 'Ada' || char(10) || char(27) || '[2Jverified' WHERE key = 'trainee';"
                   "UPDATE metric SET unit = char(27) || 'c' WHERE name = 'score'");
    Recording *recording = open_good(fixture->path);
    assert_string_equal(recording_meta(recording, "trainee"), "Ada\\u000a\\u001b[2Jverified");
    ExerciseMetric metrics[64];
    int count = recording_metrics(recording, metrics, 64), score = 0;
    while (score < count && strcmp(metrics[score].name, "score") != 0) {
        score++;
    }
    assert_true(score < count);
    assert_string_equal(metrics[score].unit, "\\u001bc");
    recording_close(recording);
    RecordingGlance glance;
    assert_good(recording_glance(fixture->path, &glance, &status), status);
    assert_string_equal(glance.trainee, "Ada\\u000a\\u001b[2Jverified");
}

TEST_GROUP(set_up, tear_down)
