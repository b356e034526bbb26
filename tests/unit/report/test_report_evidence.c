/// What a recording proves: readers never end it, what another program puts in is found, one moment is read while it
/// goes on, and each state - whole, cut short, being recorded, changed - is told.
// test: waits
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/support/reseal.h"
#include "tests/support/small_session.h"
#include "trainer/report/report_words.h"
#include "trainer/record/recording_glance.h"
#include "trainer/record/recording_writer.h"
#include "trainer/record/rescore.h"

enum { LONG = 150 }; ///< ticks of a drive

typedef struct Fixture {
    char folder[64], path[512];
    SmallSession small;
} Fixture;

static int set_up_evidence(void **state)
{
    static Fixture fixture;
    make_folder(fixture.folder);
    path_in(fixture.folder, "drive.spade", fixture.path);
    if (setenv("XDG_DATA_HOME", fixture.folder, 1) != 0) {
        return -1;
    }
    small_create(&fixture.small);
    *state = &fixture;
    return 0;
}

static int tear_down(void **state)
{
    Fixture *fixture = *state;
    small_destroy(&fixture->small);
    remove_folder(fixture->folder);
    return 0;
}

/// ---- drives --------------------------------------------------------------------------------------------------------

/// Begins to record the session from its start into a new file.
static Recorder *begin(Fixture *fixture, RecorderParams params)
{
    Status status = {0};
    unlink(fixture->path);
    assert_good(state_restore(fixture->small.session, fixture->small.start.data, fixture->small.start.size, &status),
                status);
    params.path = fixture->path;
    params.trainee = "Ann";
    Recorder *recorder = recorder_create(&params, fixture->small.session, &status);
    assert_good(recorder != NULL, status);
    return recorder;
}

/// Ticks `from` up to `to`; returns what held the recording up on the way.
static RecorderHold drive(Fixture *fixture, Recorder *recorder, int from, int to, Status *reason)
{
    RecorderHold held = RECORDER_WRITES;
    Status status = {0};
    for (int tick = from; tick < to; tick++) {
        OperatorControls levers = small_levers(tick);
        session_tick(fixture->small.session, &levers);
        assert_good(recorder_tick(recorder, fixture->small.session, &status), status);
        RecorderHold now = recorder_is_held_up(recorder, reason);
        held = now != RECORDER_WRITES ? now : held;
    }
    return held;
}

static void close_good(Fixture *fixture, Recorder *recorder)
{
    Status status = {0};
    assert_good(recorder_close(recorder, fixture->small.session, &status), status);
}

static void record_whole(Fixture *fixture, const Station *station)
{
    Status reason;
    Recorder *recorder = begin(fixture, (RecorderParams){.station = station});
    drive(fixture, recorder, 0, LONG, &reason);
    close_good(fixture, recorder);
}

static sqlite3 *open_beside(const char *path)
{
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    sqlite3_busy_timeout(db, 5000);
    return db;
}

static void execute(sqlite3 *db, const char *sql)
{
    char *text = NULL;
    if (sqlite3_exec(db, sql, NULL, NULL, &text) != SQLITE_OK) {
        fail_msg("%s: %s", sql, text);
    }
}

static void change(const char *path, const char *sql)
{
    sqlite3 *db = open_beside(path);
    execute(db, sql);
    sqlite3_close(db);
}

static void nap(double seconds)
{
    nanosleep(&(struct timespec){.tv_sec = (time_t)seconds, .tv_nsec = (long)((seconds - floor(seconds)) * 1e9)}, NULL);
}

/// What the seals of a file say; it opens.
static RecordingSeal prove(const char *path)
{
    Status status = {0};
    RecordingSeal seal;
    Recording *recording = open_good(path);
    assert_good(recording_prove(recording, NULL, NULL, &seal, &status), status);
    recording_close(recording);
    return seal;
}

static bool verify(const char *path, VerifyResult *result, Status *status)
{
    Recording *recording = recording_open(path, status);
    bool good = recording != NULL && recording_verify(recording, 0, false, 1, NULL, NULL, result, status);
    recording_close(recording);
    return good;
}

