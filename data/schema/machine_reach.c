/// Searches a grid of joint angles, then refines its best pose in ever smaller steps. The arm's plane turns with the
/// swing, so that two joints or three and two coordinates are enough.
#include "data/core/elementary.h"
#include "data/schema/machine_reach.h"

#include <math.h>

enum { GRID = 24, ROUNDS = 24 }; ///< angles of each joint in the search; halvings of a step after it

/// The joints from the swing motor to the tool.
typedef struct Arm {
    int count;
    const MachineJointParams *joint[MACHINE_MAX_JOINTS];
    PlanePoint base; ///< m: the swing motor's frame over the ground
    PlanePoint tip;
} Arm;

static bool find_arm(const MachineParams *machine, Arm *arm)
{
    *arm = (Arm){.count = 0};
    if (machine->swing_joint < 0 || machine->tool_count == 0) {
        return false;
    }
    arm->tip = machine->tool[0].tip;
    int body = machine->tool[0].body, house = machine->joint[machine->swing_joint].child;
    for (bool found = true; body != house && found;) {
        found = false;
        for (int k = 0; k < machine->joint_count && !found; k++) {
            const MachineJointParams *joint = &machine->joint[k];
            found = joint->child == body && arm->count < MACHINE_MAX_JOINTS;
            if (found && joint->axis == MACHINE_PITCH) {
                arm->joint[arm->count++] = joint;
            } else if (found && arm->count == 0) { // a tool that is tilted and turned: as it hangs in the middle
                arm->tip.x += joint->origin.x;
                arm->tip.z += joint->origin.z;
            } else if (found) {
                return false;
            }
            body = found ? joint->parent : body;
        }
        if (!found) {
            return false;
        }
    }
    arm->base = machine->joint[machine->swing_joint].origin;
    return arm->count > 0;
}

bool machine_reach_is_known(const MachineParams *machine)
{
    Arm arm;
    return find_arm(machine, &arm);
}

/// Where the edge is: x from the swing axis, z over the ground. joint[0] is the one at the tool.
static PlanePoint edge_at(const Arm *arm, const double angle[MACHINE_MAX_JOINTS])
{
    double x = 0.0, z = arm->base.z, turned = 0.0;
    for (int k = arm->count - 1; k >= -1; k--) {
        PlanePoint to = k >= 0 ? arm->joint[k]->origin : arm->tip;
        x += same_cos(turned) * to.x - same_sin(turned) * to.z;
        z += same_sin(turned) * to.x + same_cos(turned) * to.z;
        turned += k >= 0 ? angle[k] : 0.0;
    }
    return (PlanePoint){x, z};
}

/// What is to be as small as can be.
typedef struct Wish {
    enum { WISH_NEAR, WISH_FAR, WISH_HIGH, WISH_LOW } kind;
    PlanePoint point; ///< of WISH_NEAR
} Wish;

static double cost_of(const Arm *arm, const Wish *wish, const double angle[MACHINE_MAX_JOINTS])
{
    PlanePoint edge = edge_at(arm, angle);
    switch (wish->kind) {
    case WISH_FAR:
        return -fabs(edge.x);
    case WISH_HIGH:
        return -edge.z;
    case WISH_LOW:
        return edge.z;
    case WISH_NEAR:
        break;
    }
    return same_hypot(fabs(edge.x) - wish->point.x, edge.z - wish->point.z);
}

/// Moves each joint by a step either way while that helps, then halves the step.
static double refine(const Arm *arm, const Wish *wish, double angle[MACHINE_MAX_JOINTS], double cost)
{
    double share = 1.0 / GRID;
    for (int round = 0; round < ROUNDS; round++) {
        bool better = false;
        for (int move = 0; move < 2 * arm->count; move++) {
            const double *range = arm->joint[move / 2]->range;
            double before = angle[move / 2], step = share * (range[1] - range[0]);
            angle[move / 2] = fmin(fmax(before + (move % 2 ? step : -step), range[0]), range[1]);
            double now = cost_of(arm, wish, angle);
            better = better || now < cost;
            angle[move / 2] = now < cost ? angle[move / 2] : before;
            cost = fmin(cost, now);
        }
        share *= better ? 1.0 : 0.5;
    }
    return cost;
}

static double least_cost(const Arm *arm, const Wish *wish)
{
    double best[MACHINE_MAX_JOINTS] = {0}, least = HUGE_VAL;
    int poses = 1;
    for (int k = 0; k < arm->count; k++) {
        poses *= GRID + 1;
    }
    for (int pose = 0; pose < poses; pose++) {
        double angle[MACHINE_MAX_JOINTS] = {0};
        for (int k = 0, rest = pose; k < arm->count; k++, rest /= GRID + 1) {
            const double *range = arm->joint[k]->range;
            angle[k] = range[0] + (range[1] - range[0]) * (rest % (GRID + 1)) / GRID;
        }
        double cost = cost_of(arm, wish, angle);
        if (cost < least) {
            least = cost;
            for (int k = 0; k < arm->count; k++) {
                best[k] = angle[k];
            }
        }
    }
    return refine(arm, wish, best, least);
}

double machine_reach_miss(const MachineParams *machine, double distance, double height)
{
    Arm arm;
    return find_arm(machine, &arm) ? least_cost(&arm, &(Wish){WISH_NEAR, {distance, height}}) : 0.0;
}

MachineReach machine_reach(const MachineParams *machine)
{
    Arm arm;
    if (!find_arm(machine, &arm)) {
        return (MachineReach){HUGE_VAL, HUGE_VAL, -HUGE_VAL};
    }
    return (MachineReach){-least_cost(&arm, &(Wish){.kind = WISH_FAR}), -least_cost(&arm, &(Wish){.kind = WISH_HIGH}),
                          least_cost(&arm, &(Wish){.kind = WISH_LOW})};
}
