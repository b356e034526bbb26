/// The file of results: checks that it is one, brings its layout up to date by numbered migrations, runs statements and
/// transactions, reports failures, and notes what the server of shared results is to be sent. SQLite's rollback journal
/// keeps each transaction whole; it works on the network folders that classrooms have, where a write-ahead log does
/// not.
#include "trainer/results/results_store_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "data/core/data_files.h"
#include "data/core/visible_text.h"
#include "trainer/record/record.h"

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

static sqlite3_stmt *prepare_texts(Results *results, const char *sql, int count, const char *const *texts,
                                   Status *status)
{
    sqlite3_stmt *row = results_prepare(results, sql, status);
    for (int k = 0; row != NULL && k < count; k++) {
        results_bind(row, k + 1, texts[k]);
    }
    return row;
}

bool results_run_texts(Results *results, const char *sql, int count, const char *const *texts, Status *status)
{
    sqlite3_stmt *row = prepare_texts(results, sql, count, texts, status);
    bool good = row != NULL && results_step(results, row, status);
    sqlite3_finalize(row);
    return good;
}

int results_find_text(Results *results, const char *sql, int count, const char *const *texts, char *text, size_t size,
                      Status *status)
{
    sqlite3_stmt *row = prepare_texts(results, sql, count, texts, status);
    int code = row != NULL ? sqlite3_step(row) : SQLITE_ERROR, found = code == SQLITE_ROW;
    if (text != NULL) {
        text[0] = '\0';
    }
    if (found && text != NULL) {
        results_column(row, 0, text, size);
    }
    if (row != NULL && code != SQLITE_ROW && code != SQLITE_DONE) {
        results_fail(results, status);
        found = -1;
    }
    sqlite3_finalize(row);
    return row != NULL ? found : -1;
}

/// A number that SQLite answers; -1 with `status`.
static int64_t ask_number(Results *results, const char *sql, Status *status)
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

/// ---- times and names -----------------------------------------------------------------------------------------------

void results_now(char text[RESULT_TIME])
{
    time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    strftime(text, RESULT_TIME, "%Y-%m-%dT%H:%M:%SZ", &utc);
}

void results_new_uuid(char uuid[RESULT_UUID])
{
    unsigned char b[16];
    sqlite3_randomness(sizeof b, b);
    b[6] = (unsigned char)((b[6] & 0x0f) | 0x40);
    b[8] = (unsigned char)((b[8] & 0x3f) | 0x80);
    snprintf(uuid, RESULT_UUID, "%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x", b[0], b[1],
             b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13], b[14], b[15]);
}

/// ---- notes for the server ------------------------------------------------------------------------------------------

/// Adds an operation that waits to be sent; of a plain file nothing. A text is "" where the kind has no use for it.
/// uuid  names the operation everywhere
/// at    UTC, when it was done
static bool note_operation(Results *results, SharedKind kind, const char *uuid, const char *class_name,
                           const char *trainee, const char *at, Status *status)
{
    char number[12];
    snprintf(number, sizeof number, "%d", (int)kind);
    const char *const texts[] = {uuid, number, class_name, trainee, at};
    return results->url == NULL ||
           results_run_texts(results, "INSERT INTO outbox(uuid, kind, class, trainee, at, sent) VALUES(?,?,?,?,?,0)", 5,
                             texts, status);
}

bool results_note_attempt(Results *results, const ResultAttempt *attempt, Status *status)
{
    return note_operation(results, SHARED_ATTEMPT, attempt->uuid, "", "", "", status);
}

bool results_note_people(Results *results, SharedKind kind, const char *class_name, const char *trainee, Status *status)
{
    char uuid[RESULT_UUID], now[RESULT_TIME];
    results_new_uuid(uuid);
    results_now(now);
    return note_operation(results, kind, uuid, class_name, trainee, now, status);
}

/// ---- layout --------------------------------------------------------------------------------------------------------

enum { NAMED = 99, SCHEMA_MOST = 64, WHAT = 160 };

