/// The server of shared results: connects by libpq without waiting (what is sent and read is watched with poll, until
/// patience ends), and brings the layout of its tables up to date by numbered migrations.
#include "trainer/results/shared_server.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <libpq-fe.h>
#include <xxhash.h>

#include "trainer/record/record.h"

/// ---- the address ---------------------------------------------------------------------------------------------------

bool shared_is_url(const char *path)
{
    return path != NULL && (strncmp(path, "postgresql://", 13) == 0 || strncmp(path, "postgres://", 11) == 0);
}

/// What an address says of a keyword, else what libpq takes without it; NULL: nothing.
static const char *value_of(const PQconninfoOption *given, const PQconninfoOption *usual, const char *keyword)
{
    const char *value = NULL;
    for (const PQconninfoOption *option = given; option->keyword != NULL; option++) {
        value = strcmp(option->keyword, keyword) == 0 ? option->val : value;
    }
    for (const PQconninfoOption *option = usual; value == NULL && option != NULL && option->keyword != NULL; option++) {
        value = strcmp(option->keyword, keyword) == 0 ? option->val : value;
    }
    return value;
}

bool shared_describe(const char *url, char shown[SHARED_ADDRESS], char key[SHARED_KEY], Status *status)
{
    static const char *const naming[] = {"host", "hostaddr", "port", "dbname", "service", "options"};
    PQconninfoOption *given = PQconninfoParse(url, NULL), *usual = PQconndefaults();
    char text[1024] = "";
    shown[0] = key[0] = '\0';
    if (given == NULL) { // libpq's message quotes the address, which may hold a password
        PQconninfoFree(usual);
        return status_fail(status, STATUS_BAD_USAGE,
                           "the address of the results is none that libpq takes; allowed is "
                           "postgresql://USER@HOST:PORT/DATABASE");
    }
    const char *user = value_of(given, usual, "user"), *host = value_of(given, usual, "host");
    const char *port = value_of(given, usual, "port"), *name = value_of(given, usual, "dbname");
    name = name != NULL ? name : user;
    for (size_t k = 0; k < sizeof naming / sizeof naming[0]; k++) {
        const char *value = strcmp(naming[k], "dbname") == 0 ? name : value_of(given, usual, naming[k]);
        size_t length = strlen(text);
        snprintf(text + length, sizeof text - length, "%s\n", value != NULL ? value : "");
    }
    snprintf(shown, SHARED_ADDRESS, "postgresql://%.60s@%.80s:%.10s/%.60s", user != NULL ? user : "",
             host != NULL ? host : "", port != NULL ? port : "", name != NULL ? name : "");
    snprintf(key, SHARED_KEY, "%016llx", (unsigned long long)XXH3_64bits(text, strlen(text)));
    PQconninfoFree(given);
    PQconninfoFree(usual);
    return true;
}

/// ---- the connection ------------------------------------------------------------------------------------------------

double shared_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/// ---- failures ------------------------------------------------------------------------------------------------------

/// Writes libpq's lines as one.
static void join_lines(const char *lines, char *text, size_t size)
{
    size_t length = 0;
    for (const char *p = lines; *p != '\0' && length + 3 < size; p++) {
        if (*p != '\n' && *p != '\t') {
            text[length++] = *p;
        } else if (*p == '\n' && p[1] != '\0') {
            text[length++] = ';';
            text[length++] = ' ';
        }
    }
    text[length] = '\0';
}

static bool fail_link(SharedLink *link, Status *status)
{
    char text[512];
    link->broken = true;
    join_lines(PQerrorMessage(link->connection), text, sizeof text);
    return status_fail(status, STATUS_LACKING, "%s: %s", link->shown,
                       text[0] != '\0' ? text : "the connection has failed");
}

static bool fail_late(SharedLink *link, Status *status)
{
    link->broken = true;
    return status_fail(status, STATUS_LACKING, "%s: the server does not answer in time", link->shown);
}

