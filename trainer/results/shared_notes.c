/// The tables `outbox` and `server` of a file of results.
#include "trainer/results/shared_notes.h"

#include <stdio.h>

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

void shared_note_outcome(sqlite3 *db, const char *fault, bool slow)
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
