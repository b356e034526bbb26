/// Holds the two bodies of each joint against each other.
#include "trainer/sim/joined_bodies.h"

#include <math.h>

bool joined_bodies_hold(const Machine *machine, const MachineParams *params, const MachineState *state, Status *status)
{
    for (int k = 0; k < params->joint_count; k++) {
        const MachineJointParams *joint = &params->joint[k];
        const char *parent = params->body[joint->parent].name, *child = params->body[joint->child].name;
        MachineJointGap gap = machine_joint_gap(machine, state, k);
        if (!(gap.distance <= JOINED_DISTANCE)) {
            return status_fail(status, STATUS_BAD_FILE,
                               "saved state: joint %s: machine.%s and machine.%s are %.4g m apart; allowed 0..%g m",
                               joint->name, parent, child, gap.distance, JOINED_DISTANCE);
        }
        if (!(gap.angle <= JOINED_ANGLE)) {
            return status_fail(status, STATUS_BAD_FILE,
                               "saved state: joint %s: machine.%s and machine.%s are %.4g rad askew; allowed 0..%g rad",
                               joint->name, parent, child, gap.angle, JOINED_ANGLE);
        }
    }
    return true;
}
