/// Opens the results file, brings its layout up to date and tells failures. SQLite's rollback journal keeps each
/// transaction whole; it works on the network folders that classrooms have, where a write-ahead log does not.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "trainer/results/results_internal.h"
#include "data/data_files.h"
#include "trainer/results/results_shared.h"

enum { HEAD = 100, APPLICATION_AT = 68 };

/// Migration k leads from layout k to layout k + 1. What stands here is never changed; a new layout is a new row.
static const char *const migrations[] = {
    "CREATE TABLE trainee(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, created TEXT NOT NULL);"
    "CREATE TABLE class(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);"
    "CREATE TABLE membership(class INTEGER NOT NULL REFERENCES class ON DELETE CASCADE,"
    " trainee INTEGER NOT NULL REFERENCES trainee ON DELETE CASCADE, PRIMARY KEY(class, trainee)) WITHOUT ROWID;"
    "CREATE TABLE course_progress(trainee INTEGER NOT NULL REFERENCES trainee ON DELETE CASCADE, course TEXT NOT NULL,"
    " scene TEXT NOT NULL, passed TEXT NOT NULL, best REAL NOT NULL, PRIMARY KEY(trainee, course, scene)) WITHOUT "
    "ROWID;"
    "CREATE TABLE attempt(id INTEGER PRIMARY KEY, uuid TEXT NOT NULL UNIQUE,"
    " trainee INTEGER REFERENCES trainee ON DELETE CASCADE, scene TEXT NOT NULL, title TEXT NOT NULL,"
    " course TEXT NOT NULL, started TEXT NOT NULL, duration REAL NOT NULL, score REAL NOT NULL, passed INTEGER NOT "
    "NULL,"
    " finished INTEGER NOT NULL, \"end\" TEXT NOT NULL, operator TEXT NOT NULL, machine TEXT NOT NULL,"
    " build TEXT NOT NULL, recording TEXT NOT NULL, recording_hash TEXT NOT NULL, parent TEXT NOT NULL);"
    "CREATE INDEX attempt_of_trainee ON attempt(trainee, scene, started);"
    "CREATE INDEX attempt_of_recording ON attempt(recording);"
    "CREATE TABLE attempt_metric(attempt INTEGER NOT NULL REFERENCES attempt ON DELETE CASCADE, name TEXT NOT NULL,"
    " unit TEXT NOT NULL, value REAL NOT NULL, PRIMARY KEY(attempt, name)) WITHOUT ROWID;"
    "CREATE TABLE attempt_score(attempt INTEGER NOT NULL REFERENCES attempt ON DELETE CASCADE, row INTEGER NOT NULL,"
    " label TEXT NOT NULL, \"group\" TEXT NOT NULL, weight REAL NOT NULL, value REAL NOT NULL, share REAL NOT NULL,"
    " points REAL NOT NULL, PRIMARY KEY(attempt, row)) WITHOUT ROWID;",
    "ALTER TABLE attempt ADD COLUMN recording_seal TEXT NOT NULL DEFAULT '';",
    "CREATE TABLE outbox(id INTEGER PRIMARY KEY AUTOINCREMENT, uuid TEXT NOT NULL UNIQUE, kind INTEGER NOT NULL,"
    " class TEXT NOT NULL, trainee TEXT NOT NULL, at TEXT NOT NULL, sent INTEGER NOT NULL);"
    "CREATE INDEX outbox_waiting ON outbox(sent, id);"
    "CREATE TABLE server(database TEXT NOT NULL, changes INTEGER NOT NULL, seen TEXT NOT NULL, fault TEXT NOT NULL,"
    " rests INTEGER NOT NULL);"
    "INSERT INTO server VALUES('', 0, '', '', 0);",
};
enum { LAYOUT = sizeof migrations / sizeof migrations[0] };

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

void results_column(sqlite3_stmt *statement, int at, char *text, size_t size)
{
    const char *value = (const char *)sqlite3_column_text(statement, at);
    snprintf(text, size, "%s", value != NULL ? value : "");
}

