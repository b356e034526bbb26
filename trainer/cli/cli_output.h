/// What commands tell of a recording's seals, and how far a long check has come. One way for all commands.
#ifndef SPADEWORK_TRAINER_CLI_SEALS_H
#define SPADEWORK_TRAINER_CLI_SEALS_H

#include <jansson.h>

#include "trainer/cli/cli_options.h"
#include "trainer/record/record.h"

/// A line on stderr that tells how far something has come, four times a second, from the second second on.
typedef struct CliProgress {
    const char *done, *what; ///< "verified", "ticks"
    int64_t from; ///< where the counting began
    bool at_once; ///< from the beginning on
    double began, shown; ///< wall clock, s
    bool visible; ///< something was shown
} CliProgress;

/// True when somebody looks: --progress, or stderr is a terminal.
bool cli_shows_progress(const RunOptions *options);
/// A RecordingProgress. `context` is a CliProgress.
void cli_show_progress(void *context, int64_t done, int64_t all);

/// The seals for --json: state, seals, closed, seal, signed_by, station_key, trusted_station, change.
json_t *cli_seal_json(const RecordingSeal *seal);

#endif
