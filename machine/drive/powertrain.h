/// Travel by powertrain: torque converter, powershift gears, steering and brakes. Functions of numbers; the state is
/// MachineState's.
///
/// There is no gear lever: the gears shift by lever and load. The track levers ask for a speed (lever x the speed of
/// the third gear); the highest gear in use is the lowest that reaches it. Under load the gears shift down by
/// themselves, and up again when the next gear can bear what is pulled now. So a lever at a third keeps the first gear,
/// and a full one works in the first gear as long as the blade is loaded. A lever at neutral brakes its track; levers
/// against each other turn on the spot, in the first gear.
#ifndef SPADEWORK_MACHINE_POWERTRAIN_H
#define SPADEWORK_MACHINE_POWERTRAIN_H

#include "machine/drive/tracks.h"

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

/// Speed the engine is asked to keep, rad/s: idle at throttle -1, rated at +1, in between in proportion.
/// throttle  -1..1, beyond it is clamped
double engine_target_speed(const MachineEngine *engine, double throttle);

/// Engine speed, rad/s, after `dt` s under a load of `power` W at the shaft, the governor holding `target` rad/s.
/// used  W, out: the mean shaft power that fuel gave
double engine_step(const MachineEngine *engine, double speed, double target, double power, double dt, double *used);

/// The same with the tank: writes `speed` (rad/s) and `fuel` (kg, 0 or more). An engine without fuel runs out.
void engine_run(const MachineEngine *engine, double target, double power, double dt, double *speed, double *fuel);

/// An engine that gets no fuel: its speed, rad/s, after `dt` s; it comes to stand.
double engine_stop(double speed, double dt);

#endif
