/// The command new: a scene of one's own, made from another one.
#ifndef SPADEWORK_TRAINER_CLI_NEW_H
#define SPADEWORK_TRAINER_CLI_NEW_H

#include "trainer/cli/cli_options.h"

/// Writes a commented copy of a scene into the user's folder of scenes, or where -o says; never over a file. Returns
/// the exit code.
int cli_new(const CliOptions *options);

#endif
