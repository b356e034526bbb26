/// Random operator scripts break nothing (tests/soak.sh drives a thousand), and a script that does is made small: with
/// faults that are made up, of which it is known what the smallest script is.
#include "input/input.h"
#include "tests/support/drives/random_script.h"
#include "tests/support/drives/session_watch.h"
#include "tests/support/drives/shrink_script.h"
#include "tests/support/test.h"

static const char small_scene[] = SPADEWORK_TEST_DIR "/support/small.yaml";

/// ---- driving -------------------------------------------------------------------------------------------------------

static void drive(const char *scene, uint64_t seed, double seconds)
{
    static ClumsyScript script;
    Status status = {0};
    random_script_make(seed, seconds, &script);
    Session *session = session_create(&(SessionParams){.scene = scene, .threads = 1}, &status);
    assert_good(session != NULL, status);
    SessionWatch watch;
    watch_begin(&watch, session);
    double dt = session_dt(session);
    for (int tick = 0; tick < (int)(seconds / dt); tick++) {
        OperatorControls controls;
        clumsy_levers(&script, tick * dt, &controls);
        session_tick(session, &controls);
        if (!watch_tick(&watch, session)) {
            fail_msg("%s, seed %llu, tick %lld: %s: %s", scene, (unsigned long long)seed, (long long)watch.fault_tick,
                     watch_kind_names[watch.kind], watch.fault);
        }
    }
    session_destroy(session);
}

TEST(ten_scripts_break_nothing)
{
    static const char *const scenes[] = {small_scene, "dozing", "truck-loading", "boulders", "trench"};
    for (uint64_t k = 0; k < 10; k++) {
        drive(scenes[k % 5], k + 1, 6.0);
    }
}

/// A script that pressed a boulder 266 mm into the hammer, between it and ground that yields: as it was found, and with
/// levers that are moved a little less far.
TEST(a_boom_does_not_press_a_boulder_into_its_hammer)
{
    enum { TIMES = 8 };
    Status status = {0};
    InputScript *script = input_script_load(SPADEWORK_TEST_DIR "/soak/found/break-rocks-124.csv", &status);
    assert_good(script != NULL, status);
    double deepest = 0.0;
    for (int k = 0; k < TIMES; k++) {
        Session *session = session_create(&(SessionParams){.scene = "break-rocks", .threads = 1}, &status);
        assert_good(session != NULL, status);
        SessionWatch watch;
        watch_begin(&watch, session);
        for (int tick = 0; tick < 8 * 60; tick++) {
            OperatorControls controls;
            input_script_get(script, tick * session_dt(session), &controls);
            for (int axis = 0; axis < CONTROL_COUNT; axis++) {
                controls.axis[axis] = control_quantise(control_value(&controls, axis) * (1.0 - 0.01 * k));
            }
            session_tick(session, &controls);
            if (!watch_tick(&watch, session)) {
                fail_msg("levers %d %% less far, tick %lld: %s", k, (long long)watch.fault_tick, watch.fault);
            }
        }
        print_message("levers %d %% less far: %.1f mm\n", k, 1e3 * watch.worst.overlap);
        deepest = fmax(deepest, watch.worst.overlap);
        session_destroy(session);
    }
    print_message("the hammer is at most %.1f mm in the boulder\n", 1e3 * deepest);
    input_script_destroy(script);
}

/// m: highest column of the ground.
static double highest(Session *session)
{
    SoilGridView grid = soil_get_grid(session_soil(session));
    double high = 0.0;
    for (int k = 0; k < grid.rows * grid.columns; k++) {
        high = fmax(high, (double)grid.height[k]);
    }
    return high;
}

/// Scripts that dig over the edge of the site: what was pressed there piled up in single columns, 7 and 33 m high.
TEST(what_is_dug_at_the_edge_of_the_site_piles_up_nowhere)
{
    static const char *const found[] = {"haul-edge-5", "haul-edge-10"};
    static const char *const set[] = {"machine.x=0", "machine.y=17", "machine.heading_deg=90"};
    for (int k = 0; k < 2; k++) {
        Status status = {0};
        char path[300];
        snprintf(path, sizeof path, "%s/soak/found/%s.csv", SPADEWORK_TEST_DIR, found[k]);
        InputScript *script = input_script_load(path, &status);
        assert_good(script != NULL, status);
        Session *session =
            session_create(&(SessionParams){.scene = "haul", .set = set, .set_count = 3, .threads = 1}, &status);
        assert_good(session != NULL, status);
        SessionWatch watch;
        watch_begin(&watch, session);
        double before = highest(session);
        for (int tick = 0; tick < 20 * 60; tick++) {
            OperatorControls controls;
            input_script_get(script, tick * session_dt(session), &controls);
            session_tick(session, &controls);
            if (!watch_tick(&watch, session)) {
                fail_msg("%s, tick %lld: %s", found[k], (long long)watch.fault_tick, watch.fault);
            }
        }
        print_message("%s: a tool's corner at most %.2f m in the ground, highest column %.2f m (before %.2f)\n",
                      found[k], watch.worst.tool_depth, highest(session), before);
        assert_true(highest(session) < before + 0.5);
        session_destroy(session);
        input_script_destroy(script);
    }
}

