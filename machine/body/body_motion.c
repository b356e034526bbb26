/// Where the bodies are and how they move, read off the state: frames, motions, and the angles between a joint's two
/// bodies.
#include <math.h>

#include "data/core/elementary.h"
#include "machine/body/joint_axis.h"
#include "machine/body/machine_internal.h"

static Mat3 body_rotation(const MachineState *state, int body)
{
    const double *q = state->body[body].quaternion;
    return mat3_from_quat((Quat){q[0], q[1], q[2], q[3]});
}

void machine_joint_motion(const Machine *machine, const MachineState *state, double angles[MACHINE_MAX_JOINTS],
                          double rates[MACHINE_MAX_JOINTS])
{
    for (int k = 0; k < machine->params.joint_count; k++) {
        const MachineJointParams *joint = &machine->params.joint[k];
        JointAxis turn = joint_axis(joint->axis);
        Mat3 parent = body_rotation(state, joint->parent), child = body_rotation(state, joint->child);
        Vec3 pointer = mat3_mul_transposed(&parent, mat3_mul(&child, turn.zero));
        const double *a = state->body[joint->child].spin, *b = state->body[joint->parent].spin;
        Vec3 spin = vec3(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
        angles[k] = same_atan2(vec3_dot(vec3_cross(turn.axis, turn.zero), pointer), vec3_dot(turn.zero, pointer));
        rates[k] = vec3_dot(mat3_mul(&parent, turn.axis), spin);
    }
}

void machine_get_body_frame(const Machine *machine, const MachineState *state, int body, Pose *frame)
{
    const double *p = state->body[body].position, *c = machine->params.body[body].center;
    frame->rotation = body_rotation(state, body);
    frame->position = vec3_sub(vec3(p[0], p[1], p[2]), mat3_mul(&frame->rotation, vec3(c[0], c[1], c[2])));
}

MachineJointGap machine_joint_gap(const Machine *machine, const MachineState *state, int joint)
{
    const MachineJointParams *hinge = &machine->params.joint[joint];
    Vec3 axis = joint_axis(hinge->axis).axis;
    Pose parent, child;
    machine_get_body_frame(machine, state, hinge->parent, &parent);
    machine_get_body_frame(machine, state, hinge->child, &child);
    Vec3 a = mat3_mul(&parent.rotation, axis), b = mat3_mul(&child.rotation, axis);
    return (MachineJointGap){
        .distance = vec3_length(vec3_sub(child.position, pose_apply(&parent, joint_origin(hinge)))),
        .angle = same_atan2(vec3_length(vec3_cross(a, b)), vec3_dot(a, b)),
    };
}

// I^-1 = R diag(1/I_k) R', of a box of equal inertia: I_x = m/12 (b^2 + c^2).
static Mat3 inverse_inertia(const MachineBodyParams *body, const Mat3 *rotation)
{
    const double *s = body->inertia_size;
    double inverse[3];
    for (int k = 0; k < 3; k++) {
        double b = s[(k + 1) % 3], c = s[(k + 2) % 3];
        inverse[k] = 12.0 / (body->mass * (b * b + c * c));
    }
    Mat3 result;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            result.m[i][j] = rotation->m[i][0] * inverse[0] * rotation->m[j][0] +
                             rotation->m[i][1] * inverse[1] * rotation->m[j][1] +
                             rotation->m[i][2] * inverse[2] * rotation->m[j][2];
        }
    }
    return result;
}

void machine_get_body(const Machine *machine, const MachineState *state, int body, RigidMotion *motion)
{
    const MachineBodyState *from = &state->body[body];
    machine_get_body_frame(machine, state, body, &motion->frame);
    motion->center = vec3(from->position[0], from->position[1], from->position[2]);
    motion->velocity = vec3(from->velocity[0], from->velocity[1], from->velocity[2]);
    motion->spin = vec3(from->spin[0], from->spin[1], from->spin[2]);
    motion->inverse_mass = 1.0 / machine->params.body[body].mass;
    motion->inertia_inverse = inverse_inertia(&machine->params.body[body], &motion->frame.rotation);
}

void machine_get_tool(const Machine *machine, const MachineState *state, RigidMotion *motion)
{
    machine_get_body(machine, state, machine->params.tool[0].body, motion);
}

void machine_get_chisel(const Machine *machine, const MachineState *state, MachineChisel *chisel)
{
    const MachineHammer *hammer = &machine->params.hammer;
    const MachineToolParams *tool = &machine->params.tool[0];
    Pose frame;
    machine_get_body_frame(machine, state, tool->body, &frame);
    bool strikes = hammer->blow_energy > 0.0;
    PlanePoint axis = strikes ? hammer_axis(hammer, &tool->tip) : (PlanePoint){0.0, 0.0};
    chisel->tip = pose_apply(&frame, vec3(tool->tip.x, 0.0, tool->tip.z));
    chisel->axis = mat3_mul(&frame.rotation, vec3(axis.x, 0.0, axis.z));
    chisel->thrust = strikes ? state->hammer_rate * hammer_momentum(hammer) : 0.0;
}
