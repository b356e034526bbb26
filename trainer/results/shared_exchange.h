/// Results that stations share: what lies in a station's own SQLite file is sent to a PostgreSQL server, and what the
/// server knows is copied into that file. docs/shared-results.md describes the tables and the guarantees.
///
/// An exchange sends first and copies then. It never waits longer than its patience, changes nothing on a server that
/// is not its own, and may be ended at any moment: what was not confirmed is sent again, and known again by its uuid.
/// A file belongs to one thread; several processes may exchange with one file, and several stations with one server.
#ifndef SPADEWORK_TRAINER_SHARED_EXCHANGE_H
#define SPADEWORK_TRAINER_SHARED_EXCHANGE_H

#include <sqlite3.h>
#include <stdbool.h>

#include "data/core/status.h"

/// Exchanges. False with `status`: STATUS_LACKING (away, no rights, its disk is full, ...), STATUS_BAD_USAGE (no
/// address), STATUS_BAD_FILE (a foreign database, a later layout, or rows that cannot be results). What was sent or
/// copied until then holds.
/// patience  s, 1..600
/// sent      operations that the server has taken now
bool shared_exchange(sqlite3 *db, const char *url, double patience, int *sent, Status *status);

/// ---- what a file notes for its server, and knows of it--------------------------------------------------------------

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

#endif
