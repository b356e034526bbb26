/// Readings of a state for gauges, telemetry and pictures: angles, pressures, the tip, attitude, slip, and the
/// cylinders and linkages as lines between moving pins.
#include <math.h>

#include "data/core/elementary.h"
#include "machine/body/machine_internal.h"
#include "machine/cylinder.h"

/// ---- gauges --------------------------------------------------------------------------------------------------------

// m/s: belts slower than this do not slip. Chosen.
#define SLIP_STANDSTILL 0.05

static Vec3 column(const Mat3 *rotation, int k)
{
    return vec3(rotation->m[0][k], rotation->m[1][k], rotation->m[2][k]);
}

static double speed_over_ground(const MachineState *state, const Pose *base)
{
    const double *v = state->body[MACHINE_BASE].velocity;
    return vec3_dot(vec3(v[0], v[1], v[2]), column(&base->rotation, 0));
}

static void read_tracks(const Machine *machine, const MachineState *state, const Pose *base, MachineReadout *readout)
{
    const MachineTracks *tracks = &machine->params.tracks;
    const MachineBodyState *body = &state->body[MACHINE_BASE];
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
    *readout = (MachineReadout){0};
    machine_joint_motion(machine, state, readout->angle, readout->speed);
    for (int k = 0; k < params->joint_count; k++) {
        readout->pressure[k] = drive_pressure(params, state, k);
    }
    readout->pump_power = state->pump_power;
    readout->engine_speed = state->engine_speed;
    readout->fuel = state->fuel;
    const MachineToolParams *tool = &params->tool[0];
    Pose base, carrier;
    machine_get_body_frame(machine, state, MACHINE_BASE, &base);
    machine_get_body_frame(machine, state, tool->body, &carrier);
    readout->tip = pose_apply(&carrier, vec3(tool->tip.x, 0.0, tool->tip.z));
    readout->tip_height = pose_apply_inverse(&base, readout->tip).z;
    readout->gear = state->gear;
    readout->speed_over_ground = speed_over_ground(state, &base);
    readout->base = base.position;
    Vec3 x = column(&base.rotation, 0);
    readout->yaw = same_atan2(x.y, x.x);
    readout->pitch = same_asin(fmax(-1.0, fmin(x.z, 1.0))); // nose up
    readout->roll = same_atan2(base.rotation.m[2][1], base.rotation.m[2][2]); // left side up
    read_tracks(machine, state, &base, readout);
    readout->limits = state->limits;
    readout->limit = machine_gravest_limit(state->limits);
    readout->relief = state->relief;
}

/// ---- cylinders and linkages as lines -------------------------------------------------------------------------------

// Barrel and rod as drawn, m: wall outside the bore, and what the closed length is longer than the barrel. Chosen by
// eye.
#define BARREL_WALL 0.012
#define ROD_EYE     0.12
// Radius of rocker and link as drawn, m. Chosen by eye.
#define LINKAGE_RADIUS 0.05
// The cylinders of a yaw joint lie so far above their parent's x-y plane, m. Chosen: clear of the push frame's beam.
#define YAW_CYLINDER_HEIGHT 0.12

// Of the cylinders beside a rotary joint: barrel as a share of their length in the middle. Chosen by eye.
#define ROTARY_BARREL 0.62

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

/// The two cylinders beside a rotary joint, for drawing.
static int rotary_struts(const MachineJointParams *joint, const Pose *parent, const Pose *child, MachineStrut *struts,
                         int count)
{
    const MachineRotary *rotary = &joint->rotary;
    Mat3 lean = mat3_from_quat(quat_turn(vec3(0.0, -1.0, 0.0), joint->lean));
    Vec3 origin = joint_origin(joint);
    for (int side = 1; side >= -1 && rotary->bore > 0.0 && count < MACHINE_MAX_STRUTS; side -= 2) {
        Vec3 base = mat3_mul(&lean, vec3(0.0, side * rotary->base.x, rotary->base.z));
        Vec3 head = mat3_mul(&lean, vec3(0.0, side * rotary->head.x, rotary->head.z));
        Vec3 a = pose_apply(parent, vec3_add(origin, base)), b = pose_apply(child, head);
        struts[count++] = (MachineStrut){.kind = MACHINE_STRUT_CYLINDER,
                                         .a = a,
                                         .b = b,
                                         .radius = 0.5 * rotary->bore + BARREL_WALL,
                                         .rod_radius = 0.5 * rotary->rod,
                                         .barrel = ROTARY_BARREL * vec3_length(vec3_sub(head, base))};
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
        } else {
            count = rotary_struts(&params->joint[k], &parent, &child, struts, count);
        }
    }
    return count;
}
