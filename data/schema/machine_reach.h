/// Reach of the edge of a tool on a swinging arm, over all angles of its joints within their ranges. Pure
/// functions; heights are over the plane that the tracks stand on.
#ifndef SPADEWORK_DATA_MACHINE_REACH_H
#define SPADEWORK_DATA_MACHINE_REACH_H

#include <stdbool.h>

#include "data/schema/machine_params.h"

/// True when the tool hangs on joints that rise and sink beyond a swing motor: for others nothing is known here.
bool machine_reach_is_known(const MachineParams *machine);

/// How far the edge stays off a point at best, m: `distance` m from the swing axis in plan, at `height`.
double machine_reach_miss(const MachineParams *machine, double distance, double height);

typedef struct MachineReach {
    double far; ///< m, from the swing axis in plan
    double high, low; ///< m, highest and lowest height of the edge
} MachineReach;
MachineReach machine_reach(const MachineParams *machine);

#endif
