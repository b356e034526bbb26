/// Names, lists and cleans up the folder of recordings that were made without being asked for.
#include "trainer/results/results_recordings.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "data/data_files.h"

#define STILL_WRITTEN 60.0 ///< s since the last write within which a recording may still be going on. Chosen

static const char pattern[] = "-dddd-dd-dd-dddddd"; ///< d: a digit
static const char ending[] = ".spade";

/// ---- names ---------------------------------------------------------------------------------------------------------

static bool fits(const char *text, const char *form, size_t length)
{
    for (size_t k = 0; k < length; k++) {
        bool digit = isdigit((unsigned char)text[k]) != 0;
        if (form[k] == 'd' ? !digit : text[k] != form[k]) {
            return false;
        }
    }
    return true;
}

/// SCENE-YYYY-MM-DD-HHMMSS.spade, or the same with -2, -3, ... of one that began in the same second.
static bool is_own_name(const char *name)
{
    size_t length = strlen(name), tail = sizeof ending - 1, stamp = sizeof pattern - 1;
    if (length < tail || strcmp(name + length - tail, ending) != 0) {
        return false;
    }
    size_t end = length - tail;
    if (end > stamp && fits(name + end - stamp, pattern, stamp)) {
        return true;
    }
    size_t digits = 0;
    while (digits < end && isdigit((unsigned char)name[end - 1 - digits])) {
        digits++;
    }
    end -= digits;
    return digits > 0 && end > stamp + 1 && name[end - 1] == '-' && fits(name + end - 1 - stamp, pattern, stamp);
}

bool results_new_recording(const char *scene, char path[DATA_PATH_LENGTH], Status *status)
{
    char folder[DATA_PATH_LENGTH], stamp[32];
    if (!user_data_path("recordings", folder, status) || !user_make_folder(folder, status)) {
        return false;
    }
    time_t now = time(NULL);
    struct tm local;
    localtime_r(&now, &local);
    strftime(stamp, sizeof stamp, "%Y-%m-%d-%H%M%S", &local);
    for (int number = 1; number < 1000; number++) {
        char again[16] = "";
        if (number > 1) {
            snprintf(again, sizeof again, "-%d", number);
        }
        int length = snprintf(path, DATA_PATH_LENGTH, "%s/%s-%s%s%s", folder, scene, stamp, again, ending);
        if (length >= DATA_PATH_LENGTH) {
            return status_fail(status, STATUS_LACKING, "%.100s...: the recording's path is too long", path);
        }
        if (access(path, F_OK) != 0) {
            return true;
        }
    }
    return status_fail(status, STATUS_LACKING, "%s: there are too many recordings of this second", path);
}

/// ---- list ----------------------------------------------------------------------------------------------------------

static int compare_newest_first(const void *a, const void *b)
{
    const ResultRecording *x = a, *y = b;
    int order = strcmp(y->glance.created, x->glance.created);
    return order != 0 ? order : strcmp(y->path, x->path);
}

static bool add(ResultRecordings *list, int *room, const char *folder, const char *name)
{
    ResultRecording entry = {.own = is_own_name(name)};
    Status status;
    if ((size_t)snprintf(entry.path, sizeof entry.path, "%s/%s", folder, name) >= sizeof entry.path) {
        return true;
    }
    if (!recording_glance(entry.path, &entry.glance, &status)) {
        entry.own = false; // it is not ours to delete
        entry.glance = (RecordingGlance){0};
        snprintf(entry.fault, sizeof entry.fault, "%.*s", (int)sizeof entry.fault - 1, status.text);
    }
    if (list->count == *room) {
        int more = *room > 0 ? 2 * *room : 64;
        ResultRecording *entries = realloc(list->entries, (size_t)more * sizeof *entries);
        if (entries == NULL) {
            return false;
        }
        list->entries = entries;
        *room = more;
    }
    list->entries[list->count++] = entry;
    return true;
}

static bool read_folder(const char *folder, DIR *stream, ResultRecordings *list, Status *status)
{
    int room = 0;
    const struct dirent *item;
    while ((item = readdir(stream)) != NULL) {
        size_t length = strlen(item->d_name);
        if (length > sizeof ending - 1 && strcmp(item->d_name + length - sizeof ending + 1, ending) == 0 &&
            !add(list, &room, folder, item->d_name)) {
            return status_fail(status, STATUS_LACKING, "%s: out of memory for the list of recordings", folder);
        }
    }
    if (list->count > 1) {
        qsort(list->entries, (size_t)list->count, sizeof *list->entries, compare_newest_first);
    }
    return status_good(status);
}

bool results_recordings(const char *folder, ResultRecordings *list, Status *status)
{
    char own[DATA_PATH_LENGTH];
    *list = (ResultRecordings){0};
    if (folder == NULL && !user_data_path("recordings", own, status)) {
        return false;
    }
    const char *path = folder != NULL ? folder : own;
    DIR *stream = opendir(path);
    if (stream == NULL) {
        return errno == ENOENT ? status_good(status)
                               : status_fail(status, STATUS_LACKING, "%s: the folder of recordings cannot be read: %s",
                                             path, strerror(errno));
    }
    bool good = read_folder(path, stream, list, status);
    closedir(stream);
    if (!good) {
        results_recordings_free(list);
    }
    return good;
}

void results_recordings_free(ResultRecordings *list)
{
    free(list->entries);
    *list = (ResultRecordings){0};
}

/// ---- clean-up ------------------------------------------------------------------------------------------------------

bool results_delete_recording(const char *path)
{
    static const char *const beside[] = {".html", ".marks"};
    if (unlink(path) != 0) {
        return false;
    }
    for (size_t k = 0; k < sizeof beside / sizeof beside[0]; k++) {
        char name[DATA_PATH_LENGTH + 8];
        snprintf(name, sizeof name, "%s%s", path, beside[k]);
        unlink(name); // most recordings have none
    }
    return true;
}

/// A plain file of ours that nobody writes to any more.
static bool may_go(const ResultRecording *entry, const char *newest)
{
    struct stat info;
    char journal[DATA_PATH_LENGTH + 16];
    snprintf(journal, sizeof journal, "%s-journal", entry->path);
    return entry->own && (newest == NULL || strcmp(entry->path, newest) != 0) && lstat(entry->path, &info) == 0 &&
           S_ISREG(info.st_mode) && difftime(time(NULL), info.st_mtime) >= STILL_WRITTEN && access(journal, F_OK) != 0;
}

int results_clean_recordings(const char *folder, double limit, const char *newest, ResultsKept *kept, void *context,
                             Status *status)
{
    ResultRecordings list;
    if (!results_recordings(folder, &list, status)) {
        return -1;
    }
    double whole = 0.0;
    for (int k = 0; k < list.count; k++) {
        whole += list.entries[k].own ? (double)list.entries[k].glance.size : 0.0;
    }
    int deleted = 0;
    for (int round = 0; round < 2; round++) {
        for (int k = list.count - 1; k >= 0 && whole > limit; k--) {
            ResultRecording *entry = &list.entries[k];
            bool wait = round == 0 && kept != NULL && kept(context, entry->path);
            if (!wait && may_go(entry, newest) && results_delete_recording(entry->path)) {
                whole -= (double)entry->glance.size;
                entry->own = false; // it is gone
                deleted++;
            }
        }
    }
    results_recordings_free(&list);
    return deleted;
}
