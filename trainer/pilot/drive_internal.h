/// What the files of a drive share.
#ifndef SPADEWORK_TRAINER_DRIVE_INTERNAL_H
#define SPADEWORK_TRAINER_DRIVE_INTERNAL_H

#include "trainer/pilot/drive.h"

/// The session that begins at `origin`, which the caller destroys. NULL with `status`.
Session *drive_session(const Drive *drive, SessionOrigin *origin, Status *status);
/// Finds when the drive is over. A script's times count from the session's start, also in one that was taken over.
/// False with `status` (STATUS_BAD_USAGE): the script ends before the session begins.
bool drive_find_end(Drive *drive, Status *status);
/// Begins the attempt.
bool drive_begin_results(Drive *drive, Status *status);
/// Begins recording and telemetry; a recording that was begun is taken away again when the telemetry fails.
bool drive_start_files(Drive *drive, Status *status);
/// Closes both. False with `status` when what was lost ends the drive.
bool drive_close_files(Drive *drive, Status *status);
/// Stores the attempt; its recording is closed.
bool drive_end_results(Drive *drive, Status *status);

#endif
