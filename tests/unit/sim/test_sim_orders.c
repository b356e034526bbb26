/// Orders of an instructor: what is refused, what they leave in the state, and that a recording gives them again to the
/// bit.
// test: sanitized
#include <math.h>

#include "tests/support/event_fixture.h"
#include "tests/support/recording_refused.h"
#include "tests/support/small_session.h"
#include "trainer/sim/session_order.h"
#include "trainer/record/recording_file.h"

#define NO_PART 0

/// What is ordered in the recording, and at which tick.
static const struct {
    int tick;
    SessionOrder order;
} given[] = {
    {20, {SESSION_FAULT_PRESSURE, NO_PART, 0.4}},
    {20, {SESSION_FAULT_VALVE, 1, 1.0}},
    {50, {SESSION_FAULT_SWING, NO_PART, 0.5}},
    {90, {SESSION_FAULT_VALVE, 1, 0.0}},
    {90, {SESSION_FAULT_HEAT, NO_PART, 12.5}},
    {185, {SESSION_FAULT_ENGINE, NO_PART, 1.0}}, // behind the keyframe of tick 180
};
enum { GIVEN = sizeof given / sizeof *given };

static void record_orders(const char *path, uint64_t hashes[TICKS + 1])
{
    Status status = {0};
    Session *session = small_open(&status);
    assert_good(session != NULL, status);
    Recorder *recorder = recorder_create(&(RecorderParams){.path = path}, session, &status);
    assert_good(recorder != NULL, status);
    for (int tick = 0; tick < TICKS; tick++) {
        OperatorControls levers = small_levers(tick);
        hashes[tick] = state_hash(session);
        for (int k = 0; k < GIVEN; k++) {
            if (given[k].tick == tick) {
                assert_good(session_order(session, &given[k].order, &status), status);
                assert_good(recorder_order(recorder, &given[k].order, &status), status);
            }
        }
        session_tick(session, &levers);
        assert_good(recorder_tick(recorder, session, &status), status);
    }
    hashes[TICKS] = state_hash(session);
    assert_good(recorder_close(recorder, session, &status), status);
    session_destroy(session);
}

static uint64_t hashes[TICKS + 1];

static int set_up_orders(void **state)
{
    Fixture *fixture = calloc(1, sizeof *fixture);
    make_folder(fixture->folder);
    path_in(fixture->folder, "changed.spade", fixture->path);
    record_orders(path_in(fixture->folder, "good.spade", fixture->good), hashes);
    *state = fixture;
    return 0;
}

/// ---- what is refused -----------------------------------------------------------------------------------------------

static void refuse(Session *session, SessionOrder order, const char *reason)
{
    Status status = {0};
    uint64_t before = state_hash(session);
    assert_false(session_order(session, &order, &status));
    assert_int_equal(status.code, STATUS_BAD_USAGE);
    if (strstr(status.text, reason) == NULL) {
        fail_msg("told: %s; wanted: %s", status.text, reason);
    }
    assert_true(state_hash(session) == before);
}

TEST(what_a_machine_or_a_scene_lacks_is_refused)
{
    Status status = {0};
    Session *session = small_open(&status);
    assert_good(session != NULL, status);
    refuse(session, (SessionOrder){SESSION_FAULT_COUNT, 0, 0.0}, "fault 9: allowed 0..8");
    refuse(session, (SessionOrder){SESSION_FAULT_PRESSURE, 0, 1.01}, "fault pressure: value 1.01, allowed 0..1");
    refuse(session, (SessionOrder){SESSION_FAULT_PRESSURE, 0, NAN}, "allowed 0..1");
    refuse(session, (SessionOrder){SESSION_FAULT_HEAT, 0, 31.0}, "fault heat: value 31, allowed 0..30 K");
    refuse(session, (SessionOrder){SESSION_FAULT_SIGHT, 0, 5.0}, "fault sight: value 5, allowed 0 or 20..50000 m");
    refuse(session, (SessionOrder){SESSION_FAULT_ENGINE, 0, 0.5}, "fault engine: value 0.5, allowed 0 or 1");
    refuse(session, (SessionOrder){SESSION_FAULT_PRESSURE, 1, 0.5}, "this machine has no such part, allowed none");
    refuse(session, (SessionOrder){SESSION_FAULT_VALVE, ORDER_PARTS, 1.0},
           "allowed swing, boom, stick, bucket, left track, right");
    refuse(session, (SessionOrder){SESSION_FAULT_VALVE, -1, 1.0}, "allowed swing, boom");
    refuse(session, (SessionOrder){SESSION_FAULT_TRUCK, 0, 1.0}, "this scene has no such part, allowed nothing");
    session_destroy(session);

    SessionParams params = {.scene = "slot-dozing", .threads = 1};
    session = session_create(&params, &status);
    assert_good(session != NULL, status);
    refuse(session, (SessionOrder){SESSION_FAULT_SWING, 0, 0.5}, "it cannot be ordered here");
    refuse(session, (SessionOrder){SESSION_FAULT_VALVE, 4, 1.0}, "allowed ripper, lift, angle, tilt");
    session_destroy(session);
}