/// A statement that the server refuses. Its message names tables and roles, not the address.
static bool fail_statement(SharedLink *link, const PGresult *answer, Status *status)
{
    const char *code = PQresultErrorField(answer, PG_DIAG_SQLSTATE);
    const char *message = PQresultErrorField(answer, PG_DIAG_MESSAGE_PRIMARY);
    char text[512];
    snprintf(link->state, sizeof link->state, "%s", code != NULL ? code : "");
    if (message == NULL) { // libpq's own: the connection is lost
        return fail_link(link, status);
    }
    join_lines(message, text, sizeof text);
    return status_fail(status, STATUS_LACKING, "%s: %s", link->shown, text);
}

/// ---- waiting -------------------------------------------------------------------------------------------------------

/// Waits until the socket is ready for one of `events`.
static bool wait_for(SharedLink *link, short events, Status *status)
{
    for (;;) {
        double left = link->end - shared_clock();
        if (left <= 0.0) {
            return fail_late(link, status);
        }
        struct pollfd watched = {.fd = PQsocket(link->connection), .events = events};
        int ready = poll(&watched, 1, (int)ceil(1000.0 * left));
        if (ready > 0 || (ready < 0 && errno != EINTR)) {
            return ready > 0 || fail_link(link, status);
        }
    }
}

static bool finish_connecting(SharedLink *link, Status *status)
{
    PostgresPollingStatusType next = PGRES_POLLING_WRITING;
    while (next == PGRES_POLLING_READING || next == PGRES_POLLING_WRITING) {
        if (!wait_for(link, next == PGRES_POLLING_READING ? POLLIN : POLLOUT, status)) {
            return false;
        }
        next = PQconnectPoll(link->connection);
    }
    return next == PGRES_POLLING_OK || fail_link(link, status);
}

static bool flush(SharedLink *link, Status *status)
{
    int left;
    while ((left = PQflush(link->connection)) == 1) {
        if (!wait_for(link, POLLIN | POLLOUT, status)) {
            return false;
        }
        if (PQconsumeInput(link->connection) == 0) {
            return fail_link(link, status);
        }
    }
    return left == 0 || fail_link(link, status);
}

/// The next answer; NULL with `*good`: there is no more.
static PGresult *next_answer(SharedLink *link, bool *good, Status *status)
{
    while (PQisBusy(link->connection)) {
        if (!wait_for(link, POLLIN, status)) {
            *good = false;
            return NULL;
        }
        if (PQconsumeInput(link->connection) == 0) {
            *good = fail_link(link, status);
            return NULL;
        }
    }
    return PQgetResult(link->connection);
}

/// ---- life ----------------------------------------------------------------------------------------------------------

/// What the server itself is to give up, should it be this end that vanishes: a station that stands still in a
/// transaction would keep all others from writing.
static bool set_limits(SharedLink *link, double patience, Status *status)
{
    char sql[256];
    int most = (int)(1000.0 * patience);
    snprintf(sql, sizeof sql,
             "SELECT set_config('statement_timeout', '%d', false), set_config('lock_timeout', '%d', false), "
             "set_config('idle_in_transaction_session_timeout', '%d', false)",
             most, most, most);
    return shared_run(link, sql, 0, NULL, NULL, status);
}

bool shared_connect(SharedLink *link, const char *url, double patience, Status *status)
{
    static const char *const keys[] = {"dbname", "application_name", "client_encoding", NULL};
    const char *const values[] = {url, "spadework", "UTF8", NULL};
    char key[SHARED_KEY];
    *link = (SharedLink){.end = shared_clock() + patience};
    if (!shared_describe(url, link->shown, key, status)) {
        return false;
    }
    link->connection = PQconnectStartParams(keys, values, 1);
    if (link->connection == NULL) {
        return status_fail(status, STATUS_LACKING, "out of memory for the shared results");
    }
    if (PQstatus(link->connection) == CONNECTION_BAD) {
        return fail_link(link, status);
    }
    if (!finish_connecting(link, status)) {
        return false;
    }
    const char *encoding = PQparameterStatus(link->connection, "server_encoding");
    if (encoding == NULL || strcmp(encoding, "UTF8") != 0) {
        return status_fail(status, STATUS_BAD_FILE, "%s: the database's encoding is %s, allowed is UTF8", link->shown,
                           encoding != NULL ? encoding : "unknown");
    }
    return PQsetnonblocking(link->connection, 1) == 0 ? set_limits(link, patience, status) : fail_link(link, status);
}

