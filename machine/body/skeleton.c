#include "machine/body/skeleton.h"

#include <assert.h>

static SkeletonJoint excavator_joint(const MachineParams *params, int joint)
{
    const Vec3 origins[MACHINE_JOINT_COUNT] = {
        vec3(0.0, 0.0, params->swing_height), vec3(params->boom_foot.x, 0.0, params->boom_foot.z),
        vec3(params->boom_length, 0.0, 0.0), vec3(params->stick_length, 0.0, 0.0)};
    // Swing turns right (about -z), the arm's joints turn x up to z (about -y).
    return (SkeletonJoint){.parent = joint,
                           .origin = origins[joint],
                           .axis = joint == MACHINE_JOINT_SWING ? vec3(0.0, 0.0, -1.0) : vec3(0.0, -1.0, 0.0),
                           .zero = vec3(1.0, 0.0, 0.0)};
}

static SkeletonJoint dozer_joint(const MachineParams *params, int joint)
{
    const MachineDozer *dozer = &params->dozer;
    const Vec3 forward = vec3(1.0, 0.0, 0.0), left = vec3(0.0, 1.0, 0.0), right = vec3(0.0, -1.0, 0.0);
    switch (joint) {
    case DOZER_JOINT_RIPPER:
        return (SkeletonJoint){DOZER_CHASSIS, vec3(dozer->ripper_hinge.x, 0.0, dozer->ripper_hinge.z), right, forward};
    case DOZER_JOINT_LIFT:
        return (SkeletonJoint){DOZER_CHASSIS, vec3(dozer->trunnion.x, 0.0, dozer->trunnion.z), right, forward};
    case DOZER_JOINT_ANGLE:
        return (SkeletonJoint){DOZER_FRAME, vec3(dozer->frame_length, 0.0, 0.0), vec3(0.0, 0.0, -1.0), forward};
    default:
        return (SkeletonJoint){DOZER_YOKE, vec3(0.0, 0.0, 0.0), forward, left};
    }
}

SkeletonJoint skeleton_joint(const MachineParams *params, int joint)
{
    assert(joint >= 0 && joint < MACHINE_JOINT_COUNT);
    return params->type == MACHINE_DOZER ? dozer_joint(params, joint) : excavator_joint(params, joint);
}

const char *skeleton_body_name(const MachineParams *params, int body)
{
    static const char *const names[2][MACHINE_BODY_COUNT] = {{"undercarriage", "house", "boom", "stick", "bucket"},
                                                             {"chassis", "ripper", "frame", "yoke", "blade"}};
    return names[params->type == MACHINE_DOZER][body];
}

const char *skeleton_joint_name(const MachineParams *params, int joint)
{
    static const char *const names[2][MACHINE_JOINT_COUNT] = {{"swing", "boom", "stick", "bucket"},
                                                              {"ripper", "lift", "angle", "tilt"}};
    return names[params->type == MACHINE_DOZER][joint];
}

const double *skeleton_range(const MachineParams *params, int joint)
{
    if (params->type == MACHINE_DOZER) {
        return params->dozer.range[joint];
    }
    return joint == MACHINE_JOINT_BOOM    ? params->boom_range
           : joint == MACHINE_JOINT_STICK ? params->stick_range
                                          : params->bucket_range;
}
