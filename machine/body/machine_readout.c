#include <math.h>

#include "machine/body/kinematics.h"
#include "machine/machine.h"
#include "machine/body/machine_parts.h"
#include "machine/body/skeleton.h"

// Belts slower than this (m/s) do not slip.
#define SLIP_STANDSTILL 0.05
// Barrel and rod as drawn: wall outside the bore, and what the closed length is longer than the barrel, m.
#define BARREL_WALL 0.012
#define ROD_EYE     0.12
// Equal cylinders side by side stand this far apart, m.
#define CYLINDER_SPACING 0.84
#define LINKAGE_RADIUS   0.05
// A dozer's angle cylinders lie so far above the push frame's middle plane, m.
#define ANGLE_CYLINDER_HEIGHT 0.12

static Mat3 body_rotation(const MachineState *state, int body)
{
    const double *q = state->body[body].quaternion;
    return mat3_from_quat((Quat){q[0], q[1], q[2], q[3]});
}

static Vec3 column(const Mat3 *rotation, int k)
{
    return vec3(rotation->m[0][k], rotation->m[1][k], rotation->m[2][k]);
}

void machine_joint_motion(const Machine *machine, const MachineState *state, double angles[MACHINE_JOINT_COUNT],
                          double rates[MACHINE_JOINT_COUNT])
{
    for (int k = 0; k < MACHINE_JOINT_COUNT; k++) {
        SkeletonJoint joint = skeleton_joint(&machine->params, k);
        Mat3 parent = body_rotation(state, joint.parent), child = body_rotation(state, k + 1);
        Vec3 pointer = mat3_mul_transposed(&parent, mat3_mul(&child, joint.zero));
        const double *a = state->body[k + 1].spin, *b = state->body[joint.parent].spin;
        Vec3 spin = vec3(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
        angles[k] = atan2(vec3_dot(vec3_cross(joint.axis, joint.zero), pointer), vec3_dot(joint.zero, pointer));
        rates[k] = vec3_dot(mat3_mul(&parent, joint.axis), spin);
    }
}

void machine_get_body_frame(const Machine *machine, const MachineState *state, MachineBody body, Pose *frame)
{
    const double *p = state->body[body].position, *c = machine->params.body[body].center;
    frame->rotation = body_rotation(state, (int)body);
    frame->position = vec3_sub(vec3(p[0], p[1], p[2]), mat3_mul(&frame->rotation, vec3(c[0], c[1], c[2])));
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

void machine_get_body(const Machine *machine, const MachineState *state, MachineBody which, RigidMotion *tool)
{
    const MachineBodyState *body = &state->body[which];
    machine_get_body_frame(machine, state, which, &tool->frame);
    tool->center = vec3(body->position[0], body->position[1], body->position[2]);
    tool->velocity = vec3(body->velocity[0], body->velocity[1], body->velocity[2]);
    tool->spin = vec3(body->spin[0], body->spin[1], body->spin[2]);
    tool->inverse_mass = 1.0 / machine->params.body[which].mass;
    tool->inertia_inverse = inverse_inertia(&machine->params.body[which], &tool->frame.rotation);
}

void machine_get_tool(const Machine *machine, const MachineState *state, RigidMotion *tool)
{
    machine_get_body(machine, state, MACHINE_BUCKET, tool);
}

static Vec3 in_plane(const Pose *frame, PlanePoint p, double y)
{
    return pose_apply(frame, vec3(p.x, y, p.z));
}

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

static int cylinder_row(const MachineCylinder *cylinder, const Pose *base, const Pose *head_frame, PlanePoint head,
                        MachineStrut *struts, int count)
{
    for (int i = 0; i < cylinder->count && count < MACHINE_MAX_STRUTS; i++) {
        double y = (i - 0.5 * (cylinder->count - 1)) * CYLINDER_SPACING;
        struts[count++] = cylinder_strut(cylinder, in_plane(base, cylinder->base, y), in_plane(head_frame, head, y));
    }
    return count;
}

// Ripper and lift stand upright, the angle's cylinders lie mirrored under the frame, the tilt's across behind the blade.
static int dozer_struts(const Machine *machine, const MachineState *state, MachineStrut struts[MACHINE_MAX_STRUTS])
{
    const MachineDozer *dozer = &machine->params.dozer;
    const MachineCylinder *cylinders = dozer->cylinder;
    Pose frames[MACHINE_BODY_COUNT];
    for (int body = 0; body < MACHINE_BODY_COUNT; body++) {
        machine_get_body_frame(machine, state, (MachineBody)body, &frames[body]);
    }
    const Pose *chassis = &frames[DOZER_CHASSIS], *yoke = &frames[DOZER_YOKE];
    const MachineCylinder *ripper = &cylinders[DOZER_JOINT_RIPPER], *lift = &cylinders[DOZER_JOINT_LIFT];
    const MachineCylinder *angle = &cylinders[DOZER_JOINT_ANGLE], *tilt = &cylinders[DOZER_JOINT_TILT];
    int count = 0;
    struts[count++] = cylinder_strut(ripper, in_plane(chassis, ripper->base, 0.0),
                                     in_plane(&frames[DOZER_RIPPER], ripper->head, 0.0));
    for (int side = 1; side >= -1; side -= 2) {
        double y = 0.5 * side * dozer->lift_spacing;
        struts[count++] =
            cylinder_strut(lift, in_plane(chassis, lift->base, y), in_plane(&frames[DOZER_FRAME], lift->head, y));
        Vec3 base = vec3(angle->base.x, side * angle->base.z, ANGLE_CYLINDER_HEIGHT);
        Vec3 head = vec3(angle->head.x, side * angle->head.z, ANGLE_CYLINDER_HEIGHT);
        struts[count++] = cylinder_strut(angle, pose_apply(&frames[DOZER_FRAME], base), pose_apply(yoke, head));
    }
    struts[count++] = cylinder_strut(tilt, pose_apply(yoke, vec3(0.0, tilt->base.x, tilt->base.z)),
                                     pose_apply(&frames[DOZER_BLADE], vec3(0.0, tilt->head.x, tilt->head.z)));
    return count;
}

int machine_get_struts(const Machine *machine, const MachineState *state, MachineStrut struts[MACHINE_MAX_STRUTS])
{
    const MachineParams *params = &machine->params;
    if (params->type == MACHINE_DOZER) {
        return dozer_struts(machine, state, struts);
    }
    Pose house, boom, stick, bucket;
    machine_get_body_frame(machine, state, MACHINE_HOUSE, &house);
    machine_get_body_frame(machine, state, MACHINE_BOOM, &boom);
    machine_get_body_frame(machine, state, MACHINE_STICK, &stick);
    machine_get_body_frame(machine, state, MACHINE_BUCKET, &bucket);
    double angles[MACHINE_JOINT_COUNT], rates[MACHINE_JOINT_COUNT];
    machine_joint_motion(machine, state, angles, rates);

    int count = 0;
    PlanePoint rocker_end, link_pin;
    if (kinematics_linkage(params, angles[MACHINE_JOINT_BUCKET], &rocker_end, &link_pin)) {
        Vec3 joined = in_plane(&stick, rocker_end, 0.0);
        struts[count++] = bar_strut(in_plane(&stick, params->linkage.rocker_pivot, 0.0), joined);
        struts[count++] = bar_strut(joined, in_plane(&bucket, params->linkage.link_pin, 0.0));
        count = cylinder_row(&params->bucket_cylinder, &stick, &stick, rocker_end, struts, count);
    }
    count = cylinder_row(&params->stick_cylinder, &boom, &stick, params->stick_cylinder.head, struts, count);
    return cylinder_row(&params->boom_cylinder, &house, &boom, params->boom_cylinder.head, struts, count);
}

static double speed_over_ground(const MachineState *state, const Pose *base)
{
    const double *v = state->body[MACHINE_UNDERCARRIAGE].velocity;
    return vec3_dot(vec3(v[0], v[1], v[2]), column(&base->rotation, 0));
}

static void read_tracks(const Machine *machine, const MachineState *state, const Pose *base, MachineReadout *readout)
{
    const MachineTracks *tracks = &machine->params.tracks;
    const MachineBodyState *body = &state->body[MACHINE_UNDERCARRIAGE];
    Vec3 velocity = vec3(body->velocity[0], body->velocity[1], body->velocity[2]);
    Vec3 spin = vec3(body->spin[0], body->spin[1], body->spin[2]);
    Vec3 center = vec3(body->position[0], body->position[1], body->position[2]);
    for (int side = 0; side < 2; side++) {
        Vec3 middle = pose_apply(base, vec3(0.0, (side == 0 ? 0.5 : -0.5) * tracks->gauge, 0.0));
        Vec3 moving = vec3_add(velocity, vec3_cross(spin, vec3_sub(middle, center)));
        double ground = vec3_dot(moving, column(&base->rotation, 0)), belt = state->track_speed[side];
        readout->slip[side] = fabs(belt) < SLIP_STANDSTILL ? 0.0 : 1.0 - ground / belt;
        readout->track_load[side] = 0.0;
        for (int i = 0; i < tracks->patches; i++) {
            readout->track_load[side] += state->patch_load[side * tracks->patches + i];
        }
    }
}

void machine_get_readout(const Machine *machine, const MachineState *state, MachineReadout *readout)
{
    const MachineParams *params = &machine->params;
    machine_joint_motion(machine, state, readout->angle, readout->speed);
    for (int k = 0; k < MACHINE_JOINT_COUNT; k++) {
        const MachineCylinder *cylinder = hydraulics_cylinder(params, k);
        double force = state->joint_force[k];
        readout->pressure[k] = cylinder ? fmin(hydraulics_pressure(cylinder, force), cylinder->relief)
                                        : fmin(fabs(force) / params->swing.torque, 1.0) * params->swing.relief;
    }
    readout->pump_power = state->pump_power;
    readout->engine_speed = state->engine_speed;
    readout->fuel = state->fuel;
    Pose base, bucket;
    machine_get_body_frame(machine, state, MACHINE_UNDERCARRIAGE, &base);
    machine_get_body_frame(machine, state, MACHINE_BUCKET, &bucket);
    const double *edge = params->tool.edge;
    readout->tip = pose_apply(&bucket, params->type == MACHINE_DOZER ? vec3(edge[0], 0.0, edge[1])
                                                                     : vec3(params->tip_radius, 0.0, 0.0));
    readout->tip_height = pose_apply_inverse(&base, readout->tip).z;
    readout->gear = state->gear;
    readout->speed_over_ground = speed_over_ground(state, &base);
    readout->base = base.position;
    Vec3 x = column(&base.rotation, 0);
    readout->yaw = atan2(x.y, x.x);
    readout->pitch = asin(fmax(-1.0, fmin(x.z, 1.0))); // nose up
    readout->roll = atan2(base.rotation.m[2][1], base.rotation.m[2][2]); // left side up
    read_tracks(machine, state, &base, readout);
    readout->limit = (MachineLimit)state->limit;
}
