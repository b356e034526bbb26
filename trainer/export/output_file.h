/// Which existing file an output may replace: its own kind only, so that no slip of the keyboard destroys a scene or a
/// recording.
#ifndef SPADEWORK_TRAINER_OUTPUT_H
#define SPADEWORK_TRAINER_OUTPUT_H

#include "data/core/status.h"

typedef enum OutputKind { OUTPUT_TELEMETRY, OUTPUT_PICTURE, OUTPUT_VIDEO } OutputKind;

/// True when nothing is at `path`, or an empty file, a device, or an older file of the same kind (told by its first bytes).
/// Else `status` (STATUS_LACKING) says what is there. NULL is fine.
bool output_may_replace(const char *path, OutputKind kind, Status *status);

#endif
