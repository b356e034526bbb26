/// What waits in a file, to the server. Internal to the shared results.
#ifndef SPADEWORK_TRAINER_SHARED_SEND_H
#define SPADEWORK_TRAINER_SHARED_SEND_H

#include <sqlite3.h>

#include "trainer/results/shared_link.h"

/// Sends all that waits, in order, in transactions of at most a hundred operations; what a transaction has brought over
/// is marked in the file once it is committed. False with `status`.
/// sent  operations that the server has taken, also on failure
bool shared_send(SharedLink *link, sqlite3 *db, int *sent, Status *status);

/// Fails with what SQLite tells. Returns false.
bool shared_fail_file(sqlite3 *db, Status *status);
/// Runs statements without values in the file. False with `status`.
bool shared_run_file(sqlite3 *db, const char *sql, Status *status);

#endif
