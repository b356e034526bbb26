/// The interface in a host with many threads, small stacks, and floating-point modes and locales of its own.
// test: sanitized
#include "trainer/api/spadework.h"

#include <locale.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#include "tests/support/host_mode.h"
#include "tests/support/test.h"

enum { TICKS = 120, EACH = 4, STEPS = TICKS / EACH, LEVERS = 6, MOST = 8, SMALL_STACK = 64 * 1024 };

static uint64_t alone[STEPS + 1]; ///< hash after each step of a session that is alone
static size_t numbers; ///< of an observation

static void levers_of(int step, double levers[LEVERS])
{
    memset(levers, 0, LEVERS * sizeof *levers);
    levers[0] = step > 24 ? 0.5 : 0.0;
    levers[1] = step > 10 ? 0.8 : 0.0;
    levers[2] = step < 20 ? -0.9 : 0.5;
    levers[3] = step > 12 ? 0.7 : 0.0;
}

static Spadework open_session(int32_t threads)
{
    SpadeworkParams params = SPADEWORK_PARAMS;
    char error[SPADEWORK_TEXT];
    Spadework session = 0;
    params.scene = "trench";
    params.threads = threads;
    if (spadework_create(&params, &session, error) != SPADEWORK_GOOD) {
        print_message("%s\n", error);
    }
    return session;
}

/// One step with all that a program reads after it; its state's hash.
static uint64_t step(Spadework session, int number)
{
    double levers[LEVERS], values[512];
    uint64_t hash = 0;
    levers_of(number, levers);
    if (spadework_step(session, levers, LEVERS, EACH) != SPADEWORK_GOOD ||
        spadework_observe(session, values, numbers) != SPADEWORK_GOOD ||
        spadework_hash(session, &hash) != SPADEWORK_GOOD) {
        return 0;
    }
    return hash;
}

static int drive_alone(void **state)
{
    (void)state;
    Spadework session = open_session(1);
    double values[512];
    for (numbers = 1; numbers < 512 && spadework_observe(session, values, numbers) != SPADEWORK_GOOD; numbers++) {
    }
    spadework_hash(session, &alone[0]);
    for (int k = 0; k < STEPS; k++) {
        alone[k + 1] = step(session, k);
    }
    return spadework_close(session) == SPADEWORK_GOOD && alone[STEPS] != 0 ? 0 : -1;
}

/// A thread of a host and its session.
typedef struct Host {
    HostMode mode;
    int32_t threads;
    bool reads_files; ///< a state is saved and restored in each step, and the session described
    int wrong; ///< first step with another hash; -1: none
    bool mode_kept;
} Host;

static bool save_and_restore(Spadework session)
{
    size_t size = 0;
    if (spadework_save(session, NULL, 0, &size) != SPADEWORK_GOOD) {
        return false;
    }
    void *state = malloc(size);
    bool good = state != NULL && spadework_save(session, state, size, NULL) == SPADEWORK_GOOD &&
                spadework_restore(session, state, size) == SPADEWORK_GOOD && spadework_info(session, NULL, 0) > 0;
    free(state);
    return good;
}

static void *run_host(void *context)
{
    Host *host = context;
    host_mode_set(host->mode);
    const HostControl control = host_control();
    Spadework session = open_session(host->threads);
    host->wrong = -1;
    for (int k = 0; k < STEPS && host->wrong < 0; k++) {
        host->wrong = step(session, k) == alone[k + 1] ? -1 : k;
        if (host->wrong < 0 && host->reads_files && k % 7 == 0 && !save_and_restore(session)) {
            host->wrong = k;
        }
    }
    host->mode_kept = host_control_is(control);
    if (spadework_close(session) != SPADEWORK_GOOD) {
        host->wrong = STEPS;
    }
    fesetenv(FE_DFL_ENV);
    return NULL;
}

static void run_hosts(Host *hosts, int count, size_t stack)
{
    pthread_t thread[MOST];
    pthread_attr_t attributes;
    assert_int_equal(pthread_attr_init(&attributes), 0);
    assert_int_equal(pthread_attr_setstacksize(&attributes, stack), 0);
    for (int k = 0; k < count; k++) {
        assert_int_equal(pthread_create(&thread[k], &attributes, run_host, &hosts[k]), 0);
    }
    for (int k = 0; k < count; k++) {
        pthread_join(thread[k], NULL);
    }
    pthread_attr_destroy(&attributes);
    for (int k = 0; k < count; k++) {
        if (hosts[k].wrong >= 0) {
            fail_msg("host %d, mode %d: another state after step %d", k, (int)hosts[k].mode, hosts[k].wrong);
        }
        assert_true(hosts[k].mode_kept);
    }
}

TEST(sessions_in_threads_with_small_stacks)
{
#ifdef SANITIZED
    const size_t stack = 8 << 20; // a sanitizer's frames are larger
#else
    const size_t stack = SMALL_STACK;
#endif
    for (int count = 2; count <= MOST; count *= 2) {
        Host hosts[MOST] = {0};
        for (int k = 0; k < count; k++) {
            hosts[k] = (Host){.threads = 1 + k % 2, .reads_files = k % 3 == 0, .mode = (HostMode)(k % MODE_COUNT)};
        }
        run_hosts(hosts, count, stack);
    }
}

TEST(a_host_that_writes_numbers_with_a_comma)
{
    static const char *const names[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE.utf8", "fr_FR.utf8"};
    bool set = false;
    for (size_t k = 0; k < sizeof names / sizeof names[0] && !set; k++) {
        set = setlocale(LC_ALL, names[k]) != NULL;
    }
    Host host = {.threads = 1, .reads_files = true};
    run_hosts(&host, 1, 1 << 20); // where there is no such locale this shows nothing new
    if (set) {
        char text[16];
        snprintf(text, sizeof text, "%.1f", 1.5);
        assert_string_equal(text, "1,5"); // the host's own
    }
    setlocale(LC_ALL, "C");
}

/// ---- one session, two threads --------------------------------------------------------------------------------------

enum { LONG = 400 };
static atomic_bool through;

/// Steps for a while; waits for a call of the other thread to end.
static void *step_long(void *context)
{
    double levers[LEVERS] = {0.0};
    int result = SPADEWORK_BUSY;
    while (result == SPADEWORK_BUSY) {
        result = spadework_step(*(Spadework *)context, levers, LEVERS, LONG);
    }
    atomic_store(&through, true);
    return result == SPADEWORK_GOOD ? context : NULL;
}

TEST(a_session_is_busy_while_another_thread_steps_it)
{
    Spadework session = open_session(1);
    pthread_t thread;
    void *good = NULL;
    bool busy = false;
    int64_t tick = 0;
    assert_int_equal(pthread_create(&thread, NULL, step_long, &session), 0);
    while (!busy && !atomic_load(&through)) {
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
        busy = spadework_tick(session, &tick) == SPADEWORK_BUSY;
    }
    pthread_join(thread, &good);
    assert_true(busy);
    assert_non_null(good);
    assert_int_equal(spadework_tick(session, &tick), SPADEWORK_GOOD);
    assert_int_equal(tick, LONG);
    assert_int_equal(spadework_close(session), SPADEWORK_GOOD);
}

TEST_GROUP(drive_alone, NULL)