/// ---- state ---------------------------------------------------------------------------------------------------------

static bool has_orders(Session *session)
{
    Status status = {0};
    StateBuffer saved = {0};
    assert_good(state_save(session, &saved, &status), status);
    static const char name[] = "order.pressure";
    bool found = false;
    for (size_t k = 0; k + sizeof name <= saved.size && !found; k++) {
        found = memcmp(saved.data + k, name, sizeof name - 1) == 0;
    }
    state_buffer_free(&saved);
    return found;
}

TEST(orders_are_state_while_they_act)
{
    Status status = {0};
    Session *session = small_open(&status), *other = small_open(&status);
    assert_good(session != NULL && other != NULL, status);
    StateBuffer saved = {0}, plain = {0};
    assert_good(state_save(session, &plain, &status), status);
    assert_false(has_orders(session));
    SessionOrder order = {SESSION_FAULT_PRESSURE, NO_PART, 0.25};
    assert_good(session_order(session, &order, &status), status);
    assert_true(has_orders(session));
    assert_true(session_orders(session)->value[SESSION_FAULT_PRESSURE][0] == 0.25);
    const ExerciseEvent *event = exercise_event(session_exercise(session), 0);
    char text[EVENT_TEXT];
    assert_true(is_event(event, "fault"));
    assert_string_equal(english_of(event, NULL, text), "the pumps reach 25 % of their pressure");
    ExerciseEvent weak = *event;
    weak.number.share = 0.005;
    assert_string_equal(english_of(&weak, NULL, text), "the pumps reach 0.5 % of their pressure");
    assert_good(state_save(session, &saved, &status), status);
    assert_true(saved.size <= state_size_most(session));
    assert_good(state_restore(other, saved.data, saved.size, &status), status);
    for (int tick = 0; tick < 60; tick++) {
        OperatorControls levers = control_neutral;
        levers.axis[CONTROL_BOOM] = CONTROL_FULL;
        session_tick(session, &levers);
        session_tick(other, &levers);
        assert_true(state_hash(session) == state_hash(other));
    }
    order.value = 1.0;
    assert_good(session_order(session, &order, &status), status);
    assert_false(has_orders(session));
    assert_good(state_restore(other, plain.data, plain.size, &status), status);
    assert_false(session_orders_act(session_orders(other)));
    state_buffer_free(&saved);
    state_buffer_free(&plain);
    session_destroy(session);
    session_destroy(other);
}

TEST(a_stored_order_beyond_its_range_is_refused)
{
    Status status = {0};
    Session *session = small_open(&status);
    assert_good(session != NULL, status);
    SessionOrder order = {SESSION_FAULT_HEAT, NO_PART, 20.0};
    assert_good(session_order(session, &order, &status), status);
    StateBuffer saved = {0};
    SessionOrders *orders = (SessionOrders *)(uintptr_t)session_orders(session); // forges what no order gives
    orders->value[SESSION_FAULT_HEAT][0] = 400.0;
    assert_good(state_save(session, &saved, &status), status);
    assert_false(state_restore(session, saved.data, saved.size, &status));
    assert_non_null(strstr(status.text, "order.heat"));
    state_buffer_free(&saved);
    session_destroy(session);
}