void shared_disconnect(SharedLink *link)
{
    PQfinish(link->connection);
    link->connection = NULL;
}

/// ---- statements ----------------------------------------------------------------------------------------------------

PGresult *shared_ask(SharedLink *link, const char *sql, int count, const char *const *values, Status *status)
{
    link->state[0] = '\0';
    if (link->broken || PQsendQueryParams(link->connection, sql, count, NULL, values, NULL, NULL, 0) == 0) {
        fail_link(link, status);
        return NULL;
    }
    bool good = flush(link, status);
    PGresult *answer = NULL;
    while (good) {
        PGresult *next = next_answer(link, &good, status);
        if (next == NULL) {
            break;
        }
        ExecStatusType kind = PQresultStatus(next);
        if (kind != PGRES_COMMAND_OK && kind != PGRES_TUPLES_OK) {
            good = kind == PGRES_FATAL_ERROR || kind == PGRES_NONFATAL_ERROR
                       ? fail_statement(link, next, status)
                       : status_fail(status, STATUS_LACKING, "%s: the server answers out of turn", link->shown);
            link->broken = link->broken || (kind != PGRES_FATAL_ERROR && kind != PGRES_NONFATAL_ERROR);
        }
        PQclear(answer);
        answer = next;
    }
    while (!good && !link->broken) { // what still comes of a statement that failed
        bool more = true;
        Status unused;
        PGresult *rest = next_answer(link, &more, &unused);
        if (rest == NULL) {
            break;
        }
        PQclear(rest);
    }
    if (!good) {
        PQclear(answer);
        return NULL;
    }
    if (answer == NULL) {
        fail_link(link, status);
    }
    return answer;
}

bool shared_run(SharedLink *link, const char *sql, int count, const char *const *values, int *changed, Status *status)
{
    PGresult *answer = shared_ask(link, sql, count, values, status);
    if (answer != NULL && changed != NULL) {
        *changed = (int)strtol(PQcmdTuples(answer), NULL, 10);
    }
    PQclear(answer);
    return answer != NULL;
}

/// A number that a statement answers with one row of one column. False with `status`.
static bool ask_number(SharedLink *link, const char *sql, long long *number, Status *status)
{
    PGresult *answer = shared_ask(link, sql, 0, NULL, status);
    bool good = answer != NULL;
    if (good && PQntuples(answer) == 1 && PQnfields(answer) == 1 && PQgetisnull(answer, 0, 0) == 0) {
        *number = strtoll(PQgetvalue(answer, 0, 0), NULL, 10);
    } else if (good) {
        good = status_fail(status, STATUS_BAD_FILE, "%s: the server answers no number", link->shown);
    }
    PQclear(answer);
    return good;
}

bool shared_end(SharedLink *link, bool good, Status *status)
{
    good = good && shared_run(link, "COMMIT", 0, NULL, NULL, status);
    if (!good && !link->broken) {
        Status unused;
        char state[sizeof link->state];
        memcpy(state, link->state, sizeof state);
        shared_run(link, "ROLLBACK", 0, NULL, NULL, &unused);
        memcpy(link->state, state, sizeof state); // why it failed is still asked for
    }
    return good;
}

/// ---- the layout of its tables --------------------------------------------------------------------------------------
/// The tables are those of a file of results (results_db.c); beside them stand what was deleted, as a hash of its name,
/// and which operations are done.

