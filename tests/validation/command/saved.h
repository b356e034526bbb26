/// Saved results of `measured`: what `validate run measured --json` printed, read so that a report need not run it.
#ifndef SPADEWORK_VALIDATION_SAVED_H
#define SPADEWORK_VALIDATION_SAVED_H

#include "tests/validation/harness/run.h"

enum { SAVED_MOST_SEEDS = 20 };

/// Runs of one solver and one form, one a seed; owns the objects.
typedef struct SavedRuns {
    int count; ///< seeds
    json_t *runs[SAVED_MOST_SEEDS];
} SavedRuns;

/// Reads files; sets of the same seed become one run. False with `status`, which names the file and the place in it,
/// when one cannot be read, holds something else, or does not belong to those before it: another solver or form, a set
/// that they have with this seed, or another version of a set. Then nothing is to be dropped.
bool saved_read(const char *const *paths, int count, SavedRuns *saved, Status *status);
void saved_drop(SavedRuns *saved);

#endif