/// ---- readers -------------------------------------------------------------------------------------------------------

TEST_WITH(a_reader_that_stays_is_waited_for, Fixture *fixture)
{
    Status status = {0}, reason = {0};
    Recorder *recorder = begin(fixture, (RecorderParams){0});
    drive(fixture, recorder, 0, 31, &reason);
    sqlite3 *db = open_beside(fixture->path);
    execute(db, "BEGIN; SELECT count(*) FROM meta");
    assert_int_equal(drive(fixture, recorder, 31, 130, &reason), RECORDER_LOCKED);
    assert_non_null(strstr(reason.text, "another program reads its file or has locked it"));
    assert_null(strstr(reason.text, "disk"));
    execute(db, "COMMIT");
    sqlite3_close(db);
    drive(fixture, recorder, 130, LONG, &reason);
    close_good(fixture, recorder);
    VerifyResult result = {0};
    assert_good(verify(fixture->path, &result, &status), status);
    assert_int_equal(result.ticks, LONG);
    assert_int_equal(result.seal.state, RECORDING_WHOLE);
}

/// A reader that is there when the recording is closed.
typedef struct Reader {
    sqlite3 *db;
    int asked, patience; ///< times that it was asked whether to wait on, and may be
    bool leaves; ///< then; else it stays
    char reason[1024];
} Reader;

static bool goes_on(void *context, const Status *reason)
{
    Reader *self = context;
    snprintf(self->reason, sizeof self->reason, "%s", reason->text);
    if (++self->asked < self->patience) {
        return true;
    }
    if (self->leaves) {
        sqlite3_exec(self->db, "COMMIT", NULL, NULL, NULL);
    }
    return self->leaves;
}

TEST_WITH(closing_waits_for_a_reader_as_long_as_it_is_told, Fixture *fixture)
{
    for (int leaves = 1; leaves >= 0; leaves--) {
        Status status = {0}, reason = {0};
        Reader reader = {.patience = 4, .leaves = leaves == 1};
        Recorder *recorder = begin(fixture, (RecorderParams){.patience = 1e-3, .waits = {goes_on, &reader}});
        drive(fixture, recorder, 0, LONG, &reason);
        reader.db = open_beside(fixture->path);
        execute(reader.db, "BEGIN; SELECT count(*) FROM meta");
        bool good = recorder_close(recorder, fixture->small.session, &status);
        assert_int_equal(good, leaves == 1);
        assert_true(reader.asked >= reader.patience);
        assert_non_null(strstr(reader.reason, "another program reads its file"));
        if (!good) {
            assert_int_equal(status.code, STATUS_LACKING);
            assert_non_null(strstr(status.text, "another program reads its file or has locked it; the file is good"));
        }
        sqlite3_close(reader.db);
        RecordingSeal seal = prove(fixture->path);
        assert_int_equal(seal.state, leaves == 1 ? RECORDING_WHOLE : RECORDING_CUT_SHORT);
        assert_int_equal(seal.closed, leaves == 1);
    }
}

/// Batches of a drive that nobody can write for hours wait in memory.
TEST_WITH(hours_wait_in_memory, Fixture *fixture)
{
    enum { BATCHES = 1500, TICKS = 30 };
    Status status = {0};
    DataFiles files = {0};
    BatchSize size = {.ticks = TICKS, .keyframe_room = 1024, .columns = 4, .patience = 60.0};
    unlink(fixture->path);
    RecordingWriter *writer = recording_writer_create(fixture->path, &size, NULL, &status);
    assert_good(writer != NULL, status);
    assert_good(recording_writer_begin(writer, &(RecordingMeta){"format", "14"}, 1, &files, 0, 1, &status), status);
    sqlite3 *db = open_beside(fixture->path);
    execute(db, "BEGIN; SELECT count(*) FROM meta");
    int64_t tick = 0;
    for (int k = 0; k < BATCHES; k++) {
        RecordingBatch *batch = recording_writer_batch(writer);
        for (int n = 0; n < TICKS; n++) {
            batch->inputs[batch->input_count++] = (RecordingInput){.tick = tick++, .hash = 1};
        }
        assert_good(recording_writer_submit(writer, &status), status);
    }
    assert_int_equal(recording_writer_pause(writer, NULL).now, RECORDER_LOCKED);
    execute(db, "COMMIT");
    sqlite3_close(db);
    assert_good(recording_writer_close(writer, &status), status);
    assert_int_equal(sql_number(fixture->path, "SELECT count(*) FROM input"), tick);
    assert_true(tick > (int64_t)600 * TICKS); // what a limit of five minutes would have held
}

