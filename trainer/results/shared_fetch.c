/// Copies what is new: whoever writes takes the next number on the server and notes it in his rows, so that rows of a
/// number above the last one known are those that are missing here. Trainees, classes and progress are small and copied
/// whole.
#include "trainer/results/shared_fetch.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trainer/results/shared_layout.h"
#include "trainer/results/shared_notes.h"
#include "trainer/results/shared_rows.h"
#include "trainer/results/shared_send.h"

enum { PAGE = 200, MOST_FIGURES = 256, WHERE = SHARED_ADDRESS + 64, NUMBER = 24 };

/// ---- what the file knows -------------------------------------------------------------------------------------------

/// A number that SQLite answers, and a text beside it (unless NULL).
static bool ask_file(sqlite3 *db, const char *sql, long long *number, char text[SHARED_DATABASE], Status *status)
{
    sqlite3_stmt *row = NULL;
    bool good = sqlite3_prepare_v2(db, sql, -1, &row, NULL) == SQLITE_OK && sqlite3_step(row) == SQLITE_ROW;
    if (good) {
        *number = sqlite3_column_int64(row, 0);
        if (text != NULL) {
            snprintf(text, SHARED_DATABASE, "%s", (const char *)sqlite3_column_text(row, 1));
        }
    } else {
        shared_fail_file(db, status);
    }
    sqlite3_finalize(row);
    return good;
}

static bool known(sqlite3 *db, SharedServer *server, Status *status)
{
    return ask_file(db, "SELECT changes, database FROM server", &server->changes, server->database, status);
}

/// Commits when `good`, else takes back.
static bool end_file(sqlite3 *db, bool good, Status *status)
{
    good = good && shared_run_file(db, "COMMIT", status);
    if (!good && sqlite3_get_autocommit(db) == 0) {
        Status unused;
        shared_run_file(db, "ROLLBACK", &unused);
    }
    return good;
}

/// Runs a statement of one text.
static bool run_text(sqlite3 *db, const char *sql, const char *text, Status *status)
{
    sqlite3_stmt *row = NULL;
    bool good = sqlite3_prepare_v2(db, sql, -1, &row, NULL) == SQLITE_OK;
    if (good) {
        sqlite3_bind_text(row, 1, text, -1, SQLITE_STATIC);
        good = sqlite3_step(row) == SQLITE_DONE;
    }
    if (!good) {
        shared_fail_file(db, status);
    }
    sqlite3_finalize(row);
    return good;
}

bool shared_recognize(SharedLink *link, sqlite3 *db, Status *status)
{
    static const char again[] =
        "UPDATE outbox SET sent = 0 WHERE kind = 0;"
        "INSERT INTO outbox(uuid, kind, class, trainee, at, sent) SELECT lower(hex(randomblob(16))), 1, c.name, t.name,"
        " strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), 0 FROM membership m JOIN class c ON c.id = m.class JOIN trainee t ON"
        " t.id = m.trainee;";
    SharedServer here, there;
    if (!shared_server(link, &there, status) || !known(db, &here, status)) {
        return false;
    }
    bool same = strcmp(here.database, there.database) == 0;
    if (same && there.changes >= here.changes) {
        return true;
    }
    bool first = here.database[0] == '\0';
    return shared_run_file(db, "BEGIN IMMEDIATE", status) &&
           end_file(db,
                    (first || shared_run_file(db, again, status)) &&
                        run_text(db, "UPDATE server SET changes = 0, gone = 0, database = ?", there.database, status),
                    status);
}

/// ---- rows ----------------------------------------------------------------------------------------------------------

/// One table that is copied: each row of the answer is a JSON object, whose values the statement takes.
typedef struct Copied {
    const char *name; ///< for messages
    const char *ask;
    const char *insert;
    int count;
    SharedColumn columns[5];
} Copied;

#define NAME(key, bytes)                                                                                               \
    {                                                                                                                  \
        .name = (key), .is_text = true, .most = (bytes)                                                                \
    }

/// Who was deleted, as hashes: what began before may not come back. A row without a time takes that back.
static const Copied hash_table = {
    "deleted name",
    "SELECT row_to_json(x) FROM (SELECT encode(name_hash, 'hex') AS name_hash, gone, id FROM trainee_gone WHERE id >"
    " $1::bigint ORDER BY id) x",
    "INSERT OR REPLACE INTO trainee_gone(name_hash, gone) SELECT ?1, ?2 WHERE ?3 > 0",
    3,
    {NAME("name_hash", 64),
     {.name = "gone", .is_text = true, .may_lack = true, .most = SHARED_TIME - 1},
     {.name = "id", .least = 1.0, .most = 1e15}}};

