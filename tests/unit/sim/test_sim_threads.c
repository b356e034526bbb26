/// Sessions in several threads of one process, and in threads of a host with habits of its own: a floating-point
/// environment that flushes denormals or rounds upwards, and small stacks. Each session goes by the same levers, and
/// after every tick its state has the hash of a session that is alone in the process.
// test: sanitized
#include <pthread.h>
#include <stdatomic.h>

#include <ode/ode.h>

#include "tests/support/host_mode.h"
#include "tests/support/test.h"
#include "trainer/sim/session.h"
#include "trainer/sim/state_io.h"

enum { TICKS = 100, SCENES = 3, SESSIONS_MOST = 8, SMALL_STACK = 64 * 1024 };

/// Digging; a truck whose bed is touched, with joints that come and go in ODE's steps; rocks.
static const char *const scenes[SCENES] = {"trench", "truck-loading", SPADEWORK_TEST_DIR "/support/rocks.yaml"};
static uint64_t alone[SCENES][TICKS + 1];

/// Down into the ground, in and up again, with a swing.
static OperatorControls levers(int tick)
{
    OperatorControls controls = control_neutral;
    controls.axis[CONTROL_BOOM] = control_quantise(tick < 60 ? -1.0 : 0.7);
    controls.axis[CONTROL_STICK] = control_quantise(tick > 30 ? 1.0 : 0.0);
    controls.axis[CONTROL_BUCKET] = control_quantise(tick > 50 ? 0.8 : 0.0);
    controls.axis[CONTROL_SWING] = control_quantise(tick > 80 ? 0.8 : 0.0);
    controls.axis[CONTROL_THROTTLE] = CONTROL_FULL;
    return controls;
}

static Session *open_session(int scene, int threads)
{
    Status status = {0};
    Session *session = session_create(&(SessionParams){.scene = scenes[scene], .threads = threads}, &status);
    if (session == NULL) {
        print_message("%s\n", status.text);
    }
    return session;
}

/// Levers of every tick, computed before a thread's mode is set: the arithmetic of a test sets flags, too.
static OperatorControls way[TICKS + 1];

static void tick_once(Session *session, int tick)
{
    session_tick(session, &way[tick]);
}

/// ---- a session of a thread -----------------------------------------------------------------------------------------

typedef struct Drive {
    int scene, threads;
    HostMode mode; ///< of the thread
    int wrong; ///< first tick whose hash is another one; -1: none
    bool opened, mode_kept;
} Drive;

static void drive(Drive *own)
{
    own->wrong = -1;
    host_mode_set(own->mode);
    const HostControl control = host_control();
    Session *session = open_session(own->scene, own->threads);
    own->opened = session != NULL;
    for (int tick = 0; own->opened && tick <= TICKS && own->wrong < 0; tick++) {
        own->wrong = state_hash(session) == alone[own->scene][tick] ? -1 : tick;
        tick_once(session, tick);
    }
    session_destroy(session);
    own->mode_kept = host_control_is(control);
    fesetenv(FE_DFL_ENV);
}

static void *drive_in_thread(void *context)
{
    drive(context);
    return NULL;
}

static void expect_same(const Drive *own)
{
    if (!own->opened || own->wrong >= 0) {
        fail_msg("scene %d, mode %d: opened %d, another hash at tick %d", own->scene, own->mode, own->opened,
                 own->wrong);
    }
    assert_true(own->mode_kept);
}

/// Drives each in a thread of its own, all at once. `stack`: bytes; 0 = the default.
static void drive_all(Drive *drives, int count, size_t stack)
{
    pthread_t threads[SESSIONS_MOST];
    pthread_attr_t attributes;
    assert_int_equal(pthread_attr_init(&attributes), 0);
    if (stack > 0) {
        assert_int_equal(pthread_attr_setstacksize(&attributes, stack), 0);
    }
    for (int k = 0; k < count; k++) {
        assert_int_equal(pthread_create(&threads[k], &attributes, drive_in_thread, &drives[k]), 0);
    }
    for (int k = 0; k < count; k++) {
        pthread_join(threads[k], NULL);
    }
    pthread_attr_destroy(&attributes);
    for (int k = 0; k < count; k++) {
        expect_same(&drives[k]);
    }
}

/// ---- tests ---------------------------------------------------------------------------------------------------------

