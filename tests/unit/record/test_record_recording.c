/// Recordings of the real session: what was recorded replays bit for bit, at any number of threads, from any keyframe,
/// and goes on from any tick.
// test: unit, first
#include "tests/support/recording_fixture.h"
#include "trainer/record/recording_file.h"

enum { TICKS = 330 };

typedef struct Fixture {
    char folder[64], path[512];
    uint64_t hashes[TICKS + 1];
} Fixture;

static int set_up(void **state)
{
    Fixture *fixture = calloc(1, sizeof *fixture);
    make_folder(fixture->folder);
    record(path_in(fixture->folder, "dig.spade", fixture->path), 1, TICKS, fixture->hashes);
    *state = fixture;
    return 0;
}

static int tear_down(void **state)
{
    Fixture *fixture = *state;
    remove_folder(fixture->folder);
    free(fixture);
    return 0;
}

TEST_WITH(a_recording_tells_what_it_is, Fixture *fixture)
{
    Recording *recording = open_good(fixture->path);
    assert_int_equal(recording_first_tick(recording), 0);
    assert_int_equal(recording_ticks(recording), TICKS);
    assert_string_equal(recording_meta(recording, "trainee"), "Ada");
    assert_string_equal(recording_meta(recording, "operator"), "auto");
    assert_string_equal(recording_meta(recording, "scene"), "trench");
    assert_string_equal(recording_meta(recording, "seed"), "1");
    assert_string_equal(recording_meta(recording, "solver"), "default");
    assert_string_equal(recording_meta(recording, "tick_rate"), "60");
    assert_null(recording_meta(recording, "parent"));
    ExerciseMetric metrics[EXERCISE_MAX_METRICS];
    int count = recording_metrics(recording, metrics, EXERCISE_MAX_METRICS);
    assert_true(count > 5);
    assert_true(count <= EXERCISE_MAX_METRICS);
    OperatorControls controls;
    Status status = {0};
    assert_true(recording_controls(recording, TICKS - 1, &controls, &status));
    assert_false(recording_controls(recording, TICKS, &controls, &status));
    assert_false(recording_controls(recording, -1, &controls, &status));
    assert_non_null(strstr(status.text, "0..329"));
    recording_close(recording);
    assert_int_equal(sql_number(fixture->path, "SELECT count(*) FROM keyframe"),
                     TICKS / (KEYFRAME_SECONDS * TICK_RATE) + 2); // and the last
    assert_int_equal(sql_number(fixture->path, "SELECT count(*) FROM keyframe WHERE base = tick"), 1);
    assert_int_equal(sql_number(fixture->path, "SELECT count(*) FROM file WHERE kind='soils'"), 2);
}

TEST_WITH(the_work_is_in_the_recording, Fixture *fixture)
{
    // A recording of a machine standing still would prove nothing.
    Status status = {0};
    Recording *recording = open_good(fixture->path);
    Session *session = recording_create_session(recording, 1, &status);
    assert_good(session != NULL, status);
    assert_good(recording_seek(recording, session, TICKS, &status), status);
    assert_true(soil_get_particles(session_soil(session)).count > 500);
    assert_true(exercise_held(session_exercise(session)) > 0.5); // the bucket is in the cut
    session_destroy(session);
    recording_close(recording);
}

/// A truck that is told to go: what happened is in the recording as it was in the session.
TEST_WITH(events_are_in_the_recording, Fixture *fixture)
{
    char path[512];
    Status status = {0};
    static const char *const away[] = {"machine.heading_deg=-90"}; // not in the truck's way
    SessionParams params = {.scene = "haul", .set = away, .set_count = 1, .threads = 1};
    Session *session = session_create(&params, &status);
    assert_good(session != NULL, status);
    RecorderParams recorder_params = {.path = path_in(fixture->folder, "haul.spade", path)};
    Recorder *recorder = recorder_create(&recorder_params, session, &status);
    assert_good(recorder != NULL, status);
    for (int tick = 0; tick < 240; tick++) {
        OperatorControls controls = control_neutral;
        controls.axis[CONTROL_HORN] = tick > 30 ? CONTROL_FULL : 0;
        session_tick(session, &controls);
        assert_good(recorder_tick(recorder, session, &status), status);
    }
    assert_good(recorder_close(recorder, session, &status), status);
    int count = exercise_event_count(session_exercise(session));
    assert_true(count > 0);
    Recording *recording = open_good(path);
    ExerciseEvent events[EXERCISE_MAX_EVENTS];
    assert_int_equal(recording_events(recording, events, EXERCISE_MAX_EVENTS), count);
    for (int k = 0; k < count; k++) {
        const ExerciseEvent *event = exercise_event(session_exercise(session), k);
        assert_int_equal(events[k].tick, event->tick);
        assert_memory_equal(&events[k], event, sizeof *event);
    }
    assert_int_equal(events[0].kind, EVENT_TRUCK);
    recording_close(recording);
    session_destroy(session);
}