static const Copied gone_table = {
    "deleted trainee",
    "SELECT row_to_json(x) FROM (SELECT n.name AS trainee, g.gone, (g.change > $1::bigint)::int AS fresh FROM"
    " json_array_elements_text($2::json) AS n(name) JOIN trainee_gone g ON g.name_hash ="
    " sha256(convert_to(n.name, 'UTF8')) WHERE g.gone <> '' ORDER BY g.id) x",
    "DELETE FROM attempt WHERE trainee = (SELECT id FROM trainee WHERE name = ?1) AND (started < ?2 OR (started = ?2"
    " AND ?3))", // what began in the same second was deleted, or came later and is copied after this
    3,
    {NAME("trainee", SHARED_NAME - 1), NAME("gone", SHARED_TIME - 1), {.name = "fresh", .least = 0.0, .most = 1.0}}};

static const Copied people_tables[] = {
    {"trainee",
     "SELECT row_to_json(x) FROM (SELECT name, created FROM trainee ORDER BY id) x",
     "INSERT OR IGNORE INTO trainee(name, created) VALUES(?,?)",
     2,
     {NAME("name", SHARED_NAME - 1), NAME("created", SHARED_TIME - 1)}},
    {"class",
     "SELECT row_to_json(x) FROM (SELECT name FROM class ORDER BY id) x",
     "INSERT INTO class(name) VALUES(?)",
     1,
     {NAME("name", SHARED_NAME - 1)}},
    {"membership",
     "SELECT row_to_json(x) FROM (SELECT c.name AS class, t.name AS trainee FROM membership m JOIN class c ON"
     " c.id = m.class JOIN trainee t ON t.id = m.trainee ORDER BY m.class, m.trainee) x",
     "INSERT INTO membership SELECT c.id, t.id FROM class c, trainee t WHERE c.name = ? AND t.name = ?",
     2,
     {NAME("class", SHARED_NAME - 1), NAME("trainee", SHARED_NAME - 1)}},
    {"course_progress",
     "SELECT row_to_json(x) FROM (SELECT t.name AS trainee, p.course, p.scene, p.passed, p.best FROM course_progress p"
     " JOIN trainee t ON t.id = p.trainee ORDER BY p.trainee, p.course, p.scene) x",
     "INSERT INTO course_progress SELECT t.id, ?2, ?3, ?4, ?5 FROM trainee t WHERE t.name = ?1",
     5,
     {NAME("trainee", SHARED_NAME - 1),
      NAME("course", 63),
      NAME("scene", 63),
      NAME("passed", SHARED_TIME - 1),
      {.name = "best", .least = 0.0, .most = 100.0}}},
};
enum { PEOPLE_TABLES = sizeof people_tables / sizeof people_tables[0] };

/// The JSON object of a row; NULL with `status`. The caller owns it.
static json_t *read_row(const PGresult *answer, int row, const char *where, Status *status)
{
    json_error_t error;
    json_t *object = PQnfields(answer) == 1
                         ? json_loadb(PQgetvalue(answer, row, 0), (size_t)PQgetlength(answer, row, 0), 0, &error)
                         : NULL;
    if (!json_is_object(object)) {
        status_fail(status, STATUS_BAD_FILE, "%s: the server answers no row", where);
        json_decref(object);
        return NULL;
    }
    return object;
}

/// Steps a statement whose values are bound.
static bool step(sqlite3 *db, sqlite3_stmt *statement, Status *status)
{
    bool good = sqlite3_step(statement) == SQLITE_DONE || shared_fail_file(db, status);
    sqlite3_reset(statement);
    sqlite3_clear_bindings(statement);
    return good;
}

static bool copy_table(sqlite3 *db, const char *shown, const Copied *table, const PGresult *answer, Status *status)
{
    char where[WHERE];
    sqlite3_stmt *statement = NULL;
    snprintf(where, sizeof where, "%s: %s", shown, table->name);
    bool good =
        sqlite3_prepare_v2(db, table->insert, -1, &statement, NULL) == SQLITE_OK || shared_fail_file(db, status);
    for (int k = 0; k < PQntuples(answer) && good; k++) {
        json_t *row = read_row(answer, k, where, status);
        good = row != NULL && shared_bind(statement, 1, table->columns, table->count, row, where, status) &&
               step(db, statement, status);
        json_decref(row);
    }
    sqlite3_finalize(statement);
    return good;
}

