/// Opens the results file, brings its layout up to date and tells failures. SQLite's rollback journal keeps each
/// transaction whole; it works on the network folders that classrooms have, where a write-ahead log does not.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "trainer/results/results_store_internal.h"
#include "data/core/visible_text.h"
#include "data/core/data_files.h"
#include "trainer/record/record.h"
#include "trainer/results/results_aside.h"
#include "trainer/results/results_layout.h"
#include "trainer/results/results_shared.h"

enum { HEAD = 100, APPLICATION_AT = 68 };
#define SMALL ((off_t)8 << 20) ///< bytes of a file that is checked whole at each opening. Chosen: some 20 ms

/// ---- failures ------------------------------------------------------------------------------------------------------

bool results_fail(Results *results, Status *status)
{
    int code = sqlite3_extended_errcode(results->db), system = sqlite3_system_errno(results->db);
    switch (code & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return status_fail(status, STATUS_LACKING,
                           "%s: another program has kept the results locked for %d s; nothing was written",
                           results->path, RESULTS_PATIENCE_MS / 1000);
    case SQLITE_FULL:
        return status_fail(status, STATUS_LACKING, "%s: the disk is full; what was there before is kept",
                           results->path);
    case SQLITE_READONLY:
        return status_fail(status, STATUS_LACKING, "%s: the results may not be written to", results->path);
    case SQLITE_IOERR:
        return status_fail(status, STATUS_LACKING, "%s: writing failed: %s; what was there before is kept",
                           results->path, system != 0 ? strerror(system) : "it cannot grow any further");
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
        return status_fail(status, STATUS_BAD_FILE, "%s: is damaged: %s", results->path, sqlite3_errmsg(results->db));
    default:
        return status_fail(status, STATUS_LACKING, "%s: %s", results->path, sqlite3_errmsg(results->db));
    }
}

sqlite3_stmt *results_prepare(Results *results, const char *sql, Status *status)
{
    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v2(results->db, sql, -1, &statement, NULL) != SQLITE_OK) {
        results_fail(results, status);
    }
    return statement;
}

void results_bind(sqlite3_stmt *statement, int at, const char *text)
{
    sqlite3_bind_text(statement, at, text, -1, SQLITE_STATIC);
}

bool results_step(Results *results, sqlite3_stmt *statement, Status *status)
{
    int code = sqlite3_step(statement);
    bool good = code == SQLITE_DONE || code == SQLITE_ROW || results_fail(results, status);
    sqlite3_reset(statement);
    return good;
}

void results_column_path(sqlite3_stmt *statement, int at, char *path, size_t size)
{
    const char *value = (const char *)sqlite3_column_text(statement, at);
    snprintf(path, size, "%s", value != NULL ? value : "");
}

void results_column(sqlite3_stmt *statement, int at, char *text, size_t size)
{
    results_column_path(statement, at, text, size);
    visible_text_mask(text, false);
}

bool results_run(Results *results, const char *sql, Status *status)
{
    return sqlite3_exec(results->db, sql, NULL, NULL, NULL) == SQLITE_OK || results_fail(results, status);
}

int64_t results_ask(Results *results, const char *sql, Status *status)
{
    sqlite3_stmt *row = results_prepare(results, sql, status);
    int64_t number = -1;
    if (row != NULL && sqlite3_step(row) == SQLITE_ROW) {
        number = sqlite3_column_int64(row, 0);
    } else if (row != NULL) {
        results_fail(results, status);
    }
    sqlite3_finalize(row);
    return number;
}

/// ---- transactions --------------------------------------------------------------------------------------------------

bool results_begin(Results *results, Status *status)
{
    return results_run(results, "BEGIN IMMEDIATE", status);
}

bool results_end(Results *results, bool good, Status *status)
{
    good = good && results_run(results, "COMMIT", status);
    if (!good && sqlite3_get_autocommit(results->db) == 0) {
        sqlite3_exec(results->db, "ROLLBACK", NULL, NULL, NULL);
    }
    return good;
}

/// ---- is it ours ----------------------------------------------------------------------------------------------------

static bool foreign(const Results *results, Status *status, const char *what)
{
    return status_fail(status, STATUS_BAD_FILE, "%s: is no file of results: it is %s; it is left as it is",
                       results->path, what);
}

/// Reads the beginning of the file by way of SQLite's own files: a descriptor of ours would take the locks of this
/// program's other connections away when it is closed. Returns the bytes that are there; -1 where it cannot be read.
static int read_head(const char *path, unsigned char head[HEAD])
{
    sqlite3_vfs *vfs = sqlite3_vfs_find(NULL);
    char *whole = realpath(path, NULL);
    sqlite3_file *file = vfs != NULL && whole != NULL ? calloc(1, (size_t)vfs->szOsFile) : NULL;
    sqlite3_int64 size = 0;
    int got = -1;
    if (file != NULL && vfs->xOpen(vfs, whole, file, SQLITE_OPEN_READONLY | SQLITE_OPEN_MAIN_DB, NULL) == SQLITE_OK) {
        bool known = file->pMethods->xFileSize(file, &size) == SQLITE_OK;
        int count = size < HEAD ? (int)size : HEAD;
        got = known && (count == 0 || file->pMethods->xRead(file, head, count, 0) == SQLITE_OK) ? count : -1;
    }
    if (file != NULL && file->pMethods != NULL) {
        file->pMethods->xClose(file);
    }
    free(file);
    free(whole);
    return got;
}

