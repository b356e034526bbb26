/// The whole tick on real scenes: mass, forces, independence of threads and of other sessions.
// test: long

#include "tests/support/test.h"
#include "trainer/pilot/autopilot.h"
#include "trainer/sim/session.h"
#include "trainer/sim/state_io.h"

static Session *open_session(const char *scene, int threads)
{
    Status status;
    SessionParams params = {.scene = scene, .threads = threads};
    Session *session = session_create(&params, &status);
    assert_good(session != NULL, status);
    return session;
}

/// Levers of a fixed clumsy operator: down, in, curl, up, swing.
static OperatorControls clumsy(int tick)
{
    OperatorControls controls = control_neutral;
    double t = tick / 60.0;
    controls.axis[CONTROL_BOOM] = control_quantise(t < 2.0 ? -0.7 : t > 3.5 ? 0.6 : 0.0);
    controls.axis[CONTROL_STICK] = control_quantise(t > 1.5 && t < 4.0 ? 0.8 : 0.0);
    controls.axis[CONTROL_BUCKET] = control_quantise(t > 2.5 ? 0.7 : 0.0);
    controls.axis[CONTROL_SWING] = control_quantise(t > 4.5 ? 0.8 : 0.0);
    controls.axis[CONTROL_THROTTLE] = CONTROL_FULL;
    return controls;
}

/// Digs with the scripted operator until the bucket hangs full in the air; returns false when it never does.
static bool dig_until_full(Session *session)
{
    Autopilot *autopilot = autopilot_create(session);
    int64_t total = session_frame(session)->ledger.total;
    bool full = false;
    for (int tick = 0; tick < 20 * 60 && !full; tick++) {
        OperatorControls controls;
        autopilot_controls(autopilot, session, &controls);
        session_tick(session, &controls);
        const SessionFrame *frame = session_frame(session);
        assert_true(frame->ledger.total == total);
        full = frame->payload > 500.0 && frame->machine.tip.z > 1.5;
    }
    autopilot_destroy(autopilot);
    return full;
}

TEST(a_full_bucket_weighs_what_is_in_it)
{
    Session *session = open_session("trench", 1);
    assert_true(dig_until_full(session));
    OperatorControls neutral = control_neutral;
    double force = 0.0, payload = 0.0;
    for (int tick = 0; tick < 6 * 60; tick++) {
        session_tick(session, &neutral);
        if (tick >= 4 * 60) {
            force -= session_frame(session)->tool_wrench.force.z / 120.0;
            payload += session_frame(session)->payload / 120.0;
        }
    }
    SoilParticleView p = soil_get_particles(session_soil(session));
    double tip = session_frame(session)->machine.tip.z,
           carried = 0.0; // also what clings to the outside: all that is in the air
    for (int k = 0; k < p.count; k++) {
        carried += p.z[k] > tip - 1.0 ? p.mass[k] * SOIL_QUANTUM : 0.0;
    }
    print_message("force on the bucket %.0f N, weight of the soil on it %.0f N, in it %.0f N\n", force,
                  carried * STANDARD_GRAVITY, payload * STANDARD_GRAVITY);
    assert_true(fabs(force - carried * STANDARD_GRAVITY) < 0.005 * carried * STANDARD_GRAVITY);
    assert_true(payload > 0.93 * carried && payload < 1.005 * carried);
    assert_true(session_is_finite(session));
    session_destroy(session);
}

static uint64_t run_clumsy(int threads, int ticks)
{
    Session *session = open_session("trench", threads);
    for (int tick = 0; tick < ticks; tick++) {
        OperatorControls controls = clumsy(tick);
        session_tick(session, &controls);
    }
    uint64_t hash = state_hash(session);
    session_destroy(session);
    return hash;
}

TEST(threads_do_not_matter)
{
    assert_true(run_clumsy(1, 300) == run_clumsy(3, 300));
}

TEST(sessions_do_not_disturb_each_other)
{
    uint64_t alone = run_clumsy(1, 240);
    Session *a = open_session("trench", 1), *b = open_session("truck-loading", 1), *c = open_session("trench", 2);
    for (int tick = 0; tick < 240; tick++) {
        OperatorControls controls = clumsy(tick);
        session_tick(a, &controls);
        session_tick(b, &controls);
        session_tick(c, &controls);
    }
    assert_true(state_hash(a) == alone);
    assert_true(state_hash(c) == alone);
    session_destroy(a);
    session_destroy(b);
    session_destroy(c);
}

TEST(a_seed_changes_the_ground)
{
    Status status;
    SessionParams params = {.scene = "trench", .has_seed = true, .seed = 99, .threads = 1};
    Session *a = session_create(&params, &status), *b = open_session("trench", 1);
    assert_non_null(a);
    assert_true(state_hash(a) != state_hash(b) || session_frame(a)->ledger.total != session_frame(b)->ledger.total);
    session_destroy(a);
    session_destroy(b);
}

/// A mound that reaches the bucket, though not the tracks.
TEST(a_bucket_does_not_start_in_a_mound)
{
    Status status;
    static const char *const set[] = {"ground.mounds.0.height=5", "ground.mounds.0.x=11"};
    SessionParams params = {.scene = "truck-loading", .set = set, .set_count = 2, .threads = 1};
    Session *session = session_create(&params, &status);
    assert_null(session);
    assert_int_equal(status.code, STATUS_BAD_USAGE);
    assert_non_null(strstr(status.text, "--set ground.mounds.0.height=5 and others: "));
    assert_non_null(strstr(status.text, "truck-loading.yaml:7:10: machine: its bucket starts inside the ground"));
}

