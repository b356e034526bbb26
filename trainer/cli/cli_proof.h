/// `spadework results verify`: proves attempts by their recordings.
#ifndef SPADEWORK_TRAINER_CLI_PROOF_H
#define SPADEWORK_TRAINER_CLI_PROOF_H

#include "trainer/cli/cli_options.h"
#include "trainer/results/results.h"

/// Replays the recording of each attempt that the filter lets through and compares what it gives with the attempt:
/// seal, scene, trainee, points and metrics. Prints a line each. False with `status` (STATUS_NOT_VERIFIED) when one is
/// not proven, or when the results cannot be read.
bool cli_prove(const CliOptions *options, Results *results, const ResultFilter *filter, Status *status);

#endif
