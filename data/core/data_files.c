/// Keeps the texts of files, so that a recording can store them.
///
/// A set has a fixed number of places: a scene has one machine, at most one coupler and one truck, an attachment of
/// the machine and of each of SCENE_MAX_TOOLS, SCENE_MAX_SOILS soils, SCENE_MAX_GRAINS meshes and one file of a
/// surface, and every file once.
// dladdr is a GNU extension.
#define _GNU_SOURCE
#include "data/core/data_files.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef SPADEWORK_DATA_DIR
#define SPADEWORK_DATA_DIR "data"
#endif

/// ---- the folder of the shipped data --------------------------------------------------------------------------------

/// A folder that was set. Kept to the end of the process: its path may be in use anywhere.
typedef struct Folder {
    struct Folder *next;
    char path[DATA_PATH_LENGTH];
} Folder;

static Folder *folders; ///< all that were set so far
static pthread_mutex_t setting = PTHREAD_MUTEX_INITIALIZER; ///< guards `folders`
static _Atomic(const Folder *) asked, found; ///< by data_set_folder, by data_take_...; NULL: none
static _Atomic(const Folder *) shared; ///< by data_set_shared_folder; NULL: none

/// The one entry of this path; NULL without memory.
static const Folder *keep_folder(const char *path)
{
    pthread_mutex_lock(&setting);
    Folder *folder = folders;
    while (folder != NULL && strcmp(folder->path, path) != 0) {
        folder = folder->next;
    }
    if (folder == NULL && (folder = malloc(sizeof *folder)) != NULL) {
        snprintf(folder->path, sizeof folder->path, "%s", path);
        folder->next = folders;
        folders = folder;
    }
    pthread_mutex_unlock(&setting);
    return folder;
}

bool data_set_folder(const char *path, Status *status)
{
    const Folder *folder = NULL;
    if (path != NULL && (path[0] == '\0' || strlen(path) >= DATA_PATH_LENGTH)) {
        return status_fail(status, STATUS_BAD_USAGE,
                           "data folder: read %zu characters (%.40s), allowed 1..%d; name a folder with scenes",
                           strlen(path), path, DATA_PATH_LENGTH - 1);
    }
    if (path != NULL && (folder = keep_folder(path)) == NULL) {
        return status_fail(status, STATUS_LACKING, "out of memory for the data folder %.200s", path);
    }
    atomic_store(&asked, folder);
    return true;
}

const char *data_folder(void)
{
    const Folder *folder = atomic_load(&asked);
    const char *named = folder == NULL ? getenv("SPADEWORK_DATA") : NULL;
    if (named != NULL && named[0] != '\0') {
        return named;
    }
    folder = folder != NULL ? folder : atomic_load(&found);
    return folder != NULL ? folder->path : SPADEWORK_DATA_DIR;
}

const char *data_shared_folder(void)
{
    const Folder *folder = atomic_load(&shared);
    return folder != NULL ? folder->path : NULL;
}

bool data_set_shared_folder(const char *path, Status *status)
{
    const Folder *folder = NULL;
    bool named = path != NULL && path[0] != '\0';
    if (named && (path[0] != '/' || strlen(path) >= DATA_PATH_LENGTH)) {
        return status_fail(status, STATUS_BAD_USAGE,
                           "shared folder: read %.80s, allowed a path of 1..%d bytes that begins with /", path,
                           DATA_PATH_LENGTH - 1);
    }
    if (named && (folder = keep_folder(path)) == NULL) {
        return status_fail(status, STATUS_LACKING, "out of memory for the shared folder %.200s", path);
    }
    atomic_store(&shared, folder);
    return true;
}

static bool is_folder(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

/// Cuts the last name off a path; false where there is none.
static bool cut_name(char *path)
{
    char *slash = strrchr(path, '/');
    if (slash != NULL) {
        *slash = '\0';
    }
    return slash != NULL;
}

static bool find_shared(const char *prefix, const char *name, char path[DATA_PATH_LENGTH])
{
    int written = snprintf(path, DATA_PATH_LENGTH, "%s/share/spadework/%s", prefix, name);
    return written < DATA_PATH_LENGTH && is_folder(path);
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
    bool good = true;
    for (int level = 0; good && level < 2; level++) { // the program's name, and bin
        good = cut_name(program);
    }
    return good && find_shared(program, name, path);
}

bool data_find_beside(const void *address, const char *name, char path[DATA_PATH_LENGTH])
{
    Dl_info library;
    char *real = dladdr(address, &library) != 0 ? realpath(library.dli_fname, NULL) : NULL;
    char folder[DATA_PATH_LENGTH], prefix[DATA_PATH_LENGTH];
    bool fits = real != NULL && snprintf(folder, sizeof folder, "%s", real) < DATA_PATH_LENGTH;
    free(real);
    if (!fits || !cut_name(folder)) {
        return false;
    }
    snprintf(prefix, sizeof prefix, "%s", folder);
    for (int level = 0; level < 2 && cut_name(prefix); level++) { // lib, or the processor's folder in it
        if (find_shared(prefix, name, path)) {
            return true;
        }
    }
    int written = snprintf(path, DATA_PATH_LENGTH, "%s/%s", folder, name);
    return written < DATA_PATH_LENGTH && is_folder(path);
}

void data_take_installed(void)
{
    char path[DATA_PATH_LENGTH];
    if (data_find_installed("data", path)) {
        atomic_store(&found, keep_folder(path)); // without memory for it the folder given at build time is used
    }
}

void data_take_beside(const void *address)
{
    char path[DATA_PATH_LENGTH];
    if (data_find_beside(address, "data", path)) {
        atomic_store(&found, keep_folder(path));
    }
}

/// ---- the user's files ----------------------------------------------------------------------------------------------

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

/// ---- texts of files ------------------------------------------------------------------------------------------------

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
