/// The command check: whether files can be used, and what in them cannot work.
#ifndef SPADEWORK_TRAINER_CLI_CHECK_H
#define SPADEWORK_TRAINER_CLI_CHECK_H

#include "trainer/cli/cli_options.h"

/// Checks YAML files, meshes and recordings: each fault and warning is a line on stderr. Returns the exit code: 0 when
/// all are good (with --strict, and none has a warning), 1 when a file is bad.
int cli_check(const CliOptions *options);

#endif