/// Looks at the header before SQLite does, which would make files beside a foreign one. `empty`: nothing is in it yet.
static bool check_head(const Results *results, bool *empty, Status *status)
{
    struct stat info;
    unsigned char head[HEAD] = {0};
    if (stat(results->path, &info) != 0 || access(results->path, R_OK) != 0) {
        return status_fail(status, STATUS_LACKING, "%s: the results cannot be read: %s", results->path,
                           strerror(errno));
    }
    if (!S_ISREG(info.st_mode)) {
        return foreign(results, status, S_ISDIR(info.st_mode) ? "a folder" : "a device or pipe");
    }
    int got = read_head(results->path, head);
    if (got < 0) {
        return status_fail(status, STATUS_LACKING, "%s: the results cannot be read", results->path);
    }
    *empty = got == 0;
    if (*empty) {
        return true;
    }
    if (got < HEAD || memcmp(head, "SQLite format 3", 16) != 0) {
        return foreign(results, status, "not an SQLite file");
    }
    const unsigned char *id = head + APPLICATION_AT;
    uint32_t application = (uint32_t)id[0] << 24 | (uint32_t)id[1] << 16 | (uint32_t)id[2] << 8 | id[3];
    return application == RESULTS_APPLICATION || foreign(results, status, "an SQLite file of another program");
}

/// ---- is it whole ---------------------------------------------------------------------------------------------------

/// Whether the file is checked whole, which takes a time that grows with it: a small one always, a large one once in
/// seven days, when no check is noted, and when a program that did not end its transaction has left a journal.
static bool is_check_due(Results *results, int layout, bool left)
{
    struct stat info;
    Status unused;
    static const char sql[] = "SELECT checked > strftime('%Y-%m-%dT%H:%M:%SZ', 'now', '-7 days') AND checked <= "
                              "strftime('%Y-%m-%dT%H:%M:%SZ', 'now', '+1 day') FROM upkeep";
    return left || layout < results_layout_latest() || stat(results->path, &info) != 0 || info.st_size <= SMALL ||
           results_ask(results, sql, &unused) != 1;
}

/// Notes that it was checked; a file that is locked or may not be written is checked again the next time.
static void note_check(Results *results)
{
    sqlite3_busy_timeout(results->db, 0);
    sqlite3_exec(results->db, "UPDATE upkeep SET checked = strftime('%Y-%m-%dT%H:%M:%SZ', 'now')", NULL, NULL, NULL);
    sqlite3_busy_timeout(results->db, RESULTS_PATIENCE_MS);
}

static bool check_whole(Results *results, Status *status)
{
    sqlite3_stmt *row = results_prepare(results, "PRAGMA quick_check(1)", status);
    char answer[128] = "";
    bool asked = row != NULL && sqlite3_step(row) == SQLITE_ROW;
    if (asked) {
        results_column(row, 0, answer, sizeof answer);
    } else if (row != NULL) {
        results_fail(results, status);
    }
    sqlite3_finalize(row);
    answer[strcspn(answer, "\n")] = '\0';
    return asked && (strcmp(answer, "ok") == 0 ||
                     status_fail(status, STATUS_BAD_FILE, "%s: is damaged: %s", results->path, answer));
}

/// ---- life ----------------------------------------------------------------------------------------------------------

/// Makes an empty file where there is none, for the user alone: results are personal.
static bool make_file(const Results *results, Status *status)
{
    int file = open(results->path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0 && errno != EEXIST) {
        return status_fail(status, STATUS_LACKING, "%s: the results cannot be made: %s", results->path,
                           strerror(errno));
    }
    if (file >= 0) {
        close(file);
    }
    return true;
}

/// Finds the path that SQLite opens; an empty list of results that may not be made lives in memory.
/// own  name of the file in the user's data; NULL: `path` is meant
static bool find_file(Results *results, const char *path, const char *own, ResultsMode mode, const char **opened,
                      Status *status)
{
    bool empty = false;
    char folder[DATA_PATH_LENGTH];
    if (own != NULL ? !user_data_path(own, results->path, status)
                    : path[0] == '\0' || path[0] == ':' || strlen(path) >= sizeof results->path) {
        return own != NULL ? false
                           : status_fail(status, STATUS_BAD_USAGE, "%.80s: is no name for a file of results", path);
    }
    if (own == NULL) {
        snprintf(results->path, sizeof results->path, "%s", path);
    }
    *opened = results->path;
    bool absent = access(results->path, F_OK) != 0 && errno == ENOENT;
    if (mode == RESULTS_READ && absent) {
        *opened = ":memory:";
        return own != NULL || status_fail(status, STATUS_BAD_FILE,
                                          "%s: there are no results; drive with --results first", results->path);
    }
    if (mode == RESULTS_WRITE && own != NULL &&
        (!user_data_path("", folder, status) || !user_make_folder(folder, status))) {
        return false;
    }
    if ((mode == RESULTS_WRITE && !make_file(results, status)) || !check_head(results, &empty, status)) {
        return false;
    }
    *opened = mode == RESULTS_READ && empty ? ":memory:" : results->path;
    return true;
}

