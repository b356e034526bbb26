/// Connects to the server by libpq without waiting: what is sent and read is watched with poll, until patience ends.
#include "trainer/results/shared_link.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <libpq-fe.h>
#include <xxhash.h>

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

bool shared_ask_number(SharedLink *link, const char *sql, long long *number, Status *status)
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