/// Migration k leads from layout k to layout k + 1. What stands here is never changed; a new layout is a new row. What
/// a migration does beside its statements stands in `rest_of`.
static const char *const migrations[] = {
    "CREATE TABLE spadework_layout(layout integer NOT NULL, database text NOT NULL, changes bigint NOT NULL);"
    "INSERT INTO spadework_layout VALUES(0, gen_random_uuid()::text, 0);"
    "CREATE TABLE trainee(id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,"
    " name text NOT NULL UNIQUE CHECK (octet_length(name) BETWEEN 1 AND 95), created text NOT NULL);"
    "CREATE TABLE class(id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,"
    " name text NOT NULL UNIQUE CHECK (octet_length(name) BETWEEN 1 AND 95));"
    "CREATE TABLE membership(class bigint NOT NULL REFERENCES class ON DELETE CASCADE,"
    " trainee bigint NOT NULL REFERENCES trainee ON DELETE CASCADE, PRIMARY KEY(class, trainee));"
    "CREATE TABLE course_progress(trainee bigint NOT NULL REFERENCES trainee ON DELETE CASCADE, course text NOT NULL,"
    " scene text NOT NULL, passed text COLLATE \"C\" NOT NULL, best double precision NOT NULL,"
    " PRIMARY KEY(trainee, course, scene));"
    "CREATE TABLE attempt(id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, uuid text NOT NULL UNIQUE,"
    " change bigint NOT NULL, trainee bigint REFERENCES trainee ON DELETE CASCADE, scene text NOT NULL,"
    " title text NOT NULL, course text NOT NULL, started text COLLATE \"C\" NOT NULL,"
    " duration double precision NOT NULL, score double precision NOT NULL, passed integer NOT NULL,"
    " finished integer NOT NULL, \"end\" text NOT NULL, operator text NOT NULL, machine text NOT NULL,"
    " build text NOT NULL, recording text NOT NULL, recording_hash text NOT NULL, recording_seal text NOT NULL,"
    " parent text NOT NULL);"
    "CREATE INDEX attempt_of_trainee ON attempt(trainee, scene, started);"
    "CREATE INDEX attempt_of_change ON attempt(change, id);"
    "CREATE TABLE attempt_metric(attempt bigint NOT NULL REFERENCES attempt ON DELETE CASCADE, name text NOT NULL,"
    " unit text NOT NULL, value double precision NOT NULL, PRIMARY KEY(attempt, name));"
    "CREATE TABLE attempt_score(attempt bigint NOT NULL REFERENCES attempt ON DELETE CASCADE, \"row\" integer NOT NULL,"
    " label text NOT NULL, \"group\" text NOT NULL, weight double precision NOT NULL, value double precision NOT NULL,"
    " share double precision NOT NULL, points double precision NOT NULL, PRIMARY KEY(attempt, \"row\"));"
    "CREATE TABLE trainee_gone(id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, change bigint NOT NULL,"
    " name_hash bytea NOT NULL, gone text COLLATE \"C\" NOT NULL);"
    "CREATE INDEX trainee_gone_hash ON trainee_gone(name_hash);"
    "CREATE TABLE operation(uuid text PRIMARY KEY);",
    "ALTER TABLE attempt ADD COLUMN driver text NOT NULL DEFAULT 'person',"
    " ADD COLUMN clumsy double precision NOT NULL DEFAULT 0, ADD COLUMN parent_at double precision NOT NULL DEFAULT -1,"
    " ADD COLUMN language text NOT NULL DEFAULT '', ADD COLUMN station text NOT NULL DEFAULT '',"
    " ADD COLUMN cleared text NOT NULL DEFAULT '';",
    "ALTER TABLE attempt ADD COLUMN changed text NOT NULL DEFAULT '', ADD COLUMN comment text NOT NULL DEFAULT '',"
    " ADD COLUMN grade text NOT NULL DEFAULT '', ADD COLUMN commented text COLLATE \"C\" NOT NULL DEFAULT '';",
};
enum { LAYOUT = sizeof migrations / sizeof migrations[0] };

/// The number that stations lock while they look and migrate: "SPRD".
#define LOCK "SELECT pg_advisory_xact_lock(1397772868)"

static bool refuse_foreign(const SharedLink *link, Status *status)
{
    return status_fail(status, STATUS_BAD_FILE,
                       "%s: is no database of results: it holds other tables; it is left as it is", link->shown);
}

