/// Results that stations share: exchanges with the server, and messages about them. docs/shared-results.md describes
/// the tables and the guarantees.
///
/// An exchange connects, checks whose database it is, sends what waits, and copies what is new. It never waits longer
/// than its patience, changes nothing on a server that is not its own, and may be ended at any moment: what was not
/// confirmed is sent again, and known again by its uuid.
///
/// Sending: the uuid of an operation makes that it counts once, however often it is sent; an attempt's uuid is unique,
/// and what is done with people is noted in the table `operation` by the transaction that does it. Copying: each writer
/// takes the next number on the server and notes it in its rows, so that rows of a number above the last one known are
/// those that are missing here. Trainees, classes and progress are small and copied whole.
#include "trainer/results/results_shared.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trainer/results/results_json.h"
#include "trainer/results/results_store_internal.h"

/// ---- what the file knows of its server -----------------------------------------------------------------------------

/// What a file knows of its server.
typedef struct SharedState {
    int waiting; ///< operations that were not sent yet
    int refused; ///< operations that the server did not take, for what they are; they stay in the file
    char seen[RESULT_TIME]; ///< UTC: of when the copy is; "" = none yet
    char fault[512]; ///< why the last exchange failed; "" = it did not
    bool rests; ///< the server let the last exchange wait, less than SHARED_REST s ago: better not to ask it now
} SharedState;

enum { SHARED_REST = 30 };

/// Reads it. False: SQLite tells why.
static bool read_state(sqlite3 *db, SharedState *state)
{
    static const char sql[] = "SELECT (SELECT count(*) FROM outbox WHERE sent = 0), (SELECT count(*) FROM outbox WHERE "
                              "sent = 2), seen, fault,"
                              " rests - strftime('%s', 'now') FROM server";
    sqlite3_stmt *row = NULL;
    *state = (SharedState){0};
    bool good = sqlite3_prepare_v2(db, sql, -1, &row, NULL) == SQLITE_OK && sqlite3_step(row) == SQLITE_ROW;
    if (good) {
        state->waiting = sqlite3_column_int(row, 0);
        state->refused = sqlite3_column_int(row, 1);
        snprintf(state->seen, sizeof state->seen, "%s", (const char *)sqlite3_column_text(row, 2));
        snprintf(state->fault, sizeof state->fault, "%s", (const char *)sqlite3_column_text(row, 3));
        int left = sqlite3_column_int(row, 4); // s
        state->rests = left > 0 && left <= SHARED_REST;
    }
    sqlite3_finalize(row);
    return good;
}

/// Notes how an exchange went: `fault` is "" when it went well. A file that cannot take it tells so elsewhere.
/// slow  the server let it wait: it is left alone for SHARED_REST s
static void note_outcome(sqlite3 *db, const char *fault, bool slow)
{
    static const char sql[] =
        "UPDATE server SET fault = ?1, rests = CASE WHEN ?2 THEN strftime('%s', 'now') + ?3 ELSE 0 END"
        " WHERE fault <> ?1 OR ?2";
    sqlite3_stmt *row = NULL;
    if (sqlite3_prepare_v2(db, sql, -1, &row, NULL) == SQLITE_OK) {
        sqlite3_bind_text(row, 1, fault, -1, SQLITE_STATIC);
        sqlite3_bind_int(row, 2, slow);
        sqlite3_bind_int(row, 3, SHARED_REST);
        sqlite3_step(row);
    }
    sqlite3_finalize(row);
}

/// ---- sending -------------------------------------------------------------------------------------------------------

enum { BATCH_MOST = 100, CHANGE_TEXT = 96 };

/// One operation that waits.
typedef struct Waiting {
    int64_t id;
    SharedKind kind;
    char uuid[RESULT_UUID], class_name[RESULT_NAME], trainee[RESULT_COMMENT], at[RESULT_TIME];
} Waiting;

typedef struct Batch {
    int count;
    Waiting operations[BATCH_MOST]; ///< in the order in which they were done
} Batch;

/// ---- the file ------------------------------------------------------------------------------------------------------

/// Fails with what SQLite tells. Returns false.
static bool fail_file(sqlite3 *db, Status *status)
{
    return status_fail(status, STATUS_LACKING, "%s: %s", sqlite3_db_filename(db, "main"), sqlite3_errmsg(db));
}

/// Runs statements without values in the file. False with `status`.
static bool run_file(sqlite3 *db, const char *sql, Status *status)
{
    return sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK || fail_file(db, status);
}

