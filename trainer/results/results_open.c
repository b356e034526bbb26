/// Opens results, and keeps attempts that cannot be stored as files until the results are opened again. Each such file
/// names the results that it belongs to and has a check sum over all of it; a file that does not fit is renamed to
/// FILE.damaged and reported.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <xxhash.h>

#include "data/core/data_files.h"
#include "trainer/results/results_store_internal.h"
#include "trainer/results/results_json.h"
#include "trainer/results/results_shared.h"

#define FORMAT  "spadework-waiting" ///< of a file
#define LARGEST 1e300 ///< any figure, in its unit

enum { VERSION = 1, SHORT_PATIENCE_MS = 300, CHECK = 20 };

static const char ending[] = ".json";

/// ---- where ---------------------------------------------------------------------------------------------------------

/// The path with its folder as the system knows it; the file need not be there.
static bool make_absolute(const char *path, char target[DATA_PATH_LENGTH], Status *status)
{
    char folder[DATA_PATH_LENGTH];
    const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;
    snprintf(folder, sizeof folder, "%.*s", slash != NULL ? (int)(slash - path) : 0, path);
    char *real = realpath(slash == NULL ? "." : folder[0] == '\0' ? "/" : folder, NULL);
    int length = snprintf(target, DATA_PATH_LENGTH, "%s/%s", real != NULL ? real : folder, name);
    free(real);
    return length < DATA_PATH_LENGTH ||
           status_fail(status, STATUS_BAD_USAGE, "%.80s...: is no name for a file of results", path);
}

/// Writes the name of the file that belongs to a server's database, and what may be shown of the address.
static bool name_shared_file(const char *url, char shown[SHARED_ADDRESS], char own[RESULT_UUID], Status *status)
{
    char key[SHARED_KEY];
    if (!shared_describe(url, shown, key, status)) {
        return false;
    }
    snprintf(own, RESULT_UUID, "shared-%s.db", key);
    return true;
}

/// The path of the SQLite file that results_open would take, absolute where that can be told.
static bool find_target(const char *path, char target[DATA_PATH_LENGTH], bool *shared, Status *status)
{
    char own[RESULT_UUID] = "results.db", shown[SHARED_ADDRESS], file[DATA_PATH_LENGTH];
    *shared = shared_is_url(path);
    if (*shared && !name_shared_file(path, shown, own, status)) {
        return false;
    }
    return *shared || path == NULL ? user_data_path(own, file, status) && make_absolute(file, target, status)
                                   : make_absolute(path, target, status);
}

static bool find_folder(char folder[DATA_PATH_LENGTH], Status *status)
{
    return user_data_path("waiting", folder, status);
}

/// ---- out -----------------------------------------------------------------------------------------------------------

/// XXH3 over everything but itself, as the file is written.
static void check_of(json_t *object, char check[CHECK])
{
    json_t *rest = json_copy(object);
    json_object_del(rest, "check");
    char *text = json_dumps(rest, JSON_COMPACT | JSON_SORT_KEYS | JSON_REAL_PRECISION(17));
    snprintf(check, CHECK, "%016llx", text != NULL ? (unsigned long long)XXH3_64bits(text, strlen(text)) : 0ULL);
    free(text);
    json_decref(rest);
}

/// XXH3 of a path of results, byte for byte: as text it may hold what JSON does not.
static void place_of(const char *target, char place[CHECK])
{
    snprintf(place, CHECK, "%016llx", (unsigned long long)XXH3_64bits(target, strlen(target)));
}

static json_t *waiting_json(const char *target, bool shared, const ResultAttempt *attempt)
{
    json_t *object = json_pack("{s:s, s:i, s:b, s:o}", "format", FORMAT, "version", VERSION, "shared", shared,
                               "attempt", results_attempt_json(attempt, false));
    char check[CHECK], place[CHECK];
    place_of(target, place);
    json_object_set_new(object, "results", shared_text_json(target));
    json_object_set_new(object, "place", json_string(place));
    json_object_set_new(object, "trainee", shared_text_json(attempt->trainee));
    json_object_set_new(object, "recording", shared_text_json(attempt->recording));
    json_object_set_new(object, "parent", shared_text_json(attempt->parent));
    check_of(object, check);
    json_object_set_new(object, "check", json_string(check));
    return object;
}

/// Forces a folder's entries to the disk.
static void sync_folder(const char *folder)
{
    int file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file >= 0) {
        fsync(file);
        close(file);
    }
}

