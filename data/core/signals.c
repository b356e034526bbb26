/// Installs handlers by sigaction; a POSIX timer repeats the interruption (SIGALRM) after the first signal.
#include "data/core/signals.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static const int stops[] = {SIGINT, SIGTERM, SIGHUP};
enum { STOPS = sizeof stops / sizeof stops[0], TAKEN = STOPS + 2, SHELL_CODE = 128 };

/// Every signal that signals_take changes.
static const int taken[TAKEN] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGALRM};

/// A handler knows nothing but this.
static struct {
    volatile sig_atomic_t asked; ///< number of the first signal; 0: none
    struct timespec first; ///< when it came; the handlers' alone
    pthread_t thread; ///< that took the signals
    timer_t nudge;
    bool nudges; ///< the timer was made
    int takers; ///< calls of signals_take that are not ended
    struct sigaction before[TAKEN];
} own;

/// ---- handlers ------------------------------------------------------------------------------------------------------

/// Passes a signal on to the thread that took it; true when this is another one.
static bool pass_on(int number)
{
    bool other = !pthread_equal(pthread_self(), own.thread);
    if (other) {
        pthread_kill(own.thread, number);
    }
    return other;
}

/// That it comes has interrupted what waits.
static void nudge(int number)
{
    int error = errno;
    pass_on(number);
    errno = error;
}

static bool is_the_same(int number)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    double since = (double)(now.tv_sec - own.first.tv_sec) + 1e-9 * (double)(now.tv_nsec - own.first.tv_nsec);
    return since < (number == SIGHUP && own.asked == SIGHUP ? SIGNALS_SAME_HANGUP : SIGNALS_SAME);
}

static void note(int number)
{
    const struct itimerspec often = {{0, (long)(SIGNALS_NUDGE * 1e9)}, {0, (long)(SIGNALS_NUDGE * 1e9)}};
    clock_gettime(CLOCK_MONOTONIC, &own.first);
    own.asked = number;
    if (own.nudges) {
        timer_settime(own.nudge, 0, &often, NULL);
    }
}

/// The signal is held back while its handler runs: what is raised ends the program when the handler returns.
static void take_stop(int number)
{
    int error = errno;
    if (!pass_on(number)) {
        if (own.asked == 0) {
            note(number);
        } else if (!is_the_same(number)) {
            const struct sigaction plain = {.sa_handler = SIG_DFL};
            sigaction(number, &plain, NULL);
            raise(number);
        }
    }
    errno = error;
}

/// ---- taking --------------------------------------------------------------------------------------------------------

static void set(int number, void (*handler)(int))
{
    struct sigaction action = {.sa_handler = handler};
    sigemptyset(&action.sa_mask);
    for (int k = 0; k < TAKEN; k++) {
        sigaddset(&action.sa_mask, taken[k]);
    }
    sigaction(number, &action, NULL);
}

void signals_take(void)
{
    if (own.takers++ > 0) {
        return;
    }
    own.thread = pthread_self();
    for (int k = 0; k < TAKEN; k++) {
        sigaction(taken[k], NULL, &own.before[k]);
    }
    set(SIGALRM, nudge);
    set(SIGPIPE, SIG_IGN);
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM};
    own.nudges = timer_create(CLOCK_MONOTONIC, &event, &own.nudge) == 0;
    for (int k = 0; k < STOPS; k++) {
        if (stops[k] != SIGHUP || own.before[k].sa_handler != SIG_IGN) {
            set(stops[k], take_stop);
        }
    }
}

void signals_release(void)
{
    assert(own.takers > 0);
    if (--own.takers > 0) {
        return;
    }
    if (own.nudges) {
        timer_delete(own.nudge);
        own.nudges = false;
    }
    for (int k = 0; k < TAKEN; k++) {
        sigaction(taken[k], &own.before[k], NULL);
    }
}

/// ---- asking --------------------------------------------------------------------------------------------------------

bool signals_stop_asked(void)
{
    return own.asked != 0;
}

static const char *name_of(int number)
{
    return number == SIGINT ? "SIGINT" : number == SIGTERM ? "SIGTERM" : "SIGHUP";
}

bool signals_go_on(const char *what, Status *status)
{
    int number = own.asked;
    return number == 0 ||
           status_fail(status, STATUS_STOPPED, "%.800s: ended by %s before it was done", what, name_of(number));
}

void signals_end(void)
{
    int number = own.asked;
    const struct sigaction plain = {.sa_handler = SIG_DFL};
    sigset_t only;
    sigemptyset(&only);
    sigaddset(&only, number);
    sigaction(number, &plain, NULL);
    pthread_sigmask(SIG_UNBLOCK, &only, NULL);
    raise(number);
    _exit(SHELL_CODE + number); // a process that signals cannot end, as the first one of a container
}

/// ---- others --------------------------------------------------------------------------------------------------------

void signals_in_child(void)
{
    own.asked = 0;
    own.takers = 0;
    own.nudges = false; // timers are not inherited
    for (int k = 0; k < TAKEN; k++) {
        const struct sigaction plain = {.sa_handler = SIG_DFL};
        sigaction(taken[k], &plain, NULL);
    }
}

void signals_for_program(posix_spawnattr_t *attributes)
{
    sigset_t plain;
    sigemptyset(&plain);
    sigaddset(&plain, SIGPIPE);
    sigaddset(&plain, SIGXFSZ);
    posix_spawnattr_setsigdefault(attributes, &plain);
    posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGDEF);
}

void signals_ignore_size_limit(void)
{
    const struct sigaction ignore = {.sa_handler = SIG_IGN};
    sigaction(SIGXFSZ, &ignore, NULL);
}