/// ---- people --------------------------------------------------------------------------------------------------------

/// The names of the file's trainees as JSON; NULL with `status`. The caller frees it.
static char *names(sqlite3 *db, Status *status)
{
    sqlite3_stmt *row = NULL;
    json_t *array = json_array();
    int code = sqlite3_prepare_v2(db, "SELECT name FROM trainee", -1, &row, NULL);
    while (code == SQLITE_OK && sqlite3_step(row) == SQLITE_ROW) {
        json_t *name = shared_row_array(row);
        json_array_append(array, json_array_get(name, 0));
        json_decref(name);
    }
    sqlite3_finalize(row);
    char *text = json_dumps(array, JSON_COMPACT);
    json_decref(array);
    if (text == NULL) {
        status_fail(status, STATUS_LACKING, "out of memory for the trainees");
    }
    return text;
}

/// Notes the recordings of attempts that are about to go: whoever deleted them did so at another station, and those
/// that lie here are left.
static const Copied left_table = {
    "deleted trainee",
    NULL,
    "INSERT OR IGNORE INTO left_recording SELECT recording, recording_hash, strftime('%Y-%m-%dT%H:%M:%SZ', 'now') FROM"
    " attempt WHERE trainee = (SELECT id FROM trainee WHERE name = ?1) AND (started < ?2 OR (started = ?2 AND ?3)) AND"
    " recording <> '' AND cleared = ''",
    3,
    {NAME("trainee", SHARED_NAME - 1), NAME("gone", SHARED_TIME - 1), {.name = "fresh", .least = 0.0, .most = 1.0}}};

/// Who stands in the file: those of attempts stay until their deletion is told, which comes first.
static bool put_people(sqlite3 *db, const char *shown, PGresult *const *answers, Status *status)
{
    bool good = copy_table(db, shown, &left_table, answers[PEOPLE_TABLES], status) &&
                copy_table(db, shown, &gone_table, answers[PEOPLE_TABLES], status) &&
                shared_run_file(db,
                                "DELETE FROM course_progress; DELETE FROM membership; DELETE FROM class;"
                                "DELETE FROM trainee WHERE NOT EXISTS (SELECT 1 FROM attempt a WHERE a.trainee = "
                                "trainee.id)",
                                status);
    for (int k = 0; k < PEOPLE_TABLES && good; k++) {
        good = copy_table(db, shown, &people_tables[k], answers[k], status);
    }
    return good;
}

/// `*waits`: something is to be sent, and nothing was put.
static bool fetch_people(SharedLink *link, sqlite3 *db, long long last, bool *waits, Status *status)
{
    PGresult *answers[PEOPLE_TABLES + 1] = {0};
    char change[NUMBER];
    char *trainees = names(db, status);
    const char *const values[] = {change, trainees};
    snprintf(change, sizeof change, "%lld", last);
    bool good = trainees != NULL;
    for (int k = 0; k < PEOPLE_TABLES && good; k++) {
        answers[k] = shared_ask(link, people_tables[k].ask, 0, NULL, status);
        good = answers[k] != NULL;
    }
    if (good) {
        answers[PEOPLE_TABLES] = shared_ask(link, gone_table.ask, 2, values, status);
        good = answers[PEOPLE_TABLES] != NULL && shared_run_file(db, "BEGIN IMMEDIATE", status);
    }
    if (good) {
        long long count = 0;
        good = ask_file(db, "SELECT count(*) FROM outbox WHERE sent = 0", &count, NULL, status);
        *waits = count > 0;
        good = end_file(db, good && (*waits || put_people(db, link->shown, answers, status)), status);
    }
    for (int k = 0; k <= PEOPLE_TABLES; k++) {
        PQclear(answers[k]);
    }
    free(trainees);
    return good;
}

/// ---- attempts ------------------------------------------------------------------------------------------------------

/// Deletions are told to every station once, and to a new one all of them.
static bool fetch_gone(SharedLink *link, sqlite3 *db, Status *status)
{
    char last[NUMBER], sql[128];
    const char *const values[] = {last};
    long long known_id = 0;
    if (!ask_file(db, "SELECT gone FROM server", &known_id, NULL, status)) {
        return false;
    }
    snprintf(last, sizeof last, "%lld", known_id);
    PGresult *answer = shared_ask(link, hash_table.ask, 1, values, status);
    bool good = answer != NULL;
    if (good && PQntuples(answer) > 0) {
        json_t *row = read_row(answer, PQntuples(answer) - 1, link->shown, status);
        snprintf(sql, sizeof sql, "DELETE FROM trainee_gone WHERE gone = ''; UPDATE server SET gone = %lld",
                 (long long)json_integer_value(json_object_get(row, "id")));
        json_decref(row);
        good =
            row != NULL && shared_run_file(db, "BEGIN IMMEDIATE", status) &&
            end_file(db, copy_table(db, link->shown, &hash_table, answer, status) && shared_run_file(db, sql, status),
                     status);
    }
    PQclear(answer);
    return good;
}