/// ---- one moment ----------------------------------------------------------------------------------------------------

/// Opens and verifies the file that another process writes until it is whole. Returns how often it was read while it
/// was being recorded; negative with the fault printed.
static int read_live(const char *path)
{
    int live = 0;
    for (int64_t before = -1;;) {
        Status status = {0};
        RecordingGlance glance = {0};
        RecordingSeal seal = {0};
        Recording *recording = recording_open(path, &status);
        TraceSample *samples = NULL;
        bool good = recording != NULL && recording_prove(recording, NULL, NULL, &seal, &status) &&
                    recording_trace(recording, &samples, &status) >= 0 && recording_glance(path, &glance, &status);
        int64_t ticks = recording != NULL ? recording_ticks(recording) : 0;
        recording_close(recording);
        free(samples);
        if (!good || seal.state == RECORDING_CHANGED || ticks < before || glance.seal.state == RECORDING_CHANGED) {
            fprintf(stderr, "%s; state %d, glance %d, %lld ticks after %lld\n", status.text, (int)seal.state,
                    (int)glance.seal.state, (long long)ticks, (long long)before);
            return -1;
        }
        before = ticks;
        live += seal.state == RECORDING_LIVE && !seal.closed;
        if (seal.state != RECORDING_LIVE) {
            return seal.state == RECORDING_WHOLE ? live : -2;
        }
    }
}

TEST_WITH(a_live_recording_is_read_at_one_moment, Fixture *fixture)
{
    Status reason;
    Recorder *recorder = begin(fixture, (RecorderParams){.patience = 60.0});
    drive(fixture, recorder, 0, 1, &reason);
    pid_t reader = fork();
    assert_true(reader >= 0);
    if (reader == 0) {
        int live = read_live(fixture->path);
        _exit(live < 0 ? 255 : live > 200 ? 200 : live);
    }
    for (int tick = 1; tick < 900; tick += 30) {
        drive(fixture, recorder, tick, tick + 30, &reason);
        nap(0.03);
    }
    close_good(fixture, recorder);
    int ended = 0;
    assert_int_equal(waitpid(reader, &ended, 0), reader);
    assert_true(WIFEXITED(ended));
    int live = WEXITSTATUS(ended);
    assert_true(live != 255 && live >= 3);
}

TEST_WITH(a_killed_recording_is_cut_short_and_no_longer_live, Fixture *fixture)
{
    int told[2];
    char byte;
    assert_int_equal(pipe(told), 0);
    unlink(fixture->path);
    pid_t writer = fork();
    assert_true(writer >= 0);
    if (writer == 0) {
        Status reason;
        Recorder *recorder = begin(fixture, (RecorderParams){0});
        drive(fixture, recorder, 0, 100, &reason);
        nap(0.3);
        byte = 1;
        _exit(write(told[1], &byte, 1) == 1 && pause() == 0);
    }
    assert_int_equal(read(told[0], &byte, 1), 1);
    RecordingGlance glance;
    Status status = {0};
    RecordingSeal seal = prove(fixture->path);
    assert_int_equal(seal.state, RECORDING_LIVE);
    assert_good(recording_glance(fixture->path, &glance, &status), status);
    assert_int_equal(glance.seal.state, RECORDING_LIVE);
    assert_false(glance.closed);
    assert_int_equal(kill(writer, SIGKILL), 0);
    assert_int_equal(waitpid(writer, NULL, 0), writer);
    close(told[0]);
    close(told[1]);
    seal = prove(fixture->path);
    assert_int_equal(seal.state, RECORDING_CUT_SHORT);
    assert_false(seal.closed);
    assert_good(recording_glance(fixture->path, &glance, &status), status);
    assert_int_equal(glance.seal.state, RECORDING_CUT_SHORT);
}

