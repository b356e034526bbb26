/// A drive's host that begins each round at once and answers no question: for drives of which only what they leave
/// counts.
#ifndef SPADEWORK_TESTS_SILENT_HOST_H
#define SPADEWORK_TESTS_SILENT_HOST_H

#include "trainer/pilot/pilot.h"

static inline bool silent_host_before(void *context, Drive *drive, DriveRound *round, Status *status)
{
    (void)context;
    (void)drive;
    (void)status;
    *round = (DriveRound){0};
    return true;
}

static inline void silent_host_tick(void *context, Drive *drive)
{
    (void)context;
    (void)drive;
}

static inline bool silent_host_after(void *context, Drive *drive, bool last, Status *status)
{
    (void)context;
    (void)drive;
    (void)last;
    (void)status;
    return true;
}

static inline bool silent_host_answer(void *context, Drive *drive, DriveFile file)
{
    (void)context;
    (void)drive;
    (void)file;
    return false;
}

static const DriveHost silent_host = {NULL, silent_host_before, silent_host_tick, silent_host_after,
                                      silent_host_answer};

#endif
