/// Closed-form kinematics of the excavator's arm: pure functions of the parameters, no ODE.
/// All positions in the house frame's x-z plane (machine_params.h); the cutting edge is the bucket frame's tip.
#ifndef SPADEWORK_MACHINE_KINEMATICS_H
#define SPADEWORK_MACHINE_KINEMATICS_H

#include <stdbool.h>

#include "data/excavator_params.h"

/// Joint angles of the arm, rad.
typedef struct ArmAngles {
    double boom, stick, bucket;
} ArmAngles;

/// Tip of the bucket and elevation of the tip line (bucket pin to tip) in the house plane.
typedef struct ArmTip {
    double x, z; ///< m
    double elevation; ///< rad: boom + stick + bucket
} ArmTip;

void kinematics_tip(const MachineParams *params, const ArmAngles *angles, ArmTip *tip);

/// Angles that bring the tip to (x, z) with the given elevation of the tip line (elbow up). False when out of reach or
/// outside a joint's range; `angles` is then the nearest that the ranges allow.
bool kinematics_solve(const MachineParams *params, const ArmTip *tip, ArmAngles *angles);

/// Pin-to-pin length of a cylinder at a joint angle (of either type), and dL/d(angle) (m/rad). For the bucket through its four-bar linkage;
/// false when the linkage cannot close at this angle.
bool kinematics_cylinder(const MachineParams *params, int joint, double angle, double *length, double *length_per_rad);

/// Pins of the bucket linkage at a bucket angle, in the stick's frame: where rocker, link and cylinder rod meet, and where
/// the link meets the bucket. False when the linkage cannot close.
bool kinematics_linkage(const MachineJointParams *joint, double angle, PlanePoint *rocker_end, PlanePoint *link_pin);

#endif