TEST(a_truck_driver_stops_where_he_is_and_goes_on)
{
    Status status = {0};
    SessionParams params = {.scene = "haul", .threads = 1};
    Session *session = session_create(&params, &status);
    assert_good(session != NULL, status);
    OperatorControls horn = control_neutral, none = control_neutral;
    horn.axis[CONTROL_HORN] = CONTROL_FULL;
    for (int tick = 0; tick < 600; tick++) {
        session_tick(session, tick >= 110 && tick < 120 ? &horn : &none);
    }
    const SessionTrucks *trucks = session_trucks(session);
    double before = session_trucks_pose(trucks, 0).rolled;
    assert_true(fabs(before) > 1.0);
    SessionOrder order = {SESSION_FAULT_TRUCK, 0, 1.0};
    assert_good(session_order(session, &order, &status), status);
    for (int tick = 0; tick < 240; tick++) { // brakes
        session_tick(session, &none);
    }
    double stopped = session_trucks_pose(trucks, 0).rolled;
    for (int tick = 0; tick < 240; tick++) {
        session_tick(session, &none);
    }
    assert_near(session_trucks_pose(trucks, 0).rolled, stopped, 1e-3);
    order.value = 0.0;
    assert_good(session_order(session, &order, &status), status);
    for (int tick = 0; tick < 360; tick++) {
        session_tick(session, &none);
    }
    assert_true(fabs(session_trucks_pose(trucks, 0).rolled - stopped) > 1.0);
    session_destroy(session);
}

/// ---- recordings ----------------------------------------------------------------------------------------------------

TEST_WITH(a_recording_with_orders_verifies, const Fixture *fixture)
{
    Status status = {0};
    VerifyResult result;
    Recording *recording = open_good(fixture->good);
    assert_good(recording_verify(recording, 0, true, 1, NULL, NULL, &result, &status), status);
    assert_int_equal(result.ticks, TICKS);
    assert_int_equal(result.keyframes, 3);
    ExerciseEvent events[64];
    int count = recording_events(recording, events, 64), faults = 0;
    for (int k = 0; k < count; k++) {
        faults += events[k].kind == EVENT_FAULT;
    }
    assert_int_equal(faults, GIVEN);
    assert_int_equal(sql_number(fixture->good, "SELECT count(*) FROM fault_order"), GIVEN);
    recording_close(recording);
}

TEST_WITH(who_seeks_into_a_fault_goes_on_in_it, const Fixture *fixture)
{
    static const int places[] = {20, 21, 60, 90, 181, 185, 186};
    Status status = {0};
    Recording *recording = open_good(fixture->good);
    Session *session = recording_create_session(recording, 1, &status);
    assert_good(session != NULL, status);
    for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
        assert_good(recording_seek(recording, session, places[k], &status), status);
        assert_true(state_hash(session) == hashes[places[k]]);
        for (int tick = places[k]; tick < TICKS; tick++) {
            assert_good(recording_advance(recording, session, &status), status);
            assert_true(state_hash(session) == hashes[tick + 1]);
        }
    }
    assert_false(recording_advance(recording, session, &status));
    session_destroy(session);
    recording_close(recording);
}

TEST_WITH(who_takes_over_takes_the_faults_over, const Fixture *fixture)
{
    enum { AT = 60 };
    char path[512];
    Status status = {0};
    Recording *parent = open_good(fixture->good);
    Session *session = recording_create_session(parent, 1, &status);
    assert_good(session != NULL && recording_seek(parent, session, AT, &status), status);
    RecorderParams params = {
        .path = path_in(fixture->folder, "branch.spade", path), .parent = fixture->good, .parent_tick = AT};
    char seal[SEAL_TEXT];
    recording_last_seal(parent, seal);
    params.parent_seal = seal;
    Recorder *recorder = recorder_create(&params, session, &status);
    assert_good(recorder != NULL, status);
    SessionOrder order = {SESSION_FAULT_FUNCTION, 2, 1.0};
    assert_good(session_order(session, &order, &status), status);
    assert_good(recorder_order(recorder, &order, &status), status);
    for (int tick = AT; tick < AT + 30; tick++) {
        OperatorControls levers = small_levers(tick);
        session_tick(session, &levers);
        assert_good(recorder_tick(recorder, session, &status), status);
    }
    assert_good(recorder_close(recorder, session, &status), status);
    session_destroy(session);
    recording_close(parent);
    VerifyResult result;
    Recording *branch = open_good(path);
    assert_good(recording_verify(branch, AT, true, 1, NULL, NULL, &result, &status), status);
    assert_int_equal(result.parent.state, PARENT_FITS);
    recording_close(branch);
}