/// ---- rows of another program ---------------------------------------------------------------------------------------

#define ZERO(name, unit, shown)   ",0"
#define COLUMN(name, unit, shown) ", " #name
#define EVENT(text)               "(10,'message','','" text "','',0,'','',0,''" EVENT_NUMBERS(ZERO) ")"

/// Puts rows in while a drive is recorded, some of which the recorder comes upon later.
TEST_WITH(what_another_program_slips_in_is_found, Fixture *fixture)
{
    static const char *const slipped[] = {
        "INSERT INTO event VALUES" EVENT("Perfect work, Ann"),
        "INSERT INTO meta VALUES('instructor', 'Mr Smith')",
        "INSERT INTO meta VALUES('parent', 'other.spade')",
        "INSERT INTO input SELECT 100, controls, hash FROM input WHERE tick = 5",
        "INSERT INTO input VALUES(100000, zeroblob(20), 1)",
        "INSERT INTO state VALUES(100, 1)",
        "INSERT INTO state VALUES(-1, 1)",
        "INSERT INTO file VALUES('soils', 'mine', 'x')",
        "INSERT INTO metric VALUES('score', 'points', 97)",
        "INSERT INTO metric VALUES('bonus', 'points', 97)",
        "INSERT INTO keyframe SELECT 75, 75, zstd FROM keyframe WHERE tick = 0",
        "INSERT INTO keyframe VALUES(150, 150, x'00')",
        "INSERT INTO trace VALUES(5, x'00')",
        "INSERT INTO ground SELECT 90, rows, columns, spacing, origin_x, origin_y, zstd FROM ground",
        "INSERT INTO fault_order VALUES(0, 120, 'heat', 0, 1.0, 0)",
        "INSERT INTO picture VALUES(x'00')",
        "INSERT INTO seal SELECT 500, 1, 0, rows, hash, NULL FROM seal WHERE number = 0",
        "UPDATE meta SET value = 'Bob' WHERE key = 'trainee'",
        "DELETE FROM state WHERE tick = 3",
    };
    for (size_t k = 0; k < sizeof slipped / sizeof *slipped; k++) {
        Status status = {0}, reason;
        VerifyResult result = {0};
        RecordingGlance glance = {0};
        Recorder *recorder = begin(fixture, (RecorderParams){0});
        drive(fixture, recorder, 0, 61, &reason);
        change(fixture->path, slipped[k]);
        drive(fixture, recorder, 61, LONG, &reason); // the drive goes on
        bool disturbed = recorder_is_disturbed(recorder);
        close_good(fixture, recorder);
        if (verify(fixture->path, &result, &status)) {
            fail_msg("verified: %s", slipped[k]);
        }
        RecordingSeal seal = {.state = RECORDING_CHANGED};
        Recording *recording = recording_open(fixture->path, &status); // what does not even open is found, too
        assert_true(recording == NULL || recording_prove(recording, NULL, NULL, &seal, &status));
        recording_close(recording);
        bool listed = recording_glance(fixture->path, &glance, &status) && glance.closed;
        if (seal.state != RECORDING_CHANGED || !disturbed) {
            fail_msg("state %d, disturbed %d: %s", (int)seal.state, disturbed, slipped[k]);
        }
        RecordingProver *prover = recording_prover_open(fixture->path);
        assert_non_null(prover);
        while (!recording_prover_step(prover, 0.001, &seal)) {
        }
        recording_prover_close(prover);
        if (seal.state != RECORDING_CHANGED) {
            fail_msg("listed as %d (%d) at last: %s", (int)seal.state, listed, slipped[k]);
        }
    }
}