/// Reads the first operations that wait, `most` of them.
static bool read_batch(sqlite3 *db, Batch *batch, int most, Status *status)
{
    static const char sql[] = "SELECT id, kind, uuid, class, trainee, at FROM outbox WHERE sent = 0 ORDER BY id "
                              "LIMIT ?";
    sqlite3_stmt *row = NULL;
    batch->count = 0;
    int code = sqlite3_prepare_v2(db, sql, -1, &row, NULL);
    if (code == SQLITE_OK) {
        sqlite3_bind_int(row, 1, most);
        while ((code = sqlite3_step(row)) == SQLITE_ROW && batch->count < BATCH_MOST) {
            Waiting *one = &batch->operations[batch->count++];
            one->id = sqlite3_column_int64(row, 0);
            one->kind = (SharedKind)sqlite3_column_int(row, 1);
            results_column(row, 2, one->uuid, sizeof one->uuid);
            results_column(row, 3, one->class_name, sizeof one->class_name);
            results_column(row, 4, one->trainee, sizeof one->trainee);
            results_column(row, 5, one->at, sizeof one->at);
        }
    }
    bool good = code == SQLITE_DONE || fail_file(db, status);
    sqlite3_finalize(row);
    return good;
}

/// Marks a batch: 1 sent, 2 refused. What was done with people is forgotten with their names; attempts stay known as
/// this station's own.
static bool mark_sent(sqlite3 *db, const Batch *batch, int sent, Status *status)
{
    char sql[2 * CHANGE_TEXT];
    snprintf(sql, sizeof sql, "UPDATE outbox SET sent = %d WHERE sent = 0 AND id BETWEEN %lld AND %lld", sent,
             (long long)batch->operations[0].id, (long long)batch->operations[batch->count - 1].id);
    return run_file(db, sql, status) && run_file(db, "DELETE FROM outbox WHERE sent = 1 AND kind <> 0", status);
}

/// ---- attempts ------------------------------------------------------------------------------------------------------

static json_t *rows_of(sqlite3 *db, const char *sql, int64_t attempt)
{
    sqlite3_stmt *row = NULL;
    json_t *rows = json_array();
    if (sqlite3_prepare_v2(db, sql, -1, &row, NULL) == SQLITE_OK) {
        sqlite3_bind_int64(row, 1, attempt);
        while (sqlite3_step(row) == SQLITE_ROW) {
            json_array_append_new(rows, shared_row_array(row));
        }
    }
    sqlite3_finalize(row);
    return rows;
}

/// Adds an attempt; one that is no longer there, since its trainee was deleted, is left out.
static bool append_attempt(sqlite3 *db, const char *uuid, json_t *attempts, Status *status)
{
    static const char sql[] =
        "SELECT " RESULT_COLUMNS ", coalesce((SELECT name FROM trainee t WHERE t.id = attempt.trainee), '') AS trainee,"
        " coalesce((SELECT created FROM trainee t WHERE t.id = attempt.trainee), '') AS created,"
        " id FROM attempt WHERE uuid = ?";
    sqlite3_stmt *row = NULL;
    int code = sqlite3_prepare_v2(db, sql, -1, &row, NULL);
    if (code == SQLITE_OK) {
        sqlite3_bind_text(row, 1, uuid, -1, SQLITE_STATIC);
        code = sqlite3_step(row);
    }
    if (code == SQLITE_ROW) {
        int64_t id = sqlite3_column_int64(row, (RESULT_COLUMN_COUNT + 1) + 1);
        json_t *attempt = shared_row_object(row);
        json_object_del(attempt, "id");
        json_object_set_new(
            attempt, "metrics",
            rows_of(db, "SELECT name, unit, value FROM attempt_metric WHERE attempt = ? ORDER BY name", id));
        json_object_set_new(attempt, "scores",
                            rows_of(db,
                                    "SELECT label, \"group\", weight, value, share, points FROM attempt_score WHERE "
                                    "attempt = ? ORDER BY row",
                                    id));
        json_array_append_new(attempts, attempt);
    }
    bool good = code == SQLITE_ROW || code == SQLITE_DONE || fail_file(db, status);
    sqlite3_finalize(row);
    return good;
}

/// The rows of $1, a JSON array.
#define SENT                                                                                                           \
    "json_to_recordset($1::json) AS a(uuid text, trainee text, created text, scene text, title text, course text, "    \
    "started text, duration float8, score float8, passed integer, finished integer, \"end\" text, operator text, "     \
    "machine text, build text, recording text, recording_hash text, recording_seal text, parent text, driver text, "   \
    "clumsy float8, parent_at float8, language text, station text, cleared text, changed text, "                       \
    "comment text, grade text, commented text, metrics json, scores json)"
