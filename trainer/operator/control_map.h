/// Which control map drives a machine.
#ifndef SPADEWORK_TRAINER_CONTROL_MAP_H
#define SPADEWORK_TRAINER_CONTROL_MAP_H

#include "data/load.h"

/// Loads the map `controls` (name or path; NULL = the machine's own: "iso" of an excavator, "dozer" of a dozer). A map that was made for
/// the other type of machine, that is, moves no boom or no blade, gives way to the machine's own one.
bool control_map_load(const char *controls, const MachineParams *machine, ControlsParams *map, Status *status);

#endif