/// Opens, verifies, and expects that it fails with a text.
static void expect_unproven(const Fixture *fixture, const char *sql, const char *reason)
{
    Status status = {0};
    VerifyResult result;
    forge(fixture, sql);
    Recording *recording = open_good(fixture->path);
    if (recording_verify(recording, 0, false, 1, NULL, NULL, &result, &status)) {
        fail_msg("verified after: %s", sql);
    }
    assert_int_equal(status.code, STATUS_NOT_VERIFIED);
    if (strstr(status.text, reason) == NULL) {
        fail_msg("after %s told: %s; wanted: %s", sql, status.text, reason);
    }
    recording_close(recording);
}

TEST_WITH(who_changes_an_order_is_found, const Fixture *fixture)
{
    expect_unproven(fixture, "UPDATE fault_order SET value = 0.41 WHERE number = 0",
                    "tick 21 (0.350 s) in fault_order");
    expect_unproven(fixture, "UPDATE fault_order SET tick = 51 WHERE number = 2", "first at tick 51");
    expect_unproven(fixture, "UPDATE fault_order SET part = 2 WHERE number = 1", "in fault_order");
    expect_unproven(fixture, "UPDATE fault_order SET hash = hash + 1 WHERE number = 5", "in fault_order");
    expect_unproven(fixture, "DELETE FROM fault_order WHERE number = 5", "tick 186");
    expect_unproven(fixture, "DELETE FROM fault_order", "tick 21");
    expect_unproven(fixture, "INSERT INTO fault_order VALUES(6, 190, 'heat', 0, 1.0, 1)", "in fault_order");

    // A row of which the hash fits, too, gives another state.
    RecordedOrder row = {.number = 6, .tick = 190, .order = {SESSION_FAULT_HEAT, NO_PART, 3.0}};
    char sql[200];
    snprintf(sql, sizeof sql, "INSERT INTO fault_order VALUES(6, 190, 'heat', 0, 3.0, %lld)",
             (long long)recording_order_hash(&row));
    expect_unproven(fixture, sql, "tick 191");
}

TEST_WITH(rows_that_nobody_writes_are_refused, const Fixture *fixture)
{
    static const char *const forged[][2] = {
        {"UPDATE fault_order SET fault = 'rust' WHERE number = 0", "order 0 is none"},
        {"UPDATE fault_order SET part = 10 WHERE number = 0", "order 0 is none"},
        {"UPDATE fault_order SET value = 9e999 WHERE number = 0", "order 0 is none"},
        {"UPDATE fault_order SET tick = 19 WHERE number = 1",
         "order 1 of tick 19 stands where order 1 of tick 20..199"},
        {"UPDATE fault_order SET tick = 200 WHERE number = 5", "order 5 of tick 200 stands where"},
        {"DELETE FROM fault_order WHERE number = 2", "order 3 of tick 90 stands where order 2"},
        {"WITH RECURSIVE n(k) AS (SELECT 6 UNION ALL SELECT k + 1 FROM n WHERE k < 30)"
         "INSERT INTO fault_order SELECT k, 190, 'heat', 0, 1.0, 0 FROM n",
         "allowed 16 a tick"},
        {"WITH RECURSIVE n(k) AS (SELECT 6 UNION ALL SELECT k + 1 FROM n WHERE k < 4000)"
         "INSERT INTO fault_order SELECT k, 190, 'heat', 0, 1.0, 0 FROM n",
         "orders: 4001, allowed 0..3200"},
        {"DROP TABLE fault_order; CREATE TABLE fault_order(number INTEGER PRIMARY KEY)", "other columns"},
        {"DROP TABLE fault_order", "lacks the table fault_order"},
    };
    for (size_t k = 0; k < sizeof forged / sizeof *forged; k++) {
        forge(fixture, forged[k][0]);
        expect_refused(fixture->path, forged[k][1]);
    }
}

