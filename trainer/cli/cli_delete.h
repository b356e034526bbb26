/// The verbs `results delete` and `results purge`: what they will delete is told before, what they did is told after,
/// station by station, and so is what they cannot reach.
#ifndef SPADEWORK_TRAINER_CLI_DELETE_H
#define SPADEWORK_TRAINER_CLI_DELETE_H

#include "trainer/cli/cli_options.h"
#include "trainer/results/results.h"

#define CLI_DELETE_PATIENCE 20.0 ///< s that the server may take to hear of it. Chosen

/// Deletes a trainee, after a question where somebody sits at a terminal. False with `status`.
bool cli_delete(const CliOptions *options, Results *results, const char *trainee, Status *status);
/// Deletes the recordings of people who were deleted at another station. False with `status`.
bool cli_purge(const CliOptions *options, Results *results, Status *status);
/// Tells on stderr that there are some.
void cli_tell_left(Results *results);

#endif
