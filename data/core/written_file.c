/// Handles are opened with O_NONBLOCK (POSIX open); who must wait does so in poll, which signals interrupt.
#include "data/core/written_file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "data/core/signals.h"

enum { LOOK_MS = 100 }; ///< from one look at the signals to the next

int written_file_handle(const char *path)
{
    return open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0666);
}

FILE *written_file_open(const char *path)
{
    int handle = written_file_handle(path);
    if (handle < 0) {
        return NULL;
    }
    int flags = fcntl(handle, F_GETFL);
    FILE *file = flags >= 0 && fcntl(handle, F_SETFL, flags & ~O_NONBLOCK) == 0 ? fdopen(handle, "wb") : NULL;
    if (file == NULL) {
        int error = errno;
        close(handle);
        errno = error;
    }
    return file;
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/// Waits a moment for room; false with ETIMEDOUT when that took too long. `until`: 0 as long as no stop is asked for.
static bool wait_for_room(int file, double *until)
{
    struct pollfd wait = {.fd = file, .events = POLLOUT};
    poll(&wait, 1, LOOK_MS);
    if (signals_stop_asked() && *until == 0.0) {
        *until = now() + WRITTEN_FILE_PATIENCE;
    }
    if (*until > 0.0 && now() > *until) {
        errno = ETIMEDOUT;
        return false;
    }
    return true;
}

bool written_file_put(int file, const char *bytes, size_t size)
{
    double until = 0.0;
    while (size > 0) {
        ssize_t written = write(file, bytes, size);
        if (written < 0 && errno != EINTR && errno != EAGAIN) {
            return false;
        }
        if (written < 0 && !wait_for_room(file, &until)) {
            return false;
        }
        bytes += written > 0 ? written : 0;
        size -= written > 0 ? (size_t)written : 0;
    }
    return true;
}

const char *written_file_reason(int error)
{
    return error == ENXIO       ? "nobody reads it (a pipe or a socket)"
           : error == ETIMEDOUT ? "its reader does not read"
                                : strerror(error);
}