/// What a bucket that swings into a container leaves in the table of events is what the exercise holds, to the bit.
TEST_WITH(numbers_of_an_event_are_columns, Fixture *fixture)
{
    Status status = {0};
    char path[512];
    SessionParams params = {.scene = "tight-site", .threads = 1};
    Session *session = session_create(&params, &status);
    assert_good(session != NULL, status);
    RecorderParams recorder_params = {.path = path_in(fixture->folder, "touch.spade", path)};
    Recorder *recorder = recorder_create(&recorder_params, session, &status);
    assert_good(recorder != NULL, status);
    for (int tick = 0; tick < 240; tick++) {
        OperatorControls controls = control_neutral;
        controls.axis[CONTROL_BOOM] = tick < 40 ? control_quantise(0.3) : 0;
        controls.axis[CONTROL_SWING] = control_quantise(-1.0);
        session_tick(session, &controls);
        assert_good(recorder_tick(recorder, session, &status), status);
    }
    assert_good(recorder_close(recorder, session, &status), status);
    Recording *recording = open_good(path);
    ExerciseEvent events[EXERCISE_MAX_EVENTS];
    int count = recording_events(recording, events, EXERCISE_MAX_EVENTS), touches = 0;
    assert_int_equal(count, exercise_event_count(session_exercise(session)));
    for (int k = 0; k < count; k++) {
        const ExerciseEvent *event = exercise_event(session_exercise(session), k);
        assert_int_equal(events[k].thing.kind, event->thing.kind);
        assert_string_equal(events[k].part.name, event->part.name);
        assert_string_equal(events[k].thing.name, event->thing.name);
        assert_memory_equal(&events[k].number, &event->number, sizeof event->number);
        touches += event->kind == EVENT_TOUCH && event->number.energy > 0.0 && event->number.y > 0.0;
    }
    assert_true(touches >= 1);
    recording_close(recording);
    session_destroy(session);
}

TEST_WITH(every_number_of_threads_gives_the_same_bits, Fixture *fixture)
{
    static const int threads[] = {2, 3, 8};
    for (int k = 0; k < 3; k++) {
        Status status = {0};
        VerifyResult result;
        Recording *recording = open_good(fixture->path);
        assert_good(recording_verify(recording, 0, false, threads[k], NULL, NULL, &result, &status), status);
        assert_int_equal(result.ticks, TICKS);
        assert_int_equal(result.first_difference, -1);
        recording_close(recording);
    }
}

static void count_progress(void *context, int64_t tick, int64_t ticks)
{
    int64_t *last = context;
    assert_int_equal(tick, *last + 1);
    assert_int_equal(ticks, TICKS);
    *last = tick;
}

TEST_WITH(every_keyframe_goes_on_to_the_same_bits, Fixture *fixture)
{
    Status status = {0};
    VerifyResult result;
    int64_t last = 0;
    Recording *recording = open_good(fixture->path);
    assert_good(recording_verify(recording, 0, true, 2, count_progress, &last, &result, &status), status);
    assert_int_equal(result.keyframes, TICKS / (KEYFRAME_SECONDS * TICK_RATE) + 2);
    assert_true(result.metrics > 5);
    assert_int_equal(result.samples, TICKS / 6 + 1);
    assert_int_equal(result.grounds, 2);
    assert_true(result.seal.closed);
    assert_int_equal(strlen(result.seal.hash), 64);
    assert_int_equal(result.seal.key[0], 0);
    assert_int_equal(last, TICKS);
    recording_close(recording);
}

TEST_WITH(verifying_can_start_late, Fixture *fixture)
{
    Status status = {0};
    VerifyResult result;
    Recording *recording = open_good(fixture->path);
    assert_good(recording_verify(recording, 290, true, 1, NULL, NULL, &result, &status), status);
    assert_int_equal(result.ticks, TICKS - 290);
    assert_int_equal(result.keyframes, 1);
    assert_false(recording_verify(recording, TICKS + 1, true, 1, NULL, NULL, &result, &status));
    assert_int_equal(status.code, STATUS_BAD_USAGE);
    recording_close(recording);
}

