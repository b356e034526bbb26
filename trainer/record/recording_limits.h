/// How much a recording may hold: what a session of its length can have written. Internal to the recording.
///
/// A stranger's recording is thus refused before its rows are read into memory or walked through. What its states may
/// hold follows from its scene: state_size_most and state_ranges.h.
#ifndef SPADEWORK_TRAINER_RECORDING_LIMITS_H
#define SPADEWORK_TRAINER_RECORDING_LIMITS_H

#include <stdbool.h>
#include <stdint.h>

#include <sqlite3.h>

#include "data/core/status.h"

/// How long a session was recorded.
typedef struct RecordingLength {
    int64_t ticks; ///< from its first to its last
    int tick_rate; ///< ticks a second, 1 and more
    int64_t maps; ///< of the ground, at most
} RecordingLength;

/// Counts the rows of each table, and the bytes of each stored file. NULL: of those alone that need no length, the
/// stored files, the meta and the metrics. False with `status` (STATUS_BAD_FILE), which says the table, what was
/// counted and what is allowed; `path` stands in it.
bool recording_check_rows(sqlite3 *db, const RecordingLength *length, const char *path, Status *status);

#endif
