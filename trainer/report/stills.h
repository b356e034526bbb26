/// Pictures of single moments of a recording.
#ifndef SPADEWORK_TRAINER_STILLS_H
#define SPADEWORK_TRAINER_STILLS_H

#include <stdbool.h>

#include "data/core/status.h"
#include "data/core/data_files.h"
#include "trainer/record/record.h"
#include "trainer/sim/sim.h"

enum { STILLS_MOST = 32 };

/// One picture that is asked for.
typedef struct Still {
    char path[DATA_PATH_LENGTH]; ///< PNG to write
    double time; ///< s of simulated time
    int view; ///< RenderCamera
} Still;

/// Draws and writes pictures: the headless core has no means of its own.
typedef struct StillPainter {
    void *context;
    /// Writes the session's present state as a PNG. False with `status` ends the export.
    bool (*paint)(void *context, Session *session, const Still *still, Status *status);
} StillPainter;

/// Puts `session` to each picture's moment, the nearest tick, compares the state with the recorded one, and has the
/// picture written. False with `status`: a time that the recording does not hold (STATUS_BAD_USAGE), a state that is
/// computed differently here (STATUS_NOT_VERIFIED), a bad recording, or a file that cannot be written (STATUS_LACKING);
/// pictures before it stay.
/// written  counts the pictures
bool stills_write(Recording *recording, Session *session, const Still *stills, int count, const StillPainter *painter,
                  int *written, Status *status);

#endif
