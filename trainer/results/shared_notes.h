/// What a station's file notes for its server, and what it knows of it. Internal to the results.
#ifndef SPADEWORK_TRAINER_SHARED_NOTES_H
#define SPADEWORK_TRAINER_SHARED_NOTES_H

#include <sqlite3.h>
#include <stdbool.h>

#include "data/core/status.h"

enum { SHARED_NAME = 96, SHARED_TIME = 24, SHARED_UUID = 40 };

/// What becomes of an operation.
typedef enum SharedKind {
    SHARED_ATTEMPT, ///< an attempt was added: `uuid` is its own
    SHARED_JOIN, ///< a trainee joined a class
    SHARED_LEAVE, ///< he left it
    SHARED_DELETE, ///< a trainee was deleted
    SHARED_RESTORE, ///< that a trainee was deleted is forgotten: what he drove before may come back
    SHARED_CLEARED, ///< the clean-up deleted the recording of an attempt, whose UUID stands in `class_name`
} SharedKind;

/// One operation that waits to be sent; the last texts are "" where the kind has no use for them.
typedef struct SharedNote {
    SharedKind kind;
    const char *uuid; ///< names the operation everywhere
    const char *class_name, *trainee;
    const char *at; ///< UTC, when it was done
} SharedNote;

/// Notes an operation in the file, inside the transaction that does it. False: SQLite tells why.
bool shared_note(sqlite3 *db, const SharedNote *note);

/// What a file knows of its server.
typedef struct SharedState {
    int waiting; ///< operations that were not sent yet
    int refused; ///< operations that the server did not take, for what they are; they stay in the file
    char seen[SHARED_TIME]; ///< UTC: of when the copy is; "" = none yet
    char fault[512]; ///< why the last exchange failed; "" = it did not
    bool rests; ///< the server let the last exchange wait, less than SHARED_REST s ago: better not to ask it now
} SharedState;

enum { SHARED_REST = 30 };

/// Reads it. False: SQLite tells why.
bool shared_state(sqlite3 *db, SharedState *state);

/// Notes how an exchange went: `fault` is "" when it went well. A file that cannot take it tells so elsewhere.
/// slow  the server let it wait: it is left alone for SHARED_REST s
void shared_note_outcome(sqlite3 *db, const char *fault, bool slow);

#endif
