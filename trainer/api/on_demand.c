/// Loads a library from the folder in which this one lies, or else where the system finds it.
#define _GNU_SOURCE // dladdr
#include "trainer/api/on_demand.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "data/core/data_files.h"

enum { RECORDER, RENDERER, LIBRARIES };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; ///< guards `loaded`
static void *loaded[LIBRARIES];

static const char *const names[LIBRARIES] = {"libspadework-record.so.0", "libspadework-render.so.0"};
static const char *const symbols[LIBRARIES] = {"spadework_recorder", "spadework_renderer"};

static void *open_library(int which)
{
    Dl_info self;
    char path[DATA_PATH_LENGTH];
    if (dladdr(names, &self) != 0 && self.dli_fname != NULL) {
        const char *slash = strrchr(self.dli_fname, '/');
        int folder = slash == NULL ? 0 : (int)(slash - self.dli_fname) + 1;
        int length = snprintf(path, sizeof path, "%.*s%s", folder, self.dli_fname, names[which]);
        void *library = folder > 0 && length < (int)sizeof path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
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
        status_fail(status, STATUS_LACKING, "%s cannot be loaded: %s; install it beside libspadework.so.0",
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
