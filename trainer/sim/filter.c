/// Biquads in the transposed direct form II, and the analogue filters that they are made from.
#include "data/core/elementary.h"
#include "trainer/sim/filter.h"

#include <math.h>

Filter filter_make(const double numerator[3], const double denominator[3], double corner, double dt)
{
    // p = c (1 - 1/z) / (1 + 1/z), with c such that the corner stays where it is.
    double c = corner / same_tan(0.5 * corner * dt), cc = c * c;
    const double *n = numerator, *d = denominator;
    double scale = d[0] + d[1] * c + d[2] * cc;
    return (Filter){.b = {(n[0] + n[1] * c + n[2] * cc) / scale, 2.0 * (n[0] - n[2] * cc) / scale,
                          (n[0] - n[1] * c + n[2] * cc) / scale},
                    .a = {2.0 * (d[0] - d[2] * cc) / scale, (d[0] - d[1] * c + d[2] * cc) / scale}};
}

Filter filter_low_pass(double corner, double damping, double dt)
{
    const double numerator[3] = {1.0, 0.0, 0.0};
    const double denominator[3] = {1.0, 2.0 * damping / corner, 1.0 / (corner * corner)};
    return filter_make(numerator, denominator, corner, dt);
}

Filter filter_high_pass(double corner, double damping, double dt)
{
    const double numerator[3] = {0.0, 0.0, 1.0 / (corner * corner)};
    const double denominator[3] = {1.0, 2.0 * damping / corner, 1.0 / (corner * corner)};
    return filter_make(numerator, denominator, corner, dt);
}

// Annex A of ISO 2631-1: band limits of 0.4 and 100 Hz, H_t = (1 + p/w3) / (1 + p/(Q4 w4) + (p/w4)^2) from acceleration
// to velocity, and of W_k the step upwards H_s = (w5/w6)^2 (1 + p/(Q5 w5) + (p/w5)^2) / (1 + p/(Q6 w6) + (p/w6)^2).
void filter_weighting(int upward, double dt, Filter stages[FILTER_WEIGHTING])
{
    const double turn = 2.0 * M_PI, transition = turn * (upward ? 12.5 : 2.0), quality = 0.63;
    stages[0] = filter_high_pass(turn * 0.4, M_SQRT1_2, dt);
    stages[1] = filter_low_pass(turn * 100.0, M_SQRT1_2, dt);
    const double over[3] = {1.0, 1.0 / transition, 0.0};
    const double under[3] = {1.0, 1.0 / (quality * transition), 1.0 / (transition * transition)};
    stages[2] = filter_make(over, under, transition, dt);
    const double low = turn * 2.37, high = turn * 3.35, q = 0.91, share = low * low / (high * high);
    const double above[3] = {share, share / (q * low), share / (low * low)};
    const double below[3] = {1.0, 1.0 / (q * high), 1.0 / (high * high)};
    stages[3] = upward ? filter_make(above, below, high, dt) : (Filter){.b = {1.0, 0.0, 0.0}};
}

double filter_settle(Filter *filter, double value)
{
    const double *b = filter->b, *a = filter->a;
    double answer = value * (b[0] + b[1] + b[2]) / (1.0 + a[0] + a[1]);
    filter->memory[1] = b[2] * value - a[1] * answer;
    filter->memory[0] = b[1] * value - a[0] * answer + filter->memory[1];
    return answer;
}

double filter_step(Filter *filter, double value)
{
    const double *b = filter->b, *a = filter->a;
    double answer = b[0] * value + filter->memory[0];
    filter->memory[0] = b[1] * value - a[0] * answer + filter->memory[1];
    filter->memory[1] = b[2] * value - a[1] * answer;
    return answer;
}
