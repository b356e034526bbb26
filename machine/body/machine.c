/// A machine's life and its step: levers to motors (machine/drive), ground to tracks, both to ODE, and the limits
/// that act.
#include "machine/machine.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "machine/body/machine_internal.h"
#include "machine/solids.h"

// Share of the load on sliding patches from which the machine as a whole slips. Chosen: half of it.
#define SLIP_SHARE 0.5

Machine *machine_create(const MachineParams *params, Status *status)
{
    DriveRange range[MACHINE_MAX_JOINTS] = {{0.0, 0.0, 1.0}};
    if (!geometry_check(params, range, status)) {
        return NULL;
    }
    SolidParts *parts = solid_parts_create(params, status);
    if (!parts) {
        return NULL;
    }
    Machine *machine = calloc(1, sizeof *machine);
    OdeWorld *world = machine ? ode_world_create(params) : NULL;
    if (!world) {
        free(parts);
        free(machine);
        status_fail(status, STATUS_LACKING, "%s: the rigid-body engine could not be started (memory?)", params->name);
        return NULL;
    }
    machine->params = *params;
    machine->world = world;
    machine->parts = parts;
    for (int k = 0; k < MACHINE_MAX_JOINTS; k++) {
        machine->range[k] = range[k];
    }
    for (int i = 0; i < params->body_count; i++) {
        machine->mass += params->body[i].mass;
    }
    if (!own_touches_check(machine, status)) {
        machine_destroy(machine);
        return NULL;
    }
    return machine;
}

void machine_destroy(Machine *machine)
{
    if (machine) {
        ode_world_destroy(machine->world);
        free(machine->parts);
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

static void add_limit(MachineState *state, MachineLimit limit, bool acts)
{
    state->limits |= acts ? MACHINE_LIMIT_BIT(limit) : 0;
}

/// The oil that throws the piston pushes the housing back on the average as hard as the piston strikes.
static void add_recoil(const Machine *machine, const MachineState *state, Wrench *wrenches)
{
    MachineChisel chisel;
    machine_get_chisel(machine, state, &chisel);
    if (chisel.thrust > 0.0) {
        RigidMotion body;
        machine_get_tool(machine, state, &body);
        Vec3 force = vec3_scale(chisel.axis, -chisel.thrust);
        const Wrench recoil = {force, vec3_cross(vec3_sub(chisel.tip, body.center), force)};
        wrench_add(&wrenches[machine->params.tool[0].body], &recoil, 1.0);
    }
}

void machine_step(Machine *machine, const MachineInputs *inputs, double dt, MachineState *state)
{
    const MachineFaults none = MACHINE_NO_FAULTS;
    assert(dt > 0.0 && inputs->mover_count <= MACHINE_MAX_MOVERS);
    const MachineParams *params = &machine->params;
    Wrench wrenches[MACHINE_MAX_BODIES] = {{{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}}};
    if (inputs->loads != NULL) {
        memcpy(wrenches, inputs->loads, sizeof wrenches);
    }
    double angles[MACHINE_MAX_JOINTS], rates[MACHINE_MAX_JOINTS], torques[MACHINE_MAX_JOINTS];
    machine_joint_motion(machine, state, angles, rates);
    MachineChisel chisel;
    machine_get_chisel(machine, state, &chisel);
    double push = -vec3_dot(wrenches[params->tool[0].body].force, chisel.axis);
    DriveStep drive = drive_step(params, machine->range, machine->mass, push, inputs->controls,
                                 inputs->faults != NULL ? inputs->faults : &none, angles, rates, dt, state);

    RigidMotion base;
    machine_get_body(machine, state, MACHINE_BASE, &base);
    TrackReaction tracks = tracks_step(&params->tracks, machine->mass, &base, &drive.belts, inputs->ground, dt, state);
    wrench_add(&wrenches[MACHINE_BASE], &tracks.wrench, 1.0);
    add_recoil(machine, state, wrenches);
    MachineOwnTouch own[MACHINE_MAX_OWN_TOUCHES];
    const OdeOthers others = {.touches = inputs->touches,
                              .touch_count = inputs->touch_count,
                              .movers = inputs->movers,
                              .mover_count = inputs->mover_count,
                              .own = own,
                              .own_count = machine_find_own_touches(machine, state, own)};
    ode_world_step(machine->world, wrenches, drive.motor, &others, dt, state->body, torques);

    drive_take_torques(params, &drive, torques, rates, state);
    state->limits = 0;
    add_limit(state, MACHINE_LIMIT_TIP, tracks_tip(&params->tracks, state));
    add_limit(state, MACHINE_LIMIT_SLIP, tracks.sliding > SLIP_SHARE * tracks.load);
    add_limit(state, MACHINE_LIMIT_STALL, drive.stalled);
    add_limit(state, MACHINE_LIMIT_RELIEF, state->relief != 0);
}