/// Tables of the schema that new ones would go into, without those of extensions. (to_regclass would answer from a
/// cache that knows nothing of a table made while the lock was waited for.)
#define TABLES                                                                                                         \
    "SELECT count(*) FROM pg_class c WHERE c.relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = "            \
    "current_schema()) AND c.relkind IN ('r', 'v', 'm', 'p', 'f') AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE "    \
    "d.objid = c.oid AND d.deptype = 'e')"

static bool has_layout(SharedLink *link, long long *there, Status *status)
{
    return ask_number(link, TABLES " AND c.relname = 'spadework_layout'", there, status);
}

/// The layout that the database has; 0: no tables at all. Where there may be none, the lock is to be held: tables that
/// another station is making are not foreign.
static bool read_layout(SharedLink *link, long long *layout, Status *status)
{
    long long there = 0, others = 0;
    *layout = 0;
    if (!has_layout(link, &there, status)) {
        return false;
    }
    if (there != 0) {
        PGresult *answer = shared_ask(link, "SELECT layout, database, changes FROM spadework_layout", 0, NULL, status);
        bool good = answer != NULL && PQntuples(answer) == 1;
        *layout = good ? strtoll(PQgetvalue(answer, 0, 0), NULL, 10) : 0;
        bool ours = answer == NULL || *layout > 0;
        PQclear(answer);
        return ours ? good || (strcmp(link->state, "42703") == 0 && refuse_foreign(link, status))
                    : refuse_foreign(link, status);
    }
    return ask_number(link, TABLES, &others, status) && (others == 0 || refuse_foreign(link, status));
}

static bool check_known(const SharedLink *link, long long layout, Status *status)
{
    return layout <= LAYOUT ||
           status_fail(status, STATUS_BAD_FILE, "%s: has layout %lld of a later version; this program knows up to %d",
                       link->shown, layout, (int)LAYOUT);
}

/// ---- layout 2: credit for own work ---------------------------------------------------------------------------------

/// Of attempts from before, the driver is known by the operator's name alone.
static bool name_drivers(SharedLink *link, Status *status)
{
    PGresult *names = shared_ask(link, "SELECT DISTINCT operator FROM attempt", 0, NULL, status);
    bool good = names != NULL;
    for (int k = 0; good && k < PQntuples(names); k++) {
        Credit credit = {.driver = CREDIT_PERSON};
        char clumsy[32];
        credit_of_operator(PQgetvalue(names, k, 0), &credit);
        snprintf(clumsy, sizeof clumsy, "%.17g", credit.clumsy);
        const char *const values[] = {credit_driver_name(credit.driver), clumsy, PQgetvalue(names, k, 0)};
        good = !credit_is_scripted(&credit) ||
               shared_run(link, "UPDATE attempt SET driver = $1, clumsy = $2::float8 WHERE operator = $3", 3, values,
                          NULL, status);
    }
    PQclear(names);
    return good;
}

/// As in a station's file (results_db.c): attempts that are nobody's own work no longer count as passed.
static bool give_credit(SharedLink *link, Status *status)
{
#define NO_CREDIT "(a.parent <> '' OR (a.driver <> 'person' AND a.trainee IS NOT NULL))"
    static const char *const statements[] = {
        "DELETE FROM course_progress p WHERE EXISTS (SELECT 1 FROM attempt a WHERE a.trainee = p.trainee AND a.course ="
        " p.course AND a.scene = p.scene AND a.passed <> 0 AND " NO_CREDIT ")",
        "DELETE FROM attempt_metric m USING attempt a WHERE m.attempt = a.id AND m.name IN ('score', 'passed') AND"
        " a.parent <> ''",
        "UPDATE attempt_metric m SET value = 0 FROM attempt a WHERE m.attempt = a.id AND m.name = 'passed' "
        "AND " NO_CREDIT,
        "UPDATE attempt a SET passed = 0 WHERE a.passed <> 0 AND " NO_CREDIT,
        "INSERT INTO course_progress(trainee, course, scene, passed, best) SELECT trainee, course, scene, min(started),"
        " max(score) FROM attempt WHERE passed <> 0 AND course <> '' AND trainee IS NOT NULL GROUP BY 1, 2, 3 ON"
        " CONFLICT DO NOTHING",
    };
#undef NO_CREDIT
    bool good = name_drivers(link, status);
    for (size_t k = 0; good && k < sizeof statements / sizeof statements[0]; k++) {
        good = shared_run(link, statements[k], 0, NULL, NULL, status);
    }
    return good;
}