/// One migration. It leads from its layout to the next; what stands here is never changed, a new layout is a new row.
typedef struct Migration {
    const char *sql;
    bool (*rest)(Results *results, Status *status); ///< what SQL alone does not do, or NULL
} Migration;

static bool give_credit(Results *results, Status *status);

static const Migration migrations[] = {
    {"CREATE TABLE trainee(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, created TEXT NOT NULL);"
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
     NULL},
    {"ALTER TABLE attempt ADD COLUMN recording_seal TEXT NOT NULL DEFAULT '';", NULL},
    {"CREATE TABLE outbox(id INTEGER PRIMARY KEY AUTOINCREMENT, uuid TEXT NOT NULL UNIQUE, kind INTEGER NOT NULL,"
     " class TEXT NOT NULL, trainee TEXT NOT NULL, at TEXT NOT NULL, sent INTEGER NOT NULL);"
     "CREATE INDEX outbox_waiting ON outbox(sent, id);"
     "CREATE TABLE server(database TEXT NOT NULL, changes INTEGER NOT NULL, seen TEXT NOT NULL, fault TEXT NOT NULL,"
     " rests INTEGER NOT NULL);"
     "INSERT INTO server VALUES('', 0, '', '', 0);",
     NULL},
    {"ALTER TABLE attempt ADD COLUMN driver TEXT NOT NULL DEFAULT 'person';"
     "ALTER TABLE attempt ADD COLUMN clumsy REAL NOT NULL DEFAULT 0;"
     "ALTER TABLE attempt ADD COLUMN parent_at REAL NOT NULL DEFAULT -1;"
     "ALTER TABLE attempt ADD COLUMN language TEXT NOT NULL DEFAULT '';"
     "ALTER TABLE attempt ADD COLUMN station TEXT NOT NULL DEFAULT '';"
     "ALTER TABLE attempt ADD COLUMN cleared TEXT NOT NULL DEFAULT '';"
     "CREATE INDEX attempt_of_start ON attempt(started);"
     "CREATE INDEX attempt_of_scene ON attempt(scene, started);"
     "CREATE INDEX attempt_of_seal ON attempt(recording_seal);"
     "CREATE TABLE trainee_gone(name_hash TEXT PRIMARY KEY, gone TEXT NOT NULL) WITHOUT ROWID;"
     "CREATE TABLE left_recording(path TEXT PRIMARY KEY, hash TEXT NOT NULL, since TEXT NOT NULL) WITHOUT ROWID;"
     "CREATE TABLE upkeep(checked TEXT NOT NULL);"
     "INSERT INTO upkeep VALUES('');"
     "ALTER TABLE server ADD COLUMN gone INTEGER NOT NULL DEFAULT 0;",
     give_credit},
    {"ALTER TABLE attempt ADD COLUMN changed TEXT NOT NULL DEFAULT '';"
     "ALTER TABLE attempt ADD COLUMN comment TEXT NOT NULL DEFAULT '';"
     "ALTER TABLE attempt ADD COLUMN grade TEXT NOT NULL DEFAULT '';"
     "ALTER TABLE attempt ADD COLUMN commented TEXT NOT NULL DEFAULT '';",
     NULL},
};
enum { LAYOUT = sizeof migrations / sizeof migrations[0] };

/// ---- layout 4: credit for own work ---------------------------------------------------------------------------------

/// Of attempts from before, the driver is known by the operator's name alone.
static bool name_drivers(Results *results, Status *status)
{
    sqlite3_stmt *names = results_prepare(results, "SELECT DISTINCT operator FROM attempt", status);
    sqlite3_stmt *row =
        results_prepare(results, "UPDATE attempt SET driver = ?, clumsy = ? WHERE operator = ?", status);
    bool good = names != NULL && row != NULL;
    int code = SQLITE_DONE;
    while (good && (code = sqlite3_step(names)) == SQLITE_ROW) {
        char name[DATA_PATH_LENGTH];
        Credit credit = {.driver = CREDIT_PERSON};
        results_column(names, 0, name, sizeof name);
        credit_of_operator(name, &credit);
        results_bind(row, 1, credit_driver_name(credit.driver));
        sqlite3_bind_double(row, 2, credit.clumsy);
        results_bind(row, 3, (const char *)sqlite3_column_text(names, 0));
        good = results_step(results, row, status);
    }
    good = good && (code == SQLITE_DONE || results_fail(results, status));
    sqlite3_finalize(names);
    sqlite3_finalize(row);
    return good;
}

