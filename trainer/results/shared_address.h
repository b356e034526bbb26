/// The address of a server of shared results, as libpq takes it. Internal to the results.
#ifndef SPADEWORK_TRAINER_SHARED_ADDRESS_H
#define SPADEWORK_TRAINER_SHARED_ADDRESS_H

#include <stdbool.h>

#include "data/core/status.h"

enum { SHARED_ADDRESS = 256, SHARED_KEY = 20 };

/// True for postgresql://... and postgres://...
bool shared_is_url(const char *path);

/// Writes what may be shown of an address (who, where, which database; never a password), and a key that is the same
/// for every address of the same database. False with `status` (STATUS_BAD_USAGE), without a word of the address, when
/// libpq does not take it.
bool shared_describe(const char *url, char shown[SHARED_ADDRESS], char key[SHARED_KEY], Status *status);

#endif
