#include "machine/machine.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "machine/body/machine_parts.h"
#include "machine/drive/tracks.h"

// A function is at its limit from this share of its greatest force on.
#define RELIEF_SHARE 0.995
// A swing that is driven and slower than this (rad/s) is blocked rather than speeding up.
#define SWING_BLOCKED 0.03
// A travel motor that gives all it has is blocked when its belt runs slower than this share of what the lever asks.
#define TRAVEL_BLOCKED 0.25
// Share of the load on sliding patches from which the machine as a whole slips.
#define SLIP_SHARE 0.5

const char *const machine_limit_names[5] = {"none", "relief", "stall", "slip", "tip"};

Machine *machine_create(const MachineParams *params, Status *status)
{
    CylinderRange range[MACHINE_MAX_JOINTS] = {{0.0, 0.0, 1.0}};
    if (!machine_check(params, range, status)) {
        return NULL;
    }
    Machine *machine = calloc(1, sizeof *machine);
    OdeWorld *world = machine ? ode_world_create(params) : NULL;
    if (!world) {
        free(machine);
        status_fail(status, STATUS_LACKING, "%s: the rigid-body engine could not be started (memory?)", params->name);
        return NULL;
    }
    machine->params = *params;
    machine->world = world;
    for (int k = 0; k < MACHINE_MAX_JOINTS; k++) {
        machine->range[k] = range[k];
    }
    for (int i = 0; i < params->body_count; i++) {
        machine->mass += params->body[i].mass;
    }
    return machine;
}

void machine_destroy(Machine *machine)
{
    if (machine) {
        ode_world_destroy(machine->world);
        free(machine);
    }
}

const MachineParams *machine_params(const Machine *machine)
{
    return &machine->params;
}

int machine_track_patches(const Machine *machine, const MachineState *state, Vec3 positions[MACHINE_MAX_PATCHES])
{
    Pose frame;
    machine_get_body_frame(machine, state, MACHINE_BASE, &frame);
    int count = 2 * machine->params.tracks.patches;
    for (int i = 0; i < count; i++) {
        positions[i] = pose_apply(&frame, track_patch_point(&machine->params.tracks, i));
    }
    return count;
}

double machine_patch_area(const Machine *machine)
{
    return track_patch_area(&machine->params.tracks);
}

double machine_patch_pressure(const Machine *machine, const MachineState *state, int patch)
{
    assert(patch >= 0 && patch < 2 * machine->params.tracks.patches);
    return state->patch_load[patch] / track_patch_area(&machine->params.tracks);
}

static TrackMotion track_motion(const Machine *machine, const MachineState *state)
{
    const MachineBodyState *body = &state->body[MACHINE_BASE];
    TrackMotion motion;
    machine_get_body_frame(machine, state, MACHINE_BASE, &motion.frame);
    motion.center = vec3(body->position[0], body->position[1], body->position[2]);
    motion.velocity = vec3(body->velocity[0], body->velocity[1], body->velocity[2]);
    motion.spin = vec3(body->spin[0], body->spin[1], body->spin[2]);
    return motion;
}

static bool at_relief(const MachineParams *params, const JointDrive drives[MACHINE_MAX_JOINTS],
                      const double torques[MACHINE_MAX_JOINTS], const double rates[MACHINE_MAX_JOINTS])
{
    for (int k = 0; k < params->joint_count; k++) {
        bool full = fabs(torques[k]) >= RELIEF_SHARE * drives[k].motor.limit;
        bool blocked = fabs(rates[k]) < SWING_BLOCKED && fabs(drives[k].motor.speed) > SWING_BLOCKED;
        if (hydraulics_cylinder(params, k) ? drives[k].at_end || full : blocked && full) {
            return true;
        }
    }
    return false;
}

static bool travel_blocked(const MachineParams *params, const TrackDrive *belts, const MachineState *state)
{
    const MachineTracks *tracks = &params->tracks;
    if (params->travel != MACHINE_TRAVEL_MOTORS) {
        return false; // a converter stalls
    }
    for (int side = 0; side < 2; side++) {
        double wanted = TRAVEL_BLOCKED * tracks->max_speed * fabs(state->track_spool[side]);
        if (fabs(state->track_force[side]) >= RELIEF_SHARE * belts->force[side] &&
            fabs(state->track_speed[side]) < wanted) {
            return true;
        }
    }
    return false;
}

void machine_step(Machine *machine, const OperatorControls *controls, const MachineGround *ground, const Wrench *tool,
                  double dt, MachineState *state)
{
    Wrench loads[MACHINE_MAX_BODIES] = {{{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}}};
    if (tool) {
        loads[machine->params.tool[0].body] = *tool;
    }
    machine_step_loaded(machine, controls, ground, loads, dt, state);
}

void machine_step_loaded(Machine *machine, const OperatorControls *controls, const MachineGround *ground,
                         const Wrench loads[MACHINE_MAX_BODIES], double dt, MachineState *state)
{
    assert(dt > 0.0);
    double angles[MACHINE_MAX_JOINTS], rates[MACHINE_MAX_JOINTS], torques[MACHINE_MAX_JOINTS];
    machine_joint_motion(machine, state, angles, rates);

    JointDrive drives[MACHINE_MAX_JOINTS];
    TrackDrive belts;
    bool stall = machine_drive(machine, controls, angles, rates, dt, state, drives, &belts);

    TrackMotion motion = track_motion(machine, state);
    TrackReaction tracks = tracks_step(&machine->params.tracks, machine->mass, &motion, &belts, ground, dt, state);

    Wrench wrenches[MACHINE_MAX_BODIES], rest = house_rest(machine, state, ground);
    memcpy(wrenches, loads, sizeof wrenches);
    wrench_add(&wrenches[MACHINE_BASE], &tracks.wrench, 1.0);
    wrench_add(&wrenches[machine->params.cab_body], &rest, 1.0);
    OdeMotor motors[MACHINE_MAX_JOINTS];
    for (int k = 0; k < machine->params.joint_count; k++) {
        motors[k] = drives[k].motor;
    }
    ode_world_step(machine->world, wrenches, motors, dt, state->body, torques);
    for (int k = 0; k < machine->params.joint_count; k++) {
        state->joint_force[k] = torques[k] / drives[k].length_per_rad;
    }

    bool relief =
        at_relief(&machine->params, drives, torques, rates) || travel_blocked(&machine->params, &belts, state);
    state->limit = tracks_tip(&machine->params.tracks, state)  ? MACHINE_LIMIT_TIP
                   : tracks.sliding > SLIP_SHARE * tracks.load ? MACHINE_LIMIT_SLIP
                   : relief                                    ? MACHINE_LIMIT_RELIEF
                   : stall                                     ? MACHINE_LIMIT_STALL
                                                               : MACHINE_LIMIT_NONE;
}