/// Scripted attempts under a name, and those that took a recording over, no longer count as passed; progress that only
/// they gave goes.
static bool give_credit(Results *results, Status *status)
{
#define NO_CREDIT "(parent <> '' OR (driver <> 'person' AND trainee IS NOT NULL))"
    static const char sql[] =
        "DELETE FROM course_progress WHERE EXISTS (SELECT 1 FROM attempt a WHERE a.trainee = course_progress.trainee"
        " AND a.course = course_progress.course AND a.scene = course_progress.scene AND a.passed <> 0 AND " NO_CREDIT
        ");"
        "DELETE FROM attempt_metric WHERE name IN ('score', 'passed') AND attempt IN (SELECT id FROM attempt WHERE "
        "parent <> '');"
        "UPDATE attempt_metric SET value = 0 WHERE name = 'passed' AND attempt IN (SELECT id FROM attempt "
        "WHERE " NO_CREDIT ");";
    static const char progress[] =
        "INSERT OR IGNORE INTO course_progress SELECT trainee, course, scene, min(started), max(score) FROM attempt"
        " WHERE passed <> 0 AND course <> '' AND trainee IS NOT NULL GROUP BY trainee, course, scene;";
    if (!name_drivers(results, status) || !results_run(results, sql, status) ||
        !results_run(results, "UPDATE attempt SET passed = 0 WHERE passed <> 0 AND " NO_CREDIT, status)) {
        return false;
    }
#undef NO_CREDIT
    int taken = sqlite3_changes(results->db);
    if (taken > 0) {
        snprintf(results->notice, sizeof results->notice,
                 "; %d attempt%s that a script drove under a name, or that began in a recording, no longer count%s as "
                 "passed",
                 taken, taken == 1 ? "" : "s", taken == 1 ? "s" : "");
    }
    return results_run(results, progress, status);
}

/// ---- what a file may hold ------------------------------------------------------------------------------------------

/// Sets what SQLite may do with a file that may be a stranger's: no trigger and no view runs, no other file is opened.
static void limit_sqlite(sqlite3 *db)
{
    recording_harden(db);
    sqlite3_limit(db, SQLITE_LIMIT_ATTACHED, 0);
    sqlite3_limit(db, SQLITE_LIMIT_TRIGGER_DEPTH, 8); // what is deleted with a trainee goes by it
}

static bool refuse_schema(const Results *results, Status *status, const char *what, const char *name)
{
    return status_fail(status, STATUS_BAD_FILE,
                       "%s: is refused: %s %.60s; it is left as it is: put a copy from before in its place, or mend it "
                       "with sqlite3",
                       results->path, what, name);
}

/// Makes in memory what the file should look like. NULL when memory is short.
static sqlite3 *make_reference(int layout)
{
    sqlite3 *db = NULL;
    bool good = sqlite3_open(":memory:", &db) == SQLITE_OK;
    for (int k = 0; k < layout && good; k++) {
        good = sqlite3_exec(db, migrations[k].sql, NULL, NULL, NULL) == SQLITE_OK;
    }
    if (!good) {
        sqlite3_close(db);
        return NULL;
    }
    return db;
}

/// True for what SQLite makes by itself: indexes of keys, the numbers of AUTOINCREMENT, statistics.
static bool is_sqlites_own(const char *type, const char *name, const char *sql)
{
    bool index = strcmp(type, "index") == 0 && strncmp(name, "sqlite_autoindex_", 17) == 0 && sql[0] == '\0';
    return index || (strcmp(type, "table") == 0 &&
                     (strcmp(name, "sqlite_sequence") == 0 || strncmp(name, "sqlite_stat", 11) == 0));
}