/// A watch that began with another mass tells so, and nothing else after that.
TEST(a_fault_is_told_once)
{
    Status status = {0};
    Session *session = session_create(&(SessionParams){.scene = small_scene, .threads = 1}, &status);
    assert_good(session != NULL, status);
    SessionWatch watch;
    watch_begin(&watch, session);
    watch.total++;
    session_tick(session, &control_neutral);
    assert_false(watch_tick(&watch, session));
    assert_int_equal(watch.kind, WATCH_MASS);
    assert_int_equal(watch.fault_tick, 1);
    assert_contains(watch.fault, "it began with");
    watch.total--;
    session_tick(session, &control_neutral);
    assert_false(watch_tick(&watch, session));
    assert_int_equal(watch.fault_tick, 1);
    session_destroy(session);
}

/// ---- scripts -------------------------------------------------------------------------------------------------------

TEST(a_script_follows_from_its_seed)
{
    static ClumsyScript first, second;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        random_script_make(seed, 15.0, &first);
        random_script_make(seed, 15.0, &second);
        assert_memory_equal(&first, &second, sizeof first);
        assert_true(first.row_count > 1 && first.row_count <= CLUMSY_MOST_ROWS);
        assert_int_equal(first.rows[0].milliseconds, 0);
        for (int k = 1; k < first.row_count; k++) {
            assert_true(first.rows[k].milliseconds > first.rows[k - 1].milliseconds);
            assert_true(first.rows[k].milliseconds <= 15000);
        }
        random_script_make(seed + 1, 15.0, &second);
        assert_memory_not_equal(&first, &second, sizeof first);
    }
}

/// ---- shrinking -----------------------------------------------------------------------------------------------------

/// A made-up fault: levers of two axes beyond their bounds, together or one after the other, for a while.
typedef struct MadeUp {
    int first, second; ///< axes
    bool together; ///< else the second one later than the first
    int lasting; ///< ms that the second one lasts at least
    int trials;
} MadeUp;

static bool is_out(const ClumsyScript *script, int milliseconds, int axis)
{
    OperatorControls controls;
    clumsy_levers(script, milliseconds / 1000.0, &controls);
    return control_value(&controls, (ControlAxis)axis) > 0.5;
}

static int try_made_up(void *context, const ClumsyScript *script, int milliseconds)
{
    MadeUp *fault = context;
    fault->trials++;
    bool first = false;
    int lasts = 0;
    for (int at = 0; at < milliseconds; at++) {
        bool out = is_out(script, at, fault->first);
        first = fault->together ? out : first || out;
        lasts = first && is_out(script, at, fault->second) ? lasts + 1 : 0;
        if (lasts >= fault->lasting) {
            return at + 1;
        }
    }
    return -1;
}

/// A script of 15 s that has the fault.
static void find_script(MadeUp *fault, ClumsyScript *script)
{
    uint64_t seed = 1;
    for (random_script_make(seed, 15.0, script); try_made_up(fault, script, 15000) < 0;) {
        random_script_make(++seed, 15.0, script);
        assert_true(seed < 1000);
    }
    assert_true(script->row_count > 3);
}

static int levers_used(const ClumsyScript *script)
{
    int used = 0;
    for (int k = 0; k < script->row_count; k++) {
        for (int axis = 0; axis < CLUMSY_AXES; axis++) {
            used += script->rows[k].hundredths[axis] != (axis == CONTROL_THROTTLE ? 100 : 0); // full: at rest
        }
    }
    return used;
}

TEST(two_levers_together_are_what_is_left)
{
    static ClumsyScript script;
    MadeUp fault = {.first = CONTROL_BOOM, .second = CONTROL_SWING, .together = true, .lasting = 300};
    int milliseconds = 15000;
    find_script(&fault, &script);
    assert_true(shrink_script(&script, &milliseconds, try_made_up, &fault, 1000) > 0);
    assert_int_equal(script.row_count, 1);
    assert_int_equal(milliseconds, 300);
    assert_int_equal(levers_used(&script), 2);
    assert_true(script.rows[0].hundredths[CONTROL_BOOM] > 50 && script.rows[0].hundredths[CONTROL_SWING] > 50);
}

TEST(one_lever_after_the_other_are_two_rows)
{
    static ClumsyScript script;
    MadeUp fault = {.first = CONTROL_STICK, .second = CONTROL_BUCKET, .lasting = 200};
    int milliseconds = 15000;
    find_script(&fault, &script);
    assert_true(shrink_script(&script, &milliseconds, try_made_up, &fault, 1000) > 0);
    print_message("%d rows, %d levers, %d ms\n", script.row_count, levers_used(&script), milliseconds);
    assert_true(script.row_count <= 2);
    assert_int_equal(levers_used(&script), 2);
    assert_true(milliseconds <= 300);
    assert_int_equal(try_made_up(&fault, &script, milliseconds), milliseconds);
}

TEST(what_does_not_fail_stays_as_it_is)
{
    static ClumsyScript script, before;
    MadeUp fault = {.first = CONTROL_STICK, .second = CONTROL_BUCKET, .lasting = 20000};
    int milliseconds = 15000;
    random_script_make(1, 15.0, &script);
    before = script;
    assert_int_equal(shrink_script(&script, &milliseconds, try_made_up, &fault, 1000), 0);
    assert_memory_equal(&script, &before, sizeof script);
    assert_int_equal(milliseconds, 15000);
}

TEST(no_more_trials_are_made_than_asked)
{
    static ClumsyScript script;
    MadeUp fault = {.first = CONTROL_BOOM, .second = CONTROL_SWING, .together = true, .lasting = 300};
    int milliseconds = 15000;
    find_script(&fault, &script);
    fault.trials = 0;
    assert_int_equal(shrink_script(&script, &milliseconds, try_made_up, &fault, 7), 7);
    assert_int_equal(fault.trials, 7);
    assert_true(try_made_up(&fault, &script, milliseconds) == milliseconds);
}

TEST_GROUP(NULL, NULL)
