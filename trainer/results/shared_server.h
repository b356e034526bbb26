/// A connection to the server that answers before a moment, or is given up: every call is non-blocking inside, so that
/// a server that is stopped, or a net that swallows packets, costs no more than the patience. (Names are looked up by
/// the system, whose own limits count there.) Internal to the shared results.
#ifndef SPADEWORK_TRAINER_SHARED_SERVER_H
#define SPADEWORK_TRAINER_SHARED_SERVER_H

#include <stdbool.h>

#include <libpq-fe.h>

#include "data/core/status.h"

enum { SHARED_ADDRESS = 256, SHARED_KEY = 20 };

/// True for postgresql://... and postgres://...
bool shared_is_url(const char *path);

/// Writes what may be shown of an address (who, where, which database; never a password), and a key that is the same
/// for every address of the same database. False with `status` (STATUS_BAD_USAGE), without a word of the address, when
/// libpq does not take it.
bool shared_describe(const char *url, char shown[SHARED_ADDRESS], char key[SHARED_KEY], Status *status);

typedef struct SharedLink {
    PGconn *connection;
    double end; ///< s of the monotonic clock, at which patience ends
    char shown[SHARED_ADDRESS];
    char state[6]; ///< SQLSTATE of the last failure; "" = none, or it came from elsewhere
    bool broken; ///< nothing more can be asked
} SharedLink;

/// Seconds of the monotonic clock.
double shared_clock(void);

/// Connects. False with `status`; shared_disconnect is to be called in any case.
/// patience  s, from now to the end of the last call
bool shared_connect(SharedLink *link, const char *url, double patience, Status *status);
void shared_disconnect(SharedLink *link);

/// Runs one statement with texts for $1, $2, ...; the caller clears what it answers. NULL with `status`.
PGresult *shared_ask(SharedLink *link, const char *sql, int count, const char *const *values, Status *status);
/// The same where only success matters; `changed`, unless NULL, is how many rows it changed.
bool shared_run(SharedLink *link, const char *sql, int count, const char *const *values, int *changed, Status *status);
/// Commits when `good`, else takes back and leaves `status` as it is.
bool shared_end(SharedLink *link, bool good, Status *status);

/// ---- the tables on the server --------------------------------------------------------------------------------------

enum { SHARED_DATABASE = 40 };

/// A database as it stands.
typedef struct SharedServer {
    char database[SHARED_DATABASE]; ///< its own name, drawn when its tables were made
    long long changes; ///< number of the last transaction that wrote
} SharedServer;

/// Checks that the database is ours and of this layout; makes or migrates its tables where they are missing or older,
/// in one transaction that others wait for. False with `status`, and nothing is changed: STATUS_BAD_FILE for a foreign
/// database or a later layout.
bool shared_layout(SharedLink *link, Status *status);
/// Reads it. False with `status`.
bool shared_server(SharedLink *link, SharedServer *server, Status *status);

#endif
