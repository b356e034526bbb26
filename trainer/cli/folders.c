/// The folders that are written to, and how much room they have.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "trainer/cli/looks.h"

/// Cuts a path down to the folder that it is in; false at the root.
static bool go_up(char *path)
{
    char *slash = strrchr(path, '/');
    if (slash == NULL || path[1] == '\0') {
        return false;
    }
    slash[slash == path ? 1 : 0] = '\0';
    return true;
}

/// Looks at the folder, or at what it would be made in.
static void look_at_folder(FolderFacts *folder)
{
    char path[DATA_PATH_LENGTH];
    struct stat info;
    snprintf(path, sizeof path, "%s", folder->path);
    folder->there = stat(path, &info) == 0;
    while (stat(path, &info) != 0 && errno == ENOENT && go_up(path)) {
    }
    if (stat(path, &info) == 0 && !S_ISDIR(info.st_mode)) {
        snprintf(folder->fault, sizeof folder->fault, "%.200s is no folder", path);
        return;
    }
    folder->writable = access(path, W_OK | X_OK) == 0;
    if (!folder->writable) {
        snprintf(folder->fault, sizeof folder->fault, "%.160s: %.60s", path, strerror(errno));
    }
    struct statvfs disk;
    if (statvfs(path, &disk) == 0) {
        folder->free = (double)disk.f_bavail * (double)disk.f_frsize;
    }
}

static void look_at_users(FolderFacts *folder, bool found, const Status *status)
{
    if (!found) {
        folder->path[0] = '\0';
        snprintf(folder->fault, sizeof folder->fault, "%.255s", status->text);
        return;
    }
    look_at_folder(folder);
}

void look_at_folders(DoctorFacts *facts, DoctorTell *tell)
{
    FoldersFacts *folders = &facts->folders;
    Status status = {STATUS_GOOD, ""};
    const char *temporary = getenv("TMPDIR");
    snprintf(folders->temporary.path, DATA_PATH_LENGTH, "%s",
             temporary != NULL && temporary[0] != '\0' ? temporary : "/tmp");
    look_at_users(&folders->data, user_data_path("", folders->data.path, &status), &status);
    doctor_tell(tell, facts);
    look_at_users(&folders->recordings, user_data_path("recordings", folders->recordings.path, &status), &status);
    doctor_tell(tell, facts);
    look_at_users(&folders->settings, user_config_path("", folders->settings.path, &status), &status);
    doctor_tell(tell, facts);
    look_at_folder(&folders->temporary);
}
