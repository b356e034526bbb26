/// Cases run in children, which are sent signals: what the first and the second do, what stays ignored, what a signal
/// interrupts, and writing into pipes that nobody reads.
// test: sanitized
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "data/core/system_files.h"
#include "data/core/signals.h"
#include "tests/support/test.h"

static void rest(double seconds)
{
    struct timespec left = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
    while (nanosleep(&left, &left) != 0 && errno == EINTR) {
    }
}

/// Runs `act` in a child and returns what it ended with: its exit code, or 128 + the signal's number.
static int end_of(int (*act)(void))
{
    pid_t child = fork();
    if (child == 0) {
        alarm(30); // until signals are taken
        _exit(act());
    }
    int code = 0;
    assert_int_equal(waitpid(child, &code, 0), child);
    return WIFSIGNALED(code) ? 128 + WTERMSIG(code) : WEXITSTATUS(code);
}

static int first_is_noted(void)
{
    Status status;
    signals_take();
    bool before = !signals_stop_asked() && signals_go_on("it", &status);
    raise(SIGTERM);
    raise(SIGTERM); // as timeout(1) does
    bool after = signals_stop_asked() && !signals_go_on("R.spade", &status);
    bool told = strcmp(status.text, "R.spade: ended by SIGTERM before it was done") == 0;
    return before && after && told && status.code == STATUS_STOPPED ? 0 : 1;
}

static int second_ends(void)
{
    signals_take();
    raise(SIGTERM);
    rest(1.2 * SIGNALS_SAME);
    raise(SIGINT);
    return 0;
}

static int hangup_comes_twice(void)
{
    signals_take();
    raise(SIGHUP);
    rest(1.2 * SIGNALS_SAME);
    raise(SIGHUP);
    return signals_stop_asked() ? 0 : 1;
}

static int end_is_the_signals(void)
{
    signals_take();
    raise(SIGHUP);
    signals_release();
    signals_end();
}

static int ignored_hangup_stays(void)
{
    signal(SIGHUP, SIG_IGN);
    signal(SIGINT, SIG_IGN);
    signals_take();
    raise(SIGHUP);
    bool kept = !signals_stop_asked();
    raise(SIGINT);
    return kept && signals_stop_asked() ? 0 : 1;
}

static int release_puts_back(void)
{
    signals_take();
    signals_take();
    signals_release();
    raise(SIGPIPE);
    signals_release();
    raise(SIGPIPE);
    return 0;
}

TEST(the_first_asks_and_the_second_ends)
{
    assert_int_equal(end_of(first_is_noted), 0);
    assert_int_equal(end_of(second_ends), 128 + SIGINT);
    assert_int_equal(end_of(hangup_comes_twice), 0);
    assert_int_equal(end_of(end_is_the_signals), 128 + SIGHUP);
}

TEST(what_was_before_counts)
{
    assert_int_equal(end_of(ignored_hangup_stays), 0);
    assert_int_equal(end_of(release_puts_back), 128 + SIGPIPE);
}

/// ---- what waits ----------------------------------------------------------------------------------------------------

static void *raise_elsewhere(void *unused)
{
    rest(0.1);
    raise(SIGTERM); // on this thread
    return unused;
}

/// The signal comes to another thread while this one waits in a pipe.
static int waiting_is_interrupted(void)
{
    int ends[2];
    char byte;
    pthread_t other;
    signals_take();
    if (pipe(ends) != 0 || pthread_create(&other, NULL, raise_elsewhere, NULL) != 0) {
        return 1;
    }
    bool interrupted = read(ends[0], &byte, 1) < 0 && errno == EINTR && signals_stop_asked();
    pthread_join(other, NULL);
    return interrupted ? 0 : 2;
}

/// The signal comes before the call that waits.
static int waiting_later_is_interrupted(void)
{
    int ends[2];
    char byte;
    signals_take();
    raise(SIGINT);
    return pipe(ends) == 0 && read(ends[0], &byte, 1) < 0 && errno == EINTR ? 0 : 1;
}

TEST(a_signal_interrupts_what_waits)
{
    assert_int_equal(end_of(waiting_is_interrupted), 0);
    assert_int_equal(end_of(waiting_later_is_interrupted), 0);
}

static int nobody_reads(void)
{
    static char bytes[1 << 18];
    int ends[2];
    pthread_t other;
    signals_take();
    if (pipe(ends) != 0 || fcntl(ends[1], F_SETFL, O_NONBLOCK) != 0 ||
        pthread_create(&other, NULL, raise_elsewhere, NULL) != 0) {
        return 1;
    }
    bool timed_out = !written_file_put(ends[1], bytes, sizeof bytes) && errno == ETIMEDOUT;
    close(ends[0]);
    bool left = !written_file_put(ends[1], bytes, sizeof bytes) && errno == EPIPE;
    pthread_join(other, NULL);
    return timed_out && left ? 0 : 2;
}

static void *read_slowly(void *context)
{
    static char bytes[1 << 15];
    const int *file = context;
    for (int k = 0; k < 8; k++) {
        rest(0.02);
        for (size_t got = 0; got < sizeof bytes;) {
            got += (size_t)read(*file, bytes, sizeof bytes - got);
        }
    }
    return NULL;
}

TEST(a_reader_is_waited_for_until_a_stop_is_asked_for)
{
    static char bytes[1 << 18];
    int ends[2];
    pthread_t reader;
    assert_int_equal(end_of(nobody_reads), 0);
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(fcntl(ends[1], F_SETFL, O_NONBLOCK), 0);
    assert_int_equal(pthread_create(&reader, NULL, read_slowly, &ends[0]), 0);
    assert_true(written_file_put(ends[1], bytes, sizeof bytes));
    pthread_join(reader, NULL);
    close(ends[0]);
    close(ends[1]);
}

TEST(opening_waits_for_nobody)
{
    char folder[] = "/tmp/signals-XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/pipe", folder);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_null(written_file_open(path));
    assert_int_equal(errno, ENXIO);
    assert_non_null(strstr(written_file_reason(ENXIO), "nobody reads it"));
    int reader = open(path, O_RDONLY | O_NONBLOCK);
    FILE *file = written_file_open(path);
    assert_non_null(file);
    assert_int_equal(fcntl(fileno(file), F_GETFL) & O_NONBLOCK, 0);
    fclose(file);
    close(reader);
    unlink(path);
    rmdir(folder);
}

TEST_GROUP(NULL, NULL)
