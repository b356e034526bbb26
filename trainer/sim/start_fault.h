/// Where the fault of a scene stands that loads and cannot be begun. Internal to the session; any thread.
///
/// What builds a session knows keys, not files: its failures (STATUS_BAD_FILE) begin with a key of the scene
/// ("machine: ...", "fixtures.0 (wall): ..."), those of a machine with its name and a key ("excavator-22t: linkage:
/// ...").
#ifndef SPADEWORK_TRAINER_START_FAULT_H
#define SPADEWORK_TRAINER_START_FAULT_H

#include <stdbool.h>

#include "data/core/status.h"
#include "data/core/data_files.h"
#include "data/schema/machine_params.h"

/// Puts `FILE:LINE:COLUMN: ` in front of such a failure. The place of a machine's key is that in its own file, or in
/// that of its attachment where this has the key; before it stands, where there is a scene among `files`, the place of
/// the scene's reference. Other failures stay what they are. Returns true when it is a machine's.
bool start_fault_place(const DataFiles *files, const MachineParams *machine, Status *status);

#endif
