/// Drives of a machine: from the levers to the motors of the joints and the belts, and back from their forces to gauges
/// and limits. Functions of numbers: no bodies and no ODE.
#ifndef SPADEWORK_MACHINE_DRIVE_DRIVE_H
#define SPADEWORK_MACHINE_DRIVE_DRIVE_H

#include <stdbool.h>

#include "data/schema/machine_params.h"
#include "machine/machine.h"

/// ---- hydraulics.c --------------------------------------------------------------------------------------------------
/// Levers, valves and pumps: pure functions of numbers, no bodies.
///
/// Functions of the machine in one array: its joints (MachineParams.joint), then left and right track, last the
/// hammer, whose opening is 0 or more and whose speed is the share of its flow that it gets.
/// A cylinder's speed and force count positive in extension, the swing's and the tracks' as their levers.

enum {
    HYDRAULIC_LEFT_TRACK = MACHINE_MAX_JOINTS,
    HYDRAULIC_RIGHT_TRACK,
    HYDRAULIC_HAMMER,
    HYDRAULIC_COUNT,
};

/// s: pumps and hoses follow a changed flow with this lag. Chosen; see validate run cycle.
#define HYDRAULIC_FLOW_LAG 0.04

/// One function's wish and load in this step.
typedef struct HydraulicLoad {
    double opening; ///< spool, -1..1, positive = extend, right, forward
    double force; ///< last step's force (N) or torque (N m) of the function on the machine
} HydraulicLoad;

/// What the pumps give.
typedef struct HydraulicSupply {
    double speed[HYDRAULIC_COUNT]; ///< m/s of cylinder or belt, rad/s of swing
    double power; ///< W the pumps take from the engine
    bool limited; ///< the engine's power, not the flow, is the limit
} HydraulicSupply;

/// Lever -1..1 to valve demand -1..1: zero within the dead band, full at the end.
double hydraulics_dead_band(double lever, double dead_band);
/// Spool after `dt` s of first-order lag towards `demand`; settles to exactly zero.
double hydraulics_spool(double spool, double demand, double time, double dt);
/// Spool that its pilot oil would move from `spool` to `next` in this step, with that oil throttled on its way in: it
/// opens from neutral to its end in `start_time` s at the fastest, and closes freely.
double hydraulics_throttled_spool(double spool, double next, double start_time, double dt);

/// Shares the pumps' flow, which the engine's speed scales, in proportion to demand, and cuts it where flow x pressure
/// exceeds what the engine can give at its present speed.
void hydraulics_share(const MachineParams *params, const HydraulicLoad loads[HYDRAULIC_COUNT], double engine_speed,
                      double engine_target, HydraulicSupply *supply);

/// Speed (m/s of a cylinder or belt, rad/s of a swing) that a function alone gets with its valve full open, the engine
/// at its rated speed and its load moving it the same way.
/// opening  1 or -1
double hydraulics_full_speed(const MachineParams *params, int function, double opening);

/// Highest speed (m/s) a cylinder may have at `distance` (m) before its end, moving towards it.
double hydraulics_cushion(double cushion, double distance, double dt);

/// What a hammer does in one step.
typedef struct HammerStep {
    double rate; ///< Hz of blows
    bool blow; ///< the piston falls in this step
} HammerStep;

/// True when something pushes the chisel into the housing with `push` N, so that the piston may run (protection against
/// idle blows). False of params without a hammer.
bool hammer_is_fed(const MachineHammer *hammer, double push);

/// A step of `dt` s with `share` (0..1) of the flow the hammer is made for.
/// clock  0..1, in and out: share of the time to the next blow that is over
HammerStep hammer_step(const MachineHammer *hammer, double share, double dt, double *clock);

/// Momentum of a blow, N s: times the rate, the mean force on what the chisel stands on, and back on the housing.
double hammer_momentum(const MachineHammer *hammer);

/// Unit vector along the chisel to its tip, x and z of the tool's frame.
/// tip  m
PlanePoint hammer_axis(const MachineHammer *hammer, const PlanePoint *tip);

