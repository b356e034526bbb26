/// The command `results`: lists attempts, keeps classes, moves them between computers, draws progress.
#ifndef SPADEWORK_TRAINER_CLI_RESULTS_H
#define SPADEWORK_TRAINER_CLI_RESULTS_H

#include "trainer/cli/cli_options.h"

/// Does what the words behind `results` say, and prints what came of it. Returns the exit code; a failure is one line
/// on stderr.
int cli_results(const CliOptions *options);

#endif
