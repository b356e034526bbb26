/// Seals: whoever changes a recording is found, though SQLite and the replay see nothing wrong; signatures by a
/// station's key; a lock that is waited for.
// test: waits
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "tests/support/test.h"
#include "trainer/record/record.h"

enum { TICKS = 150 };

#define ZERO(name, unit, shown) ",0"

static char folder[] = "/tmp/spadework-seals-XXXXXX";

static void nap(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

/// Longer than the writer takes to see a lock, or its end.
static void nap_half_a_second(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 500000000}, NULL);
}

static void path_of(const char *name, char path[256])
{
    snprintf(path, 256, "%s/%s", folder, name);
}

static int set_up(void **state)
{
    (void)state;
    return mkdtemp(folder) != NULL && setenv("XDG_DATA_HOME", folder, 1) == 0 ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    char command[300];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

/// Records a short drive; the file is locked by somebody else for a while when `locked`.
static void record(const char *path, const Station *station, bool locked)
{
    Status status = {0};
    Session *session = session_create(&(SessionParams){.scene = "trench", .threads = 1}, &status);
    assert_non_null(session);
    RecorderParams params = {.path = path, .trainee = "Ann", .operator_name = "auto", .station = station};
    Recorder *recorder = recorder_create(&params, session, &status);
    assert_non_null(recorder);
    OperatorControls controls = control_neutral;
    controls.axis[CONTROL_SWING] = CONTROL_FULL / 2;
    sqlite3 *db = NULL;
    bool was_held_up = false;
    for (int tick = 0; tick < TICKS; tick++) {
        Status reason;
        if (locked && tick == 31) {
            assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
            while (sqlite3_exec(db, "BEGIN EXCLUSIVE", NULL, NULL, NULL) != SQLITE_OK) {
                nap();
            }
        }
        was_held_up |= recorder_is_held_up(recorder, &reason);
        if (locked && tick == 130) {
            nap_half_a_second();
            assert_int_equal(sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL), SQLITE_OK);
            sqlite3_close(db);
            nap_half_a_second();
        }
        session_tick(session, &controls);
        assert_true(recorder_tick(recorder, session, &status));
    }
    assert_int_equal(was_held_up, locked);
    assert_true(recorder_close(recorder, session, &status));
    session_destroy(session);
}

static bool verify(const char *path, VerifyResult *result, Status *status)
{
    Recording *recording = recording_open(path, status);
    assert_non_null(recording);
    bool good = recording_verify(recording, 0, false, 1, NULL, NULL, result, status);
    recording_close(recording);
    return good;
}

