/// Poses and motions of the bodies: the axes of joints, frames, motions and joint angles read off the state, the
/// machine at rest in its start pose, and the closed form of the excavator's arm.
#include <math.h>
#include <string.h>

#include "data/core/constants.h"
#include "data/core/elementary.h"
#include "machine/body/machine_internal.h"
#include "machine/cylinder.h"
#include "machine/excavator_arm.h"

/// ---- joints --------------------------------------------------------------------------------------------------------
/// The axes that joints turn about (MachineAxis), as unit vectors. Lever and angle share their signs with
/// data/schema/machine_params.h.

JointAxis joint_axis(const MachineJointParams *joint)
{
    static const JointAxis axes[] = {
        [MACHINE_PITCH] = {{0.0, -1.0, 0.0}, {1.0, 0.0, 0.0}},
        [MACHINE_YAW] = {{0.0, 0.0, -1.0}, {1.0, 0.0, 0.0}},
        [MACHINE_ROLL] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}},
    };
    JointAxis turn = axes[joint->axis];
    if (joint->lean != 0.0) {
        Mat3 lean = mat3_from_quat(quat_turn(vec3(0.0, -1.0, 0.0), joint->lean));
        turn = (JointAxis){mat3_mul(&lean, turn.axis), mat3_mul(&lean, turn.zero)};
    }
    return turn;
}

Vec3 machine_joint_axis(const Machine *machine, int joint)
{
    return joint_axis(&machine->params.joint[joint]).axis;
}

Vec3 joint_origin(const MachineJointParams *joint)
{
    return vec3(joint->origin.x, 0.0, joint->origin.z);
}

// Angles looked at over a joint's range.
#define HINGE_STEPS 240

void machine_get_hinge(const Machine *machine, int joint, MachineHinge *hinge)
{
    const MachineParams *params = &machine->params;
    const MachineJointParams *one = &params->joint[joint];
    *hinge = (MachineHinge){.origin = joint_origin(one), .axis = joint_axis(one).axis};
    if (one->drive == MACHINE_DRIVE_SWING_MOTOR) {
        hinge->endless = true;
        hinge->torque = params->swing.torque;
        hinge->speed = params->swing.max_speed;
        return;
    }
    if (one->drive == MACHINE_DRIVE_ROTARY) {
        hinge->endless = machine_joint_is_endless(one);
        hinge->range[0] = one->range[0];
        hinge->range[1] = one->range[1];
        hinge->torque = one->rotary.torque;
        hinge->speed = one->rotary.speed;
        return;
    }
    double push = cylinder_area(&one->cylinder, true), pull = cylinder_area(&one->cylinder, false);
    double out = hydraulics_full_speed(params, joint, 1.0), in = -hydraulics_full_speed(params, joint, -1.0);
    hinge->range[0] = one->range[0];
    hinge->range[1] = one->range[1];
    for (int k = 0; k <= HINGE_STEPS; k++) {
        double length, arm, angle = one->range[0] + (one->range[1] - one->range[0]) * k / HINGE_STEPS;
        if (cylinder_length(one, angle, &length, &arm)) { // machine_create has checked that it can
            hinge->torque = fmax(hinge->torque, one->cylinder.relief * fmax(push, pull) * fabs(arm));
            hinge->speed = fmax(hinge->speed, fmax(out, in) / fabs(arm));
        }
    }
}

/// ---- frames and motions --------------------------------------------------------------------------------------------

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
        JointAxis turn = joint_axis(joint);
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
    Vec3 axis = joint_axis(hinge).axis;
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

/// ---- start pose ----------------------------------------------------------------------------------------------------
/// The machine at rest in its start pose: bodies placed from the base up along the joints, then sunk and tilted as far
/// as its tracks give under the weight on level or inclined ground, so that a session does not begin with a bounce.

// Puts a body's frame at `origin` with orientation q.
static void place(const MachineParams *params, int body, Vec3 origin, Quat q, MachineState *state)
{
    const double *local = params->body[body].center;
    Mat3 rotation = mat3_from_quat(q);
    Vec3 center = vec3_add(origin, mat3_mul(&rotation, vec3(local[0], local[1], local[2])));
    MachineBodyState *part = &state->body[body];
    memcpy(part->position, (double[3]){center.x, center.y, center.z}, sizeof part->position);
    memcpy(part->quaternion, (double[4]){q.w, q.x, q.y, q.z}, sizeof part->quaternion);
}

static Vec3 along(Quat q, Vec3 origin, Vec3 local)
{
    Mat3 rotation = mat3_from_quat(q);
    return vec3_add(origin, mat3_mul(&rotation, local));
}