/// True when somebody is writing at this moment.
static bool is_being_written(Results *results)
{
    sqlite3_file *file = NULL;
    int writes = 0;
    return sqlite3_file_control(results->db, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK && file != NULL &&
           file->pMethods != NULL && file->pMethods->xCheckReservedLock(file, &writes) == SQLITE_OK && writes != 0;
}

/// What a program that was killed has left beside the file is put back by SQLite at the first read; a journal that
/// names other files, which SQLite would delete, is refused.
static bool check_journal(Results *results, bool *left, Status *status)
{
    char journal[DATA_PATH_LENGTH + 16];
    struct stat info, beside;
    snprintf(journal, sizeof journal, "%s-journal", results->path);
    *left = stat(journal, &beside) == 0 && beside.st_size > 0 && !is_being_written(results);
    if (!*left || stat(results->path, &info) != 0 ||
        recording_check_journal(journal, (int64_t)info.st_size, results->path, status)) {
        return true;
    }
    return access(journal, F_OK) != 0 && status_good(status); // it has ended meanwhile
}

/// The layout's number, and whether the file holds just its tables, read in one moment. -1 with `status`.
static int check_layout(Results *results, Status *status)
{
    if (!results_run(results, "BEGIN", status)) {
        return -1;
    }
    int layout = results_layout(results, status);
    bool good = layout >= 0 && results_check_schema(results, layout, status);
    sqlite3_exec(results->db, "ROLLBACK", NULL, NULL, NULL);
    return good ? layout : -1;
}

static bool open_database(Results *results, const char *opened, Status *status)
{
    bool left = false;
    if (sqlite3_open_v2(opened, &results->db, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK) {
        return results_fail(results, status);
    }
    sqlite3_busy_timeout(results->db, RESULTS_PATIENCE_MS);
    results_distrust(results->db);
    if ((opened == results->path && !check_journal(results, &left, status)) ||
        !results_run(results, "PRAGMA foreign_keys=ON; PRAGMA synchronous=FULL; PRAGMA secure_delete=ON", status)) {
        return false;
    }
    int layout = check_layout(results, status);
    if (layout < 0) {
        return false;
    }
    bool due = opened == results->path && is_check_due(results, layout, left);
    if ((due && !check_whole(results, status)) ||
        (layout < results_layout_latest() && !results_migrate(results, layout, status))) {
        return false;
    }
    struct stat info;
    if (due && stat(results->path, &info) == 0 && info.st_size > SMALL) {
        note_check(results);
    }
    return true;
}

/// Stores what waits for these results, and tells so.
static void store_waiting(Results *results)
{
    int stored = results_take_aside(results);
    size_t length = strlen(results->notice);
    if (stored > 0) {
        snprintf(results->notice + length, sizeof results->notice - length,
                 "%s%d attempt%s that waited for the results %s stored now", length > 0 ? "; " : "", stored,
                 stored == 1 ? "" : "s", stored == 1 ? "is" : "are");
        fprintf(stderr, "spadework: %s\n", results->notice + length + (length > 0 ? 2 : 0));
    }
}

const char *results_notice(const Results *results)
{
    return results->notice;
}

Results *results_open(const char *path, ResultsMode mode, Status *status)
{
    Results *results = calloc(1, sizeof *results);
    const char *opened = NULL;
    bool reads = mode == RESULTS_READ;
    if (results == NULL) {
        status_fail(status, STATUS_LACKING, "out of memory for the results");
        return NULL;
    }
    char own[RESULT_UUID] = "results.db";
    bool shared = shared_is_url(path);
    if (mode == RESULTS_READ && results_aside_count(path) > 0) {
        mode = RESULTS_WRITE; // what waits is to be seen
    }
    bool good = !shared || results_share(results, path, own, status);
    if (!good ||
        !find_file(results, path, path == NULL || shared ? own : NULL, shared ? RESULTS_WRITE : mode, &opened,
                   status) ||
        !open_database(results, opened, status)) {
        results_close(results);
        return NULL;
    }
    if (opened == results->path) {
        store_waiting(results);
    }
    if (reads && !results_refresh(results, status)) {
        results_close(results);
        return NULL;
    }
    return results;
}

void results_close(Results *results)
{
    if (results != NULL) {
        sqlite3_close(results->db);
        free(results->url);
        free(results);
    }
}
