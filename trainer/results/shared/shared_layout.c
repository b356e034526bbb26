/// The layout of the server's tables, brought up to date by numbered migrations. The tables are those of a file of
/// results (results_db.c); beside them stand what was deleted, as a hash of its name, and which operations are done.
#include "trainer/results/shared/shared_layout.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Migration k leads from layout k to layout k + 1. What stands here is never changed; a new layout is a new row.
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
};
enum { LAYOUT = sizeof migrations / sizeof migrations[0] };

/// The number that stations lock while they look and migrate: "SPRD".
#define LOCK "SELECT pg_advisory_xact_lock(1397772868)"

static bool foreign(const SharedLink *link, Status *status)
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
    return shared_ask_number(link, TABLES " AND c.relname = 'spadework_layout'", there, status);
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
        return ours ? good || (strcmp(link->state, "42703") == 0 && foreign(link, status)) : foreign(link, status);
    }
    return shared_ask_number(link, TABLES, &others, status) && (others == 0 || foreign(link, status));
}

static bool check_known(const SharedLink *link, long long layout, Status *status)
{
    return layout <= LAYOUT ||
           status_fail(status, STATUS_BAD_FILE, "%s: has layout %lld of a later version; this program knows up to %d",
                       link->shown, layout, (int)LAYOUT);
}

/// Runs one migration, a statement after the other: libpq takes one at a time.
static bool migrate_once(SharedLink *link, const char *migration, Status *status)
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
static bool migrate(SharedLink *link, Status *status)
{
    long long layout = 0;
    char sql[96];
    if (!shared_run(link, LOCK, 0, NULL, NULL, status) || !read_layout(link, &layout, status) ||
        !check_known(link, layout, status)) {
        return false;
    }
    for (long long k = layout; k < LAYOUT; k++) {
        if (!migrate_once(link, migrations[k], status)) {
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
    return layout == LAYOUT ||
           (shared_run(link, "BEGIN", 0, NULL, NULL, status) && shared_end(link, migrate(link, status), status));
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
