/// Motion of the operator's seat: specific force, rates and attitude of the cab, filtered as motion platforms want
/// them, and the weighted vibration of ISO 2631-1.
///
/// It reads the machine's states and changes none. Its memory (velocity before, filters) is no part of the session's
/// state: nothing that is simulated depends on it. It begins anew, at rest in the attitude of the moment, when a
/// session starts or is restored, and is the same for the same ticks after that. Plain memory; the session's thread.
///
/// Axes: those of the cab, x ahead, y to the left, z up. Roll lifts the left side, pitch the nose, yaw turns to the
/// left, as MachineReadout has it. Seat: 0.75 m below MachineCab.eye; it has no springs of its own.
#ifndef SPADEWORK_TRAINER_SEAT_MOTION_H
#define SPADEWORK_TRAINER_SEAT_MOTION_H

#include "machine/machine.h"

/// ---- second-order filters ------------------------------------------------------------------------------------------
///
/// Digital filters made from analogue ones. Plain memory; any thread.

/// y(z)/x(z) = (b0 + b1/z + b2/z^2) / (1 + a1/z + a2/z^2), and what it remembers.
typedef struct Filter {
    double b[3], a[2]; ///< unit 1
    double memory[2]; ///< in the unit of the signal
} Filter;

/// Low-pass w^2 / (p^2 + 2 z w p + w^2) with the corner w (rad/s), the `damping` ratio z and the step `dt` (s).
Filter filter_low_pass(double corner, double damping, double dt);
/// High-pass p^2 / (p^2 + 2 z w p + w^2) with the corner w (rad/s), the `damping` ratio z and the step `dt` (s).
Filter filter_high_pass(double corner, double damping, double dt);

/// ISO 2631-1:1997, annex A, as products of such filters: frequency weighting of whole-body vibration.
enum { FILTER_WEIGHTING = 4 }; ///< stages
/// Writes the stages of W_k (up and down) or W_d (to all sides) for the step `dt` (s).
void filter_weighting(int upward, double dt, Filter stages[FILTER_WEIGHTING]);

/// Makes it remember a signal that has been `value` (its unit) for ever; returns the answer to it.
double filter_settle(Filter *filter, double value);
/// The answer to the next sample `value`, in its unit.
double filter_step(Filter *filter, double value);

/// ---- the seat ------------------------------------------------------------------------------------------------------

enum { SEAT_MAX_SAMPLES = 32 }; ///< substeps of a tick (SceneRates)

/// One moment. Corners of the second-order filters: docs/motion-platform.md.
typedef struct SeatSample {
    Vec3 force; ///< m/s2: acceleration less gravity, 9.81 upwards at rest; low-passed
    Vec3 rate; ///< rad/s of roll, pitch, yaw; low-passed
    Vec3 onset; ///< m/s2: `force` high-passed, what a platform shows by moving
    Vec3 sustained; ///< m/s2: `force` low-passed again, what it shows by tilting
    Vec3 turn; ///< rad/s: `rate` high-passed, what it shows by turning
    Vec3 attitude; ///< rad: roll, pitch, yaw
    double vibration; ///< m/s2: r.m.s. over the last second, weighted W_d, W_d, W_k and summed (ISO 2631-1, for health)
} SeatSample;

/// Stages that one axis of force, and one of rate goes through.
typedef struct SeatAxis {
    Filter smooth, rate_smooth, onset, sustained, turn, weighting[FILTER_WEIGHTING];
    double power; ///< m2/s4: weighted, mean over about a second
} SeatAxis;

typedef struct SeatMotion {
    double step; ///< s from one sample to the next
    Vec3 velocity; ///< m/s of the seat at the last sample, world
    SeatAxis axis[3];
    SeatSample sample[SEAT_MAX_SAMPLES + 1]; ///< the last of the tick before, then those of the last tick
    int count; ///< samples of the last tick
} SeatMotion;

/// Begins at rest, as the machine stands. `step`: s between two calls of seat_motion_step.
void seat_motion_start(SeatMotion *seat, const Machine *machine, const MachineState *state, double step);
/// Begins a tick: the last sample is kept as that before it.
void seat_motion_begin_tick(SeatMotion *seat);
/// Adds the sample of a substep that the machine has just made.
void seat_motion_step(SeatMotion *seat, const Machine *machine, const MachineState *state);
/// The last sample.
static inline const SeatSample *seat_motion_last(const SeatMotion *seat)
{
    return &seat->sample[seat->count];
}
/// The sample at `substeps` (0..count, a number of substeps since the tick began), between two of them by proportion.
SeatSample seat_motion_at(const SeatMotion *seat, double substeps);

#endif