bool results_set_aside(const char *path, ResultAttempt *attempt, char file[DATA_PATH_LENGTH], Status *status)
{
    char folder[DATA_PATH_LENGTH], target[DATA_PATH_LENGTH], beside[DATA_PATH_LENGTH + 8];
    bool shared = false;
    if (!find_target(path, target, &shared, status) || !find_folder(folder, status) ||
        !user_make_folder(folder, status)) {
        return false;
    }
    if (attempt->uuid[0] == '\0') {
        results_new_uuid(attempt->uuid);
    }
    if (snprintf(file, DATA_PATH_LENGTH, "%s/%s%s", folder, attempt->uuid, ending) >= DATA_PATH_LENGTH) {
        return status_fail(status, STATUS_LACKING, "%.100s...: the path of what waits is too long", file);
    }
    snprintf(beside, sizeof beside, "%s.new", file);
    unlink(beside); // of a program that was killed
    json_t *object = waiting_json(target, shared, attempt);
    bool good = results_write_json(beside, object, 1, status);
    json_decref(object);
    if (good && rename(beside, file) != 0) {
        good = status_fail(status, STATUS_LACKING, "%s: cannot be written: %s", file, strerror(errno));
        unlink(beside);
    }
    if (good) {
        sync_folder(folder);
    }
    return good;
}

/// ---- in ------------------------------------------------------------------------------------------------------------

/// One file that waits.
typedef struct Waiting {
    char file[DATA_PATH_LENGTH];
    char place[CHECK]; ///< of its results
    bool shared;
    ResultAttempt attempt;
} Waiting;

/// Reads and checks a file. False with `status` (STATUS_BAD_FILE).
static bool read_waiting(Waiting *waiting, Status *status)
{
    char format[32], check[CHECK], wanted[CHECK];
    double version = 0.0;
    ResultAttempt *attempt = &waiting->attempt;
    ResultsReader reader = {
        .path = waiting->file, .version = RESULTS_ATTEMPT_VERSION, .largest = LARGEST, .status = status};
    json_t *object = results_load_json(waiting->file, status);
    if (object == NULL) {
        return false;
    }
    check_of(object, wanted);
    bool good =
        results_read_text(&reader, object, "format", true, format, sizeof format) &&
        (strcmp(format, FORMAT) == 0 || results_refuse(&reader, "format", "read %s, allowed %s", format, FORMAT)) &&
        results_read_number(&reader, object, "version", VERSION, VERSION, &version) &&
        results_read_text(&reader, object, "check", true, check, sizeof check) &&
        (strcmp(check, wanted) == 0 ||
         results_refuse(&reader, "check", "read %s, and the rest of the file gives %s", check, wanted)) &&
        results_read_text(&reader, object, "place", true, waiting->place, sizeof waiting->place) &&
        results_read_flag(&reader, object, "shared", &waiting->shared) &&
        results_read_attempt(&reader, json_object_get(object, "attempt"), attempt) &&
        results_read_text(&reader, object, "trainee", false, attempt->trainee, sizeof attempt->trainee) &&
        results_read_text(&reader, object, "recording", false, attempt->recording, sizeof attempt->recording) &&
        results_read_text(&reader, object, "parent", false, attempt->parent, sizeof attempt->parent);
    json_decref(object);
    return good;
}

/// Called for each good file that waits; false ends the reading.
typedef bool WaitingVisit(void *context, Waiting *waiting);

/// Whether a file that was refused is so for good: what cannot be read now, or was written by a newer program, is not.
static bool is_damaged(const char *file)
{
    json_error_t error;
    FILE *stream = fopen(file, "r");
    if (stream == NULL) {
        return false;
    }
    json_t *object = json_loadf(stream, 0, &error);
    bool unread = ferror(stream) != 0 || (object == NULL && json_error_code(&error) == json_error_out_of_memory);
    bool newer = json_integer_value(json_object_get(object, "version")) > VERSION;
    json_decref(object);
    fclose(stream);
    return !unread && !newer;
}

/// Sets a damaged file apart, so that it is reported once.
static void set_apart(const char *file, const Status *reason)
{
    char name[DATA_PATH_LENGTH + 16];
    snprintf(name, sizeof name, "%s.damaged", file);
    if (access(file, F_OK) != 0) {
        return; // another program has just stored it
    }
    if (!is_damaged(file)) {
        fprintf(stderr, "spadework: %s; it waits on\n", reason->text);
        return;
    }
    fprintf(stderr, "spadework: %s; it is kept as %s\n", reason->text, rename(file, name) == 0 ? name : file);
}

static void each_waiting(WaitingVisit *visit, void *context)
{
    char folder[DATA_PATH_LENGTH];
    Status status;
    DIR *stream = find_folder(folder, &status) ? opendir(folder) : NULL;
    Waiting *waiting = stream != NULL ? calloc(1, sizeof *waiting) : NULL;
    bool goes_on = waiting != NULL;
    const struct dirent *item;
    while (goes_on && (item = readdir(stream)) != NULL) {
        size_t length = strlen(item->d_name), tail = sizeof ending - 1;
        if (length <= tail || strcmp(item->d_name + length - tail, ending) != 0 ||
            snprintf(waiting->file, sizeof waiting->file, "%s/%s", folder, item->d_name) >= (int)sizeof waiting->file) {
            continue;
        }
        if (read_waiting(waiting, &status)) {
            goes_on = visit(context, waiting);
        } else if (status.code == STATUS_BAD_FILE) {
            set_apart(waiting->file, &status);
        }
    }
    free(waiting);
    if (stream != NULL) {
        closedir(stream);
    }
}

