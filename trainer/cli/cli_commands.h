/// The commands that need neither window nor run. Each prints its answer on stdout, one line on stderr for each
/// failure, and returns the exit code.
#ifndef SPADEWORK_TRAINER_CLI_COMMANDS_H
#define SPADEWORK_TRAINER_CLI_COMMANDS_H

#include "trainer/cli/cli_parse.h"
#include "trainer/report/report.h"

enum { CLI_PICTURE_WIDTH = 1280, CLI_PICTURE_HEIGHT = 720, CLI_FPS = 30 }; ///< when not given

int cli_list(const CliOptions *options);
int cli_verify(const CliOptions *options);
/// `painter` draws the pictures of a film.
int cli_export(const CliOptions *options, const ExportPainter *painter, const StillPainter *still_painter);

/// Hands what was printed on; one line on stderr and STATUS_LACKING when it cannot be written (a full disk).
int cli_flush(void);

/// "spadework: TEXT" on stderr; returns the status's code.
int cli_fail(const Status *status);

#endif
