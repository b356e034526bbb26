/// The command line, parsed into plain options. Any thread; opens no file, and only cli_print_help prints.
#ifndef SPADEWORK_TRAINER_CLI_H
#define SPADEWORK_TRAINER_CLI_H

#include <stdbool.h>
#include <stdio.h>

#include "data/core/status.h"
#include "trainer/cli/cli_options.h"

/// Parses argv[1..argc-1]. False with STATUS_BAD_USAGE and one line that says what was read and what to do: also when a
/// file to be written is one that is read, under whatever name (output_is_same_file). The options hold pointers into
/// argv and into themselves: do not copy them.
bool cli_parse(int argc, const char *const *argv, CliOptions *options, Status *status);

/// Prints the help of a command, CLI_NOTHING = overview.
void cli_print_help(CliCommand topic, FILE *file);

#endif