TEST_WITH(no_more_orders_are_taken_than_are_recorded, const Fixture *fixture)
{
    char path[512];
    Status status = {0};
    Session *session = small_open(&status);
    assert_good(session != NULL, status);
    RecorderParams params = {.path = path_in(fixture->folder, "many.spade", path)};
    Recorder *recorder = recorder_create(&params, session, &status);
    assert_good(recorder != NULL, status);
    SessionOrder order = {SESSION_FAULT_HEAT, NO_PART, 1.0};
    for (int k = 0; k < SESSION_ORDERS_A_TICK; k++) {
        order.value = k;
        assert_good(session_order(session, &order, &status), status);
        assert_good(recorder_order(recorder, &order, &status), status);
    }
    assert_false(recorder_order(recorder, &order, &status));
    assert_int_equal(status.code, STATUS_BAD_USAGE);
    OperatorControls none = control_neutral;
    session_tick(session, &none);
    assert_good(recorder_tick(recorder, session, &status), status);
    assert_good(recorder_close(recorder, session, &status), status);
    session_destroy(session);
    VerifyResult result;
    Recording *recording = open_good(path);
    assert_good(recording_verify(recording, 0, true, 1, NULL, NULL, &result, &status), status);
    recording_close(recording);
}

/// ---- lists ---------------------------------------------------------------------------------------------------------

static OrderScript *read_list(const Fixture *fixture, const char *text, Status *status)
{
    char path[512];
    write_whole(path_in(fixture->folder, "list.csv", path), text, strlen(text));
    Session *session = small_open(status);
    assert_good(session != NULL, *status);
    OrderScript *script = order_script_load(path, session_scene(session), session_machine_params(session), status);
    session_destroy(session);
    return script;
}

TEST_WITH(a_list_gives_its_orders_at_their_times, const Fixture *fixture)
{
    Status status = {0};
    OrderScript *script = read_list(fixture,
                                    "fault, t, value, part\n"
                                    "valve, 0.5, 1, left track\n\n"
                                    "pressure, 0.5, 0.25,\n"
                                    "engine, 2, 1,\n",
                                    &status);
    assert_good(script != NULL, status);
    assert_null(order_script_take(script, 0.49));
    const SessionOrder *order = order_script_take(script, 0.5);
    assert_int_equal(order->fault, SESSION_FAULT_VALVE);
    assert_int_equal(order->part, MACHINE_MAX_JOINTS);
    order = order_script_take(script, 0.5);
    assert_int_equal(order->fault, SESSION_FAULT_PRESSURE);
    assert_true(order->value == 0.25);
    assert_null(order_script_take(script, 0.5));
    order_script_seek(script, 1.0);
    assert_int_equal(order_script_take(script, 3.0)->fault, SESSION_FAULT_ENGINE);
    assert_null(order_script_take(script, 9.0));
    order_script_destroy(script);
}

TEST_WITH(a_bad_list_is_refused_at_its_place, const Fixture *fixture)
{
    static const char *const bad[][2] = {
        {"", "list.csv:1:1: read \"\"; the file is empty; a header row is needed"},
        {"t,fault,part\n", "the header row needs the columns t, fault, part, value"},
        {"t,fault,part,value,who\n", ":1:20: read \"who\"; known columns: t, fault, part, value"},
        {"t,fault,part,value\n1,rust,,1\n", ":2:3: read \"rust\"; known faults: pressure swing heat valve"},
        {"t,fault,part,value\n1,valve,blade,1\n",
         ":2:9: read \"blade\"; fault valve: this machine has no such part, allowed swing, boom, stick, bucket"},
        {"t,fault,part,value\n1,engine,boom,1\n", ":2:10: read \"boom\"; fault engine: this machine has no such part"},
        {"t,fault,part,value\n1,pressure,,1.5\n", ":2:13: read \"1.5\"; fault pressure: value 1.5, allowed 0..1"},
        {"t,fault,part,value\n1,pressure,,nan\n", ":2:13: read \"nan\"; the value is a number"},
        {"t,fault,part,value\n2,heat,,1\n1,heat,,0\n", ":3:1: read \"1\"; t may not be less than in the row before"},
        {"t,fault,part,value\n-1,heat,,1\n", ":2:1: read \"-1\"; t is a number 0..1000000 (seconds)"},
        {"t,fault,part,value\n1,heat,1\n", "this row has fewer values than the header has columns"},
        {"t,fault,part,value\n1,heat,,1,1\n", "this row has more values than the header has columns"},
    };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        Status status = {0};
        assert_null(read_list(fixture, bad[k][0], &status));
        assert_int_equal(status.code, STATUS_BAD_FILE);
        if (strstr(status.text, bad[k][1]) == NULL) {
            fail_msg("told: %s; wanted: %s", status.text, bad[k][1]);
        }
    }
}

TEST_GROUP(set_up_orders, tear_down)