/// Afterwards, in the place that no number of a row comes before.
TEST_WITH(the_least_number_of_a_row_hides_nothing, Fixture *fixture)
{
    record_whole(fixture, NULL);
    change(fixture->path,
           "INSERT INTO event(rowid, tick, kind, form, detail, part_kind, part_index, part, thing_kind, thing_index, "
           "thing" EVENT_NUMBERS(COLUMN) ") VALUES(-9223372036854775808, 10, 'message', '', 'x', '', 0, '', '', 0, "
                                         "''" EVENT_NUMBERS(ZERO) ")");
    RecordingSeal seal = prove(fixture->path);
    assert_int_equal(seal.state, RECORDING_CHANGED);
    assert_string_equal(seal.table, "event");
}

/// A lock that is taken and given back changes nothing.
TEST_WITH(a_lock_is_no_disturbance, Fixture *fixture)
{
    Status reason;
    Recorder *recorder = begin(fixture, (RecorderParams){0});
    drive(fixture, recorder, 0, 61, &reason);
    change(fixture->path, "BEGIN EXCLUSIVE; SELECT count(*) FROM state; ROLLBACK; BEGIN IMMEDIATE; COMMIT");
    drive(fixture, recorder, 61, LONG, &reason);
    assert_false(recorder_is_disturbed(recorder));
    close_good(fixture, recorder);
    assert_int_equal(prove(fixture->path).state, RECORDING_WHOLE);
}

/// ---- what is told --------------------------------------------------------------------------------------------------

/// Records a drive that a station signs and puts it aside.
static void keep_signed(Fixture *fixture, char kept[520])
{
    Station station;
    Status status = {0};
    assert_good(station_load(&station, &status), status);
    if (station.name[0] == '\0') {
        assert_good(station_make("Simulator 3", &station, &status), status);
    }
    record_whole(fixture, &station);
    snprintf(kept, 520, "%s.kept", fixture->path);
    assert_int_equal(rename(fixture->path, kept), 0);
}

static void copy_kept(const Fixture *fixture, const char *kept)
{
    char command[1200];
    snprintf(command, sizeof command, "cp '%s' '%s'", kept, fixture->path);
    assert_int_equal(system(command), 0);
}

TEST_WITH(figures_that_were_edited_are_no_figures, Fixture *fixture)
{
    static const struct {
        const char *sql, *words;
        bool ends; ///< found by a glance
    } edits[] = {
        {"UPDATE metric SET value = 97 WHERE name = 'score'", "rows were changed in table metric", true},
        {"UPDATE metric SET value = 1 WHERE name = 'passed'", "rows were changed in table metric", true},
        {"UPDATE meta SET value = 'Bob' WHERE key = 'trainee'", "rows were changed in table meta (seal 0)", true},
        {"UPDATE meta SET value = 'other' WHERE key = 'scene'", "rows were changed in table meta (seal 0)", true},
        {"DELETE FROM metric", "rows were changed in table metric", true},
        {"INSERT INTO metric VALUES('bonus', 'points', 97)", "rows were added to table metric", true},
        {"INSERT INTO event VALUES" EVENT("Perfect"), "table event", true},
        {"UPDATE ground SET spacing = 0.2", "rows were changed in table ground", false},
        {"DELETE FROM seal WHERE number = 1", "a seal is missing", true},
        {"UPDATE seal SET closed = 0", "the seal was changed", true},
        {"UPDATE seal SET disturbed = 1 WHERE number = 2", "the seal was changed (seal 2)", false},
    };
    char kept[520];
    Status status = {0};
    keep_signed(fixture, kept);
    for (size_t k = 0; k < sizeof edits / sizeof *edits; k++) {
        char words[SEAL_WORDS];
        RecordingGlance glance = {0};
        Rescore rescore;
        copy_kept(fixture, kept);
        change(fixture->path, edits[k].sql);
        RecordingSeal seal = prove(fixture->path);
        assert_int_equal(seal.state, RECORDING_CHANGED);
        seal_words(&seal, true, words, sizeof words);
        if (strstr(words, edits[k].words) == NULL) {
            fail_msg("%s: %s", edits[k].sql, words);
        }
        assert_good(recording_glance(fixture->path, &glance, &status), status);
        bool found = glance.seal.state == RECORDING_CHANGED;
        if (found != edits[k].ends || (found && (glance.closed || glance.passed || glance.score != 0.0))) {
            fail_msg("%s: listed as %d, %g points", edits[k].sql, (int)glance.seal.state, glance.score);
        }
        assert_false(rescore_recording(fixture->path, NULL, &rescore, &status));
        assert_int_equal(status.code, STATUS_NOT_VERIFIED);
        assert_int_equal(rescore.seal.state, RECORDING_CHANGED);
        assert_true(rescore.before == 0.0 && rescore.after == 0.0);
    }
}

