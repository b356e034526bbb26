/// The diesel engine as functions of numbers: no state of its own, any thread.
#ifndef SPADEWORK_MACHINE_ENGINE_H
#define SPADEWORK_MACHINE_ENGINE_H

#include "data/schema/machine_params.h"

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
