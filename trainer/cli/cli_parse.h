/// The command line, parsed into plain options. Any thread; opens no file, and only cli_print_help prints.
#ifndef SPADEWORK_TRAINER_CLI_PARSE_H
#define SPADEWORK_TRAINER_CLI_PARSE_H

#include <stdio.h>

#include "data/core/status.h"
#include "soil/soil.h"
#include "trainer/cli/cli_table.h"

/// Parses argv[1..argc-1]. False with STATUS_BAD_USAGE and one line that says what was read and what to do: also when a
/// file to be written is one that is read, under whatever name (output_is_same_file). The options hold pointers into
/// argv and into themselves: do not copy them.
bool cli_parse(int argc, const char *const *argv, CliOptions *options, Status *status);

/// Prints the help of a command, CLI_NOTHING = overview.
void cli_print_help(CliCommand topic, FILE *file);

/// Readers of values that are one of several words. Each says in one line what was read and what is allowed
/// (STATUS_BAD_USAGE).
bool cli_read_solver(const char *text, SoilSolver *solver, Status *status);
bool cli_read_camera(const char *text, int *camera, Status *status); ///< a name of CAMERAS: its number
/// Of --rear, --inset, --mirrors, --screens, --eyes: 1 + the value in SettingsViews.
bool cli_read_view(const char *option, const char *text, int *value, Status *status);
bool cli_read_window(const char *text, SettingsSides *windows, Status *status); ///< VIEW[@DISPLAY]: appended
bool cli_read_quality(const char *text, int *quality, Status *status); ///< auto, high, medium, low: 1..4
bool cli_read_panels(const char *text, int *panels, Status *status); ///< strip, all, off: 1 + SettingsGauges

#endif
