/// The axes that joints turn about (MachineAxis), as unit vectors. Lever and angle share their signs with
/// data/schema/machine_params.h.
#include "machine/body/joint_axis.h"

JointAxis joint_axis(MachineAxis axis)
{
    static const JointAxis axes[] = {
        [MACHINE_PITCH] = {{0.0, -1.0, 0.0}, {1.0, 0.0, 0.0}},
        [MACHINE_YAW] = {{0.0, 0.0, -1.0}, {1.0, 0.0, 0.0}},
        [MACHINE_ROLL] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}},
    };
    return axes[axis];
}

Vec3 joint_origin(const MachineJointParams *joint)
{
    return vec3(joint->origin.x, 0.0, joint->origin.z);
}
