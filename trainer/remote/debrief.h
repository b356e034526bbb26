/// The debrief of a drive that has ended, for the page.
#ifndef SPADEWORK_TRAINER_DEBRIEF_H
#define SPADEWORK_TRAINER_DEBRIEF_H

#include <stddef.h>

#include "data/core/status.h"

enum { DEBRIEF_MOST = 16 << 20 }; ///< bytes

/// Writes the report of a closed recording as one page of HTML of `size` bytes, that the caller frees. NULL with
/// `status`: the recording is bad (STATUS_BAD_FILE), or memory or disk are short (STATUS_LACKING).
char *debrief_make(const char *recording, size_t *size, Status *status);

#endif