// All bodies in the start pose, from the base's frame up.
static void place_all(const MachineParams *params, Vec3 base, Quat q, MachineState *state)
{
    Vec3 origins[MACHINE_MAX_BODIES] = {base};
    Quat turns[MACHINE_MAX_BODIES] = {q};
    place(params, MACHINE_BASE, base, q, state);
    for (int k = 0; k < params->joint_count; k++) {
        const MachineJointParams *joint = &params->joint[k];
        int child = joint->child;
        origins[child] = along(turns[joint->parent], origins[joint->parent], joint_origin(joint));
        turns[child] = quat_mul(turns[joint->parent], quat_turn(joint_axis(joint).axis, params->start_pose[k]));
        place(params, child, origins[child], turns[child], state);
    }
}

// The shortest turn that takes the upright to `up`.
static Quat tilt_to(Vec3 up)
{
    double w = sqrt(0.5 * (1.0 + up.z));
    return (Quat){w, -0.5 * up.y / w, 0.5 * up.x / w, 0.0};
}

// Sinkage and tilt in which the patches carry the weight on firm plane ground (linear springs, all pressed):
//   depth = N / (k n),  tilt = N x_p / (k sum x_i^2) about each axis,
// with the part N of the weight that is square to the plane, and (x_p, y_p) where the plumb line through the centre of
// mass meets the plane.
static void settle(const Machine *machine, Vec3 base, Quat lean, double heading, MachineState *state)
{
    const MachineTracks *tracks = &machine->params.tracks;
    double stiffness = tracks->stiffness * track_patch_area(tracks), weight = machine->mass * STANDARD_GRAVITY;
    double sum_x = 0.0, sum_y = 0.0;
    for (int i = 0; i < 2 * tracks->patches; i++) {
        Vec3 point = track_patch_point(tracks, i);
        sum_x += point.x * point.x;
        sum_y += point.y * point.y;
    }
    Vec3 center = vec3(0.0, 0.0, 0.0);
    for (int i = 0; i < machine->params.body_count; i++) {
        const double *p = state->body[i].position;
        double share = machine->params.body[i].mass / machine->mass;
        center = vec3_madd(center, share, vec3(p[0], p[1], p[2]));
    }
    Mat3 yaw = mat3_yaw(heading), leaning = mat3_from_quat(lean);
    center = mat3_mul_transposed(&yaw, mat3_mul_transposed(&leaning, vec3_sub(center, base)));
    Vec3 plumb = mat3_mul_transposed(&yaw, mat3_mul_transposed(&leaning, vec3(0.0, 0.0, 1.0)));
    weight *= plumb.z;
    double x = center.x - center.z * plumb.x / plumb.z, y = center.y - center.z * plumb.y / plumb.z;
    double depth = weight / (stiffness * 2 * tracks->patches);
    double pitch = weight * x / (stiffness * sum_x), roll = weight * y / (stiffness * sum_y);
    Quat q = quat_mul(quat_mul(lean, quat_turn(vec3(0.0, 0.0, 1.0), heading)),
                      quat_mul(quat_turn(vec3(0.0, 1.0, 0.0), pitch), quat_turn(vec3(1.0, 0.0, 0.0), -roll)));
    place_all(&machine->params, vec3_madd(base, -depth, mat3_mul(&leaning, vec3(0.0, 0.0, 1.0))), q, state);
}

// True where `body` hangs on the joint, with bodies between them or without.
static bool hangs_on(const MachineParams *params, int body, int joint)
{
    for (int k = params->joint_count - 1; k >= joint; k--) { // a parent's own joint comes before
        if (params->joint[k].child == body) {
            if (k == joint) {
                return true;
            }
            body = params->joint[k].parent;
        }
    }
    return false;
}

// N m about a joint's axis: of the weights that hang on it.
static double weight_torque(const Machine *machine, const MachineState *state, int joint)
{
    const MachineParams *params = &machine->params;
    Pose frame;
    machine_get_body_frame(machine, state, params->joint[joint].child, &frame);
    Vec3 axis = mat3_mul(&frame.rotation, machine_joint_axis(machine, joint)), torque = vec3(0.0, 0.0, 0.0);
    for (int k = 0; k < params->body_count; k++) {
        if (hangs_on(params, k, joint)) {
            const double *p = state->body[k].position;
            Vec3 arm = vec3_sub(vec3(p[0], p[1], p[2]), frame.position);
            torque = vec3_add(torque, vec3_cross(arm, vec3(0.0, 0.0, -params->body[k].mass * STANDARD_GRAVITY)));
        }
    }
    return vec3_dot(axis, torque);
}

