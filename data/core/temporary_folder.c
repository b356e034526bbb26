/// Makes and removes folders for a while.
#include "data/core/temporary_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
