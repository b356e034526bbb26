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

#include "data/core/data_files.h"
#include "trainer/results/results_store_internal.h"

#define STILL_WRITTEN 60.0 ///< s since the last write within which a recording may still be going on. Chosen

static const char pattern[] = "-dddd-dd-dd-dddddd"; ///< d: a digit
static const char ending[] = ".spade";

/// ---- names ---------------------------------------------------------------------------------------------------------

static bool has_form(const char *text, const char *form, size_t length)
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
    if (end > stamp && has_form(name + end - stamp, pattern, stamp)) {
        return true;
    }
    size_t digits = 0;
    while (digits < end && isdigit((unsigned char)name[end - 1 - digits])) {
        digits++;
    }
    end -= digits;
    return digits > 0 && end > stamp + 1 && name[end - 1] == '-' && has_form(name + end - 1 - stamp, pattern, stamp);
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

static int compare_paths(const void *a, const void *b)
{
    const ResultRecording *const *x = a, *const *y = b;
    return strcmp((*x)->path, (*y)->path);
}

/// A list on its way, and the one that was made before, by path.
typedef struct Listing {
    ResultRecordings list;
    int room;
    const ResultRecording **before; ///< [before_count]
    int before_count;
} Listing;

/// What was known of a file that has not changed since; NULL: nothing.
static const ResultRecording *find_before(const Listing *listing, const ResultRecording *entry, int64_t size)
{
    const ResultRecording **found =
        listing->before_count == 0
            ? NULL
            : bsearch(&entry, listing->before, (size_t)listing->before_count, sizeof *listing->before, compare_paths);
    return found != NULL && (*found)->changed == entry->changed && (*found)->glance.size == size &&
                   (*found)->fault[0] == '\0'
               ? *found
               : NULL;
}

static void look(Listing *listing, ResultRecording *entry)
{
    Status status;
    struct stat info;
    bool there = stat(entry->path, &info) == 0;
    entry->changed = there ? (int64_t)info.st_mtim.tv_sec * 1000000000 + info.st_mtim.tv_nsec : 0;
    const ResultRecording *before = there ? find_before(listing, entry, (int64_t)info.st_size) : NULL;
    if (before != NULL) {
        *entry = *before;
    } else if (!recording_glance(entry->path, &entry->glance, &status)) {
        entry->own = false; // it is not ours to delete
        entry->glance = (RecordingGlance){0};
        snprintf(entry->fault, sizeof entry->fault, "%.*s", (int)sizeof entry->fault - 1, status.text);
    }
}

static bool add(Listing *listing, const char *folder, const char *name)
{
    ResultRecording entry = {.own = is_own_name(name)};
    ResultRecordings *list = &listing->list;
    if ((size_t)snprintf(entry.path, sizeof entry.path, "%s/%s", folder, name) >= sizeof entry.path) {
        return true;
    }
    look(listing, &entry);
    if (list->count == listing->room) {
        int more = listing->room > 0 ? 2 * listing->room : 64;
        ResultRecording *entries = realloc(list->entries, (size_t)more * sizeof *entries);
        if (entries == NULL) {
            return false;
        }
        list->entries = entries;
        listing->room = more;
    }
    list->entries[list->count++] = entry;
    return true;
}

static bool read_folder(const char *folder, DIR *stream, Listing *listing, Status *status)
{
    const struct dirent *item;
    while ((item = readdir(stream)) != NULL) {
        size_t length = strlen(item->d_name);
        if (length > sizeof ending - 1 && strcmp(item->d_name + length - sizeof ending + 1, ending) == 0 &&
            !add(listing, folder, item->d_name)) {
            return status_fail(status, STATUS_LACKING, "%s: out of memory for the list of recordings", folder);
        }
    }
    ResultRecordings *list = &listing->list;
    if (list->count > 1) {
        qsort(list->entries, (size_t)list->count, sizeof *list->entries, compare_newest_first);
    }
    return status_good(status);
}

/// Sorts what was known by path; without memory for that every file is read.
static void sort_before(const ResultRecordings *before, Listing *listing)
{
    listing->before = before->count > 0 ? calloc((size_t)before->count, sizeof *listing->before) : NULL;
    for (int k = 0; listing->before != NULL && k < before->count; k++) {
        listing->before[listing->before_count++] = &before->entries[k];
    }
    if (listing->before_count > 0) {
        qsort(listing->before, (size_t)listing->before_count, sizeof *listing->before, compare_paths);
    }
}

bool results_recordings_again(const char *folder, ResultRecordings *list, Status *status)
{
    char own[DATA_PATH_LENGTH];
    Listing listing = {.room = 0};
    if (folder == NULL && !user_data_path("recordings", own, status)) {
        results_recordings_free(list);
        return false;
    }
    const char *path = folder != NULL ? folder : own;
    DIR *stream = opendir(path);
    if (stream == NULL) {
        results_recordings_free(list);
        return errno == ENOENT ? status_good(status)
                               : status_fail(status, STATUS_LACKING, "%s: the folder of recordings cannot be read: %s",
                                             path, strerror(errno));
    }
    sort_before(list, &listing);
    bool good = read_folder(path, stream, &listing, status);
    closedir(stream);
    free(listing.before);
    results_recordings_free(list);
    if (good) {
        *list = listing.list;
    } else {
        results_recordings_free(&listing.list);
    }
    return good;
}

bool results_recordings(const char *folder, ResultRecordings *list, Status *status)
{
    *list = (ResultRecordings){0};
    return results_recordings_again(folder, list, status);
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

/// True when an attempt that passed names the recording.
static bool is_passed(Results *results, const char *path, const char *absolute)
{
    Status unused;
    sqlite3_stmt *row =
        results_prepare(results, "SELECT 1 FROM attempt WHERE recording IN (?, ?) AND passed <> 0 LIMIT 1", &unused);
    if (row == NULL) {
        return true; // where that cannot be told, it stays
    }
    results_bind(row, 1, path);
    results_bind(row, 2, absolute);
    int code = sqlite3_step(row);
    sqlite3_finalize(row);
    return code != SQLITE_DONE;
}

bool results_is_protected(Results *results, const ResultRecording *entry, const char *absolute)
{
    char marks[DATA_PATH_LENGTH + 8];
    snprintf(marks, sizeof marks, "%s.marks", entry->path);
    const RecordingGlance *glance = &entry->glance;
    return credit_is_expert(&glance->credit, glance->trainee) || glance->passed || access(marks, F_OK) == 0 ||
           is_passed(results, entry->path, absolute);
}

bool results_clean_recordings(const char *folder, const ResultsCleaning *cleaning, double *left, Status *status)
{
    ResultRecordings list;
    *left = 0.0;
    if (!results_recordings(folder, &list, status)) {
        return false;
    }
    for (int k = 0; k < list.count; k++) {
        *left += list.entries[k].own ? (double)list.entries[k].glance.size : 0.0;
    }
    for (int round = RESULTS_KEEP_NOT; round < RESULTS_KEEP_ALWAYS; round++) {
        for (int k = list.count - 1; k >= 0 && *left > cleaning->limit; k--) {
            ResultRecording *entry = &list.entries[k];
            if (may_go(entry, cleaning->newest) &&
                (cleaning->keeps == NULL ? RESULTS_KEEP_NOT : (int)cleaning->keeps(cleaning->context, entry)) ==
                    round &&
                results_delete_recording(entry->path)) {
                *left -= (double)entry->glance.size;
                entry->own = false; // it is gone
                if (cleaning->cleared != NULL) {
                    cleaning->cleared(cleaning->context, entry);
                }
            }
        }
    }
    results_recordings_free(&list);
    return true;
}