typedef struct Schema {
    const Results *results;
    sqlite3_stmt *find; ///< in the reference: its SQL by type and name
    int rows, known; ///< of the file; those that the reference has, too
    Status *status;
} Schema;

static bool check_schema_row(Schema *schema, const char *type, const char *name, const char *sql)
{
    char what[WHAT];
    if (schema->rows++ == SCHEMA_MOST) {
        return refuse_schema(schema->results, schema->status, "it holds more tables than results have, among them",
                             name);
    }
    if (is_sqlites_own(type, name, sql)) {
        return true;
    }
    sqlite3_reset(schema->find);
    results_bind(schema->find, 1, type);
    results_bind(schema->find, 2, name);
    const char *wanted =
        sqlite3_step(schema->find) == SQLITE_ROW ? (const char *)sqlite3_column_text(schema->find, 0) : NULL;
    if (wanted == NULL) {
        snprintf(what, sizeof what, "results hold no such %.20s as", type);
        return refuse_schema(schema->results, schema->status, what, name);
    }
    schema->known++;
    snprintf(what, sizeof what, "other columns than results have are in the %.20s", type);
    return strcmp(sql, wanted) == 0 || refuse_schema(schema->results, schema->status, what, name);
}

static int visit_schema_row(void *context, int count, char **values, char **names)
{
    (void)names;
    const char *value[3];
    for (int k = 0; k < 3; k++) {
        value[k] = k < count && values[k] != NULL ? values[k] : "";
    }
    return check_schema_row(context, value[0], value[1], value[2]) ? 0 : 1;
}

/// Names a table or an index of the reference that the file lacks.
static bool find_missing(Schema *schema, sqlite3 *reference)
{
    static const char sql[] =
        "SELECT type || ' ' || name, type, name FROM sqlite_schema WHERE sql IS NOT NULL AND name "
        "NOT LIKE 'sqlite\\_%' ESCAPE '\\'";
    sqlite3_stmt *row = NULL, *there = NULL;
    char missing[WHAT] = "something";
    if (sqlite3_prepare_v2(reference, sql, -1, &row, NULL) == SQLITE_OK &&
        sqlite3_prepare_v2(schema->results->db, "SELECT 1 FROM sqlite_schema WHERE type = ? AND name = ?", -1, &there,
                           NULL) == SQLITE_OK) {
        while (sqlite3_step(row) == SQLITE_ROW) {
            sqlite3_reset(there);
            results_bind(there, 1, (const char *)sqlite3_column_text(row, 1));
            results_bind(there, 2, (const char *)sqlite3_column_text(row, 2));
            if (sqlite3_step(there) != SQLITE_ROW) {
                results_column(row, 0, missing, sizeof missing);
                break;
            }
        }
    }
    sqlite3_finalize(row);
    sqlite3_finalize(there);
    return refuse_schema(schema->results, schema->status, "it lacks the", missing);
}

/// How many tables and indexes of its own making the reference has.
static int count_reference(sqlite3 *reference)
{
    sqlite3_stmt *row = NULL;
    int count = -1;
    if (sqlite3_prepare_v2(reference,
                           "SELECT count(*) FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' "
                           "ESCAPE '\\'",
                           -1, &row, NULL) == SQLITE_OK &&
        sqlite3_step(row) == SQLITE_ROW) {
        count = sqlite3_column_int(row, 0);
    }
    sqlite3_finalize(row);
    return count;
}