/// True of a trainee who was deleted after that moment.
#define GONE(name, moment)                                                                                             \
    "EXISTS (SELECT 1 FROM trainee_gone g WHERE g.name_hash = sha256(convert_to(" name ", 'UTF8')) AND " moment        \
    " < g.gone)"
/// What this transaction has added of $1.
#define ADDED SENT " JOIN attempt t ON t.uuid = a.uuid AND t.change = $2::bigint"

static const char *const attempt_statements[] = {
    "INSERT INTO trainee(name, created) SELECT DISTINCT ON (a.trainee) a.trainee, a.created FROM " SENT
    " WHERE a.trainee <> '' AND $2::bigint > 0 AND NOT " GONE("a.trainee",
                                                              "a.started") " ON CONFLICT (name) DO NOTHING",
    "INSERT INTO attempt(change, trainee, " RESULT_COLUMNS ") SELECT $2::bigint, t.id, a.uuid, a.scene, a.title,"
    " a.course, a.started, a.duration, a.score, a.passed, a.finished, a.\"end\", a.operator, a.machine, a.build,"
    " a.recording, a.recording_hash, a.recording_seal, a.parent, a.driver, a.clumsy, a.parent_at, a.language, "
    "a.station,"
    " a.cleared, a.changed, a.comment, a.grade, a.commented FROM " SENT " LEFT JOIN trainee t ON t.name = a.trainee"
    " WHERE a.trainee = '' OR NOT " GONE("a.trainee", "a.started") " ON CONFLICT (uuid) DO NOTHING",
    "INSERT INTO attempt_metric SELECT t.id, m.v->>0, m.v->>1, (m.v->>2)::float8 FROM " ADDED
    ", json_array_elements(a.metrics) AS m(v) ON CONFLICT DO NOTHING",
    "INSERT INTO attempt_score SELECT t.id, s.n - 1, s.v->>0, s.v->>1, (s.v->>2)::float8, (s.v->>3)::float8,"
    " (s.v->>4)::float8, (s.v->>5)::float8 FROM " ADDED
    ", json_array_elements(a.scores) WITH ORDINALITY AS s(v, n) ON CONFLICT DO NOTHING",
    "INSERT INTO course_progress(trainee, course, scene, passed, best) SELECT t.trainee, t.course, t.scene,"
    " min(t.started), max(t.score) FROM " ADDED " WHERE t.passed <> 0 AND t.course <> '' AND t.trainee IS NOT NULL"
    " GROUP BY 1, 2, 3 ON CONFLICT (trainee, course, scene) DO UPDATE SET best = greatest(course_progress.best,"
    " excluded.best), passed = least(course_progress.passed, excluded.passed)",
};
enum { ATTEMPT_STATEMENTS = sizeof attempt_statements / sizeof attempt_statements[0] };

static bool send_attempts(SharedLink *link, json_t *attempts, const char *change, Status *status)
{
    char *text = json_dumps(attempts, JSON_COMPACT | JSON_REAL_PRECISION(17));
    if (text == NULL) {
        return status_fail(status, STATUS_LACKING, "out of memory for the attempts");
    }
    const char *const values[] = {text, change};
    bool good = true;
    for (int k = 0; k < ATTEMPT_STATEMENTS && good; k++) {
        good = shared_run(link, attempt_statements[k], 2, values, NULL, status);
    }
    free(text);
    return good;
}

/// ---- people --------------------------------------------------------------------------------------------------------

/// $1 the class, $2 the trainee, $3 when, $4 the change. Every statement names all of them, so that all take the same.
#define VALUES                                                                                                         \
    "(SELECT $1::text AS class, $2::text AS trainee, $3::text COLLATE \"C\" AS at, $4::bigint AS change) AS o"
#define NO_MEMBER                                                                                                      \
    "DELETE FROM class c USING " VALUES " WHERE NOT EXISTS (SELECT 1 FROM membership m WHERE m.class = c.id)"

static const char *const join_statements[] = {
    "INSERT INTO trainee(name, created) SELECT o.trainee, o.at FROM " VALUES
    " WHERE NOT " GONE("o.trainee", "o.at") " ON CONFLICT (name) DO NOTHING",
    "INSERT INTO class(name) SELECT o.class FROM " VALUES " ON CONFLICT (name) DO NOTHING",
    "INSERT INTO membership SELECT c.id, t.id FROM " VALUES " JOIN class c ON c.name = o.class JOIN trainee t ON"
    " t.name = o.trainee WHERE NOT " GONE("o.trainee", "o.at") " ON CONFLICT DO NOTHING",
    NO_MEMBER, NULL};

