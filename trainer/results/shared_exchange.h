/// Results that stations share: what lies in a station's own SQLite file is sent to a PostgreSQL server, and what the
/// server knows is copied into that file. README.md here tells the tables and what is promised.
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

#endif