/// True when the file holds the tables and indexes of that layout to the letter, and nothing else. False with `status`
/// (STATUS_BAD_FILE), which names what is foreign, changed or missing, and what to do.
static bool check_schema(Results *results, int layout, Status *status)
{
    sqlite3 *reference = make_reference(layout);
    Schema schema = {.results = results, .status = status};
    if (reference == NULL || sqlite3_prepare_v2(reference, "SELECT sql FROM sqlite_schema WHERE type = ? AND name = ?",
                                                -1, &schema.find, NULL) != SQLITE_OK) {
        sqlite3_close(reference);
        return status_fail(status, STATUS_LACKING, "%s: out of memory for the results", results->path);
    }
    int code = sqlite3_exec(results->db, "SELECT type, name, sql FROM sqlite_schema", visit_schema_row, &schema, NULL);
    bool good = code == SQLITE_OK || (code == SQLITE_ABORT ? false : results_fail(results, status));
    if (good && schema.known != count_reference(reference)) {
        good = find_missing(&schema, reference);
    }
    sqlite3_finalize(schema.find);
    sqlite3_close(reference);
    return good;
}

/// Reads the layout's number. 0: there is nothing in the file yet. -1 with `status`: it cannot be read, or is of a
/// later program.
static int read_layout(Results *results, Status *status)
{
    status_good(status);
    int64_t layout = ask_number(results, "PRAGMA user_version", status);
    if (layout > LAYOUT) {
        status_fail(status, STATUS_BAD_FILE, "%s: has layout %lld of a later version; this program knows up to %d",
                    results->path, (long long)layout, (int)LAYOUT);
    } else if (layout < 0 && status->code == STATUS_GOOD) {
        status_fail(status, STATUS_BAD_FILE, "%s: has layout %lld, which there is not", results->path,
                    (long long)layout);
    }
    return layout >= 0 && layout <= LAYOUT ? (int)layout : -1;
}

/// ---- migrating -----------------------------------------------------------------------------------------------------

