/// The cylinders and linkages as a picture shows them: lines between moving pins. Nothing here has a force.
#include <math.h>

#include "machine/body/machine_internal.h"
#include "machine/cylinder.h"

// Barrel and rod as drawn, m: wall outside the bore, and what the closed length is longer than the barrel. Chosen by
// eye.
#define BARREL_WALL 0.012
#define ROD_EYE     0.12
// Radius of rocker and link as drawn, m. Chosen by eye.
#define LINKAGE_RADIUS 0.05
// The cylinders of a yaw joint lie so far above their parent's x-y plane, m. Chosen: clear of the push frame's beam.
#define YAW_CYLINDER_HEIGHT 0.12

static MachineStrut cylinder_strut(const MachineCylinder *cylinder, Vec3 base, Vec3 head)
{
    return (MachineStrut){.kind = MACHINE_STRUT_CYLINDER,
                          .a = base,
                          .b = head,
                          .radius = 0.5 * cylinder->bore + BARREL_WALL,
                          .rod_radius = 0.5 * cylinder->rod,
                          .barrel = fmax(cylinder->closed - ROD_EYE, 0.5 * cylinder->closed)};
}

static MachineStrut bar_strut(Vec3 a, Vec3 b)
{
    return (MachineStrut){.kind = MACHINE_STRUT_BAR,
                          .a = a,
                          .b = b,
                          .radius = LINKAGE_RADIUS,
                          .rod_radius = LINKAGE_RADIUS,
                          .barrel = vec3_length(vec3_sub(b, a))};
}

// A pin of cylinder `index` (0, 1...) in the frame it belongs to, from its two coordinates in the joint's plane.
static Vec3 pin_point(const MachineJointParams *joint, PlanePoint pin, int index)
{
    const MachineCylinder *cylinder = &joint->cylinder;
    double side = index == 0 ? 1.0 : -1.0;
    switch (joint->axis) {
    case MACHINE_YAW:
        return vec3(pin.x, cylinder->arrangement == MACHINE_OPPOSED ? side * pin.z : pin.z, YAW_CYLINDER_HEIGHT);
    case MACHINE_ROLL:
        return vec3(0.0, pin.x, pin.z);
    default:
        return vec3(pin.x, (0.5 * (cylinder->count - 1) - index) * cylinder->spacing, pin.z);
    }
}

// Rocker, link and cylinders of one joint.
static int joint_struts(const MachineJointParams *joint, const Pose *parent, const Pose *child, double angle,
                        MachineStrut *struts, int count)
{
    const MachineCylinder *cylinder = &joint->cylinder;
    bool linked = joint->linkage.rocker_length > 0.0;
    PlanePoint head = cylinder->head;
    if (linked) {
        PlanePoint link_pin, pivot = joint->linkage.rocker_pivot, far_pin = joint->linkage.link_pin;
        if (count + 2 > MACHINE_MAX_STRUTS || !linkage_pins(joint, angle, &head, &link_pin)) {
            return count;
        }
        Vec3 joined = pose_apply(parent, vec3(head.x, 0.0, head.z));
        struts[count++] = bar_strut(pose_apply(parent, vec3(pivot.x, 0.0, pivot.z)), joined);
        struts[count++] = bar_strut(joined, pose_apply(child, vec3(far_pin.x, 0.0, far_pin.z)));
    }
    for (int i = 0; i < cylinder->count && count < MACHINE_MAX_STRUTS; i++) {
        Vec3 base = pose_apply(parent, pin_point(joint, cylinder->base, i));
        struts[count++] =
            cylinder_strut(cylinder, base, pose_apply(linked ? parent : child, pin_point(joint, head, i)));
    }
    return count;
}

int machine_get_struts(const Machine *machine, const MachineState *state, MachineStrut struts[MACHINE_MAX_STRUTS])
{
    const MachineParams *params = &machine->params;
    double angles[MACHINE_MAX_JOINTS], rates[MACHINE_MAX_JOINTS];
    machine_joint_motion(machine, state, angles, rates);
    int count = 0;
    for (int k = params->joint_count - 1; k >= 0; k--) { // from the tool to the base
        Pose parent, child;
        machine_get_body_frame(machine, state, params->joint[k].parent, &parent);
        machine_get_body_frame(machine, state, params->joint[k].child, &child);
        if (params->joint[k].drive == MACHINE_DRIVE_CYLINDER) {
            count = joint_struts(&params->joint[k], &parent, &child, angles[k], struts, count);
        }
    }
    return count;
}
