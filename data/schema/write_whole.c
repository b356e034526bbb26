/// A temporary file of a name of its own, so that two programs that write at once do not mix their bytes.
#include "data/schema/write_whole.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_LENGTH = 4096 + 16 };

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
    char *real = realpath(path, NULL), beside[PATH_LENGTH];
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