/// Finds a name for the copy that nothing has yet, and makes the file, for its owner alone.
static bool make_copy_file(const Results *results, int layout, char copy[DATA_PATH_LENGTH], Status *status)
{
    for (int number = 1; number <= NAMED; number++) {
        char again[16] = "";
        if (number > 1) {
            snprintf(again, sizeof again, "-%d", number);
        }
        if (snprintf(copy, DATA_PATH_LENGTH, "%s.layout-%d%s", results->path, layout, again) >= DATA_PATH_LENGTH) {
            return status_fail(status, STATUS_LACKING, "%s: its path is too long for a copy beside it", results->path);
        }
        int file = open(copy, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        if (file >= 0) {
            close(file);
            return true;
        }
        if (errno != EEXIST) {
            break;
        }
    }
    return status_fail(status, STATUS_LACKING, "%s: has the older layout %d; a copy cannot be made beside it: %s",
                       results->path, layout, strerror(errno));
}

/// Copies the file as it is, inside the transaction that will change it. SQLite copies by a connection that does not
/// write itself; nobody else can write meanwhile.
static bool copy_file(Results *results, int layout, char copy[DATA_PATH_LENGTH], Status *status)
{
    sqlite3 *from = NULL, *to = NULL;
    if (!make_copy_file(results, layout, copy, status)) {
        return false;
    }
    bool good = sqlite3_open_v2(results->path, &from, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK &&
                sqlite3_open_v2(copy, &to, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK;
    sqlite3_backup *backup = good ? sqlite3_backup_init(to, "main", from, "main") : NULL;
    if (backup != NULL) {
        sqlite3_backup_step(backup, -1);
        good = sqlite3_backup_finish(backup) == SQLITE_OK;
    }
    good = good && backup != NULL;
    if (!good) {
        status_fail(status, STATUS_LACKING,
                    "%s: has the older layout %d; the copy %s cannot be written: %s; nothing was changed",
                    results->path, layout, copy, to != NULL ? sqlite3_errmsg(to) : "out of memory");
        unlink(copy);
    }
    sqlite3_close(from);
    sqlite3_close(to);
    return good;
}

/// Inside a transaction.
static bool run_migrations(Results *results, int layout, char copy[DATA_PATH_LENGTH], Status *status)
{
    char sql[96];
    // Another program may have been faster.
    if (read_layout(results, status) != layout) {
        return status_fail(status, STATUS_LACKING, "%s: another program has just changed its layout: try again",
                           results->path);
    }
    if (layout > 0 && !copy_file(results, layout, copy, status)) {
        return false;
    }
    bool good = true;
    for (int k = layout; k < LAYOUT && good; k++) {
        good = results_run(results, migrations[k].sql, status) &&
               (migrations[k].rest == NULL || migrations[k].rest(results, status));
    }
    snprintf(sql, sizeof sql, "PRAGMA application_id=%d; PRAGMA user_version=%d", RESULTS_APPLICATION, (int)LAYOUT);
    return good && results_run(results, sql, status);
}

/// Runs the migrations that the file lacks in one transaction. One that holds results is copied beside itself before,
/// as FILE.layout-N, which results_notice and a line on stderr tell. False with `status`, and nothing is changed.
static bool migrate_layout(Results *results, int layout, Status *status)
{
    char copy[DATA_PATH_LENGTH] = "", more[WHAT];
    results->notice[0] = '\0';
    if (!results_begin(results, status)) {
        return false;
    }
    int now = read_layout(results, status);
    if (now == LAYOUT) { // another program was faster
        return results_end(results, true, status);
    }
    if (now < 0 || !results_end(results, run_migrations(results, layout, copy, status), status)) {
        sqlite3_exec(results->db, "ROLLBACK", NULL, NULL, NULL);
        if (copy[0] != '\0') {
            unlink(copy);
        }
        return false;
    }
    if (layout > 0) {
        snprintf(more, sizeof more, "%.*s", WHAT - 1, results->notice);
        snprintf(results->notice, sizeof results->notice,
                 "%s: brought from layout %d to %d; as it was before it is kept as %s%s", results->path, layout,
                 (int)LAYOUT, copy, more);
        fprintf(stderr, "spadework: %s\n", results->notice);
    }
    return true;
}

enum { HEAD = 100, APPLICATION_AT = 68 };
#define SMALL ((off_t)8 << 20) ///< bytes of a file that is checked whole at each opening. Chosen: some 20 ms

/// ---- is it ours ----------------------------------------------------------------------------------------------------

static bool refuse_foreign(const Results *results, Status *status, const char *what)
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
        return refuse_foreign(results, status, S_ISDIR(info.st_mode) ? "a folder" : "a device or pipe");
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
        return refuse_foreign(results, status, "not an SQLite file");
    }
    const unsigned char *id = head + APPLICATION_AT;
    uint32_t application = (uint32_t)id[0] << 24 | (uint32_t)id[1] << 16 | (uint32_t)id[2] << 8 | id[3];
    return application == RESULTS_APPLICATION || refuse_foreign(results, status, "an SQLite file of another program");
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
    return left || layout < LAYOUT || stat(results->path, &info) != 0 || info.st_size <= SMALL ||
           ask_number(results, sql, &unused) != 1;
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
    int layout = read_layout(results, status);
    bool good = layout >= 0 && check_schema(results, layout, status);
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
    limit_sqlite(results->db);
    if ((opened == results->path && !check_journal(results, &left, status)) ||
        !results_run(results, "PRAGMA foreign_keys=ON; PRAGMA synchronous=FULL; PRAGMA secure_delete=ON", status)) {
        return false;
    }
    int layout = check_layout(results, status);
    if (layout < 0) {
        return false;
    }
    bool due = opened == results->path && is_check_due(results, layout, left);
    if ((due && !check_whole(results, status)) || (layout < LAYOUT && !migrate_layout(results, layout, status))) {
        return false;
    }
    struct stat info;
    if (due && stat(results->path, &info) == 0 && info.st_size > SMALL) {
        note_check(results);
    }
    return true;
}

bool results_open_file(Results *results, const char *path, const char *own, ResultsMode mode, bool *is_file,
                       Status *status)
{
    const char *opened = NULL;
    bool good = find_file(results, path, own, mode, &opened, status) && open_database(results, opened, status);
    *is_file = opened == results->path;
    return good;
}
