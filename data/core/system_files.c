/// Opens, writes and replaces files, makes temporary folders and finds programs on PATH (POSIX).
///
/// Handles are opened with O_NONBLOCK (POSIX open); a writer that must wait does so in poll, which signals interrupt.
#include "data/core/system_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "data/core/signals.h"

/// ---- regular files -------------------------------------------------------------------------------------------------

FILE *regular_file_open(const char *path, Status *status)
{
    struct stat info = {0};
    int handle = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    bool there = handle >= 0 && fstat(handle, &info) == 0;
    bool regular = there && S_ISREG(info.st_mode);
    FILE *file = regular ? fdopen(handle, "rb") : NULL;
    if (file != NULL) {
        return file;
    }
    int error = there && !regular ? ENOTSUP : errno;
    if (handle >= 0) {
        close(handle);
    }
    if (error == ENOTSUP) {
        status_fail(status, STATUS_BAD_FILE, "%s: %s, not a file", path,
                    S_ISDIR(info.st_mode) ? "a folder" : "a device or pipe");
    } else {
        status_fail(status, STATUS_BAD_FILE, "%s: cannot be read: %s", path, strerror(error));
    }
    errno = error;
    return NULL;
}

const char *file_name_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

/// ---- folders for temporary files -----------------------------------------------------------------------------------

bool temporary_folder_make(char folder[TEMPORARY_FOLDER], Status *status)
{
    const char *asked = getenv("TMPDIR");
    int length =
        snprintf(folder, TEMPORARY_FOLDER, "%s/spadework-XXXXXX", asked != NULL && asked[0] != '\0' ? asked : "/tmp");
    if (length >= TEMPORARY_FOLDER || mkdtemp(folder) == NULL) {
        folder[0] = '\0';
        return status_fail(status, STATUS_LACKING, "no folder for temporary files: %s",
                           length >= TEMPORARY_FOLDER ? "the name in TMPDIR is too long" : strerror(errno));
    }
    return true;
}

void temporary_folder_empty(const char *folder)
{
    DIR *opened = opendir(folder);
    for (struct dirent *entry = opened != NULL ? readdir(opened) : NULL; entry != NULL; entry = readdir(opened)) {
        (void)unlinkat(dirfd(opened), entry->d_name, 0); // a folder is left alone
    }
    if (opened != NULL) {
        closedir(opened);
    }
}

void temporary_folder_remove(const char *folder)
{
    if (folder[0] != '\0') {
        temporary_folder_empty(folder);
        (void)rmdir(folder);
    }
}

/// ---- other programs ------------------------------------------------------------------------------------------------

bool program_is_there(const char *name)
{
    const char *folders = getenv("PATH");
    while (folders != NULL && folders[0] != '\0') {
        char path[PATH_MAX];
        int length = (int)strcspn(folders, ":");
        if (snprintf(path, sizeof path, "%.*s/%s", length, folders, name) < (int)sizeof path &&
            access(path, X_OK) == 0) {
            return true;
        }
        folders += length + (folders[length] == ':');
    }
    return false;
}

/// ---- streams and pipes ---------------------------------------------------------------------------------------------

enum { POLL_MS = 100 }; ///< between two checks for a request to stop

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

static double monotonic_time(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/// Waits a moment for room; false with ETIMEDOUT when that took too long. `until`: 0 as long as no stop is asked for.
static bool wait_for_room(int file, double *until)
{
    struct pollfd wait = {.fd = file, .events = POLLOUT};
    poll(&wait, 1, POLL_MS);
    if (signals_stop_asked() && *until == 0.0) {
        *until = monotonic_time() + WRITTEN_FILE_PATIENCE;
    }
    if (*until > 0.0 && monotonic_time() > *until) {
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

/// ---- whole files ---------------------------------------------------------------------------------------------------

/// The temporary file has a name of its own, so that two programs that write at once do not mix their bytes.

enum { BESIDE_LENGTH = 4096 + 16 };

static bool write_bytes(int file, const char *bytes, size_t size)
{
    while (size > 0) {
        ssize_t written = write(file, bytes, size);
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written <= 0) {
            return false;
        }
        bytes += written;
        size -= (size_t)written;
    }
    return fsync(file) == 0;
}

bool write_whole(const char *path, const char *bytes, size_t size, Status *status)
{
    char *real = realpath(path, NULL), beside[BESIDE_LENGTH];
    const char *target = real != NULL ? real : path;
    struct stat info;
    mode_t mode = stat(target, &info) == 0 ? info.st_mode & 0777 : 0644;
    int length = snprintf(beside, sizeof beside, "%s.XXXXXX", target);
    int file = length < (int)sizeof beside ? mkstemp(beside) : -1;
    bool good = file >= 0 && write_bytes(file, bytes, size) && fchmod(file, mode) == 0;
    int why = errno;
    if (file >= 0 && close(file) != 0 && good) {
        good = false;
        why = errno;
    }
    if (good && rename(beside, target) != 0) {
        good = false;
        why = errno;
    }
    if (!good && file >= 0) {
        unlink(beside);
    }
    free(real);
    return good || status_fail(status, STATUS_LACKING, "%s: cannot be written: %s", path, strerror(why));
}
