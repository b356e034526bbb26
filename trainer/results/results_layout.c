/// Numbered migrations, the copy that is made before them, and the check that a file holds nothing else.
///
/// What a layout looks like is not written down twice: the migrations are run in memory, and the file's schema is
/// compared with what comes of them.
#include "trainer/results/results_layout.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
};
enum { LAYOUT = sizeof migrations / sizeof migrations[0] };

int results_layout_latest(void)
{
    return LAYOUT;
}

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

void results_distrust(sqlite3 *db)
{
    static const int switches[][2] = {
        {SQLITE_DBCONFIG_DEFENSIVE, 1},   {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0}, {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
        {SQLITE_DBCONFIG_ENABLE_VIEW, 0}, {SQLITE_DBCONFIG_DQS_DDL, 0},        {SQLITE_DBCONFIG_DQS_DML, 0},
    };
    for (size_t k = 0; k < sizeof switches / sizeof *switches; k++) {
        sqlite3_db_config(db, switches[k][0], switches[k][1], (int *)NULL);
    }
    sqlite3_limit(db, SQLITE_LIMIT_ATTACHED, 0);
    sqlite3_limit(db, SQLITE_LIMIT_TRIGGER_DEPTH, 8); // what is deleted with a trainee goes by it
    sqlite3_exec(db, "PRAGMA cell_size_check=ON; PRAGMA mmap_size=0", NULL, NULL, NULL);
}

static bool refuse(const Results *results, Status *status, const char *what, const char *name)
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

static bool check_row(Schema *schema, const char *type, const char *name, const char *sql)
{
    char what[WHAT];
    if (schema->rows++ == SCHEMA_MOST) {
        return refuse(schema->results, schema->status, "it holds more tables than results have, among them", name);
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
        return refuse(schema->results, schema->status, what, name);
    }
    schema->known++;
    snprintf(what, sizeof what, "other columns than results have are in the %.20s", type);
    return strcmp(sql, wanted) == 0 || refuse(schema->results, schema->status, what, name);
}

static int see_row(void *context, int count, char **values, char **names)
{
    (void)names;
    const char *value[3];
    for (int k = 0; k < 3; k++) {
        value[k] = k < count && values[k] != NULL ? values[k] : "";
    }
    return check_row(context, value[0], value[1], value[2]) ? 0 : 1;
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
    return refuse(schema->results, schema->status, "it lacks the", missing);
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

bool results_check_schema(Results *results, int layout, Status *status)
{
    sqlite3 *reference = make_reference(layout);
    Schema schema = {.results = results, .status = status};
    if (reference == NULL || sqlite3_prepare_v2(reference, "SELECT sql FROM sqlite_schema WHERE type = ? AND name = ?",
                                                -1, &schema.find, NULL) != SQLITE_OK) {
        sqlite3_close(reference);
        return status_fail(status, STATUS_LACKING, "%s: out of memory for the results", results->path);
    }
    int code = sqlite3_exec(results->db, "SELECT type, name, sql FROM sqlite_schema", see_row, &schema, NULL);
    bool good = code == SQLITE_OK || (code == SQLITE_ABORT ? false : results_fail(results, status));
    if (good && schema.known != count_reference(reference)) {
        good = find_missing(&schema, reference);
    }
    sqlite3_finalize(schema.find);
    sqlite3_close(reference);
    return good;
}

int results_layout(Results *results, Status *status)
{
    status_good(status);
    int64_t layout = results_ask(results, "PRAGMA user_version", status);
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
static bool migrate(Results *results, int layout, char copy[DATA_PATH_LENGTH], Status *status)
{
    char sql[96];
    // Another program may have been faster.
    if (results_layout(results, status) != layout) {
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

bool results_migrate(Results *results, int layout, Status *status)
{
    char copy[DATA_PATH_LENGTH] = "", more[WHAT];
    results->notice[0] = '\0';
    if (!results_begin(results, status)) {
        return false;
    }
    int now = results_layout(results, status);
    if (now == LAYOUT) { // another program was faster
        return results_end(results, true, status);
    }
    if (now < 0 || !results_end(results, migrate(results, layout, copy, status), status)) {
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
