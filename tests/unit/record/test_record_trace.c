/// The samples and maps of the ground in a recording are what the session showed.
// test: long

#include "tests/support/recording_fixture.h"
#include "trainer/record/trace.h"

enum { SECONDS = 65 };

static char folder[64];
static char path[512];

static int record_some(void **state)
{
    (void)state;
    make_folder(folder);
    record(path_in(folder, "a.spade", path), 2, SECONDS * TICK_RATE + 7, NULL);
    return 0;
}

static int remove_it(void **state)
{
    (void)state;
    remove_folder(folder);
    return 0;
}

TEST(samples_are_what_the_replayed_session_shows)
{
    Status status = {0};
    Recording *recording = open_good(path);
    TraceSample *samples = NULL;
    int64_t count = recording_trace(recording, &samples, &status);
    assert_good(count >= 0, status);
    assert_int_equal(count, SECONDS * TRACE_RATE + 1 + 1); // one before the first tick; the last is of tick + 6
    Session *session = recording_create_session(recording, 1, &status);
    int64_t next = 0;
    for (int64_t tick = 0; tick < 12 * TICK_RATE; tick++) {
        if (next < count && samples[next].tick == tick) {
            TraceSample now;
            trace_take(session, &now);
            assert_memory_equal(&now, &samples[next], sizeof now);
            next++;
        }
        OperatorControls controls;
        assert_good(recording_controls(recording, tick, &controls, &status), status);
        session_tick(session, &controls);
    }
    assert_int_equal(next, 12 * TRACE_RATE);
    double payload = 0.0;
    for (int64_t k = 0; k < count; k++) {
        payload = fmax(payload, (double)samples[k].payload);
    }
    assert_true(payload > 500.0);
    free(samples);
    session_destroy(session);
    recording_close(recording);
}

TEST(maps_of_the_ground_are_heights_in_millimetres)
{
    Status status = {0};
    Recording *recording = open_good(path);
    Session *session = recording_create_session(recording, 1, &status);
    TraceGround first, last;
    assert_good(recording_ground(recording, 30 * TICK_RATE, &first, &status), status);
    assert_int_equal(first.tick, 0);
    SoilGridView grid = soil_get_grid(session_soil(session));
    assert_int_equal(first.rows * first.columns, grid.rows * grid.columns);
    for (int k = 0; k < grid.rows * grid.columns; k++) {
        assert_true(fabs(1e-3 * first.height[k] - (double)grid.height[k]) <= 0.5001e-3);
    }
    assert_good(recording_ground(recording, 62 * TICK_RATE, &last, &status), status);
    assert_int_equal(last.tick, TRACE_GROUND_SECONDS * TICK_RATE);
    free(last.height);
    assert_good(recording_ground(recording, recording_ticks(recording), &last, &status), status);
    assert_int_equal(last.tick, recording_ticks(recording));
    int lower = 0;
    for (int k = 0; k < grid.rows * grid.columns; k++) {
        lower += last.height[k] < first.height[k] - 300;
    }
    assert_true(lower > 20); // columns of the trench
    free(first.height);
    free(last.height);
    session_destroy(session);
    recording_close(recording);
}

TEST(damaged_samples_and_maps_are_refused)
{
    static const char *const harm[][2] = {
        {"UPDATE trace SET samples=x'00' WHERE tick=0", "are 1 bytes"},
        {"UPDATE trace SET samples=zeroblob(length(samples)) WHERE tick>1000", "is of tick 0"},
        {"UPDATE trace SET samples=CAST(substr(samples,1,8)||x'0000c07f'||substr(samples,13) AS BLOB) WHERE tick=0",
         "no number"},
        {"UPDATE ground SET rows=-1", "is damaged: its ground at tick"},
        {"UPDATE ground SET rows=rows+1", "cannot be unpacked"},
        {"UPDATE ground SET zstd=x'00'", "cannot be unpacked"},
        {"DELETE FROM ground", "has no map of the ground"},
    };
    for (size_t k = 0; k < sizeof harm / sizeof harm[0]; k++) {
        char copy[512], command[1200];
        path_in(folder, "damaged.spade", copy);
        snprintf(command, sizeof command, "cp '%s' '%s'", path, copy);
        assert_int_equal(system(command), 0);
        sql_number(copy, harm[k][0]);
        Status status = {0};
        Recording *recording = open_good(copy);
        TraceSample *samples = NULL;
        TraceGround ground = {0};
        bool good = recording_trace(recording, &samples, &status) >= 0 &&
                    recording_ground(recording, INT64_MAX, &ground, &status);
        assert_false(good);
        assert_int_equal(status.code, STATUS_BAD_FILE);
        if (strstr(status.text, harm[k][1]) == NULL) {
            fail_msg("\"%s\" gives \"%s\"", harm[k][0], status.text);
        }
        free(samples);
        free(ground.height);
        recording_close(recording);
    }
}

TEST_GROUP(record_some, remove_it)
