/// A machine's life and its step: checks of the parameters' geometry, the state's fields, the limits as a set, and the
/// step from levers to motors (machine/drive), from ground to tracks, and of both to ODE.
#include "machine/machine.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/core/language.h"
#include "machine/body/machine_internal.h"
#include "machine/cylinder.h"

/// ---- checks of the geometry ----------------------------------------------------------------------------------------

// Poses looked at over each joint's range.
#define CHECK_STEPS 240
// Beyond the range by this much (rad) the geometry must still work: a stop gives a little before it holds.
#define CHECK_MARGIN 0.01
// Least lever arm of a cylinder, m.
#define LEAST_ARM 0.02
// Tolerance of cylinder lengths, m.
#define LENGTH_TOLERANCE 1e-3

static bool check_bodies(const MachineParams *params, Status *status)
{
    for (int i = 0; i < params->body_count; i++) {
        const MachineBodyParams *body = &params->body[i];
        if (!(body->mass > 0.0) || !isfinite(body->mass)) {
            return status_fail(status, STATUS_BAD_FILE, "%s: bodies.%s.mass: %g kg; it must be positive", params->name,
                               body->name, body->mass);
        }
        for (int k = 0; k < 3; k++) {
            if (!(body->inertia_size[k] > 0.0) || !isfinite(body->inertia_size[k])) {
                return status_fail(status, STATUS_BAD_FILE, "%s: bodies.%s.inertia_size: %g m; it must be positive",
                                   params->name, body->name, body->inertia_size[k]);
            }
        }
    }
    return true;
}

static bool check_tracks(const MachineParams *params, Status *status)
{
    int patches = params->tracks.patches;
    if (patches < 3 || 2 * patches > MACHINE_MAX_PATCHES) {
        return status_fail(status, STATUS_BAD_FILE, "%s: tracks.patches: %d; allowed is 3..%d", params->name, patches,
                           MACHINE_MAX_PATCHES / 2);
    }
    return true;
}

static bool check_size(const MachineParams *params, const char *name, const MachineCylinder *cylinder, Status *status)
{
    if (!(cylinder->bore > 0.0) || !(cylinder->rod >= 0.0) || cylinder->rod >= cylinder->bore) {
        return status_fail(status, STATUS_BAD_FILE,
                           "%s: %s_cylinder.rod_mm: %g mm; it must be less than the bore, %g mm", params->name, name,
                           1e3 * cylinder->rod, 1e3 * cylinder->bore);
    }
    if (cylinder->count < 1 || !(cylinder->relief > 0.0)) {
        return status_fail(status, STATUS_BAD_FILE,
                           "%s: %s_cylinder: a count of at least 1 and a positive relief are needed", params->name,
                           name);
    }
    return true;
}

/// False, with the keys that an angle is impossible by.
static bool fail_linkage(const MachineParams *params, int joint, double angle, Status *status)
{
    const char *name = params->joint[joint].name;
    char cylinder[2 * MACHINE_NAME_SIZE];
    snprintf(cylinder, sizeof cylinder, "%s_cylinder", name);
    bool linkage = params->joint[joint].linkage.rocker_length > 0.0;
    return status_fail(status, STATUS_BAD_FILE, "%s: %s: the linkage cannot close at a %s angle of %.1f deg",
                       params->name, linkage ? "linkage" : cylinder, name, angle * 180.0 / M_PI);
}

static bool check_pose(const MachineParams *params, int joint, double angle, double *length, double *arm,
                       Status *status)
{
    const char *name = params->joint[joint].name;
    const MachineCylinder *cylinder = function_cylinder(params, joint);
    double angle_deg = angle * 180.0 / M_PI;
    if (!cylinder_length(&params->joint[joint], angle, length, arm)) {
        return fail_linkage(params, joint, angle, status);
    }
    double low = cylinder->closed, high = cylinder->closed + cylinder->stroke;
    if (!(*length >= low - LENGTH_TOLERANCE && *length <= high + LENGTH_TOLERANCE)) {
        return status_fail(
            status, STATUS_BAD_FILE,
            "%s: %s_cylinder: it would be %.0f mm long at a %s angle of %.1f deg; closed_mm and stroke_mm "
            "allow %.0f..%.0f mm",
            params->name, name, 1e3 * *length, name, angle_deg, 1e3 * low, 1e3 * high);
    }
    return true;
}

