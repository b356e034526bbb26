/// Recordings that hold more than a session of their scene and length can have written: each table has a limit, and
/// what is beyond it is refused before it is read; so are states that the scene cannot have.
#include <sys/wait.h>
#include <unistd.h>
#include <zstd.h>

#include "tests/support/recording_refused.h"
#include "tests/support/saved_state.h"

/// Rows 1 to N of a table, as SQL.
#define ZERO(name, unit, shown) ",0"
#define ROWS(n)                 "WITH RECURSIVE n(k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM n WHERE k < " #n ") "

TEST_WITH(each_table_has_a_limit, const Fixture *fixture)
{
    static const char *const forged[][2] = {
        {ROWS(40) "INSERT INTO file SELECT 'soils', 'more' || k, 'kind: soil' FROM n", "stored files: 4"},
        {"UPDATE file SET text = CAST(zeroblob(1100000) AS TEXT)",
         "bytes of a stored file: 1100000, allowed 0..1048576"},
        {"UPDATE file SET name = hex(zeroblob(3000))", "bytes of a stored file's name: 6000, allowed 0..4096"},
        {ROWS(100) "INSERT INTO meta SELECT 'more' || k, 'x' FROM n", "rows of meta: 1"},
        {"INSERT INTO meta VALUES('more', hex(zeroblob(30000000)))", "bytes of a row of meta: 60000004"},
        {ROWS(1000) "INSERT INTO metric SELECT 'more' || k, 'm', 1.0 FROM n", "metrics: 10"},
        {"UPDATE metric SET unit = hex(zeroblob(3000)) WHERE name = 'score'", "bytes of a metric: 6005"},
        {ROWS(149) "INSERT OR IGNORE INTO keyframe SELECT k, k, zeroblob(1000000) FROM n",
         "keyframes: 152, allowed 0..4"},
        {ROWS(5000) "INSERT INTO event SELECT k % 150,'slow','','','',0,'','',0,''" EVENT_NUMBERS(ZERO) " FROM n",
         "events: 50"},
        {ROWS(1000) "INSERT OR IGNORE INTO trace SELECT k, zeroblob(100) FROM n", "rows of samples: "},
        {ROWS(100) "INSERT OR IGNORE INTO ground SELECT k, 2, 2, 0.1, 0, 0, zeroblob(1000000) FROM n",
         "maps of the ground: 10"},
        {ROWS(1000) "INSERT OR IGNORE INTO seal SELECT k, 0, 0, zeroblob(440), zeroblob(32), NULL FROM n",
         "seals: 1001"},
    };
    for (size_t k = 0; k < sizeof forged / sizeof *forged; k++) {
        forge(fixture, forged[k][0]);
        expect_refused(fixture->path, forged[k][1]);
        expect_refused(fixture->path, "allowed 0..");
    }
}

