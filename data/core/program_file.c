/// Looks for programs as a shell does (POSIX access).
#include "data/core/program_file.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
