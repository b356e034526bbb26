/// The check of names that come in by the command line, the window or a file: of trainees, classes, courses, stations.
/// Any thread; nothing is kept.
#ifndef SPADEWORK_DATA_VISIBLE_NAME_H
#define SPADEWORK_DATA_VISIBLE_NAME_H

#include <stdbool.h>
#include <stddef.h>

#include "data/core/status.h"

/// True for a name: 1..most bytes of one line without a fault. Else `status` (STATUS_BAD_USAGE) says what was read and
/// what is allowed; `what` is the name's name ("--trainee").
bool visible_name_check(const char *what, const char *name, size_t most, Status *status);

#endif
