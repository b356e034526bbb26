/// Which control map drives a machine.
#ifndef SPADEWORK_TRAINER_CONTROL_MAP_H
#define SPADEWORK_TRAINER_CONTROL_MAP_H

#include "data/schema/load.h"

/// Loads the map `controls` (name or path; NULL = the machine's own, MachineParams.controls). A map that was made for
/// another machine, that is, moves joints that this one does not have and does not raise its tool, gives way to the
/// machine's own one.
bool control_map_load(const char *controls, const MachineParams *machine, ControlsParams *map, Status *status);

#endif