static const char *const leave_statements[] = {
    "DELETE FROM membership m USING class c, trainee t, " VALUES
    " WHERE m.class = c.id AND m.trainee = t.id AND c.name = o.class AND t.name = o.trainee",
    NO_MEMBER, NULL};

static const char *const delete_statements[] = {
    "DELETE FROM attempt a USING trainee t, " VALUES
    " WHERE a.trainee = t.id AND t.name = o.trainee AND a.started <= o.at",
    "DELETE FROM membership m USING trainee t, " VALUES " WHERE m.trainee = t.id AND t.name = o.trainee",
    "DELETE FROM course_progress p USING trainee t, " VALUES " WHERE p.trainee = t.id AND t.name = o.trainee",
    "INSERT INTO course_progress(trainee, course, scene, passed, best) SELECT a.trainee, a.course, a.scene,"
    " min(a.started), max(a.score) FROM attempt a JOIN trainee t ON t.id = a.trainee JOIN " VALUES
    " ON t.name = o.trainee WHERE a.passed <> 0 AND a.course <> '' GROUP BY 1, 2, 3",
    "DELETE FROM trainee t USING " VALUES
    " WHERE t.name = o.trainee AND NOT EXISTS (SELECT 1 FROM attempt a WHERE a.trainee = t.id)",
    "INSERT INTO trainee_gone(change, name_hash, gone) SELECT o.change, sha256(convert_to(o.trainee, 'UTF8')), o.at"
    " FROM " VALUES,
    NO_MEMBER,
    NULL};

/// A row without a time tells stations that what they know of the deletion is over.
static const char *const restore_statements[] = {
    "DELETE FROM trainee_gone g USING " VALUES " WHERE g.name_hash = sha256(convert_to(o.trainee, 'UTF8'))",
    "INSERT INTO trainee_gone(change, name_hash, gone) SELECT o.change, sha256(convert_to(o.trainee, 'UTF8')), '' "
    "FROM " VALUES " WHERE o.at <> ''",
    NULL};

static const char *const cleared_statements[] = {"UPDATE attempt a SET cleared = o.at, change = o.change FROM " VALUES
                                                 " WHERE a.uuid = o.class AND o.trainee IS NOT NULL",
                                                 NULL};

/// Of two stations that say something of one attempt, the later one is right.
#define REMARK(column)                                                                                                 \
    {                                                                                                                  \
        "UPDATE attempt a SET " column " = o.trainee, commented = o.at, change = o.change FROM " VALUES                \
        " WHERE a.uuid = o.class AND a.commented <= o.at",                                                             \
            NULL                                                                                                       \
    }
static const char *const comment_statements[] = REMARK("comment");
static const char *const grade_statements[] = REMARK("grade");

static const char *const *const statements_of[] = {
    [SHARED_JOIN] = join_statements,       [SHARED_LEAVE] = leave_statements,     [SHARED_DELETE] = delete_statements,
    [SHARED_RESTORE] = restore_statements, [SHARED_CLEARED] = cleared_statements, [SHARED_COMMENT] = comment_statements,
    [SHARED_GRADE] = grade_statements,
};

static bool send_people(SharedLink *link, const Waiting *one, const char *change, Status *status)
{
    const char *const *statements = statements_of[one->kind];
    const char *const values[] = {one->class_name, one->trainee, one->at, change};
    const char *const uuid[] = {one->uuid};
    int first = 0;
    bool good =
        shared_run(link, "INSERT INTO operation(uuid) VALUES($1) ON CONFLICT DO NOTHING", 1, uuid, &first, status);
    for (int k = 0; good && first == 1 && statements[k] != NULL; k++) {
        good = shared_run(link, statements[k], 4, values, NULL, status);
    }
    return good;
}

/// ---- batches -------------------------------------------------------------------------------------------------------

/// Takes the number of this transaction. A writer waits here for those before it, so that numbers are committed
/// in their order, and a reader who knows all up to one has missed none.
static bool take_change(SharedLink *link, char change[CHANGE_TEXT], Status *status)
{
    PGresult *answer =
        shared_ask(link, "UPDATE spadework_layout SET changes = changes + 1 RETURNING changes", 0, NULL, status);
    bool good = answer != NULL && PQntuples(answer) == 1 && PQgetlength(answer, 0, 0) < CHANGE_TEXT;
    if (good) {
        snprintf(change, CHANGE_TEXT, "%s", PQgetvalue(answer, 0, 0));
    } else if (answer != NULL) {
        status_fail(status, STATUS_BAD_FILE, "%s: its table spadework_layout is damaged", link->shown);
    }
    PQclear(answer);
    return good;
}

