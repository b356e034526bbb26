/// The command reference: every key of a kind of file.
#ifndef SPADEWORK_TRAINER_CLI_REFERENCE_H
#define SPADEWORK_TRAINER_CLI_REFERENCE_H

#include "trainer/cli/cli_options.h"

/// Prints the reference of options->kind as text, Markdown, HTML or JSON. Returns the exit code.
int cli_reference(const CliOptions *options);

#endif