static bool check_joint(const MachineParams *params, int joint, DriveRange *range, Status *status)
{
    const double *limits = params->joint[joint].range;
    const char *name = params->joint[joint].name;
    if (!(limits[0] < limits[1])) {
        return status_fail(status, STATUS_BAD_FILE, "%s: %s_range_deg: it is empty (%g..%g rad)", params->name, name,
                           limits[0], limits[1]);
    }
    double first_arm = 0.0;
    for (int i = 0; i <= CHECK_STEPS; i++) {
        double angle = limits[0] + (limits[1] - limits[0]) * i / CHECK_STEPS, length, arm;
        if (!check_pose(params, joint, angle, &length, &arm, status)) {
            return false;
        }
        first_arm = i == 0 ? arm : first_arm;
        if (fabs(arm) < LEAST_ARM || arm * first_arm < 0.0) {
            return status_fail(
                status, STATUS_BAD_FILE,
                "%s: %s_cylinder: it has no lever arm at a %s angle of %.1f deg (%.0f mm; at least %.0f mm "
                "of one sign)",
                params->name, name, name, angle * 180.0 / M_PI, 1e3 * arm, 1e3 * LEAST_ARM);
        }
        range->shortest = i == 0 ? length : fmin(range->shortest, length);
        range->longest = i == 0 ? length : fmax(range->longest, length);
    }
    // A stop gives a little before it holds: there the linkage must close too.
    double length, arm;
    for (int end = 0; end < 2; end++) {
        double beyond = limits[end] + (end == 0 ? -CHECK_MARGIN : CHECK_MARGIN);
        if (!cylinder_length(&params->joint[joint], beyond, &length, &arm)) {
            return fail_linkage(params, joint, beyond, status);
        }
    }
    range->lever_sign = params->joint[joint].control_sign * first_arm > 0.0 ? 1.0 : -1.0;
    return true;
}

/// Checks what only geometry can tell: cylinders reach, linkages close, lever arms do not vanish. Fills the ranges.
/// False with the key, what it would be and what is allowed.
static bool check_geometry(const MachineParams *params, DriveRange range[MACHINE_MAX_JOINTS], Status *status)
{
    if (!check_bodies(params, status) || !check_tracks(params, status)) {
        return false;
    }
    for (int joint = 0; joint < params->joint_count; joint++) {
        if (!function_cylinder(params, joint)) {
            range[joint].lever_sign = params->joint[joint].control_sign;
            continue;
        }
        if (!check_size(params, params->joint[joint].name, function_cylinder(params, joint), status) ||
            !check_joint(params, joint, &range[joint], status)) {
            return false;
        }
    }
    return status_good(status);
}

/// ---- state ---------------------------------------------------------------------------------------------------------
/// The one list of the machine's state: hash, save, restore, difference, and the test for finite numbers go through it.
/// The names are those in recordings; those of bodies are the machine's own.

#define LONGEST_SHIFT  10.0 ///< s
#define FASTEST_HAMMER 1000.0 ///< Hz

// The one list of the state's fields: what, how.
#define MACHINE_STATE_FIELDS(X)                                                                                        \
    X(spool)                                                                                                           \
    X(track_spool)                                                                                                     \
    X(joint_speed)                                                                                                     \
    X(joint_force)                                                                                                     \
    X(track_shear)                                                                                                     \
    X(track_speed)                                                                                                     \
    X(track_flow)                                                                                                      \
    X(track_hold)                                                                                                      \
    X(track_travel)                                                                                                    \
    X(track_force)                                                                                                     \
    X(patch_load)                                                                                                      \
    X(engine_speed)                                                                                                    \
    X(pump_power)                                                                                                      \
    X(fuel)                                                                                                            \
    X(hammer_spool)                                                                                                    \
    X(hammer_clock)                                                                                                    \
    X(hammer_rate)                                                                                                     \
    X(shift_clock)

// A body's fields bear its own name. Places that the machine does not have, and those of an unknown machine, a number.
static void visit_body(const MachineParams *params, int place, MachineBodyState *body, StateVisitor *visitor)
{
    const struct {
        const char *name;
        double *values;
        size_t count;
    } fields[] = {{"position", body->position, sizeof body->position / sizeof(double)},
                  {"quaternion", body->quaternion, sizeof body->quaternion / sizeof(double)},
                  {"velocity", body->velocity, sizeof body->velocity / sizeof(double)},
                  {"spin", body->spin, sizeof body->spin / sizeof(double)}};
    for (size_t k = 0; k < sizeof fields / sizeof fields[0]; k++) {
        char name[2 * MACHINE_NAME_SIZE + 24];
        if (params != NULL && place < params->body_count) {
            snprintf(name, sizeof name, "machine.%s.%s", params->body[place].name, fields[k].name);
        } else {
            snprintf(name, sizeof name, "machine.body%d.%s", place, fields[k].name);
        }
        state_visit_array(visitor, name, fields[k].values, sizeof(double), fields[k].count);
    }
}

static bool hammer_is_sound(const MachineState *state)
{
    return state->hammer_spool >= 0.0 && state->hammer_spool <= 1.0 && state->hammer_clock >= 0.0 &&
           state->hammer_clock <= 1.0 && state->hammer_rate >= 0.0 && state->hammer_rate <= FASTEST_HAMMER &&
           state->hammer_blows >= 0;
}

