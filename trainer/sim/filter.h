/// Second-order digital filters made from analogue ones, for what a seat feels. Plain memory; any thread.
#ifndef SPADEWORK_TRAINER_SEAT_FILTER_H
#define SPADEWORK_TRAINER_SEAT_FILTER_H

/// y(z)/x(z) = (b0 + b1/z + b2/z^2) / (1 + a1/z + a2/z^2), and what it remembers.
typedef struct Filter {
    double b[3], a[2]; ///< unit 1
    double memory[2]; ///< in the unit of the signal
} Filter;

/// The analogue filter (n0 + n1 p + n2 p^2) / (d0 + d1 p + d2 p^2) by the bilinear transformation, which is exact at
/// its corner.
/// numerator    n0, n1 (s), n2 (s2)
/// denominator  d0, d1 (s), d2 (s2)
/// corner       rad/s, below half of the sampling rate
/// dt           s from one sample to the next
Filter filter_make(const double numerator[3], const double denominator[3], double corner, double dt);
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

#endif