/// Drives over a mound and digs: ground changes under the tracks and under the bucket.
static OperatorControls over_a_mound(int tick)
{
    OperatorControls controls = control_neutral;
    double t = tick / 60.0;
    controls.axis[CONTROL_LEFT_TRACK] = controls.axis[CONTROL_RIGHT_TRACK] = control_quantise(t < 5.0 ? 0.8 : 0.0);
    controls.axis[CONTROL_BOOM] = control_quantise(t > 4.0 && t < 7.0 ? -0.7 : 0.0);
    controls.axis[CONTROL_STICK] = control_quantise(t > 5.0 ? 0.6 : 0.0);
    controls.axis[CONTROL_THROTTLE] = CONTROL_FULL;
    return controls;
}

static Session *open_with_a_mound(void)
{
    static const char *const set[] = {"ground.size_x=30", "ground.size_y=30", "ground.mounds.0.x=4.5",
                                      "ground.mounds.0.y=1.2", "ground.mounds.0.height=0.7"};
    Status status;
    SessionParams params = {.scene = "free", .set = set, .set_count = 5, .threads = 1};
    Session *session = session_create(&params, &status);
    assert_good(session != NULL, status);
    return session;
}

/// A keyframe of a session whose ground has changed under the machine, put into a fresh session, goes on bit for bit.
TEST(changed_ground_under_a_machine_restores_exactly)
{
    Session *session = open_with_a_mound();
    double start = soil_get_height(session_soil(session), 4.5, 1.2);
    for (int from = 0; from < 480; from += 120) {
        StateBuffer keyframe = {0};
        Status status;
        assert_true(state_save(session, &keyframe, &status));
        Session *copy = open_with_a_mound();
        assert_true(state_restore(copy, keyframe.data, keyframe.size, &status));
        assert_true(state_hash(copy) == state_hash(session));
        for (int tick = from; tick < from + 120; tick++) {
            OperatorControls controls = over_a_mound(tick);
            session_tick(session, &controls);
            session_tick(copy, &controls);
        }
        assert_true(state_hash(copy) == state_hash(session));
        state_buffer_free(&keyframe);
        session_destroy(copy);
    }
    double rut = start - soil_get_height(session_soil(session), 4.5, 1.2);
    print_message("mound driven over: %.0f mm lower\n", 1e3 * rut);
    assert_true(rut > 0.02);
    session_destroy(session);
}

/// A machine stands at the start as deep as it will: in a rut of its own, with nothing lost, and level.
TEST(a_machine_starts_in_the_rut_that_it_makes)
{
    static const char *const soils[] = {"sand", "loam", "clay", "wet-clay"};
    for (size_t k = 0; k < sizeof soils / sizeof soils[0]; k++) {
        char layers[2][64];
        const char *set[] = {layers[0], layers[1], "ground.roughness=0"};
        for (int layer = 0; layer < 2; layer++) {
            snprintf(layers[layer], sizeof layers[layer], "ground.layers.%d.soil=%s", layer, soils[k]);
        }
        Status status;
        Session *session =
            session_create(&(SessionParams){.scene = "trench", .set = set, .set_count = 3, .threads = 1}, &status);
        assert_good(session != NULL, status);
        const SessionFrame *frame = session_frame(session);
        int64_t total = frame->ledger.total;
        double start = frame->machine.base.z, pitch = frame->machine.pitch, lowest = start, highest = start;
        for (int tick = 0; tick < 180; tick++) {
            session_tick(session, &control_neutral);
            lowest = fmin(lowest, frame->machine.base.z);
            highest = fmax(highest, frame->machine.base.z);
        }
        print_message("%s: starts at %.2f mm, then %.2f to %.2f mm\n", soils[k], 1e3 * start, 1e3 * lowest,
                      1e3 * highest);
        assert_true(start < -1e-3 && start > -0.02);
        assert_true(highest - start < 1e-3 && start - lowest < 2e-3);
        assert_near(frame->machine.pitch, pitch, 1e-3);
        assert_true(frame->ledger.total == total && frame->mass_drift == 0);
        session_destroy(session);
    }
}

/// Leaves all as it is but the soil's force on the tool.
static void spoil_force(StateVisitor *visitor, const char *name, void *data, size_t size, size_t count)
{
    (void)visitor;
    if (strcmp(name, "session.pending_force") == 0) {
        const double wrong = NAN;
        assert_true(size * count >= sizeof wrong);
        memcpy(data, &wrong, sizeof wrong);
    }
}

TEST(a_stored_force_that_is_no_number_is_refused)
{
    Session *session = open_session("free", 1);
    Status status;
    assert_true(session_after_restore(session, &status));
    StateVisitor visitor = {.field = spoil_force, .restoring = true};
    session_visit(session, &visitor);
    assert_false(session_after_restore(session, &status));
    assert_non_null(strstr(status.text, "not finite"));
    session_destroy(session);
}

TEST_GROUP(NULL, NULL)
