/// The command `serve --classroom`. Main thread.
#ifndef SPADEWORK_TRAINER_CLI_CLASSROOM_H
#define SPADEWORK_TRAINER_CLI_CLASSROOM_H

#include "trainer/cli/cli_options.h"

/// Prints the page's address and serves it until a signal asks to stop. Returns the exit code; a failure is one line on
/// stderr.
int cli_classroom(const CliOptions *options);

#endif
