/// The tables on the server. Internal to the shared results.
#ifndef SPADEWORK_TRAINER_SHARED_LAYOUT_H
#define SPADEWORK_TRAINER_SHARED_LAYOUT_H

#include "trainer/results/shared_link.h"

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