/// Reads the attempts of a batch in one moment of the file, by the number of their operation: nothing of the file is
/// held while the server is waited for. NULL with `status`.
static json_t *read_attempts(sqlite3 *db, const Batch *batch, Status *status)
{
    json_t *all = json_array();
    bool good = run_file(db, "BEGIN", status);
    for (int k = 0; k < batch->count && good; k++) {
        json_t *one = json_array();
        good =
            batch->operations[k].kind != SHARED_ATTEMPT || append_attempt(db, batch->operations[k].uuid, one, status);
        json_array_append_new(all, one);
    }
    Status unused;
    run_file(db, "ROLLBACK", &unused);
    if (!good) {
        json_decref(all);
        return NULL;
    }
    return all;
}

/// Inside a transaction: attempts that follow each other go together.
static bool send_operations(SharedLink *link, const Batch *batch, const json_t *all, Status *status)
{
    char change[CHANGE_TEXT];
    bool good = take_change(link, change, status);
    for (int k = 0; k < batch->count && good;) {
        if (batch->operations[k].kind != SHARED_ATTEMPT) {
            good = send_people(link, &batch->operations[k++], change, status);
            continue;
        }
        json_t *attempts = json_array();
        while (k < batch->count && batch->operations[k].kind == SHARED_ATTEMPT) {
            json_array_extend(attempts, json_array_get(all, (size_t)k++));
        }
        good = send_attempts(link, attempts, change, status);
        json_decref(attempts);
    }
    return good;
}

static bool send_batch(SharedLink *link, sqlite3 *db, const Batch *batch, Status *status)
{
    json_t *attempts = read_attempts(db, batch, status);
    bool good = attempts != NULL && shared_run(link, "BEGIN", 0, NULL, NULL, status) &&
                shared_end(link, send_operations(link, batch, attempts, status), status);
    json_decref(attempts);
    return good;
}

/// Is it what was sent that the server cannot take (data, a constraint, a limit), rather than its own state?
static bool is_refused(const SharedLink *link)
{
    return !link->broken && (strncmp(link->state, "22", 2) == 0 || strncmp(link->state, "23", 2) == 0 ||
                             strncmp(link->state, "54", 2) == 0);
}

/// Sends all that waits, in order, in transactions of at most a hundred operations; what a transaction has brought over
/// is marked in the file once it is committed. False with `status`.
/// sent  operations that the server has taken, also on failure
static bool send_waiting(SharedLink *link, sqlite3 *db, int *sent, Status *status)
{
    Batch *batch = malloc(sizeof *batch);
    int most = BATCH_MOST;
    if (batch == NULL) {
        return status_fail(status, STATUS_LACKING, "out of memory for the results");
    }
    bool good = true;
    while (good && (good = read_batch(db, batch, most, status)) && batch->count > 0) {
        if (send_batch(link, db, batch, status)) {
            good = mark_sent(db, batch, 1, status);
            *sent += good ? batch->count : 0;
        } else if (is_refused(link) && batch->count > 1) {
            most = 1; // one after the other, to find which
        } else {
            good = is_refused(link) && mark_sent(db, batch, 2, status);
        }
    }
    free(batch);
    return good;
}

/// ---- copying -------------------------------------------------------------------------------------------------------

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
        fail_file(db, status);
    }
    sqlite3_finalize(row);
    return good;
}

static bool read_known(sqlite3 *db, SharedServer *server, Status *status)
{
    return ask_file(db, "SELECT changes, database FROM server", &server->changes, server->database, status);
}

/// Commits when `good`, else takes back.
static bool end_file(sqlite3 *db, bool good, Status *status)
{
    good = good && run_file(db, "COMMIT", status);
    if (!good && sqlite3_get_autocommit(db) == 0) {
        Status unused;
        run_file(db, "ROLLBACK", &unused);
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
        fail_file(db, status);
    }
    sqlite3_finalize(row);
    return good;
}

/// Compares the database with the one that the file knows. One that was made anew, or put back to an earlier state, is
/// sent all again that this station has added, and all classes. False with `status`.
static bool recognize_server(SharedLink *link, sqlite3 *db, Status *status)
{
    static const char again[] =
        "UPDATE outbox SET sent = 0 WHERE kind = 0;"
        "INSERT INTO outbox(uuid, kind, class, trainee, at, sent) SELECT lower(hex(randomblob(16))), 1, c.name, t.name,"
        " strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), 0 FROM membership m JOIN class c ON c.id = m.class JOIN trainee t ON"
        " t.id = m.trainee;";
    SharedServer here, there;
    if (!shared_server(link, &there, status) || !read_known(db, &here, status)) {
        return false;
    }
    bool same = strcmp(here.database, there.database) == 0;
    if (same && there.changes >= here.changes) {
        return true;
    }
    bool first = here.database[0] == '\0';
    return run_file(db, "BEGIN IMMEDIATE", status) &&
           end_file(db,
                    (first || run_file(db, again, status)) &&
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
     {.name = "gone", .is_text = true, .may_lack = true, .most = RESULT_TIME - 1},
     {.name = "id", .least = 1.0, .most = 1e15}}};

