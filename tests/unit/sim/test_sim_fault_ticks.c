/// Memory that is refused in a tick: each call of the allocator in the ticks of a drive fails once, or fails with all
/// that follow. The session says that it has failed, nothing crashes, and a state that is restored replays to its
/// hashes. The test is linked so that every call in the program's libraries comes by here; ODE's do not.
// test: sanitized, alone
#include "tests/support/refused_memory.h"
#include "tests/support/test.h"
#include "trainer/sim/session.h"
#include "trainer/sim/state_io.h"

enum { TICKS = 90 };

/// Down into the ground, in and up again, with a swing and a turn of the tracks.
static OperatorControls levers(int tick)
{
    OperatorControls controls = control_neutral;
    controls.axis[CONTROL_BOOM] = control_quantise(tick < 50 ? -1.0 : 0.7);
    controls.axis[CONTROL_STICK] = control_quantise(tick > 30 ? 1.0 : 0.0);
    controls.axis[CONTROL_BUCKET] = control_quantise(tick > 40 ? 0.8 : 0.0);
    controls.axis[CONTROL_SWING] = control_quantise(tick > 60 ? 0.8 : 0.0);
    controls.axis[CONTROL_THROTTLE] = CONTROL_FULL;
    return controls;
}

typedef struct Fixture {
    SoilSolver solver;
    StateBuffer start, dug;
    uint64_t hashes[TICKS + 1];
    int asked; ///< calls in all ticks
} Fixture;

static Session *open_session(SoilSolver solver)
{
    Status status = {0};
    Session *session = session_create(&(SessionParams){.scene = "trench", .threads = 2, .solver = solver}, &status);
    assert_good(session != NULL, status);
    return session;
}

static void tick_counted(Session *session, int tick)
{
    OperatorControls controls = levers(tick);
    memory_counts = true;
    session_tick(session, &controls);
    memory_counts = false;
}

static void drive_whole(Fixture *fixture)
{
    Status status = {0};
    Session *session = open_session(fixture->solver);
    assert_good(state_save(session, &fixture->start, &status), status);
    memory_refuse(MEMORY_NEVER, MEMORY_NEVER);
    for (int tick = 0; tick < TICKS; tick++) {
        fixture->hashes[tick] = state_hash(session);
        tick_counted(session, tick);
    }
    fixture->asked = memory_asked;
    fixture->hashes[TICKS] = state_hash(session);
    assert_good(state_save(session, &fixture->dug, &status), status);
    assert_false(session_has_failed(session));
    print_message("%d calls of the allocator in %d ticks, %d particles\n", memory_asked, TICKS,
                  session_frame(session)->counters.particles);
    session_destroy(session);
}

/// A session that was given its start again goes by the hashes.
static void expect_restored(const Fixture *fixture, Session *session, int ticks)
{
    Status status = {0};
    assert_good(state_restore(session, fixture->start.data, fixture->start.size, &status), status);
    assert_false(session_has_failed(session));
    for (int tick = 0; tick <= ticks; tick++) {
        assert_int_equal(state_hash(session), fixture->hashes[tick]);
        OperatorControls controls = levers(tick);
        session_tick(session, &controls);
    }
}

/// What may be called on a session that has failed.
static void look_at(Session *session)
{
    StateBuffer buffer = {0};
    Status status = {0};
    Soil *soil = session_soil(session);
    state_hash(session);
    assert_good(state_save(session, &buffer, &status), status);
    state_buffer_free(&buffer);
    SoilLayer layers[SOIL_MAX_LAYERS];
    soil_get_layers(soil, 0.0, 0.0, layers);
    soil_get_ledger(soil);
    soil_get_gain(soil, &(SoilGainQuery){0});
}

/// The calls from `first` on, up to `end`, fail.
static void refuse(const Fixture *fixture, int first, int end)
{
    Session *session = open_session(fixture->solver);
    memory_refuse(first, end);
    int tick = 0;
    for (; tick < TICKS && !session_has_failed(session); tick++) {
        assert_int_equal(state_hash(session), fixture->hashes[tick]);
        tick_counted(session, tick);
    }
    assert_true(session_has_failed(session));
    assert_int_equal(session_frame(session)->tick, tick - 1);
    for (int more = 0; more < 3; more++) {
        tick_counted(session, tick + more);
    }
    assert_true(session_has_failed(session));
    assert_int_equal(session_frame(session)->tick, tick - 1);
    look_at(session);
    memory_refuse(MEMORY_NEVER, MEMORY_NEVER);
    expect_restored(fixture, session, tick < TICKS ? tick : TICKS);
    session_destroy(session);
}

static void refuse_each(SoilSolver solver)
{
    static Fixture fixture;
    fixture = (Fixture){.solver = solver};
    drive_whole(&fixture);
    assert_true(fixture.asked > 3);
    for (int call = 0; call < fixture.asked; call++) {
        refuse(&fixture, call, call + 1);
    }
    refuse(&fixture, 0, MEMORY_NEVER);
    refuse(&fixture, fixture.asked / 2, MEMORY_NEVER);
    state_buffer_free(&fixture.start);
    state_buffer_free(&fixture.dug);
}

TEST(a_tick_without_memory_fails_and_a_restore_mends_it)
{
    refuse_each(SOIL_SOLVER_DEFAULT);
}

TEST(the_published_solver_fails_as_well)
{
    refuse_each(SOIL_SOLVER_P2);
}

/// A restore that gets no memory says so, at each of its calls; the next one mends what it left.
TEST(a_restore_without_memory_says_so)
{
    static Fixture fixture;
    fixture = (Fixture){.solver = SOIL_SOLVER_DEFAULT};
    drive_whole(&fixture);
    Session *session = open_session(fixture.solver);
    Status status = {0};
    int call = 0;
    for (bool good = false; !good; call++) {
        assert_good(state_restore(session, fixture.start.data, fixture.start.size, &status), status);
        memory_refuse(call, MEMORY_NEVER);
        memory_counts = true;
        good = state_restore(session, fixture.dug.data, fixture.dug.size, &status);
        memory_counts = false;
        if (!good) {
            assert_int_equal(status.code, STATUS_LACKING);
            assert_non_null(strstr(status.text, "out of memory"));
        }
    }
    memory_refuse(MEMORY_NEVER, MEMORY_NEVER);
    assert_true(call > 2);
    assert_int_equal(state_hash(session), fixture.hashes[TICKS]);
    expect_restored(&fixture, session, TICKS / 2);
    session_destroy(session);
    state_buffer_free(&fixture.start);
    state_buffer_free(&fixture.dug);
}

TEST_GROUP(NULL, NULL)