/// A row of the event table that no event can be is refused, with its place, what was read and what is allowed.
TEST_WITH(each_column_of_an_event_is_checked, const Fixture *fixture)
{
    static const char touch[] =
        "INSERT INTO event VALUES(40,'touch','','','part',0,'bucket','fixture',3,'wall'" EVENT_NUMBERS(
            ZERO) "); "
                  "UPDATE event SET ";
    static const char *const forged[][2] = {
        {"kind = 'touches'", "kind: read \"touches\", which this program does not know"},
        {"kind = 'bookmark'", "kind: read \"bookmark\", which this program does not know"},
        {"form = 'load'", "form: read \"load\", which this program does not know"},
        {"tick = 4000", "tick: read 4000, allowed 0..200"},
        {"tick = -1", "tick: read -1, allowed 0..200"},
        {"part_kind = 'hand'", "part_kind: read \"hand\", which this program does not know"},
        {"part_kind = x'00'", "part_kind: allowed is a text of up to 63 bytes"},
        {"thing_index = 16", "thing: read fixture 16, allowed are the first 16"},
        {"thing_index = 5000000000", "thing_index: read 5000000000, allowed 0..2147483647"},
        {"thing_index = 'one'", "thing_index: read one, allowed 0..2147483647"},
        {"thing = ''", "thing: read fixture with the name \"\", allowed one with a name"},
        {"thing = hex(zeroblob(20))", "thing: allowed is a text of up to 39 bytes"},
        {"detail = hex(zeroblob(48))", "detail: allowed is a text of up to 95 bytes"},
        {"energy = 9e999", "energy: read inf of touch, allowed a finite number"},
        {"speed = 'fast'", "speed: allowed is a number alone"},
        {"dig = 1.5", "dig: read 1.5 of touch, allowed 0"},
    };
    for (size_t k = 0; k < sizeof forged / sizeof *forged; k++) {
        char sql[1024];
        snprintf(sql, sizeof sql, "%s%s WHERE kind = 'touch'", touch, forged[k][0]);
        forge(fixture, sql);
        expect_refused(fixture->path, forged[k][1]);
        expect_refused(fixture->path, "is damaged: event ");
    }
    Status status = {0};
    forge(fixture, "INSERT INTO event VALUES(40,'step','','','',0,'','step',15,''" EVENT_NUMBERS(ZERO) ")");
    Recording *recording = open_good(fixture->path); // some scene has sixteen steps; this one has four
    assert_null(recording_create_session(recording, 1, &status));
    assert_contains(status.text, "at tick 40: thing: read step 15, allowed are the first 4");
    recording_close(recording);
}

/// ---- states --------------------------------------------------------------------------------------------------------

/// Puts a packed keyframe into the recording's at tick 180.
static void put_keyframe(const Fixture *fixture, const void *packed, size_t size)
{
    sqlite3 *db = NULL;
    sqlite3_stmt *row = NULL;
    restore_copy(fixture);
    assert_int_equal(sqlite3_open(fixture->path, &db), SQLITE_OK);
    assert_int_equal(
        sqlite3_prepare_v2(db, "UPDATE keyframe SET base = 180, zstd = ? WHERE tick = 180", -1, &row, NULL), SQLITE_OK);
    sqlite3_bind_blob64(row, 1, packed, size, SQLITE_STATIC);
    assert_int_equal(sqlite3_step(row), SQLITE_DONE);
    sqlite3_finalize(row);
    sqlite3_close(db);
}

/// Seeks behind that keyframe; what is told.
static Status seek(const Fixture *fixture)
{
    Status status = {0}, made = {0};
    Recording *recording = open_good(fixture->path);
    Session *session = recording_create_session(recording, 1, &made);
    assert_good(session != NULL, made);
    assert_false(recording_seek(recording, session, 185, &status));
    session_destroy(session);
    recording_close(recording);
    return status;
}

TEST_WITH(a_state_is_no_larger_than_the_largest_of_its_scene, const Fixture *fixture)
{
    Session *session = make_session(1);
    StateBuffer state = {0};
    Status status = {0};
    size_t most = state_size_most(session), size = most + 1;
    assert_good(state_save(session, &state, &status), status);
    assert_true(most > state.size && most < (size_t)64 << 20); // of the trench
    session_destroy(session);
    state_buffer_free(&state);
    unsigned char *zeros = calloc(1, size), packed[1 << 16];
    assert_non_null(zeros);
    char told[96];
    snprintf(told, sizeof told, "for a state of %zu, allowed are states of 1..%zu bytes", size, most);
    size_t got = ZSTD_compress(packed, sizeof packed, zeros, size, 1); // a bomb: a thousandth
    assert_false(ZSTD_isError(got));
    put_keyframe(fixture, packed, got);
    assert_contains(seek(fixture).text, told);
    got = ZSTD_compress(packed, sizeof packed, zeros, most, 1); // fits, and is none
    put_keyframe(fixture, packed, got);
    assert_contains(seek(fixture).text, "not a state of this program");
    free(zeros);
}

/// ---- the whole program ---------------------------------------------------------------------------------------------

