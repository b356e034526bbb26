/// The command line of the program `spadework`. The door is for what is generated from it (packaging/command_pages.c):
/// the table of commands and options, and how their values are read.
///
///     for (int k = 0; k < cli_option_count; k++) {
///         if ((cli_options[k].on & 1U << CLI_RUN) != 0) {
///             puts(cli_options[k].name); // every option of `run`
///         }
///     }
///     CliOptions options;
///     Status status;
///     if (!cli_parse(argc, (const char *const *)argv, &options, &status)) {
///         fprintf(stderr, "spadework: %s\n", status.text);
///         return status.code;
///     }
///
/// A new command or option is a row in cli_table.c; parser, help, manual page and completion follow from it. The table
/// is constant and can be read from any thread; commands belong to the main thread. Strings in CliOptions are argv's. A
/// failure is one line on stderr and an exit code: that of its status (data/core/status.h).
///
/// From bottom to top: cli_table.h (commands, options, their values, and output), cli_parse.h (parser and help),
/// workers.h (jobs in processes), headless.h (a run without a window), doctor_findings.h and doctor.h (what the
/// computer lacks), cli_commands.h (all other commands), main.c.
#ifndef SPADEWORK_TRAINER_CLI_DOOR_H
#define SPADEWORK_TRAINER_CLI_DOOR_H

#include "trainer/cli/cli_parse.h"
#include "trainer/cli/cli_table.h"

#endif