void machine_state_visit(const MachineParams *params, MachineState *state, StateVisitor *visitor)
{
    for (int k = 0; k < MACHINE_MAX_BODIES; k++) {
        visit_body(params, k, &state->body[k], visitor);
    }
#define X(name)                                                                                                        \
    state_visit_array(visitor, "machine." #name, &state->name, sizeof(double), sizeof state->name / (sizeof(double)));
    MACHINE_STATE_FIELDS(X)
#undef X
    STATE_VISIT(visitor, "machine.gear", state->gear);
    if (visitor->restoring && (state->gear < -MACHINE_GEARS || state->gear > MACHINE_GEARS ||
                               !(state->shift_clock >= 0.0 && state->shift_clock <= LONGEST_SHIFT))) {
        state->gear = 0;
        state->shift_clock = 0.0;
        visitor->failed = true;
    }
    STATE_VISIT(visitor, "machine.hammer_blows", state->hammer_blows);
    if (visitor->restoring && !hammer_is_sound(state)) {
        state->hammer_spool = state->hammer_clock = state->hammer_rate = 0.0;
        state->hammer_blows = 0;
        visitor->failed = true;
    }
    STATE_VISIT(visitor, "machine.limits", state->limits);
    STATE_VISIT(visitor, "machine.relief", state->relief);
    STATE_VISIT(visitor, "machine.floating", state->floating);
    bool exist = (state->limits & ~MACHINE_LIMIT_BITS) == 0 && (state->relief & ~MACHINE_RELIEF_BITS) == 0 &&
                 (state->floating & ~MACHINE_JOINT_BITS) == 0;
    if (visitor->restoring && !exist) {
        state->limits = state->relief = state->floating = 0;
        visitor->failed = true;
    }
}

typedef struct FiniteVisitor {
    StateVisitor visitor;
    bool finite;
} FiniteVisitor;

static void check_finite(StateVisitor *visitor, const char *name, void *data, size_t size, size_t count)
{
    (void)name;
    FiniteVisitor *check = (FiniteVisitor *)visitor;
    size_t bytes = size * count;
    if (bytes % sizeof(double) != 0) {
        return; // `gear`, `hammer_blows`, `limits`, `relief` and `floating`: all fields that are not made of doubles
    }
    const double *numbers = data;
    for (size_t i = 0; i < bytes / sizeof(double); i++) {
        check->finite = check->finite && isfinite(numbers[i]);
    }
}

bool machine_state_is_finite(const MachineState *state)
{
    MachineState copy = *state;
    FiniteVisitor check = {.visitor = {.field = check_finite}, .finite = true};
    machine_state_visit(NULL, &copy, &check.visitor);
    return check.finite;
}

/// ---- limits --------------------------------------------------------------------------------------------------------

const char *const machine_limit_names[MACHINE_LIMIT_COUNT] = {"none", TEXT("stall"), TEXT("relief"), TEXT("slip"),
                                                              TEXT("tip")};

MachineLimit machine_gravest_limit(int limits)
{
    MachineLimit gravest = MACHINE_LIMIT_NONE;
    for (int k = MACHINE_LIMIT_NONE + 1; k < MACHINE_LIMIT_COUNT; k++) {
        gravest = (limits & MACHINE_LIMIT_BIT(k)) != 0 ? (MachineLimit)k : gravest;
    }
    return gravest;
}

void machine_limits_text(int limits, char text[MACHINE_LIMITS_TEXT])
{
    int length = 0;
    for (int k = MACHINE_LIMIT_NONE + 1; k < MACHINE_LIMIT_COUNT; k++) {
        if ((limits & MACHINE_LIMIT_BIT(k)) != 0) {
            length += snprintf(text + length, (size_t)(MACHINE_LIMITS_TEXT - length), "%s%s", length > 0 ? "+" : "",
                               machine_limit_names[k]);
        }
    }
    if (length == 0) {
        snprintf(text, MACHINE_LIMITS_TEXT, "%s", machine_limit_names[MACHINE_LIMIT_NONE]);
    }
}

/// ---- life and step -------------------------------------------------------------------------------------------------

// Share of the load on sliding patches from which the machine as a whole slips. Chosen: half of it.
#define SLIP_SHARE 0.5

Machine *machine_create(const MachineParams *params, Status *status)
{
    DriveRange range[MACHINE_MAX_JOINTS] = {{0.0, 0.0, 1.0}};
    if (!check_geometry(params, range, status)) {
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

double machine_patch_shearing(const Machine *machine, const MachineState *state, int patch)
{
    const MachineTracks *tracks = &machine->params.tracks;
    assert(patch >= 0 && patch < 2 * tracks->patches);
    RigidMotion base;
    machine_get_body(machine, state, MACHINE_BASE, &base);
    return state->patch_load[patch] > 0.0 ? track_patch_shearing(tracks, &base, patch, state) : 0.0;
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
