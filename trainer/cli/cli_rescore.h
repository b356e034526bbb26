/// The command rescore.
#ifndef SPADEWORK_TRAINER_CLI_RESCORE_H
#define SPADEWORK_TRAINER_CLI_RESCORE_H

#include "trainer/cli/cli_parse.h"

/// Scores all recordings anew and prints what came of it, a line each, or as JSON; progress goes to stderr. Returns the
/// exit code: that of the last recording that could not be scored.
int cli_rescore(const CliOptions *options);

#endif
