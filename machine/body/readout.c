/// What gauges and telemetry show of a state: angles, pressures, the tip, attitude, slip.
#include <math.h>

#include "data/core/elementary.h"
#include "machine/body/machine_internal.h"

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
