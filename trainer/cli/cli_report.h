/// The command report.
#ifndef SPADEWORK_TRAINER_CLI_REPORT_H
#define SPADEWORK_TRAINER_CLI_REPORT_H

#include "trainer/cli/cli_parse.h"

/// Writes the debrief of the first recording beside the others, and prints where it is. Returns the exit code.
int cli_report(const CliOptions *options);

#endif
