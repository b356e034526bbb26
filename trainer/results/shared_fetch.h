/// What the server knows, into a file. Internal to the shared results.
#ifndef SPADEWORK_TRAINER_SHARED_FETCH_H
#define SPADEWORK_TRAINER_SHARED_FETCH_H

#include <sqlite3.h>

#include "trainer/results/shared_link.h"

/// Compares the database with the one that the file knows. One that was made anew, or put back to an earlier state, is
/// sent all again that this station has added, and all classes. False with `status`.
bool shared_recognize(SharedLink *link, sqlite3 *db, Status *status);

/// Copies what is new since the last time, from one moment of the server, in transactions of the file. Where something
/// waits to be sent meanwhile, the copy is left for the next time. False with `status`.
bool shared_fetch(SharedLink *link, sqlite3 *db, Status *status);

#endif
