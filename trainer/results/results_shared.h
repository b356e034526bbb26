/// Results that stations share by a PostgreSQL server: `results_open` takes postgresql://... in place of a path. What
/// is added or changed goes into a file of this station's own first, and to the server when it can be reached; a list
/// of shared results is what the server knew at the last exchange, with what waits here (docs/shared-results.md).
#ifndef SPADEWORK_TRAINER_RESULTS_SHARED_H
#define SPADEWORK_TRAINER_RESULTS_SHARED_H

#include "trainer/results/results_store.h"

#define RESULTS_PATIENCE_SERVER 4.0 ///< s: how long a drive or a list may wait for the server. Chosen

enum { RESULTS_TOLD = 1024 };

/// True for the address of a server.
bool results_are_shared(const char *path);

/// Sends what waits and copies what is new. True and nothing for a plain file. False with `status`; what was added is
/// kept here and waits.
/// patience  s, 1..600
/// sent      operations that the server has taken now; NULL: nobody asks
bool results_exchange(Results *results, double patience, int *sent, Status *status);

/// The same by RESULTS_PATIENCE_SERVER, for drives and lists: a server that let the last exchange wait is left alone
/// for half a minute, and one that is away is no failure. False with `status` when it is not one of ours, or its
/// answers are none.
bool results_refresh(Results *results, Status *status);

/// How many additions and changes wait here for the server; 0 for a plain file.
int results_waiting(Results *results);

/// Writes what is to be told of shared results: why the server was not reached, how many results wait here, of when the
/// list is. False, and "", when all is where it belongs.
bool results_shared_told(Results *results, char text[RESULTS_TOLD]);

#endif