/// ---- tracks.c ------------------------------------------------------------------------------------------------------
/// Two crawler tracks on soft ground, as forces of contact patches: no bodies, no collision detection.

/// What the drive of one belt wants in one step: that it runs neither slower than `least` nor faster than `most`.
typedef struct BeltDrive {
    double least, most; ///< m/s, forward positive; least <= most
    double ahead, back; ///< N, 0 or more: the most that drive or brake can give forwards, and backwards
} BeltDrive;

typedef struct TrackDrive {
    BeltDrive belt[2]; ///< left, right
} TrackDrive;

/// What the ground did to the tracks in one step.
typedef struct TrackReaction {
    Wrench wrench; ///< on the undercarriage, about its centre of mass
    double load; ///< N: normal load of all patches
    double sliding; ///< N: normal load of the patches at the end of their shear displacement that move over the ground
} TrackReaction;

/// Middle of a patch on the track's underside, undercarriage frame. Patches count left side first, rear to front.
Vec3 track_patch_point(const MachineTracks *tracks, int patch);
double track_patch_area(const MachineTracks *tracks); ///< m2

/// How fast the shear displacement of a patch yields in the soil, m/s, 0 or more: what does not spring back.
double track_patch_shearing(const MachineTracks *tracks, const RigidMotion *motion, int patch,
                            const MachineState *state);

/// Forces of the ground on the undercarriage and the step of the belts: writes track_shear, track_speed, track_travel,
/// track_force and patch_load. `mass` (kg) of the whole machine sets the damping.
TrackReaction tracks_step(const MachineTracks *tracks, double mass, const RigidMotion *motion, const TrackDrive *drive,
                          const MachineGround *ground, double dt, MachineState *state);

/// The ground's pressure has moved to an edge of the tracks, or nothing is left of it.
bool tracks_tip(const MachineTracks *tracks, const MachineState *state);

/// ---- travel_motors.c -----------------------------------------------------------------------------------------------
/// Hydraulic travel motors between their valves and the belts.

/// What a travel lever asks of its valve, -1..1: neutral as long as the machine rolls the other way on an open
/// counterbalance valve, so that a reversed lever brakes before it drives.
double travel_motors_demand(const MachineState *state, int side, double demand);
/// Range of speeds and forces of both belts in a step; writes track_flow and track_hold.
/// speed  m/s [2]: what the pumps' flow would give the belts at once
/// mass   kg of the whole machine
/// share  0..1 of the relief pressure that the pumps reach: brakes have all of it
TrackDrive travel_motors_drive(const MachineParams *params, const double speed[2], double mass, double share, double dt,
                               MachineState *state);

/// ---- powertrain.c --------------------------------------------------------------------------------------------------
/// Travel by powertrain: torque converter, powershift gears, steering and brakes. Functions of numbers; the state is
/// MachineState's.
///
/// There is no gear lever: the gears shift by lever and load. The track levers ask for a speed (lever x the speed of
/// the third gear); the highest gear in use is the lowest that reaches it. Under load the gears shift down by
/// themselves, and up again when the next gear can bear what is pulled now. So a lever at a third keeps the first gear,
/// and a full one works in the first gear as long as the blade is loaded. A lever at neutral brakes its track; levers
/// against each other turn on the spot, in the first gear.

/// What the converter does at one speed of the belts.
typedef struct Conversion {
    double speed_ratio; ///< turbine over engine speed, 0..1
    double torque; ///< N m it takes from the engine when all of its force is used
    double force; ///< N it can give to both belts together
} Conversion;

/// `belts`: m/s, mean of both in the gear's direction (below 0 counts as 0). `gear` 1..3 forward, -1..-3 reverse.
/// A converter takes a torque that grows with the square of the engine's speed and does not depend on that of the
/// turbine up to the coupling point; from there it falls to nothing at equal speeds. What it gives falls evenly from
/// the stall ratio to 1 at the coupling point (single-stage converters, e.g. Wong, Theory of Ground Vehicles,
/// section 3.4).
Conversion powertrain_convert(const MachineParams *params, int gear, double engine_speed, double belts);

