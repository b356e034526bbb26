/// Where a key stands in a file, for faults that are found when what the file says is built. Any thread.
#ifndef SPADEWORK_DATA_KEY_PLACE_H
#define SPADEWORK_DATA_KEY_PLACE_H

#include <stdbool.h>

#include "data/core/status.h"

/// Writes `FILE:LINE:COLUMN: TEXT` with the place of a dotted key, of its nearest parent where it is missing, or
/// without a place where the file cannot be read, into the status (STATUS_BAD_FILE). Returns false.
bool key_place_fail(const char *file, const char *key, const char *text, Status *status);

#endif