typedef struct Taking {
    Results *results;
    char place[CHECK];
    int stored;
} Taking;

/// Inside a transaction. What began before its trainee was deleted is not brought back.
static bool insert_waiting(Results *results, ResultAttempt *attempt, bool *new_one, Status *status)
{
    char gone[RESULT_TIME];
    int known = results_is_known(results, attempt->uuid, status);
    if (known < 0 || !results_find_gone(results, attempt->trainee, gone, status)) {
        return false;
    }
    *new_one = known == 0 && (attempt->trainee[0] == '\0' || strcmp(attempt->started, gone) > 0);
    return !*new_one || results_insert(results, attempt, status);
}

static bool store_file(void *context, Waiting *waiting)
{
    Taking *self = context;
    Results *results = self->results;
    Status unused;
    bool new_one = false;
    if (strcmp(waiting->place, self->place) != 0 || waiting->shared != (results->url != NULL)) {
        return true;
    }
    if (!results_begin(results, &unused)) {
        return false; // somebody holds them still
    }
    if (results_end(results, insert_waiting(results, &waiting->attempt, &new_one, &unused), &unused)) {
        unlink(waiting->file);
        self->stored += new_one;
    }
    return true;
}

/// Stores the attempts that wait for these results, and removes their files. Returns how many. What cannot be stored
/// now waits on.
static int take_aside(Results *results)
{
    Taking self = {.results = results};
    char target[DATA_PATH_LENGTH];
    Status unused;
    if (!make_absolute(results->path, target, &unused)) {
        return 0;
    }
    place_of(target, self.place);
    sqlite3_busy_timeout(results->db, SHORT_PATIENCE_MS);
    each_waiting(store_file, &self);
    sqlite3_busy_timeout(results->db, RESULTS_PATIENCE_MS);
    return self.stored;
}

typedef struct Counting {
    char place[CHECK];
    bool shared;
    int count;
} Counting;

static bool count_file(void *context, Waiting *waiting)
{
    Counting *self = context;
    self->count += strcmp(waiting->place, self->place) == 0 && waiting->shared == self->shared;
    return true;
}

int results_aside_count(const char *path)
{
    Counting self = {.count = 0};
    char target[DATA_PATH_LENGTH];
    Status unused;
    if (find_target(path, target, &self.shared, &unused)) {
        place_of(target, self.place);
        each_waiting(count_file, &self);
    }
    return self.count;
}

/// ---- opening -------------------------------------------------------------------------------------------------------

/// Stores what waits for these results, and tells so.
static void store_waiting(Results *results)
{
    int stored = take_aside(results);
    size_t length = strlen(results->notice);
    if (stored > 0) {
        snprintf(results->notice + length, sizeof results->notice - length,
                 "%s%d attempt%s that waited for the results %s stored now", length > 0 ? "; " : "", stored,
                 stored == 1 ? "" : "s", stored == 1 ? "is" : "are");
        fprintf(stderr, "spadework: %s\n", results->notice + length + (length > 0 ? 2 : 0));
    }
}

/// Remembers the address of a server and names the file that belongs to its database. False with `status`.
static bool share_results(Results *results, const char *url, char own[RESULT_UUID], Status *status)
{
    if (!name_shared_file(url, results->shown, own, status)) {
        return false;
    }
    results->url = strdup(url);
    return results->url != NULL || status_fail(status, STATUS_LACKING, "out of memory for the results");
}

const char *results_notice(const Results *results)
{
    return results->notice;
}

void results_close(Results *results)
{
    if (results != NULL) {
        sqlite3_close(results->db);
        free(results->url);
        free(results);
    }
}

Results *results_open(const char *path, ResultsMode mode, Status *status)
{
    Results *results = calloc(1, sizeof *results);
    bool reads = mode == RESULTS_READ, shared = shared_is_url(path), is_file = false;
    if (results == NULL) {
        status_fail(status, STATUS_LACKING, "out of memory for the results");
        return NULL;
    }
    char own[RESULT_UUID] = "results.db";
    if (shared || (reads && results_aside_count(path) > 0)) {
        mode = RESULTS_WRITE; // what waits is to be seen
    }
    bool good = !shared || share_results(results, path, own, status);
    if (!good || !results_open_file(results, path, path == NULL || shared ? own : NULL, mode, &is_file, status)) {
        results_close(results);
        return NULL;
    }
    if (is_file) {
        store_waiting(results);
    }
    if (reads && !results_refresh(results, status)) {
        results_close(results);
        return NULL;
    }
    return results;
}
