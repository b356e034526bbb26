/// How the bodies of a machine hang together, by its type: a tree of hinges. Pure functions of the parameters.
///
/// Joint k drives body k + 1, in both types. Frames and angles: data/machine_params.h.
#ifndef SPADEWORK_MACHINE_SKELETON_H
#define SPADEWORK_MACHINE_SKELETON_H

#include "data/machine_params.h"
#include "data/core/vec.h"

/// Where a joint sits and how it turns.
typedef struct SkeletonJoint {
    int parent; ///< body that carries it
    Vec3 origin; ///< m: origin of the child's frame, in the parent's frame
    Vec3 axis; ///< unit, in either frame: positive joint angles turn the child right-handed about it
    Vec3 zero; ///< unit, square to the axis: the child's own stands on the parent's at the angle 0
} SkeletonJoint;

SkeletonJoint skeleton_joint(const MachineParams *params, int joint);
/// Names of bodies and joints in the machine's file.
const char *skeleton_body_name(const MachineParams *params, int body);
const char *skeleton_joint_name(const MachineParams *params, int joint);
/// Lowest and highest angle of a joint that a cylinder drives, rad.
const double *skeleton_range(const MachineParams *params, int joint);

#endif
