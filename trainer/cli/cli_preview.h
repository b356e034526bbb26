/// The command preview.
#ifndef SPADEWORK_TRAINER_CLI_PREVIEW_H
#define SPADEWORK_TRAINER_CLI_PREVIEW_H

#include "trainer/cli/cli_parse.h"

/// Draws the plan of a scene into a PNG or SVG file, by its name's end, and prints where. Returns the exit code.
int cli_preview(const CliOptions *options);

#endif
