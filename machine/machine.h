/// The machine: ODE rigid bodies, hydraulics, engine and tracks of an excavator or a dozer.
///
/// The state belongs to the caller (the session); ODE is used as a pure function from state to state, single-threaded,
/// and its types never leave this folder. Frames and joint angles: data/machine_params.h. World frame: x east, y north,
/// z up. Units SI. Nothing here allocates after machine_create. Two machines may live in one process, but may not be
/// stepped at the same time by two threads (ODE's random seed is process-wide).
#ifndef SPADEWORK_MACHINE_MACHINE_H
#define SPADEWORK_MACHINE_MACHINE_H

#include "data/core/rigid.h"
#include "data/machine_params.h"
#include "data/core/operator_controls.h"
#include "data/core/state_visitor.h"
#include "data/core/status.h"
#include "data/core/vec.h"

enum { MACHINE_MAX_PATCHES = 32, MACHINE_MAX_STRUTS = 8 };

typedef struct Machine Machine; ///< constant data and ODE's scratch; holds no state between steps

/// A rigid body's state. Position is that of the centre of mass.
typedef struct MachineBodyState {
    double position[3];
    double quaternion[4]; ///< w first, ODE's raw value
    double velocity[3];
    double spin[3]; ///< rad/s, world axes
} MachineBodyState;

/// Everything that changes and is hashed, saved and restored. List its fields in machine_state_visit only.
typedef struct MachineState {
    MachineBodyState body[MACHINE_MAX_BODIES];
    double spool[MACHINE_MAX_JOINTS]; ///< valve opening, -1..1
    double track_spool[2]; ///< left, right
    double joint_speed[MACHINE_MAX_JOINTS]; ///< commanded speed after ramps, rad/s or m/s of the cylinder
    double joint_force[MACHINE_MAX_JOINTS]; ///< N (cylinders) or N m (an excavator's swing) of the last step
    double track_shear[MACHINE_MAX_PATCHES][2]; ///< m: shear displacement of each patch, along and across the track
    double track_speed[2]; ///< m/s of the belts
    double track_travel[2]; ///< m the belts have run, for drawing
    double track_force[2]; ///< N: drive force on each belt in the last step, forward positive
    double patch_load[MACHINE_MAX_PATCHES]; ///< N: normal load of each patch in the last step
    double engine_speed; ///< rad/s
    double pump_power; ///< W taken from the engine in the last step: by the pumps, and by a dozer's converter
    double fuel; ///< kg left
    double shift_clock; ///< s until a dozer may shift again; first the drive comes back
    int gear; ///< of a dozer: 1..3 forward, -1..-3 reverse, 0 neutral
    int limit; ///< MachineLimit of the last step
} MachineState;

/// Which limit acts (telemetry column `limit`).
typedef enum MachineLimit {
    MACHINE_LIMIT_NONE,
    MACHINE_LIMIT_RELIEF, ///< a cylinder, the swing motor or a travel motor is at its relief pressure
    MACHINE_LIMIT_STALL, ///< the engine is pulled down; a dozer's converter stands
    MACHINE_LIMIT_SLIP, ///< the tracks slip
    MACHINE_LIMIT_TIP, ///< the machine lifts off its tracks
} MachineLimit;
extern const char *const machine_limit_names[5]; ///< "none", "relief", "stall", "slip", "tip"

/// The ground under one track patch, filled by the caller for the position machine_track_patches gave.
typedef struct MachineGround {
    double height; ///< m
    Vec3 normal; ///< unit, upwards
    double firmness; ///< 0.05..1: multiplies the patch stiffness (loose soil is softer)
    double friction; ///< 0..2: tan of the soil's friction angle
    double cohesion; ///< Pa, 0..2e5: strength of the soil without load
} MachineGround;

/// A line to be drawn between two moving pins: cylinder barrel + rod, rocker, link.
typedef struct MachineStrut {
    enum { MACHINE_STRUT_CYLINDER, MACHINE_STRUT_BAR } kind;
    Vec3 a, b; ///< world: barrel end, rod end
    double radius; ///< m: barrel
    double rod_radius; ///< m
    double barrel; ///< m: length of the barrel from a
} MachineStrut;

/// What gauges show.
typedef struct MachineReadout {
    double angle[MACHINE_MAX_JOINTS]; ///< rad: swing, boom, stick, bucket; of a dozer ripper, lift, angle, tilt
    double speed[MACHINE_MAX_JOINTS]; ///< rad/s
    double pressure[MACHINE_MAX_JOINTS]; ///< Pa: the higher port; swing from its torque
    double pump_power, engine_speed, fuel;
    Vec3 tip; ///< middle of the cutting edge, world
    Vec3 base; ///< origin of the undercarriage frame, world
    double yaw, pitch, roll; ///< rad, of the undercarriage
    double slip[2]; ///< left, right: 1 - ground speed / belt speed, 0 when the belt stands
    double track_load[2]; ///< N on each track
    int gear; ///< as MachineState; 0 of an excavator
    double speed_over_ground; ///< m/s, of the undercarriage along its x axis
    double tip_height; ///< m: the edge's middle over the plane the tracks stand on
    MachineLimit limit;
} MachineReadout;

/// Builds a machine. `params` is copied. Returns NULL with `status` filled when the params cannot be built (a cylinder
/// that cannot reach, a linkage that cannot close): the text names the key and the reason.
Machine *machine_create(const MachineParams *params, Status *status);
void machine_destroy(Machine *machine);
const MachineParams *machine_params(const Machine *machine);

/// State at rest at (x, y) with `heading` on level ground at height z, in the params' start pose.
void machine_start(const Machine *machine, double x, double y, double z, double heading, MachineState *state);

/// World positions where the track patches touch; returns how many (left side first, rear to front). The caller fills
/// one MachineGround for each before machine_step.
int machine_track_patches(const Machine *machine, const MachineState *state, Vec3 positions[MACHINE_MAX_PATCHES]);
double machine_patch_area(const Machine *machine); ///< m2 of one patch
/// Normal pressure under a patch in the last step, Pa, for ruts. `patch` counts as machine_track_patches.
double machine_patch_pressure(const Machine *machine, const MachineState *state, int patch);

/// One step of `dt` s: levers -> valves -> pump flow sharing -> cylinder, swing and track limits -> ODE.
/// `tool` is the soil's wrench on the bucket (NULL = none). Deterministic: equal inputs give equal bits.
void machine_step(Machine *machine, const OperatorControls *controls, const MachineGround *ground, const Wrench *tool,
                  double dt, MachineState *state);

/// The same with a wrench on every body (a rope on the undercarriage, a load on the stick).
void machine_step_loaded(Machine *machine, const OperatorControls *controls, const MachineGround *ground,
                         const Wrench loads[MACHINE_MAX_BODIES], double dt, MachineState *state);

void machine_get_tool(const Machine *machine, const MachineState *state, RigidMotion *tool);
/// The same of any body (a dozer's ripper).
void machine_get_body(const Machine *machine, const MachineState *state, int which, RigidMotion *tool);
void machine_get_body_frame(const Machine *machine, const MachineState *state, int body, Pose *frame);
int machine_get_struts(const Machine *machine, const MachineState *state, MachineStrut struts[MACHINE_MAX_STRUTS]);
void machine_get_readout(const Machine *machine, const MachineState *state, MachineReadout *readout);

/// Visits every field of the state once (hash, save, restore, difference).
void machine_state_visit(MachineState *state, StateVisitor *visitor);

/// True when all numbers of the state are finite.
bool machine_state_is_finite(const MachineState *state);

#endif
