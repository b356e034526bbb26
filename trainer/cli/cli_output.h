/// What commands print: failures, JSON, the progress of long work, and the seals of a recording. stdout holds the
/// answer, stderr one line for each failure. Main thread.
#ifndef SPADEWORK_TRAINER_CLI_OUTPUT_H
#define SPADEWORK_TRAINER_CLI_OUTPUT_H

#include <jansson.h>

#include "trainer/pilot/pilot.h"
#include "trainer/record/record.h"

/// Flushes stdout; one line on stderr and STATUS_LACKING when it cannot be written (a full disk).
int cli_flush(void);
/// "spadework: TEXT" on stderr; returns the status's code.
int cli_fail(const Status *status);

/// Prints a value, indented, and frees it. The caller flushes.
void cli_print_json(json_t *value);
json_t *cli_json_text(const char *text); ///< "": null
/// The seals for --json: state, seals, closed, seal, signed_by, station_key, trusted_station, change.
json_t *cli_seal_json(const RecordingSeal *seal);

/// A line on stderr that says how much is done, four times a second, from the second second on.
typedef struct CliProgress {
    const char *done, *what; ///< "verified", "ticks"
    int64_t from; ///< where the counting began
    bool at_once; ///< from the beginning on
    double began, shown; ///< wall clock, s
    bool visible; ///< something was shown
} CliProgress;

bool cli_shows_progress(const RunOptions *options); ///< --progress is given, or stderr is a terminal
/// A RecordingProgress. `context` is a CliProgress.
void cli_show_progress(void *context, int64_t done, int64_t all);

#endif
