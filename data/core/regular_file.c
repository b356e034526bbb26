/// Opens regular files, makes temporary folders and finds programs on PATH (POSIX open, fstat, mkdtemp, access).
#include "data/core/regular_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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