/// The statements that put an attempt.
typedef struct Putting {
    sqlite3_stmt *known, *again, *attempt, *metric, *score;
} Putting;

static bool prepare(sqlite3 *db, Putting *putting, Status *status)
{
    static const char attempt[] =
        "INSERT OR IGNORE INTO attempt(" SHARED_ATTEMPT_COLUMNS
        ", trainee) VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,(SELECT id FROM trainee WHERE name = ?))";
    return (sqlite3_prepare_v2(db, "SELECT 1 FROM attempt WHERE uuid = ?", -1, &putting->known, NULL) == SQLITE_OK &&
            sqlite3_prepare_v2(db, "UPDATE attempt SET cleared = ? WHERE uuid = ?", -1, &putting->again, NULL) ==
                SQLITE_OK &&
            sqlite3_prepare_v2(db, attempt, -1, &putting->attempt, NULL) == SQLITE_OK &&
            sqlite3_prepare_v2(db, "INSERT OR IGNORE INTO attempt_metric VALUES(?,?,?,?)", -1, &putting->metric,
                               NULL) == SQLITE_OK &&
            sqlite3_prepare_v2(db, "INSERT OR IGNORE INTO attempt_score VALUES(?,?,?,?,?,?,?,?)", -1, &putting->score,
                               NULL) == SQLITE_OK) ||
           shared_fail_file(db, status);
}

static bool check_count(const json_t *rows, const char *what, const char *where, Status *status)
{
    return (json_is_array(rows) && json_array_size(rows) <= MOST_FIGURES) ||
           status_fail(status, STATUS_BAD_FILE, "%s: %s: read %zu, allowed are %d", where, what, json_array_size(rows),
                       MOST_FIGURES);
}

static bool put_figures(sqlite3 *db, const Putting *putting, int64_t id, const json_t *row, const char *where,
                        Status *status)
{
    const json_t *metrics = json_object_get(row, "metrics"), *scores = json_object_get(row, "scores");
    bool good = check_count(metrics, "metrics", where, status) && check_count(scores, "scores", where, status);
    for (size_t k = 0; good && k < json_array_size(metrics); k++) {
        sqlite3_bind_int64(putting->metric, 1, id);
        good = shared_bind(putting->metric, 2, shared_metric_columns, 3, json_array_get(metrics, k), where, status) &&
               step(db, putting->metric, status);
    }
    for (size_t k = 0; good && k < json_array_size(scores); k++) {
        sqlite3_bind_int64(putting->score, 1, id);
        sqlite3_bind_int64(putting->score, 2, (sqlite3_int64)k);
        good = shared_bind(putting->score, 3, shared_score_columns, 6, json_array_get(scores, k), where, status) &&
               step(db, putting->score, status);
    }
    return good;
}

/// Of an attempt that is here already, only whether its recording was cleared may have changed.
static bool put_again(sqlite3 *db, const Putting *putting, const json_t *row, const char *uuid, const char *where,
                      bool *known, Status *status)
{
    static const SharedColumn columns[] = {
        {.name = "cleared", .is_text = true, .may_lack = true, .most = SHARED_TIME - 1}, NAME("uuid", 39)};
    sqlite3_bind_text(putting->known, 1, uuid, -1, SQLITE_STATIC);
    *known = sqlite3_step(putting->known) == SQLITE_ROW;
    sqlite3_reset(putting->known);
    return !*known ||
           (shared_bind(putting->again, 1, columns, 2, row, where, status) && step(db, putting->again, status));
}

static bool put_attempt(sqlite3 *db, const Putting *putting, const json_t *row, const char *shown, Status *status)
{
    char where[WHERE];
    const char *uuid = json_string_value(json_object_get(row, "uuid"));
    bool known_here = false;
    snprintf(where, sizeof where, "%s: attempt %.40s", shown, uuid != NULL ? uuid : "");
    if (uuid != NULL && !put_again(db, putting, row, uuid, where, &known_here, status)) {
        return false;
    }
    if (known_here) {
        return true;
    }
    return shared_bind(putting->attempt, 1, shared_attempt_columns, SHARED_ATTEMPT_COUNT, row, where, status) &&
           step(db, putting->attempt, status) &&
           (sqlite3_changes(db) == 0 || put_figures(db, putting, sqlite3_last_insert_rowid(db), row, where, status));
}