// Oil that gives has to be pressed before it carries: without the force that it holds at the start an arm would drop.
// Jaws beyond the tool are open and carry nothing.
static void press_oil(const Machine *machine, MachineState *state)
{
    for (int k = 0; k < machine->params.joint_count; k++) {
        const MachineJointParams *joint = &machine->params.joint[k];
        double length, arm;
        bool carries = hangs_on(&machine->params, machine->params.tool[0].body, k);
        if (carries && joint->drive == MACHINE_DRIVE_CYLINDER && joint->cylinder.stiffness > 0.0) {
            (void)cylinder_length(joint, machine->params.start_pose[k], &length, &arm); // the geometry was checked
            state->joint_force[k] = -weight_torque(machine, state, k) / arm;
        }
    }
}

void machine_start(const Machine *machine, double x, double y, double z, double heading, MachineState *state)
{
    machine_start_on(machine, vec3(x, y, z), vec3(0.0, 0.0, 1.0), heading, state);
}

void machine_start_on(const Machine *machine, Vec3 place, Vec3 up, double heading, MachineState *state)
{
    memset(state, 0, sizeof *state);
    Quat lean = tilt_to(up);
    place_all(&machine->params, place, quat_mul(lean, quat_turn(vec3(0.0, 0.0, 1.0), heading)), state);
    settle(machine, place, lean, heading, state);
    press_oil(machine, state);
    state->engine_speed = machine->params.engine.rated_speed;
    state->fuel = machine->params.engine.tank;
}

/// ---- arm of an excavator -------------------------------------------------------------------------------------------
/// Closed-form kinematics of the excavator's arm: three links in the house frame's x-z plane, forwards and backwards.

static double clamp(double value, double low, double high)
{
    return value < low ? low : value > high ? high : value;
}

void excavator_tip(const MachineParams *params, const ArmAngles *angles, ArmTip *tip)
{
    double a = angles->boom, b = a + angles->stick, c = b + angles->bucket;
    tip->x = excavator_boom_foot(params).x + excavator_boom_length(params) * same_cos(a) +
             excavator_stick_length(params) * same_cos(b) + excavator_tip_radius(params) * same_cos(c);
    tip->z = excavator_boom_foot(params).z + excavator_boom_length(params) * same_sin(a) +
             excavator_stick_length(params) * same_sin(b) + excavator_tip_radius(params) * same_sin(c);
    tip->elevation = c;
}

// Clamps to the joint's range; false when that changed the angle by more than rounding.
static bool clamp_joint(double *angle, const double range[2])
{
    double inside = clamp(*angle, range[0], range[1]);
    bool good = fabs(inside - *angle) < 1e-9;
    *angle = inside;
    return good;
}

// The same direction within half a turn of the middle of the joint's range.
static double unwrap(double angle, const double range[2])
{
    double middle = 0.5 * (range[0] + range[1]);
    return angle - 2.0 * M_PI * floor((angle - middle + M_PI) / (2.0 * M_PI));
}

// Two links a, b from the boom foot to the bucket pin at distance d:
//   cos(stick) = (d^2 - a^2 - b^2) / (2 a b), stick <= 0 (elbow up)
//   boom = direction of the pin + angle between the boom line and that direction
bool excavator_reach(const MachineParams *params, const ArmTip *tip, ArmAngles *angles)
{
    double a = excavator_boom_length(params), b = excavator_stick_length(params);
    double x = tip->x - excavator_tip_radius(params) * same_cos(tip->elevation) - excavator_boom_foot(params).x;
    double z = tip->z - excavator_tip_radius(params) * same_sin(tip->elevation) - excavator_boom_foot(params).z;
    double cosine = (x * x + z * z - a * a - b * b) / (2.0 * a * b);
    bool good = cosine >= -1.0 && cosine <= 1.0;

    angles->stick = -same_acos(clamp(cosine, -1.0, 1.0));
    good = clamp_joint(&angles->stick, params->joint[EXCAVATOR_JOINT_STICK].range) && good;
    // At the stick's present angle the boom brings the pin into the wanted direction, also when the distance was not
    // met.
    double inner = same_atan2(b * same_sin(angles->stick), a + b * same_cos(angles->stick));
    angles->boom = unwrap(same_atan2(z, x) - inner, params->joint[EXCAVATOR_JOINT_BOOM].range);
    good = clamp_joint(&angles->boom, params->joint[EXCAVATOR_JOINT_BOOM].range) && good;
    angles->bucket = unwrap(tip->elevation - angles->boom - angles->stick, params->joint[EXCAVATOR_JOINT_BUCKET].range);
    return clamp_joint(&angles->bucket, params->joint[EXCAVATOR_JOINT_BUCKET].range) && good;
}