static void change(const char *from, const char *to, const char *sql)
{
    char command[600];
    sqlite3 *db = NULL;
    snprintf(command, sizeof command, "cp '%s' '%s'", from, to);
    assert_int_equal(system(command), 0);
    assert_int_equal(sqlite3_open(to, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

TEST(whoever_changes_a_recording_is_found)
{
    static const char *const changes[][2] = {
        {"UPDATE meta SET value='Bob' WHERE key='trainee'", "table meta (seal 0)"},
        {"UPDATE meta SET value='2020-01-01T00:00:00Z' WHERE key='created'", "table meta (seal 0)"},
        {"UPDATE metric SET value=99 WHERE name='score'", "metric score"},
        {"DELETE FROM metric WHERE name='score'", "metric score"},
        {"INSERT INTO event VALUES(40,'slow','','','',0,'','',0,''" EVENT_NUMBERS(ZERO) ")", "table event"},
        {"INSERT INTO picture VALUES(x'00')", "table picture"},
        {"UPDATE trace SET samples=CAST(substr(samples,1,40)||x'00000041'||substr(samples,45) AS BLOB) WHERE "
         "tick=(SELECT max(tick) FROM trace)",
         "trace"},
        {"DELETE FROM seal WHERE number=(SELECT max(number) FROM seal)", "rows were added to table"},
        {"DELETE FROM seal", "it has no seal"},
        {"UPDATE seal SET hash=zeroblob(32) WHERE number=2", "the seal was changed (seal 2)"},
        {"UPDATE seal SET closed=0", "the seal was changed"},
    };
    char path[256], changed[256];
    VerifyResult result;
    Status status = {0};
    path_of("plain.spade", path);
    path_of("changed.spade", changed);
    record(path, NULL, false);
    assert_true(verify(path, &result, &status));
    assert_true(result.seal.closed);
    assert_true(result.metrics > 5);
    for (size_t k = 0; k < sizeof changes / sizeof *changes; k++) {
        change(path, changed, changes[k][0]);
        Recording *recording = recording_open(changed, &status);
        bool good = recording != NULL && recording_verify(recording, 0, false, 1, NULL, NULL, &result, &status);
        recording_close(recording);
        if (good || strstr(status.text, changes[k][1]) == NULL) {
            fail_msg("%s: %s", changes[k][0], good ? "verified" : status.text);
        }
        unlink(changed);
    }
}

TEST(a_station_signs_and_is_trusted)
{
    char path[256], changed[256], name[STATION_NAME], key_path[300], text[STATION_HEX];
    VerifyResult result;
    Status status = {0};
    Station station, other;
    assert_true(station_load(&station, &status));
    assert_string_equal(station.name, "");
    assert_false(station_make("", &station, &status));
    assert_false(station_make("two\nlines", &station, &status));
    assert_false(station_make("Hall \xe2\x80\xae 3", &station, &status));
    assert_false(station_make("  ", &station, &status));
    assert_false(station_make("Hall \xff", &station, &status));
    assert_true(station_make("Simulator 3", &station, &status));
    assert_false(station_make("again", &other, &status));
    assert_true(station_load(&other, &status));
    assert_memory_equal(station.secret, other.secret, STATION_SECRET);
    path_of("signed.spade", path);
    record(path, &station, false);
    assert_true(verify(path, &result, &status));
    station_key_text(station.key, text);
    assert_string_equal(result.seal.key, text);
    assert_string_equal(result.seal.station, "Simulator 3");
    assert_true(station_find(station.key, name, &status));
    assert_string_equal(name, "Simulator 3");
    path_of("changed.spade", changed);
    change(path, changed, "UPDATE seal SET signature=zeroblob(64) WHERE number=1");
    assert_false(verify(changed, &result, &status));
    assert_non_null(strstr(status.text, "signature does not fit (seal 1)"));

    // Another computer's key: unknown, then trusted, then under another name.
    unsigned char key[STATION_KEY];
    assert_true(station_key_read("00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff", key));
    assert_false(station_key_read("0011", key));
    assert_true(station_find(key, name, &status));
    assert_string_equal(name, "");
    assert_true(station_trust("Hall 2", key, &status));
    assert_true(station_trust("Hall 3", key, &status));
    assert_true(station_find(key, name, &status));
    assert_string_equal(name, "Hall 3");

    // A secret that others may read, or that is damaged, is refused.
    path_of("spadework/station.key", key_path);
    assert_int_equal(chmod(key_path, 0644), 0);
    assert_false(station_load(&station, &status));
    assert_non_null(strstr(status.text, "others may read"));
    assert_int_equal(chmod(key_path, 0600), 0);
    assert_int_equal(truncate(key_path, 40), 0);
    assert_false(station_load(&station, &status));
    unlink(key_path);
}

TEST(a_lock_is_waited_for)
{
    char path[256];
    VerifyResult result;
    Status status = {0};
    ExerciseEvent events[64];
    path_of("locked.spade", path);
    record(path, NULL, true);
    assert_true(verify(path, &result, &status));
    assert_int_equal(result.ticks, TICKS);
    Recording *recording = recording_open(path, &status);
    int count = recording_events(recording, events, 64), waited = 0;
    for (int k = 0; k < count; k++) {
        waited += events[k].kind == EVENT_RECORDING;
    }
    assert_int_equal(waited, 1);
    recording_close(recording);
}

TEST_GROUP(set_up, tear_down)