TEST_WITH(largest_states_are_those_of_the_fields, const Fixture *fixture)
{
    (void)fixture;
    Session *session = make_session(1);
    size_t most = state_size_most(session);
    Autopilot *pilot = autopilot_create(session);
    StateBuffer state = {0};
    Status status = {0};
    uint64_t hash = state_hash(session);
    assert_true(hash == state_hash(session) && state_size_most(session) == most); // asking changes nothing
    for (int tick = 0; tick < 300; tick++) {
        OperatorControls controls;
        autopilot_controls(pilot, session, &controls);
        session_tick(session, &controls);
    }
    assert_good(state_save(session, &state, &status), status);
    assert_true(state.size <= most && state_size_most(session) == most);
    printf("state: %zu bytes, at most %zu\n", state.size, most);
    autopilot_destroy(pilot);
    session_destroy(session);
    state_buffer_free(&state);
}

/// Runs the program on the recording, with 2 GB of memory and 20 s; the exit code, and what it says in `said`.
static int run_program(const char *arguments, const char *path, char said[1024])
{
    char here[512] = "", command[2048];
    ssize_t length = readlink("/proc/self/exe", here, sizeof here - 1);
    assert_true(length > 0);
    *strrchr(here, '/') = '\0';
#ifdef SANITIZED
    const char *limit = ""; // a sanitizer takes terabytes of addresses
#else
    const char *limit = "ulimit -v 2000000; ";
#endif
    snprintf(command, sizeof command, "%stimeout 20 '%s/spadework' %s '%s' 2>&1", limit, here, arguments, path);
    FILE *out = popen(command, "r"); // NOLINT(cert-env33-c): a test's own command
    assert_non_null(out);
    size_t got = fread(said, 1, 1023, out);
    said[got] = '\0';
    int end = pclose(out);
    assert_true(WIFEXITED(end));
    return WEXITSTATUS(end);
}

static void absurd_keyframe(const Fixture *fixture)
{
    Status status = {0};
    Recording *recording = open_good(fixture->good);
    Session *session = recording_create_session(recording, 1, &status);
    assert_good(session != NULL, status);
    assert_good(recording_seek(recording, session, 180, &status), status);
    recording_close(recording);
    StateBuffer state = {0};
    assert_good(state_save(session, &state, &status), status);
    saved_add(&state, "machine.boom.velocity", 0, 1e12);
    saved_seal(&state);
    size_t room = ZSTD_compressBound(state.size);
    void *packed = malloc(room);
    assert_non_null(packed);
    put_keyframe(fixture, packed, ZSTD_compress(packed, room, state.data, state.size, 1));
    free(packed);
    state_buffer_free(&state);
    session_destroy(session);
}

/// A state whose numbers are finite and absurd is refused by the field's name, its value and its range, at once.
TEST_WITH(an_absurd_number_is_refused_by_name_value_and_range, const Fixture *fixture)
{
    static const char told[] = "machine.boom.velocity[0] is 1e+12; allowed -1000..1000 m/s";
    absurd_keyframe(fixture);
    Status status = seek(fixture);
    assert_int_equal(status.code, STATUS_BAD_FILE);
    assert_contains(status.text, told);
    char said[1024];
    assert_int_equal(run_program("resume --at 3.1 --headless --seconds 1", fixture->path, said), 1);
    assert_contains(said, told);
    assert_int_equal(run_program("check", fixture->path, said), 1);
    assert_contains(said, told);
}

TEST_WITH(the_program_refuses_a_bomb_in_little_memory, const Fixture *fixture)
{
    char said[1024];
    forge(fixture, "UPDATE keyframe SET base = tick, zstd = x'28b52ffda000000040010000' WHERE tick = 180");
    assert_int_equal(run_program("resume --at 3.1 --headless --seconds 1", fixture->path, said), 1);
    assert_contains(said, "for a state of 1073741824, allowed are states of 1..");
    forge(fixture, ROWS(60) "INSERT INTO file SELECT 'soils', 'more' || k, zeroblob(60000000) FROM n WHERE k <= 4");
    assert_int_equal(run_program("replay --verify", fixture->path, said), 1);
    assert_contains(said, "bytes of a stored file: 60000000, allowed 0..1048576");
}

TEST_GROUP(set_up, tear_down)
