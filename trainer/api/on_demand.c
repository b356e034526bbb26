/// Loads a library from the folder in which this one lies, from beside the program that it is a part of, or else from
/// where the system finds it.
#define _GNU_SOURCE // dladdr1
#include "trainer/api/on_demand.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "data/core/data_files.h"

enum { RECORDER, RENDERER, LIBRARIES };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; ///< guards `loaded`
static void *loaded[LIBRARIES];

static const char *const names[LIBRARIES] = {"libspadework-record.so.0", "libspadework-render.so.0"};
static const char *const symbols[LIBRARIES] = {"spadework_recorder", "spadework_renderer"};

/// Writes the folder, with its slash, of the library or program that this code is in. False: it is not known.
static bool find_own_folder(char folder[DATA_PATH_LENGTH])
{
    Dl_info self;
    struct link_map *map = NULL;
    if (dladdr1(names, &self, (void **)&map, RTLD_DL_LINKMAP) == 0 || map == NULL) {
        return false;
    }
    ssize_t length;
    if (map->l_name[0] != '\0') {
        length = snprintf(folder, DATA_PATH_LENGTH, "%s", map->l_name);
    } else { // the program: its name in the list of libraries is empty
        length = readlink("/proc/self/exe", folder, DATA_PATH_LENGTH - 1);
        folder[length > 0 ? length : 0] = '\0';
    }
    char *slash = length > 0 && length < DATA_PATH_LENGTH ? strrchr(folder, '/') : NULL;
    if (slash != NULL) {
        slash[1] = '\0';
    }
    return slash != NULL;
}

/// Opens a library beside this one, or of a program in PREFIX/bin in PREFIX/lib; else where the system finds it.
static void *open_library(int which)
{
    static const char *const places[] = {"", "../lib/"};
    char folder[DATA_PATH_LENGTH], path[DATA_PATH_LENGTH];
    bool found = find_own_folder(folder);
    for (size_t k = 0; k < sizeof places / sizeof places[0] && found; k++) {
        int length = snprintf(path, sizeof path, "%s%s%s", folder, places[k], names[which]);
        void *library = length < (int)sizeof path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
        if (library != NULL) {
            return library;
        }
    }
    return dlopen(names[which], RTLD_NOW | RTLD_LOCAL);
}

/// The function's table, or NULL with `status`.
static const void *load(int which, Status *status)
{
    if (loaded[which] == NULL) {
        loaded[which] = open_library(which);
    }
    if (loaded[which] == NULL) {
        const char *reason = dlerror();
        status_fail(status, STATUS_LACKING,
                    "%s cannot be loaded: %s; install it beside libspadework.so.0, or in the folder lib beside the "
                    "program's bin",
                    names[which], reason == NULL ? "unknown" : reason);
        return NULL;
    }
    void *address = dlsym(loaded[which], symbols[which]);
    if (address == NULL) {
        status_fail(status, STATUS_LACKING, "%s has no %s: it is another library", names[which], symbols[which]);
        return NULL;
    }
    const void *(*table)(void) = NULL;
    memcpy(&table, &address, sizeof table); // ISO C does not convert an object's address into a function's
    return table();
}

static const void *fetch(int which, Status *status)
{
    pthread_mutex_lock(&lock);
    const void *table = load(which, status);
    pthread_mutex_unlock(&lock);
    return table;
}

static bool fits(const char *build, int which, Status *status)
{
    return strcmp(build, API_BUILD) == 0 || status_fail(status, STATUS_LACKING,
                                                        "%s is of build '%s', and libspadework of '%s': "
                                                        "install both from one package",
                                                        names[which], build, API_BUILD);
}

bool on_demand_recorder(const ApiRecorder **recorder, Status *status)
{
    *recorder = fetch(RECORDER, status);
    return *recorder != NULL && fits((*recorder)->build, RECORDER, status);
}

bool on_demand_renderer(const ApiRenderer **renderer, Status *status)
{
    const ApiRenderer *found = fetch(RENDERER, status);
    bool usable = found != NULL && fits(found->build, RENDERER, status);
    *renderer = usable ? found : NULL;
    return usable;
}