static bool (*const rest_of[LAYOUT])(SharedLink *link, Status *status) = {[1] = give_credit};

/// ---- what the tables may be ----------------------------------------------------------------------------------------

/// Tables and columns that stations read and write: table, column, type as PostgreSQL writes it.
static const char wanted[] =
    "('spadework_layout','layout','integer'),('spadework_layout','database','text'),"
    "('spadework_layout','changes','bigint'),('trainee','id','bigint'),('trainee','name','text'),"
    "('trainee','created','text'),('class','id','bigint'),('class','name','text'),('membership','class','bigint'),"
    "('membership','trainee','bigint'),('course_progress','trainee','bigint'),('course_progress','course','text'),"
    "('course_progress','scene','text'),('course_progress','passed','text'),"
    "('course_progress','best','double precision'),('attempt','id','bigint'),('attempt','uuid','text'),"
    "('attempt','change','bigint'),('attempt','trainee','bigint'),('attempt','scene','text'),"
    "('attempt','title','text'),('attempt','course','text'),('attempt','started','text'),"
    "('attempt','duration','double precision'),('attempt','score','double precision'),('attempt','passed','integer'),"
    "('attempt','finished','integer'),('attempt','end','text'),('attempt','operator','text'),"
    "('attempt','machine','text'),('attempt','build','text'),('attempt','recording','text'),"
    "('attempt','recording_hash','text'),('attempt','recording_seal','text'),('attempt','parent','text'),"
    "('attempt','driver','text'),('attempt','clumsy','double precision'),('attempt','parent_at','double precision'),"
    "('attempt','language','text'),('attempt','station','text'),('attempt','cleared','text'),"
    "('attempt','changed','text'),('attempt','comment','text'),('attempt','grade','text'),"
    "('attempt','commented','text'),"
    "('attempt_metric','attempt','bigint'),('attempt_metric','name','text'),('attempt_metric','unit','text'),"
    "('attempt_metric','value','double precision'),('attempt_score','attempt','bigint'),"
    "('attempt_score','row','integer'),('attempt_score','label','text'),('attempt_score','group','text'),"
    "('attempt_score','weight','double precision'),('attempt_score','value','double precision'),"
    "('attempt_score','share','double precision'),('attempt_score','points','double precision'),"
    "('trainee_gone','id','bigint'),('trainee_gone','change','bigint'),('trainee_gone','name_hash','bytea'),"
    "('trainee_gone','gone','text'),('operation','uuid','text')";

/// The first thing that is not as the stations make it; what others add to a database beside their tables is theirs.
#define HERE "c.relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())"
static const char faults_head[] = "WITH wanted(t, c, y) AS (VALUES ";
static const char faults[] =
    "), tables AS (SELECT DISTINCT t FROM wanted) SELECT what FROM ("
    "SELECT 1 AS place, 'it lacks the table ' || w.t AS what FROM tables w WHERE NOT EXISTS (SELECT 1 FROM pg_class c"
    " WHERE c.relname = w.t AND c.relkind = 'r' AND " HERE ")"
    " UNION ALL SELECT 2, 'other columns than results have are in the table ' || w.t || ': ' || w.c FROM wanted w WHERE"
    " NOT EXISTS (SELECT 1 FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid WHERE c.relname = w.t AND"
    " a.attname = w.c AND NOT a.attisdropped AND format_type(a.atttypid, NULL) = w.y AND " HERE ")"
    " UNION ALL SELECT 3, 'results hold no such trigger as ' || g.tgname || ' on the table ' || c.relname FROM"
    " pg_trigger g JOIN pg_class c ON c.oid = g.tgrelid WHERE NOT g.tgisinternal AND c.relname IN (SELECT t FROM"
    " tables) AND " HERE " UNION ALL SELECT 4, 'results hold no such rule as ' || r.rulename || ' on the table ' || "
    "c.relname FROM pg_rewrite"
    " r JOIN pg_class c ON c.oid = r.ev_class WHERE c.relname IN (SELECT t FROM tables) AND c.relkind = 'r' AND " HERE
    ") x ORDER BY place, what LIMIT 1";

