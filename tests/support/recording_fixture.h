/// A short recording of the real session: the trench, dug by the scripted operator.
#ifndef SPADEWORK_TESTS_RECORDING_FIXTURE_H
#define SPADEWORK_TESTS_RECORDING_FIXTURE_H

#include <unistd.h>

#include <sqlite3.h>

#include "tests/support/test.h"
#include "trainer/pilot/pilot.h"
#include "trainer/record/record.h"
#include "trainer/sim/sim.h"

#define TICK_RATE 60

static inline Session *make_session(int threads)
{
    Status status = {0};
    SessionParams params = {.scene = "trench", .threads = threads};
    Session *session = session_create(&params, &status);
    assert_good(session != NULL, status);
    return session;
}

/// A path in a folder of this test's own.
static inline const char *path_in(const char *folder, const char *name, char path[512])
{
    snprintf(path, 512, "%s/%s", folder, name);
    return path;
}

static inline void make_folder(char folder[64])
{
    snprintf(folder, 64, "/tmp/spadework-test-XXXXXX");
    assert_non_null(mkdtemp(folder));
}

static inline void remove_folder(const char *folder)
{
    char command[192];
    snprintf(command, sizeof command, "chmod -R u+w '%s'; rm -rf '%s'", folder, folder);
    assert_int_equal(system(command), 0);
}

/// Records `ticks` ticks of a new session that the scripted operator drives; `hashes`, when not NULL, receives the
/// states' from tick 0 on.
static inline void record_as(const RecorderParams *params, int threads, int ticks, uint64_t *hashes)
{
    Status status = {0};
    Session *session = make_session(threads);
    Autopilot *pilot = autopilot_create(session);
    Recorder *recorder = recorder_create(params, session, &status);
    assert_good(recorder != NULL, status);
    for (int tick = 0; tick <= ticks; tick++) {
        if (hashes != NULL) {
            hashes[tick] = state_hash(session);
        }
        if (tick < ticks) {
            OperatorControls controls;
            autopilot_controls(pilot, session, &controls);
            session_tick(session, &controls);
            assert_good(recorder_tick(recorder, session, &status), status);
        }
    }
    assert_good(recorder_close(recorder, session, &status), status);
    autopilot_destroy(pilot);
    session_destroy(session);
}

static inline void record(const char *path, int threads, int ticks, uint64_t *hashes)
{
    RecorderParams params = {.path = path, .trainee = "Ada", .operator_name = "auto", .driver = CREDIT_AUTO};
    record_as(&params, threads, ticks, hashes);
}

static inline Recording *open_good(const char *path)
{
    Status status = {0};
    Recording *recording = recording_open(path, &status);
    assert_good(recording != NULL, status);
    return recording;
}

/// First column of the first row as a number.
static inline int64_t sql_number(const char *path, const char *sql)
{
    sqlite3 *db = NULL;
    sqlite3_stmt *statement = NULL;
    assert_int_equal(sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &statement, NULL), SQLITE_OK);
    int code = sqlite3_step(statement);
    int64_t number = code == SQLITE_ROW ? sqlite3_column_int64(statement, 0) : 0;
    assert_true(code == SQLITE_ROW || code == SQLITE_DONE);
    sqlite3_finalize(statement);
    sqlite3_close(db);
    return number;
}

#endif
