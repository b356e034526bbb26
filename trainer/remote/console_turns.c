/// The server's thread: in each of its turns it answers who asks, tells pages that look on what is new, and closes
/// whoever takes too long. It never waits for the drive, and the drive's threads never wait for it: it asks for a
/// processor as a batch job does, which takes none from who is at work.
// Batch scheduling and the names of threads are extensions of GNU and Linux.
#define _GNU_SOURCE
#include "trainer/remote/console_internal.h"

#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

#define LATE 1.2 ///< of the patience: who is idle is gone by then, who is slow is not. Chosen

enum { LOOK_EVERY = 500 }; ///< ms at most between two looks at whoever takes too long. Chosen

/// Closes whoever has not brought a request in time, a byte now and then included.
static void close_slow(Console *console)
{
    double now = console_clock();
    int closed = 0;
    for (int k = 0; k < GUARD_CONNECTIONS; k++) {
        ConsoleVisitor *visitor = &console->visitors[k];
        if (visitor->open && !visitor->streams && now - visitor->since > LATE * console->patience) {
            shutdown(visitor->socket, SHUT_RDWR);
            visitor->since = now;
            closed++;
        }
    }
    if (closed > 0) {
        console_log(console, "closed %d that took more than %.3g s for a request", closed, LATE * console->patience);
    }
}

/// Returns when the bell was rung, somebody has come or can be sent more, or it is time for a look at who is slow.
/// False: the console ends.
static bool wait_for_work(Console *console, int sockets)
{
    MHD_UNSIGNED_LONG_LONG soon;
    bool hurries = MHD_get_timeout(console->daemon, &soon) == MHD_YES && soon < LOOK_EVERY;
    struct pollfd places[] = {{console->bell, POLLIN, 0}, {sockets, POLLIN, 0}};
    poll(places, sizeof places / sizeof places[0], hurries ? (int)soon : LOOK_EVERY);
    eventfd_t rung;
    if ((places[0].revents & POLLIN) != 0) {
        eventfd_read(console->bell, &rung);
        console_wake_streams(console);
    }
    pthread_mutex_lock(&console->lock);
    bool ends = console->ends;
    pthread_mutex_unlock(&console->lock);
    return !ends;
}

void *console_take_turns(void *context)
{
    Console *console = context;
    int sockets = MHD_get_daemon_info(console->daemon, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd;
    pthread_setname_np(pthread_self(), "console");
    pthread_setschedparam(pthread_self(), SCHED_BATCH, &(struct sched_param){0}); // where it may not, it goes without
    while (wait_for_work(console, sockets)) {
        MHD_run(console->daemon);
        close_slow(console);
    }
    console_wake_streams(console); // they end
    MHD_run(console->daemon);
    return NULL;
}