TEST_WITH(seeking_goes_to_any_tick_in_any_order, Fixture *fixture)
{
    static const int ticks[] = {200, 17, TICKS, 0, 180, 179, 181};
    Status status = {0};
    Recording *recording = open_good(fixture->path);
    Session *session = recording_create_session(recording, 1, &status);
    assert_good(session != NULL, status);
    assert_true(state_hash(session) == fixture->hashes[0]);
    for (size_t k = 0; k < sizeof ticks / sizeof ticks[0]; k++) {
        assert_good(recording_seek(recording, session, ticks[k], &status), status);
        assert_int_equal(session_frame(session)->tick, ticks[k]);
        assert_true(state_hash(session) == fixture->hashes[ticks[k]]);
    }
    assert_false(recording_seek(recording, session, TICKS + 1, &status));
    assert_int_equal(status.code, STATUS_BAD_USAGE);
    assert_non_null(strstr(status.text, "0..330"));
    assert_false(recording_seek(recording, session, -1, &status));
    session_destroy(session);
    recording_close(recording);
}

TEST_WITH(taking_over_begins_where_the_parent_was, Fixture *fixture)
{
    enum { AT = 137, MORE = 100 };
    char path[512];
    path_in(fixture->folder, "more.spade", path);
    Status status = {0};
    Recording *parent = open_good(fixture->path);
    Session *session = recording_create_session(parent, 2, &status);
    assert_good(session != NULL, status);
    assert_good(recording_seek(parent, session, AT, &status), status);
    RecorderParams params = {.path = path, .parent = fixture->path, .parent_tick = AT};
    Recorder *recorder = recorder_create(&params, session, &status);
    assert_good(recorder != NULL, status);
    for (int tick = AT; tick < AT + MORE; tick++) {
        OperatorControls controls;
        assert_good(recording_controls(parent, tick, &controls, &status), status);
        session_tick(session, &controls);
        assert_true(state_hash(session) == fixture->hashes[tick + 1]);
        assert_good(recorder_tick(recorder, session, &status), status);
    }
    assert_good(recorder_event(recorder, &(ExerciseEvent){.kind = EVENT_FREEZE}, &status), status);
    assert_good(recorder_close(recorder, session, &status), status);
    session_destroy(session);
    recording_close(parent);

    Recording *recording = open_good(path);
    VerifyResult result;
    assert_int_equal(recording_first_tick(recording), AT);
    assert_int_equal(recording_ticks(recording), AT + MORE);
    assert_string_equal(recording_meta(recording, "parent"), fixture->path);
    assert_string_equal(recording_meta(recording, "parent_tick"), "137");
    assert_good(recording_verify(recording, AT, true, 1, NULL, NULL, &result, &status), status);
    assert_int_equal(result.ticks, MORE);
    session = recording_create_session(recording, 1, &status);
    assert_good(session != NULL, status);
    assert_int_equal(session_frame(session)->tick, AT);
    assert_true(state_hash(session) == fixture->hashes[AT]);
    assert_false(recording_seek(recording, session, AT - 1, &status));
    assert_non_null(strstr(status.text, "137..237"));
    session_destroy(session);
    ExerciseEvent events[EXERCISE_MAX_EVENTS];
    int count = recording_events(recording, events, EXERCISE_MAX_EVENTS);
    assert_true(count > 0);
    assert_int_equal(events[count - 1].kind, EVENT_FREEZE);
    assert_int_equal(events[count - 1].form, EVENT_FREEZE_BEGINS);
    assert_int_equal(events[count - 1].tick, AT + MORE);
    recording_close(recording);
}

TEST_WITH(interleaved_sessions_equal_each_alone, Fixture *fixture)
{
    Status status = {0};
    Recording *recording = open_good(fixture->path);
    Session *first = recording_create_session(recording, 1, &status), *second = make_session(2);
    assert_good(first != NULL, status);
    enum { BEHIND = 100 };
    for (int tick = 0; tick < TICKS; tick++) {
        OperatorControls controls;
        assert_good(recording_controls(recording, tick, &controls, &status), status);
        session_tick(first, &controls);
        assert_true(state_hash(first) == fixture->hashes[tick + 1]);
        if (tick >= BEHIND) {
            assert_good(recording_controls(recording, tick - BEHIND, &controls, &status), status);
            session_tick(second, &controls);
            assert_true(state_hash(second) == fixture->hashes[tick - BEHIND + 1]);
        }
    }
    session_destroy(first);
    session_destroy(second);
    recording_close(recording);
}

TEST_GROUP(set_up, tear_down)