static const Copied gone_table = {
    "deleted trainee",
    "SELECT row_to_json(x) FROM (SELECT n.name AS trainee, g.gone, (g.change > $1::bigint)::int AS fresh FROM"
    " json_array_elements_text($2::json) AS n(name) JOIN trainee_gone g ON g.name_hash ="
    " sha256(convert_to(n.name, 'UTF8')) WHERE g.gone <> '' ORDER BY g.id) x",
    "DELETE FROM attempt WHERE trainee = (SELECT id FROM trainee WHERE name = ?1) AND (started < ?2 OR (started = ?2"
    " AND ?3))", // what began in the same second was deleted, or came later and is copied after this
    3,
    {NAME("trainee", RESULT_NAME - 1), NAME("gone", RESULT_TIME - 1), {.name = "fresh", .least = 0.0, .most = 1.0}}};

static const Copied people_tables[] = {
    {"trainee",
     "SELECT row_to_json(x) FROM (SELECT name, created FROM trainee ORDER BY id) x",
     "INSERT OR IGNORE INTO trainee(name, created) VALUES(?,?)",
     2,
     {NAME("name", RESULT_NAME - 1), NAME("created", RESULT_TIME - 1)}},
    {"class",
     "SELECT row_to_json(x) FROM (SELECT name FROM class ORDER BY id) x",
     "INSERT INTO class(name) VALUES(?)",
     1,
     {NAME("name", RESULT_NAME - 1)}},
    {"membership",
     "SELECT row_to_json(x) FROM (SELECT c.name AS class, t.name AS trainee FROM membership m JOIN class c ON"
     " c.id = m.class JOIN trainee t ON t.id = m.trainee ORDER BY m.class, m.trainee) x",
     "INSERT INTO membership SELECT c.id, t.id FROM class c, trainee t WHERE c.name = ? AND t.name = ?",
     2,
     {NAME("class", RESULT_NAME - 1), NAME("trainee", RESULT_NAME - 1)}},
    {"course_progress",
     "SELECT row_to_json(x) FROM (SELECT t.name AS trainee, p.course, p.scene, p.passed, p.best FROM course_progress p"
     " JOIN trainee t ON t.id = p.trainee ORDER BY p.trainee, p.course, p.scene) x",
     "INSERT INTO course_progress SELECT t.id, ?2, ?3, ?4, ?5 FROM trainee t WHERE t.name = ?1",
     5,
     {NAME("trainee", RESULT_NAME - 1),
      NAME("course", 63),
      NAME("scene", 63),
      NAME("passed", RESULT_TIME - 1),
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
static bool step_row(sqlite3 *db, sqlite3_stmt *statement, Status *status)
{
    bool good = sqlite3_step(statement) == SQLITE_DONE || fail_file(db, status);
    sqlite3_reset(statement);
    sqlite3_clear_bindings(statement);
    return good;
}

static bool copy_table(sqlite3 *db, const char *shown, const Copied *table, const PGresult *answer, Status *status)
{
    char where[WHERE];
    sqlite3_stmt *statement = NULL;
    snprintf(where, sizeof where, "%s: %s", shown, table->name);
    bool good = sqlite3_prepare_v2(db, table->insert, -1, &statement, NULL) == SQLITE_OK || fail_file(db, status);
    for (int k = 0; k < PQntuples(answer) && good; k++) {
        json_t *row = read_row(answer, k, where, status);
        good = row != NULL && shared_bind(statement, 1, table->columns, table->count, row, where, status) &&
               step_row(db, statement, status);
        json_decref(row);
    }
    sqlite3_finalize(statement);
    return good;
}

/// ---- people --------------------------------------------------------------------------------------------------------

/// The names of the file's trainees as JSON; NULL with `status`. The caller frees it.
static char *trainee_names(sqlite3 *db, Status *status)
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

/// Notes the recordings of attempts that are about to go: they were deleted at another station, and those
/// that lie here are left.
static const Copied left_table = {
    "deleted trainee",
    NULL,
    "INSERT OR IGNORE INTO left_recording SELECT recording, recording_hash, strftime('%Y-%m-%dT%H:%M:%SZ', 'now') FROM"
    " attempt WHERE trainee = (SELECT id FROM trainee WHERE name = ?1) AND (started < ?2 OR (started = ?2 AND ?3)) AND"
    " recording <> '' AND cleared = ''",
    3,
    {NAME("trainee", RESULT_NAME - 1), NAME("gone", RESULT_TIME - 1), {.name = "fresh", .least = 0.0, .most = 1.0}}};

/// Who stands in the file: those of attempts stay until their deletion is sent, which comes first.
static bool put_people(sqlite3 *db, const char *shown, PGresult *const *answers, Status *status)
{
    bool good = copy_table(db, shown, &left_table, answers[PEOPLE_TABLES], status) &&
                copy_table(db, shown, &gone_table, answers[PEOPLE_TABLES], status) &&
                run_file(db,
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
    char *trainees = trainee_names(db, status);
    const char *const values[] = {change, trainees};
    snprintf(change, sizeof change, "%lld", last);
    bool good = trainees != NULL;
    for (int k = 0; k < PEOPLE_TABLES && good; k++) {
        answers[k] = shared_ask(link, people_tables[k].ask, 0, NULL, status);
        good = answers[k] != NULL;
    }
    if (good) {
        answers[PEOPLE_TABLES] = shared_ask(link, gone_table.ask, 2, values, status);
        good = answers[PEOPLE_TABLES] != NULL && run_file(db, "BEGIN IMMEDIATE", status);
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

/// Deletions are sent to every station once, and to a new one all of them.
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
            row != NULL && run_file(db, "BEGIN IMMEDIATE", status) &&
            end_file(db, copy_table(db, link->shown, &hash_table, answer, status) && run_file(db, sql, status), status);
    }
    PQclear(answer);
    return good;
}

/// The statements that put an attempt.
typedef struct Putting {
    sqlite3_stmt *known, *again, *attempt, *metric, *score;
} Putting;

static bool prepare_putting(sqlite3 *db, Putting *putting, Status *status)
{
    static const char attempt[] = "INSERT OR IGNORE INTO attempt(" RESULT_COLUMNS ", trainee) VALUES(" RESULT_VALUES
                                  ",(SELECT id FROM trainee WHERE name = ?))";
    return (sqlite3_prepare_v2(db, "SELECT 1 FROM attempt WHERE uuid = ?", -1, &putting->known, NULL) == SQLITE_OK &&
            sqlite3_prepare_v2(db,
                               "UPDATE attempt SET cleared = ?, comment = ?, grade = ?, commented = ? WHERE uuid = ?",
                               -1, &putting->again, NULL) == SQLITE_OK &&
            sqlite3_prepare_v2(db, attempt, -1, &putting->attempt, NULL) == SQLITE_OK &&
            sqlite3_prepare_v2(db, "INSERT OR IGNORE INTO attempt_metric VALUES(?,?,?,?)", -1, &putting->metric,
                               NULL) == SQLITE_OK &&
            sqlite3_prepare_v2(db, "INSERT OR IGNORE INTO attempt_score VALUES(?,?,?,?,?,?,?,?)", -1, &putting->score,
                               NULL) == SQLITE_OK) ||
           fail_file(db, status);
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
               step_row(db, putting->metric, status);
    }
    for (size_t k = 0; good && k < json_array_size(scores); k++) {
        sqlite3_bind_int64(putting->score, 1, id);
        sqlite3_bind_int64(putting->score, 2, (sqlite3_int64)k);
        good = shared_bind(putting->score, 3, shared_score_columns, 6, json_array_get(scores, k), where, status) &&
               step_row(db, putting->score, status);
    }
    return good;
}

/// Of an attempt that is here already, only whether its recording was cleared, and what an instructor says of it, may
/// have changed.
static bool put_again(sqlite3 *db, const Putting *putting, const json_t *row, const char *uuid, const char *where,
                      bool *known, Status *status)
{
    static const SharedColumn columns[] = {
        {.name = "cleared", .is_text = true, .may_lack = true, .most = RESULT_TIME - 1},
        {.name = "comment", .is_text = true, .may_lack = true, .most = RESULT_COMMENT - 1},
        {.name = "grade", .is_text = true, .may_lack = true, .most = RESULT_GRADE - 1},
        {.name = "commented", .is_text = true, .may_lack = true, .most = RESULT_TIME - 1},
        NAME("uuid", 39)};
    sqlite3_bind_text(putting->known, 1, uuid, -1, SQLITE_STATIC);
    *known = sqlite3_step(putting->known) == SQLITE_ROW;
    sqlite3_reset(putting->known);
    return !*known ||
           (shared_bind(putting->again, 1, columns, sizeof columns / sizeof columns[0], row, where, status) &&
            step_row(db, putting->again, status));
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
    return shared_bind(putting->attempt, 1, shared_attempt_columns, (RESULT_COLUMN_COUNT + 1), row, where, status) &&
           step_row(db, putting->attempt, status) &&
           (sqlite3_changes(db) == 0 || put_figures(db, putting, sqlite3_last_insert_rowid(db), row, where, status));
}

/// One page of attempts, and up to which change the file then knows all.
static bool put_page(sqlite3 *db, const char *shown, const PGresult *answer, long long *change, long long *id,
                     Status *status)
{
    Putting putting = {0};
    char sql[64];
    long long all = *change;
    bool good = prepare_putting(db, &putting, status);
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
    return good && run_file(db, sql, status);
}

static bool fetch_attempts(SharedLink *link, sqlite3 *db, long long last, Status *status)
{
    static const char ask[] =
        "SELECT row_to_json(x) FROM (SELECT a.change, a.id, " RESULT_COLUMNS
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
        bool good = answer != NULL && run_file(db, "BEGIN IMMEDIATE", status) &&
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
static bool fetch_all(SharedLink *link, sqlite3 *db, Status *status)
{
    SharedServer here, there;
    bool waits = false;
    char sql[128];
    if (!shared_server(link, &there, status) || !read_known(db, &here, status)) {
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
    return waits || run_file(db, sql, status);
}

/// Copies what is new since the last time, from one moment of the server, in transactions of the file. Where something
/// waits to be sent meanwhile, the copy is left for the next time. False with `status`.
static bool fetch_new(SharedLink *link, sqlite3 *db, Status *status)
{
    return shared_run(link, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", 0, NULL, NULL, status) &&
           shared_end(link, fetch_all(link, db, status), status);
}

/// ---- an exchange ---------------------------------------------------------------------------------------------------

#define SLOW 1.0 ///< s: a server that failed only after so long is left alone for a while. Chosen

/// Exchanges. What was sent or copied until a failure holds.
/// patience  s, 1..600
/// sent      operations that the server has taken now
static bool exchange(sqlite3 *db, const char *url, double patience, int *sent, Status *status)
{
    SharedLink link;
    double start = shared_clock();
    *sent = 0;
    bool good = shared_connect(&link, url, patience, status) && shared_layout(&link, status) &&
                recognize_server(&link, db, status) && send_waiting(&link, db, sent, status) &&
                fetch_new(&link, db, status);
    shared_disconnect(&link);
    note_outcome(db, good ? "" : status->text, !good && shared_clock() - start > SLOW);
    return good && status_good(status);
}

bool results_are_shared(const char *path)
{
    return shared_is_url(path);
}

bool results_exchange(Results *results, double patience, int *sent, Status *status)
{
    int taken = 0;
    bool good = results->url == NULL || exchange(results->db, results->url, patience, &taken, status);
    if (sent != NULL) {
        *sent = taken;
    }
    return good;
}

bool results_refresh(Results *results, Status *status)
{
    SharedState state;
    if (results->url == NULL || !read_state(results->db, &state) || state.rests) {
        return true;
    }
    return results_exchange(results, RESULTS_PATIENCE_SERVER, NULL, status) ||
           (status->code == STATUS_LACKING && status_good(status));
}

/// ---- messages ------------------------------------------------------------------------------------------------------

int results_waiting(Results *results)
{
    SharedState state;
    return results->url != NULL && read_state(results->db, &state) ? state.waiting : 0;
}

bool results_shared_told(Results *results, char text[RESULTS_TOLD])
{
    SharedState state;
    text[0] = '\0';
    if (results->url == NULL || !read_state(results->db, &state) ||
        (state.fault[0] == '\0' && state.waiting == 0 && state.refused == 0)) {
        return false;
    }
    int length = snprintf(text, RESULTS_TOLD, "%s", state.fault[0] != '\0' ? state.fault : results->shown);
    if (state.waiting > 0) {
        length += snprintf(text + length, RESULTS_TOLD - (size_t)length, "; %d result%s here for the server",
                           state.waiting, state.waiting == 1 ? " waits" : "s wait");
    }
    if (state.refused > 0) {
        length += snprintf(text + length, RESULTS_TOLD - (size_t)length, "; %d that the server refuses %s kept here",
                           state.refused, state.refused == 1 ? "is" : "are");
    }
    if (state.fault[0] != '\0' && state.seen[0] != '\0') {
        snprintf(text + length, RESULTS_TOLD - (size_t)length, "; what others did is known up to %s", state.seen);
    }
    return true;
}
