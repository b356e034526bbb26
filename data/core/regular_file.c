/// Opens regular files only (POSIX open, fstat).
#include "data/core/regular_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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
