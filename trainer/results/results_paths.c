/// Finds the user's folders as the XDG base directory specification says: an unset, empty or relative variable counts
/// as not there.
#include "trainer/results/results_paths.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool find(const char *variable, const char *below_home, const char *name, char path[DATA_PATH_LENGTH],
                 Status *status)
{
    const char *base = getenv(variable), *home = getenv("HOME");
    bool given = base != NULL && base[0] == '/';
    if (!given && (home == NULL || home[0] != '/')) {
        return status_fail(status, STATUS_LACKING,
                           "there is no folder for the user's files: neither %s nor HOME is set", variable);
    }
    int length = snprintf(path, DATA_PATH_LENGTH, "%s%s/spadework%s%s", given ? base : home, given ? "" : below_home,
                          name[0] != '\0' ? "/" : "", name);
    return length < DATA_PATH_LENGTH ||
           status_fail(status, STATUS_LACKING, "%.100s...: the path of the user's files is too long", path);
}

bool results_data_path(const char *name, char path[DATA_PATH_LENGTH], Status *status)
{
    return find("XDG_DATA_HOME", "/.local/share", name, path, status);
}

bool results_config_path(const char *name, char path[DATA_PATH_LENGTH], Status *status)
{
    return find("XDG_CONFIG_HOME", "/.config", name, path, status);
}

bool results_make_folder(const char *path, Status *status)
{
    char part[DATA_PATH_LENGTH];
    snprintf(part, sizeof part, "%s", path);
    for (char *slash = strchr(part + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(part, 0700); // what cannot be made is told by the last one
        *slash = '/';
    }
    struct stat info;
    if (mkdir(part, 0700) == 0 || (stat(part, &info) == 0 && S_ISDIR(info.st_mode))) {
        return true;
    }
    return status_fail(status, STATUS_LACKING, "%s: the folder cannot be made: %s", path, strerror(errno));
}

bool results_settings(SettingsParams *settings, Status *status)
{
    char path[DATA_PATH_LENGTH];
    if (!results_config_path("settings.yaml", path, status)) {
        return false;
    }
    return data_load_settings(access(path, F_OK) == 0 ? path : NULL, settings, status);
}
