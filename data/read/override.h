/// `--set KEY=VALUE`: one value of a YAML text replaced, everything else (comments, lines) kept. Internal to data/.
#ifndef SPADEWORK_DATA_OVERRIDE_H
#define SPADEWORK_DATA_OVERRIDE_H

#include "data/core/status.h"

#include <stddef.h>

/// Applies one KEY=VALUE to `*text` (malloc'd; replaced by a new malloc'd text). A key that is missing is added to its
/// mapping, which must exist; whether it may stand there is for the schema to say. Errors name the argument.
bool override_apply(const char *label, const char *set, char **text, size_t *size, Status *status);

#endif
