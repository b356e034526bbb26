/// Addresses, what a file notes and knows, and the exchange.
#include "trainer/results/shared/shared_results.h"

#include <stdio.h>
#include <string.h>

#include <xxhash.h>

#include "trainer/results/shared/shared_fetch.h"
#include "trainer/results/shared/shared_layout.h"
#include "trainer/results/shared/shared_send.h"

#define SLOW 1.0 ///< s: a server that failed only after so long is left alone for a while. Chosen

/// ---- addresses -----------------------------------------------------------------------------------------------------

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

/// ---- the file ------------------------------------------------------------------------------------------------------

bool shared_note(sqlite3 *db, const SharedNote *note)
{
    sqlite3_stmt *row = NULL;
    static const char sql[] = "INSERT INTO outbox(uuid, kind, class, trainee, at, sent) VALUES(?,?,?,?,?,0)";
    bool good = sqlite3_prepare_v2(db, sql, -1, &row, NULL) == SQLITE_OK;
    if (good) {
        sqlite3_bind_text(row, 1, note->uuid, -1, SQLITE_STATIC);
        sqlite3_bind_int(row, 2, (int)note->kind);
        sqlite3_bind_text(row, 3, note->class_name, -1, SQLITE_STATIC);
        sqlite3_bind_text(row, 4, note->trainee, -1, SQLITE_STATIC);
        sqlite3_bind_text(row, 5, note->at, -1, SQLITE_STATIC);
        good = sqlite3_step(row) == SQLITE_DONE;
    }
    sqlite3_finalize(row);
    return good;
}

bool shared_state(sqlite3 *db, SharedState *state)
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

/// Notes how an exchange went. A file that cannot take it tells so elsewhere.
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

bool shared_exchange(sqlite3 *db, const char *url, double patience, int *sent, Status *status)
{
    SharedLink link;
    double start = shared_clock();
    *sent = 0;
    bool good = shared_connect(&link, url, patience, status) && shared_layout(&link, status) &&
                shared_recognize(&link, db, status) && shared_send(&link, db, sent, status) &&
                shared_fetch(&link, db, status);
    shared_disconnect(&link);
    note_outcome(db, good ? "" : status->text, !good && shared_clock() - start > SLOW);
    return good && status_good(status);
}