/// What all are compared with.
static int drive_alone(void **state)
{
    (void)state;
    for (int tick = 0; tick <= TICKS; tick++) {
        way[tick] = levers(tick);
    }
    for (int scene = 0; scene < SCENES; scene++) {
        Session *session = open_session(scene, 1);
        if (session == NULL) {
            return -1;
        }
        for (int tick = 0; tick <= TICKS; tick++) {
            alone[scene][tick] = state_hash(session);
            tick_once(session, tick);
        }
        print_message("%s: %d particles at the end\n", scenes[scene], session_frame(session)->counters.particles);
        session_destroy(session);
    }
    return 0;
}

TEST(sessions_of_two_threads_do_not_meet)
{
    drive_all((Drive[]){{.scene = 0, .threads = 1}, {.scene = 0, .threads = 1}}, 2, 0);
}

TEST(sessions_of_four_threads_do_not_meet)
{
    Drive drives[4];
    for (int k = 0; k < 4; k++) {
        drives[k] = (Drive){.scene = k % SCENES, .threads = 1 + k % 2};
    }
    drive_all(drives, 4, 0);
}

TEST(sessions_of_eight_threads_do_not_meet)
{
    Drive drives[8];
    for (int k = 0; k < 8; k++) {
        drives[k] = (Drive){.scene = k % SCENES, .threads = 1, .mode = (HostMode)(k % MODE_COUNT)};
    }
    drive_all(drives, 8, 0);
}

TEST(the_hosts_floating_point_mode_changes_nothing)
{
    for (HostMode mode = MODE_DEFAULT; mode < MODE_COUNT; mode++) {
        Drive own = {.scene = 0, .threads = 2, .mode = mode};
        drive(&own);
        expect_same(&own);
    }
}

TEST(threads_with_small_stacks_are_enough)
{
#ifdef SANITIZED
    skip(); // a sanitizer's frames are some times as large
#endif
    Drive drives[SCENES];
    for (int k = 0; k < SCENES; k++) {
        drives[k] = (Drive){.scene = k, .threads = 2};
    }
    drive_all(drives, SCENES, SMALL_STACK);
}

/// Sessions that go from thread to thread.
typedef struct Round {
    Session *sessions[SESSIONS_MOST];
    pthread_barrier_t barrier;
    atomic_int wrong;
    int members;
} Round;

typedef struct RoundMember {
    Round *round;
    int number;
} RoundMember;

static void *go_round(void *context)
{
    const RoundMember *member = context;
    Round *round = member->round;
    for (int tick = 0; tick <= TICKS; tick++) {
        for (int k = (member->number + tick) % round->members; k < SESSIONS_MOST; k += round->members) {
            atomic_fetch_add(&round->wrong, state_hash(round->sessions[k]) != alone[k % SCENES][tick]);
            tick_once(round->sessions[k], tick);
        }
        pthread_barrier_wait(&round->barrier);
    }
    return NULL;
}

/// Each thread makes every tick with other sessions, all of which another thread has created.
TEST(sessions_may_go_from_thread_to_thread)
{
    enum { MEMBERS = 2 };
    static Round round = {.members = MEMBERS};
    RoundMember members[MEMBERS];
    pthread_t threads[MEMBERS];
    for (int k = 0; k < SESSIONS_MOST; k++) {
        round.sessions[k] = open_session(k % SCENES, 1);
        assert_non_null(round.sessions[k]);
    }
    assert_int_equal(pthread_barrier_init(&round.barrier, NULL, MEMBERS), 0);
    for (int k = 0; k < MEMBERS; k++) {
        members[k] = (RoundMember){&round, k};
        assert_int_equal(pthread_create(&threads[k], NULL, go_round, &members[k]), 0);
    }
    for (int k = 0; k < MEMBERS; k++) {
        pthread_join(threads[k], NULL);
    }
    pthread_barrier_destroy(&round.barrier);
    for (int k = 0; k < SESSIONS_MOST; k++) {
        session_destroy(round.sessions[k]);
    }
    assert_int_equal(atomic_load(&round.wrong), 0);
}

/// ODE's random numbers are of the process: a step that drew them would depend on other sessions.
TEST(no_step_draws_random_numbers_of_ode)
{
    dRandSetSeed(4711);
    Drive own = {.scene = 1, .threads = 1};
    drive(&own);
    expect_same(&own);
    assert_int_equal(dRandGetSeed(), 4711);
}

TEST_GROUP(drive_alone, NULL)
