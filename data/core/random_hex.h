/// Random bits as text, for secrets and names; nothing of a simulation.
#ifndef SPADEWORK_DATA_RANDOM_HEX_H
#define SPADEWORK_DATA_RANDOM_HEX_H

#include <stdbool.h>
#include <stddef.h>

#include "data/core/status.h"

/// Writes `bytes` (1..256) random bytes of the system as hexadecimal digits into text [2 * bytes + 1]. False with
/// `status` (STATUS_LACKING): there are none.
bool random_hex(char *text, size_t bytes, Status *status);

#endif