/// What the drive asks of the engine in a step.
typedef struct PowertrainLoad {
    double power; ///< W
    bool stalled; ///< the converter gives all it has and hardly turns
} PowertrainLoad;

/// Levers (track_spool) -> gear -> speeds and forces of the belts. Writes gear and shift_clock; reads last step's
/// track_force.
PowertrainLoad powertrain_drive(const MachineParams *params, double dt, MachineState *state, TrackDrive *belts);

/// Target speed of the engine, rad/s: idle at throttle -1, rated at +1, in between in proportion.
/// throttle  -1..1, beyond it is clamped
double engine_target_speed(const MachineEngine *engine, double throttle);

/// Engine speed, rad/s, after `dt` s under a load of `power` W at the shaft, the governor holding `target` rad/s.
/// used  W, out: the mean shaft power that fuel gave
double engine_step(const MachineEngine *engine, double speed, double target, double power, double dt, double *used);

/// The same with the tank: writes `speed` (rad/s) and `fuel` (kg, 0 or more). An engine without fuel runs out.
void engine_run(const MachineEngine *engine, double target, double power, double dt, double *speed, double *fuel);

/// An engine that gets no fuel: its speed, rad/s, after `dt` s; it comes to stand.
double engine_stop(double speed, double dt);

/// ---- drive_step.c --------------------------------------------------------------------------------------------------

/// How a joint's lever, angle and drive go together: constant, from the params.
typedef struct DriveRange {
    double shortest, longest; ///< m: lengths of the cylinder at the ends of the joint's range; 0 of a swing motor
    double
        lever_sign; ///< +1 when the lever's positive direction extends the cylinder or turns the motor forward, else -1
} DriveRange;

/// What a joint's motor does in one step: it brings the joint to `speed` unless that takes more than `limit`.
typedef struct JointMotor {
    double speed; ///< rad/s, of the joint angle
    double limit; ///< N m, > 0
    double softness; ///< rad/s per N m that the joint turns slower than `speed` for what the motor gives; 0: rigid
} JointMotor;

/// Result of the levers in one step.
typedef struct DriveStep {
    JointMotor motor[MACHINE_MAX_JOINTS];
    double length_per_rad[MACHINE_MAX_JOINTS]; ///< m/rad of the cylinder; of a swing motor 1
    bool floats[MACHINE_MAX_JOINTS]; ///< both ports of the cylinder are open to the tank: no relief valve opens
    bool at_end[MACHINE_MAX_JOINTS]; ///< the lever pushes the cylinder against its end
    TrackDrive belts;
    HammerStep hammer;
    bool stalled; ///< the engine is pulled down, or the converter stands
    bool weak; ///< the pumps do not reach the relief pressure: no relief valve opens
} DriveStep;

/// Levers -> spools -> pump flow -> motors of the joints, speeds and forces of the belts; the engine's step.
/// range   [joint_count]
/// mass    kg of the whole machine
/// faults  what fails; never NULL
/// push    N, along the chisel of a hammer into its housing, in the last step
/// angles  rad [joint_count]   rates  rad/s [joint_count]: of the joints, as the bodies stand
/// state   writes spools, floating, joint_speed, pump_power, engine_speed, fuel, gear, shift_clock and the hammer's
///         clock, rate and blows; reads the last step's forces
DriveStep drive_step(const MachineParams *params, const DriveRange *range, double mass, double push,
                     const OperatorControls *controls, const MachineFaults *faults, const double *angles,
                     const double *rates, double dt, MachineState *state);

/// Takes what the bodies made of it: the motors' torques (N m [joint_count]) become the forces of the functions
/// (joint_force), which the next step, the limits and the gauges read. Writes which of them and of the travel
/// motors are at their relief pressure (relief).
void drive_take_torques(const MachineParams *params, const DriveStep *step, const double *torques, const double *rates,
                        MachineState *state);

/// Pressure of a function's higher port, Pa: what a gauge shows. It is that of the last step's force, at most its
/// relief; the relief itself while that is open, and for a cylinder driven into its end.
double drive_pressure(const MachineParams *params, const MachineState *state, int joint);

#endif