static bool run(Results *results, const char *sql, Status *status)
{
    return sqlite3_exec(results->db, sql, NULL, NULL, NULL) == SQLITE_OK || results_fail(results, status);
}

/// A number that SQLite answers; -1 with `status`.
static int64_t ask(Results *results, const char *sql, Status *status)
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
    return run(results, "BEGIN IMMEDIATE", status);
}

bool results_end(Results *results, bool good, Status *status)
{
    good = good && run(results, "COMMIT", status);
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

/// Looks at the header before SQLite does, which would make files beside a foreign one. `empty`: nothing is in it yet.
static bool check_head(const Results *results, bool *empty, Status *status)
{
    struct stat info;
    int file = open(results->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0 || fstat(file, &info) != 0) {
        status_fail(status, STATUS_LACKING, "%s: the results cannot be read: %s", results->path, strerror(errno));
        if (file >= 0) {
            close(file);
        }
        return false;
    }
    unsigned char head[HEAD] = {0};
    ssize_t got = S_ISREG(info.st_mode) ? read(file, head, sizeof head) : -1;
    close(file);
    if (!S_ISREG(info.st_mode)) {
        return foreign(results, status, S_ISDIR(info.st_mode) ? "a folder" : "a device or pipe");
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

/// ---- layout --------------------------------------------------------------------------------------------------------

/// Runs the migrations that the file lacks, inside a transaction.
static bool migrate(Results *results, Status *status)
{
    char sql[96];
    int64_t layout = ask(results, "PRAGMA user_version", status);
    for (int64_t k = layout; k >= 0 && k < LAYOUT; k++) {
        if (!run(results, migrations[k], status)) {
            return false;
        }
    }
    snprintf(sql, sizeof sql, "PRAGMA application_id=%d; PRAGMA user_version=%d", RESULTS_APPLICATION, (int)LAYOUT);
    return layout >= 0 && run(results, sql, status);
}

static bool check_layout(Results *results, Status *status)
{
    int64_t layout = ask(results, "PRAGMA user_version", status);
    if (layout < 0 || layout == LAYOUT) {
        return layout >= 0;
    }
    if (layout > LAYOUT) {
        return status_fail(status, STATUS_BAD_FILE,
                           "%s: has layout %lld of a later version; this program knows up to %d", results->path,
                           (long long)layout, (int)LAYOUT);
    }
    return results_begin(results, status) && results_end(results, migrate(results, status), status);
}

/// ---- life ----------------------------------------------------------------------------------------------------------

/// Makes an empty file where there is none, for the user alone: results are personal.
static bool make_file(const Results *results, Status *status)
{
    int file = open(results->path, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0600);
    if (file < 0 && errno != EISDIR) {
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

static bool open_database(Results *results, const char *opened, Status *status)
{
    if (sqlite3_open_v2(opened, &results->db, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK) {
        return results_fail(results, status);
    }
    sqlite3_busy_timeout(results->db, RESULTS_PATIENCE_MS);
    sqlite3_db_config(results->db, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)NULL);
    sqlite3_db_config(results->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (int *)NULL);
    return run(results,
               "PRAGMA foreign_keys=ON; PRAGMA synchronous=FULL; PRAGMA secure_delete=ON; PRAGMA cell_size_check=ON",
               status) &&
           check_whole(results, status) && check_layout(results, status);
}

Results *results_open(const char *path, ResultsMode mode, Status *status)
{
    Results *results = calloc(1, sizeof *results);
    const char *opened = NULL;
    if (results == NULL) {
        status_fail(status, STATUS_LACKING, "out of memory for the results");
        return NULL;
    }
    char own[RESULT_UUID] = "results.db";
    bool shared = shared_is_url(path);
    bool good = !shared || results_share(results, path, own, status);
    if (!good ||
        !find_file(results, path, path == NULL || shared ? own : NULL, shared ? RESULTS_WRITE : mode, &opened,
                   status) ||
        !open_database(results, opened, status) || (mode == RESULTS_READ && !results_refresh(results, status))) {
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
