/// Keeps the texts of files, so that a recording can store them.
///
/// A set has a fixed number of places: a scene has one machine, at most one attachment and one truck, SCENE_MAX_SOILS
/// soils, SCENE_MAX_GRAINS meshes and one file of a surface, and every file once.
#include "data/core/data_files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef SPADEWORK_DATA_DIR
#define SPADEWORK_DATA_DIR "data"
#endif

const char *data_folder(void)
{
    const char *folder = getenv("SPADEWORK_DATA");
    return folder && folder[0] ? folder : SPADEWORK_DATA_DIR;
}

bool data_find_installed(const char *name, char path[DATA_PATH_LENGTH])
{
    char program[DATA_PATH_LENGTH];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    program[length > 0 ? length : 0] = '\0';
    if (length <= 0) { // a system without /proc: by the name that the program was started by
        char *started = realpath((const char *)getauxval(AT_EXECFN), NULL);
        snprintf(program, sizeof program, "%s", started != NULL ? started : "");
        free(started);
    }
    for (int level = 0; level < 2; level++) { // the program's name, and bin
        char *slash = strrchr(program, '/');
        if (slash == NULL) {
            return false;
        }
        *slash = '\0';
    }
    struct stat info;
    int written = snprintf(path, DATA_PATH_LENGTH, "%s/share/spadework/%s", program, name);
    return written < DATA_PATH_LENGTH && stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

void data_take_installed(void)
{
    const char *folder = getenv("SPADEWORK_DATA");
    char path[DATA_PATH_LENGTH];
    if ((folder == NULL || folder[0] == '\0') && data_find_installed("data", path)) {
        setenv("SPADEWORK_DATA", path, 1); // without memory for it the folder given at build time is used
    }
}

/// A folder of the user, as the XDG base directory specification says: an unset, empty or relative variable counts as
/// not there.
static bool find_user_path(const char *variable, const char *below_home, const char *name, char path[DATA_PATH_LENGTH],
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

bool user_data_path(const char *name, char path[DATA_PATH_LENGTH], Status *status)
{
    return find_user_path("XDG_DATA_HOME", "/.local/share", name, path, status);
}

bool user_config_path(const char *name, char path[DATA_PATH_LENGTH], Status *status)
{
    return find_user_path("XDG_CONFIG_HOME", "/.config", name, path, status);
}

bool user_scenes_path(char path[DATA_PATH_LENGTH], Status *status)
{
    return user_data_path("scenes", path, status);
}

bool user_make_folder(const char *path, Status *status)
{
    char part[DATA_PATH_LENGTH];
    snprintf(part, sizeof part, "%s", path);
    for (char *slash = strchr(part + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(part, 0700); // the last one fails where one before it failed
        *slash = '/';
    }
    struct stat info;
    if (mkdir(part, 0700) == 0 || (stat(part, &info) == 0 && S_ISDIR(info.st_mode))) {
        return true;
    }
    return status_fail(status, STATUS_LACKING, "%s: the folder cannot be made: %s", path, strerror(errno));
}

void data_files_free(DataFiles *files)
{
    for (int i = 0; i < files->count; ++i) {
        free(files->files[i].text);
    }
    *files = (DataFiles){0};
}

bool data_files_add(DataFiles *files, const char *kind, const char *name, char *text, size_t size, Status *status)
{
    if (!files || files->count >= DATA_MAX_FILES) {
        free(text);
        return !files ||
               status_fail(status, STATUS_BAD_FILE, "%s: more than %d files in one scene", name, DATA_MAX_FILES);
    }
    DataFile *file = &files->files[files->count++];
    *file = (DataFile){.text = text, .size = size};
    snprintf(file->kind, sizeof file->kind, "%s", kind);
    snprintf(file->name, sizeof file->name, "%s", name);
    return true;
}

const DataFile *data_files_find(const DataFiles *files, const char *kind, const char *name)
{
    for (int i = 0; i < files->count; ++i) {
        if (strcmp(files->files[i].kind, kind) == 0 && (!name || strcmp(files->files[i].name, name) == 0)) {
            return &files->files[i];
        }
    }
    return NULL;
}
