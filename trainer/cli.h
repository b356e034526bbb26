/// The command line: parsed into plain options, then run.
#ifndef SPADEWORK_TRAINER_CLI_H
#define SPADEWORK_TRAINER_CLI_H

#include <stdbool.h>
#include <stdint.h>

#include "soil/soil.h"

enum { CLI_MAX_SET = 32 };

/// Everything `run` takes. Strings belong to the command line.
typedef struct RunOptions {
    const char *scene; ///< path or name
    bool headless;
    const char *operator_name; ///< "gamepad", "keyboard", "auto", a script's path; NULL: whatever devices there are
    const char *controls; ///< control map, name or path; NULL: "iso"
    double seconds; ///< simulated seconds; 0 = no end
    const char *record; ///< recording to write, or NULL
    const char *telemetry; ///< CSV to write, or NULL
    int threads; ///< 0 = as the machine has
    bool has_seed;
    uint64_t seed; ///< when has_seed
    SoilSolver solver;
    const char *shot; ///< picture to write, or NULL
    double shot_at; ///< simulated second of the picture; < 0: at the end
    const char *trainee; ///< or NULL
    const char *set[CLI_MAX_SET]; ///< KEY=VALUE
    int set_count;
    bool keep_going; ///< go on unrecorded when recording fails
    bool json; ///< summary as JSON
} RunOptions;

#endif
