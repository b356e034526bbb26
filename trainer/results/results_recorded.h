/// The attempt that a recording holds, for results that lack it: those of a drive whose program was killed, that was
/// recorded alone, or on another computer. Any thread.
#ifndef SPADEWORK_TRAINER_RESULTS_RECORDED_H
#define SPADEWORK_TRAINER_RESULTS_RECORDED_H

#include "trainer/results/results_store.h"

/// Checks the seals of a recording and makes of it the attempt that its drive would have been stored as; the figures
/// are those of its last state. False with `status`: STATUS_BAD_FILE (it is none, or was cut short and has no figures),
/// STATUS_NOT_VERIFIED (it was changed), STATUS_LACKING.
bool results_of_recording(const char *path, ResultAttempt *attempt, Status *status);

/// Adds it. False with `status` (STATUS_BAD_FILE) when an attempt of that UUID, seal or file is there already, or when
/// its trainee was deleted after it began and `restore` is not set.
bool results_add_recorded(Results *results, ResultAttempt *attempt, bool restore, Status *status);

#endif
