/// Attempts that could not be stored, because somebody held the results, the disk was full, or the file was not to be
/// had: each waits as a file of its own in `waiting` in the user's data folder. The next program that opens those
/// results stores it and removes the file. Any thread.
#ifndef SPADEWORK_TRAINER_RESULTS_ASIDE_H
#define SPADEWORK_TRAINER_RESULTS_ASIDE_H

#include "trainer/results/results_store.h"

/// Sets an attempt aside, written to the disk and then given its name, so that no kill leaves half of it. It gets a
/// UUID where it has none. False with `status` (STATUS_LACKING, STATUS_BAD_USAGE), and nothing is left behind.
/// path  as results_open takes it
/// file  out: where it waits
bool results_set_aside(const char *path, ResultAttempt *attempt, char file[DATA_PATH_LENGTH], Status *status);

/// How many wait for the results at `path`, which results_open takes; of damaged ones nobody knows.
int results_aside_count(const char *path);

#endif