static bool check_tables(SharedLink *link, Status *status)
{
    char sql[sizeof faults_head + sizeof wanted + sizeof faults];
    snprintf(sql, sizeof sql, "%s%s%s", faults_head, wanted, faults);
    PGresult *answer = shared_ask(link, sql, 0, NULL, status);
    bool good = answer != NULL;
    if (good && PQntuples(answer) > 0) {
        good = status_fail(status, STATUS_BAD_FILE,
                           "%s: is refused: %.200s; it is left as it is: its owner can mend it, or put back a backup",
                           link->shown, PQgetvalue(answer, 0, 0));
    }
    PQclear(answer);
    return good;
}

/// ---- migrating -----------------------------------------------------------------------------------------------------

/// Runs one migration, a statement after the other: libpq takes one at a time.
static bool run_statements(SharedLink *link, const char *migration, Status *status)
{
    char sql[1024];
    for (const char *from = migration; *from != '\0';) {
        size_t length = strcspn(from, ";");
        snprintf(sql, sizeof sql, "%.*s", (int)length, from);
        if (!shared_run(link, sql, 0, NULL, NULL, status)) {
            return false;
        }
        from += length + (from[length] == ';');
    }
    return true;
}

/// Inside a transaction: another station may have been faster.
/// from  out: the layout that was found
static bool run_migrations(SharedLink *link, long long *from, Status *status)
{
    long long layout = 0;
    char sql[96];
    if (!shared_run(link, LOCK, 0, NULL, NULL, status) || !read_layout(link, &layout, status) ||
        !check_known(link, layout, status)) {
        return false;
    }
    *from = layout;
    for (long long k = layout; k < LAYOUT; k++) {
        if (!run_statements(link, migrations[k], status) || (rest_of[k] != NULL && !rest_of[k](link, status))) {
            return false;
        }
    }
    snprintf(sql, sizeof sql, "UPDATE spadework_layout SET layout = %d", (int)LAYOUT);
    return layout == LAYOUT || shared_run(link, sql, 0, NULL, NULL, status);
}

bool shared_layout(SharedLink *link, Status *status)
{
    long long layout = 0, there = 0;
    if (!has_layout(link, &there, status) ||
        (there != 0 && !(read_layout(link, &layout, status) && check_known(link, layout, status)))) {
        return false;
    }
    long long from = 0;
    if (layout != LAYOUT && (!shared_run(link, "BEGIN", 0, NULL, NULL, status) ||
                             !shared_end(link, run_migrations(link, &from, status), status))) {
        return false;
    }
    if (from > 0 && from < LAYOUT) {
        fprintf(stderr,
                "spadework: %s: its tables were brought from layout %lld to %d; a station with an older program keeps "
                "its results until it has this one\n",
                link->shown, from, (int)LAYOUT);
    }
    return check_tables(link, status);
}

bool shared_server(SharedLink *link, SharedServer *server, Status *status)
{
    PGresult *answer = shared_ask(link, "SELECT database, changes FROM spadework_layout", 0, NULL, status);
    if (answer == NULL) {
        return false;
    }
    bool good = PQntuples(answer) == 1 && PQgetlength(answer, 0, 0) < SHARED_DATABASE;
    if (good) {
        snprintf(server->database, sizeof server->database, "%s", PQgetvalue(answer, 0, 0));
        server->changes = strtoll(PQgetvalue(answer, 0, 1), NULL, 10);
        good = server->changes >= 0;
    }
    PQclear(answer);
    return good || status_fail(status, STATUS_BAD_FILE, "%s: its table spadework_layout is damaged", link->shown);
}