/// What the station's signature adds, and where its chain ends.
TEST_WITH(a_chain_ends_where_it_ends_and_is_signed, Fixture *fixture)
{
    char kept[520];
    RecordingGlance glance;
    Status status = {0};
    keep_signed(fixture, kept);
    RecordingSeal seal = prove(kept);
    char words[SEAL_WORDS];
    seal_words(&seal, true, words, sizeof words);
    assert_string_equal(words, "whole; sealed, signed by Simulator 3");
    assert_good(recording_glance(kept, &glance, &status), status);
    assert_int_equal(glance.seal.state, RECORDING_WHOLE);
    assert_true(glance.closed);
    // A chain that was made anew: only the signature tells.
    copy_kept(fixture, kept);
    change(fixture->path, "UPDATE metric SET value = 97 WHERE name = 'score'");
    assert_true(reseal(fixture->path));
    seal = prove(fixture->path);
    assert_int_equal(seal.state, RECORDING_WHOLE);
    assert_string_equal(seal.station, ""); // nobody signs it any more
    copy_kept(fixture, kept);
    change(fixture->path, "UPDATE seal SET signature = zeroblob(64) WHERE number = (SELECT max(number) FROM seal)");
    assert_good(recording_glance(fixture->path, &glance, &status), status);
    assert_int_equal(glance.seal.state, RECORDING_CHANGED);
    // Cut at a seal, with all that is behind it.
    copy_kept(fixture, kept);
    change(fixture->path, "DELETE FROM seal WHERE number > 2; DELETE FROM input WHERE tick >= 60; DELETE FROM state "
                          "WHERE tick > 60; DELETE FROM trace WHERE tick > 60; DELETE FROM metric; DELETE FROM "
                          "keyframe WHERE tick > 60; DELETE FROM ground WHERE tick > 60; DELETE FROM event");
    seal = prove(fixture->path);
    assert_int_equal(seal.state, RECORDING_CUT_SHORT);
    assert_false(seal.closed);
}

/// What stands in a recording is shown without commands of a terminal, and without turning what follows.
TEST_WITH(a_name_out_of_a_recording_is_shown_by_its_numbers, Fixture *fixture)
{
    RecordingGlance glance;
    Status status = {0};
    record_whole(fixture, NULL);
    change(fixture->path, "UPDATE meta SET value = 'Ann' || char(0x202e) || 'bob' || char(27) || CAST(x'ff' AS TEXT) "
                          "WHERE key = 'trainee'");
    Recording *recording = open_good(fixture->path);
    assert_string_equal(recording_meta(recording, "trainee"), "Ann\\u202ebob\\u001b\\xff");
    recording_close(recording);
    assert_good(recording_glance(fixture->path, &glance, &status), status);
    assert_string_equal(glance.trainee, "Ann\\u202ebob\\u001b\\xff");
}

TEST_WITH(every_keyframe_restores_without_a_tick, Fixture *fixture)
{
    Status status = {0};
    record_whole(fixture, NULL);
    Recording *recording = open_good(fixture->path);
    assert_good(recording_check_keyframes(recording, fixture->small.session, NULL, NULL, &status), status);
    recording_close(recording);
    change(fixture->path, "UPDATE keyframe SET zstd = substr(zstd, 1, length(zstd) / 2) WHERE tick > 0");
    recording = open_good(fixture->path);
    assert_false(recording_check_keyframes(recording, fixture->small.session, NULL, NULL, &status));
    recording_close(recording);
}

TEST_GROUP(set_up_evidence, tear_down)
