/// Closed-form kinematics of the excavator's arm: pure functions of the parameters, no ODE.
/// All positions in the house frame's x-z plane (machine_params.h); the cutting edge is the bucket frame's tip.
#ifndef SPADEWORK_MACHINE_EXCAVATOR_ARM_H
#define SPADEWORK_MACHINE_EXCAVATOR_ARM_H

#include <stdbool.h>

#include "data/schema/machine_params.h"

/// Joint angles of the arm, rad.
typedef struct ArmAngles {
    double boom, stick, bucket; ///< rad
} ArmAngles;

/// Tip of the bucket and elevation of the tip line (bucket pin to tip) in the house plane.
typedef struct ArmTip {
    double x, z; ///< m
    double elevation; ///< rad: boom + stick + bucket
} ArmTip;

void excavator_tip(const MachineParams *params, const ArmAngles *angles, ArmTip *tip);

/// Angles that bring the tip to (x, z) with the given elevation of the tip line (elbow up). False when out of reach or
/// outside a joint's range; `angles` is then the nearest that the ranges allow.
bool excavator_reach(const MachineParams *params, const ArmTip *tip, ArmAngles *angles);

#endif
