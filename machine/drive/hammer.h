/// The hydraulic hammer: blows from flow, and the mean force that drives its piston. Pure functions of numbers.
#ifndef SPADEWORK_MACHINE_HAMMER_H
#define SPADEWORK_MACHINE_HAMMER_H

#include <stdbool.h>

#include "data/schema/machine_params.h"

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