/// One page of attempts, and up to which change the file then knows all.
static bool put_page(sqlite3 *db, const char *shown, const PGresult *answer, long long *change, long long *id,
                     Status *status)
{
    Putting putting = {0};
    char sql[64];
    long long all = *change;
    bool good = prepare(db, &putting, status);
    for (int k = 0; k < PQntuples(answer) && good; k++) {
        json_t *row = read_row(answer, k, shown, status);
        good = row != NULL && put_attempt(db, &putting, row, shown, status);
        long long next = json_integer_value(json_object_get(row, "change"));
        all = next > *change ? next - 1 : all;
        *change = next;
        *id = json_integer_value(json_object_get(row, "id"));
        json_decref(row);
    }
    sqlite3_finalize(putting.known);
    sqlite3_finalize(putting.again);
    sqlite3_finalize(putting.attempt);
    sqlite3_finalize(putting.metric);
    sqlite3_finalize(putting.score);
    snprintf(sql, sizeof sql, "UPDATE server SET changes = max(changes, %lld)", all);
    return good && shared_run_file(db, sql, status);
}

static bool fetch_attempts(SharedLink *link, sqlite3 *db, long long last, Status *status)
{
    static const char ask[] =
        "SELECT row_to_json(x) FROM (SELECT a.change, a.id, " SHARED_ATTEMPT_COLUMNS
        ", coalesce((SELECT name FROM trainee t WHERE t.id = a.trainee), '') AS trainee,"
        " coalesce((SELECT json_agg(json_build_array(m.name, m.unit, m.value)) FROM attempt_metric m WHERE"
        " m.attempt = a.id), '[]') AS metrics,"
        " coalesce((SELECT json_agg(json_build_array(s.label, s.\"group\", s.weight, s.value, s.share, s.points)"
        " ORDER BY s.\"row\") FROM attempt_score s WHERE s.attempt = a.id), '[]') AS scores"
        " FROM attempt a WHERE (a.change, a.id) > ($1::bigint, $2::bigint) ORDER BY a.change, a.id LIMIT 200) x";
    long long change = last, id = INT64_MAX;
    for (int count = PAGE; count == PAGE;) {
        char after[2][NUMBER];
        const char *const values[] = {after[0], after[1]};
        long long before = change, before_id = id;
        snprintf(after[0], NUMBER, "%lld", change);
        snprintf(after[1], NUMBER, "%lld", id);
        PGresult *answer = shared_ask(link, ask, 2, values, status);
        bool good = answer != NULL && shared_run_file(db, "BEGIN IMMEDIATE", status) &&
                    end_file(db, put_page(db, link->shown, answer, &change, &id, status), status);
        count = answer != NULL ? PQntuples(answer) : 0;
        PQclear(answer);
        if (good && count == PAGE && (change < before || (change == before && id <= before_id))) {
            good = status_fail(status, STATUS_BAD_FILE, "%s: the server answers out of order", link->shown);
        }
        if (!good) {
            return false;
        }
    }
    return true;
}

/// ---- all of it -----------------------------------------------------------------------------------------------------

/// Inside a transaction of the server, which shows one moment.
static bool fetch(SharedLink *link, sqlite3 *db, Status *status)
{
    SharedServer here, there;
    bool waits = false;
    char sql[128];
    if (!shared_server(link, &there, status) || !known(db, &here, status)) {
        return false;
    }
    if (!fetch_gone(link, db, status)) {
        return false;
    }
    if (there.changes > here.changes && (!fetch_people(link, db, here.changes, &waits, status) ||
                                         (!waits && !fetch_attempts(link, db, here.changes, status)))) {
        return false;
    }
    snprintf(sql, sizeof sql, "UPDATE server SET changes = %lld, seen = strftime('%%Y-%%m-%%dT%%H:%%M:%%SZ', 'now')",
             there.changes);
    return waits || shared_run_file(db, sql, status);
}

bool shared_fetch(SharedLink *link, sqlite3 *db, Status *status)
{
    return shared_run(link, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", 0, NULL, NULL, status) &&
           shared_end(link, fetch(link, db, status), status);
}
