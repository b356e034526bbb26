/// Sends what waits. The uuid of an operation makes that it counts once, whoever sends it and how often: an attempt's
/// uuid is unique, and what is done with people is noted in the table `operation` by the transaction that does it.
#include "data/core/visible_text.h"
#include "trainer/results/shared_send.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trainer/results/shared_notes.h"
#include "trainer/results/shared_rows.h"

enum { BATCH = 100, MARK = 96 };

/// One operation that waits.
typedef struct Waiting {
    int64_t id;
    SharedKind kind;
    char uuid[SHARED_UUID], class_name[SHARED_NAME], trainee[SHARED_NAME], at[SHARED_TIME];
} Waiting;

typedef struct Batch {
    int count;
    Waiting operations[BATCH]; ///< in the order in which they were done
} Batch;

/// ---- the file ------------------------------------------------------------------------------------------------------

bool shared_fail_file(sqlite3 *db, Status *status)
{
    return status_fail(status, STATUS_LACKING, "%s: %s", sqlite3_db_filename(db, "main"), sqlite3_errmsg(db));
}

bool shared_run_file(sqlite3 *db, const char *sql, Status *status)
{
    return sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK || shared_fail_file(db, status);
}

static void copy(sqlite3_stmt *row, int at, char *text, size_t size)
{
    const char *value = (const char *)sqlite3_column_text(row, at);
    snprintf(text, size, "%s", value != NULL ? value : "");
    visible_text_mask(text, false);
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
        while ((code = sqlite3_step(row)) == SQLITE_ROW && batch->count < BATCH) {
            Waiting *one = &batch->operations[batch->count++];
            one->id = sqlite3_column_int64(row, 0);
            one->kind = (SharedKind)sqlite3_column_int(row, 1);
            copy(row, 2, one->uuid, sizeof one->uuid);
            copy(row, 3, one->class_name, sizeof one->class_name);
            copy(row, 4, one->trainee, sizeof one->trainee);
            copy(row, 5, one->at, sizeof one->at);
        }
    }
    bool good = code == SQLITE_DONE || shared_fail_file(db, status);
    sqlite3_finalize(row);
    return good;
}

/// Marks a batch: 1 sent, 2 refused. What was done with people is forgotten with their names; attempts stay known as
/// this station's own.
static bool mark(sqlite3 *db, const Batch *batch, int sent, Status *status)
{
    char sql[2 * MARK];
    snprintf(sql, sizeof sql, "UPDATE outbox SET sent = %d WHERE sent = 0 AND id BETWEEN %lld AND %lld", sent,
             (long long)batch->operations[0].id, (long long)batch->operations[batch->count - 1].id);
    return shared_run_file(db, sql, status) &&
           shared_run_file(db, "DELETE FROM outbox WHERE sent = 1 AND kind <> 0", status);
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
    static const char sql[] = "SELECT " SHARED_ATTEMPT_COLUMNS
                              ", coalesce((SELECT name FROM trainee t WHERE t.id = attempt.trainee), '') AS trainee,"
                              " coalesce((SELECT created FROM trainee t WHERE t.id = attempt.trainee), '') AS created,"
                              " id FROM attempt WHERE uuid = ?";
    sqlite3_stmt *row = NULL;
    int code = sqlite3_prepare_v2(db, sql, -1, &row, NULL);
    if (code == SQLITE_OK) {
        sqlite3_bind_text(row, 1, uuid, -1, SQLITE_STATIC);
        code = sqlite3_step(row);
    }
    if (code == SQLITE_ROW) {
        int64_t id = sqlite3_column_int64(row, SHARED_ATTEMPT_COUNT + 1);
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
    bool good = code == SQLITE_ROW || code == SQLITE_DONE || shared_fail_file(db, status);
    sqlite3_finalize(row);
    return good;
}

/// The rows of $1, a JSON array.
#define SENT                                                                                                           \
    "json_to_recordset($1::json) AS a(uuid text, trainee text, created text, scene text, title text, course text, "    \
    "started text, duration float8, score float8, passed integer, finished integer, \"end\" text, operator text, "     \
    "machine text, build text, recording text, recording_hash text, recording_seal text, parent text, driver text, "   \
    "clumsy float8, parent_at float8, language text, station text, cleared text, metrics json, scores json)"
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
    "INSERT INTO attempt(change, trainee, " SHARED_ATTEMPT_COLUMNS
    ") SELECT $2::bigint, t.id, a.uuid, a.scene, a.title,"
    " a.course, a.started, a.duration, a.score, a.passed, a.finished, a.\"end\", a.operator, a.machine, a.build,"
    " a.recording, a.recording_hash, a.recording_seal, a.parent, a.driver, a.clumsy, a.parent_at, a.language, "
    "a.station,"
    " a.cleared FROM " SENT " LEFT JOIN trainee t ON t.name = a.trainee"
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

static const char *const *const statements_of[] = {
    [SHARED_JOIN] = join_statements,       [SHARED_LEAVE] = leave_statements,     [SHARED_DELETE] = delete_statements,
    [SHARED_RESTORE] = restore_statements, [SHARED_CLEARED] = cleared_statements,
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

/// Takes the number of this transaction. Whoever writes waits here for those before him, so that numbers are committed
/// in their order, and a reader who knows all up to one has missed none.
static bool take_change(SharedLink *link, char change[MARK], Status *status)
{
    PGresult *answer =
        shared_ask(link, "UPDATE spadework_layout SET changes = changes + 1 RETURNING changes", 0, NULL, status);
    bool good = answer != NULL && PQntuples(answer) == 1 && PQgetlength(answer, 0, 0) < MARK;
    if (good) {
        snprintf(change, MARK, "%s", PQgetvalue(answer, 0, 0));
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
    bool good = shared_run_file(db, "BEGIN", status);
    for (int k = 0; k < batch->count && good; k++) {
        json_t *one = json_array();
        good =
            batch->operations[k].kind != SHARED_ATTEMPT || append_attempt(db, batch->operations[k].uuid, one, status);
        json_array_append_new(all, one);
    }
    Status unused;
    shared_run_file(db, "ROLLBACK", &unused);
    if (!good) {
        json_decref(all);
        return NULL;
    }
    return all;
}

/// Inside a transaction: attempts that follow each other go together.
static bool send_operations(SharedLink *link, const Batch *batch, const json_t *all, Status *status)
{
    char change[MARK];
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

bool shared_send(SharedLink *link, sqlite3 *db, int *sent, Status *status)
{
    Batch *batch = malloc(sizeof *batch);
    int most = BATCH;
    if (batch == NULL) {
        return status_fail(status, STATUS_LACKING, "out of memory for the results");
    }
    bool good = true;
    while (good && (good = read_batch(db, batch, most, status)) && batch->count > 0) {
        if (send_batch(link, db, batch, status)) {
            good = mark(db, batch, 1, status);
            *sent += good ? batch->count : 0;
        } else if (is_refused(link) && batch->count > 1) {
            most = 1; // one after the other, to find which
        } else {
            good = is_refused(link) && mark(db, batch, 2, status);
        }
    }
    free(batch);
    return good;
}
