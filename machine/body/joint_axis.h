/// How the bodies of a machine hang together: a tree of hinges, read off MachineParams.joint. Pure functions.
#ifndef SPADEWORK_MACHINE_JOINT_AXIS_H
#define SPADEWORK_MACHINE_JOINT_AXIS_H

#include "data/core/vec.h"
#include "data/schema/machine_params.h"

/// How a joint turns.
typedef struct JointAxis {
    Vec3 axis; ///< unit, in either frame: positive joint angles turn the child right-handed about it
    Vec3 zero; ///< unit, square to the axis: the child's own stands on the parent's at the angle 0
} JointAxis;

JointAxis joint_axis(MachineAxis axis);
/// m: origin of the child's frame in the parent's frame.
Vec3 joint_origin(const MachineJointParams *joint);

#endif
