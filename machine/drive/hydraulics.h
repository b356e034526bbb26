/// Levers, valves and pumps: pure functions of numbers, no bodies.
///
/// Functions of the machine in one array: its joints (MachineParams.joint), then left and right track, last the
/// hammer, whose opening is 0 or more and whose speed is the share of its flow that it gets.
/// A cylinder's speed and force count positive in extension, the swing's and the tracks' as their levers.
#ifndef SPADEWORK_MACHINE_HYDRAULICS_H
#define SPADEWORK_MACHINE_HYDRAULICS_H

#include <stdbool.h>

#include "data/schema/machine_params.h"

enum {
    HYDRAULIC_LEFT_TRACK = MACHINE_MAX_JOINTS,
    HYDRAULIC_RIGHT_TRACK,
    HYDRAULIC_HAMMER,
    HYDRAULIC_COUNT,
};

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

/// Shares the pumps' flow, which the engine's speed scales, in proportion to demand, and cuts it where flow x pressure
/// exceeds what the engine can give at its present speed.
void hydraulics_share(const MachineParams *params, const HydraulicLoad loads[HYDRAULIC_COUNT], double engine_speed,
                      double engine_target, HydraulicSupply *supply);

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

#endif
