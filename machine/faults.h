/// Faults of a machine: what an instructor lets fail in a step, as plain numbers.
///
/// The laws stand in README.md, "Faults". With MACHINE_NO_FAULTS a step gives the same bits as without faults.
#ifndef SPADEWORK_MACHINE_FAULTS_H
#define SPADEWORK_MACHINE_FAULTS_H

#include <stdbool.h>

#define MACHINE_OIL_HEAT_MOST 30.0 ///< K above the temperature that is allowed

/// Constant during a step; NULL stands for MACHINE_NO_FAULTS. A function is named by a bit: MACHINE_RELIEF_JOINT and
/// MACHINE_RELIEF_TRACK of machine.h.
typedef struct MachineFaults {
    double pressure; ///< 0..1: share of the relief pressure that the pumps reach; default 1
    double swing; ///< 0..1: share of its speed that the swing motor reaches; default 1
    double oil_heat; ///< K, 0..MACHINE_OIL_HEAT_MOST: how much too hot the oil is; default 0
    int stuck; ///< set of functions whose valve stays where it stands; default none
    int dead; ///< set of functions whose valve goes to neutral, whatever the lever asks; default none
    bool engine_stopped; ///< the engine gets no fuel; default false
} MachineFaults;

#define MACHINE_NO_FAULTS ((MachineFaults){.pressure = 1.0, .swing = 1.0})

/// Share of each function's flow, 0..1, that oil so hot leaves: thin oil leaks past valves and pistons.
double machine_flow_left(const MachineFaults *faults);

#endif
