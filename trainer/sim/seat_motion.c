/// Specific force and rates of the seat from the machine's velocities, substep by substep, and the filters that
/// platforms want. Classical washout (Reid and Nahon, Flight Simulation Motion-Base Drive Algorithms, UTIAS 296, 1985):
/// a high-pass filter of the force for translation, a low-pass filter for tilt, a high-pass filter of the rates for
/// rotation, each of the second order. Their corners are chosen within what is usual for such platforms.
#include "trainer/sim/seat_motion.h"

#include <assert.h>
#include <math.h>

#include "data/core/constants.h"
#include "data/core/elementary.h"

/// ---- second-order filters ------------------------------------------------------------------------------------------
///
/// Biquads in the transposed direct form II, and the analogue filters that they are made from.

/// The analogue filter (n0 + n1 p + n2 p^2) / (d0 + d1 p + d2 p^2) by the bilinear transformation, which is exact at
/// its corner.
/// numerator    n0, n1 (s), n2 (s2)
/// denominator  d0, d1 (s), d2 (s2)
/// corner       rad/s, below half of the sampling rate
/// dt           s from one sample to the next
static Filter filter_make(const double numerator[3], const double denominator[3], double corner, double dt)
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

/// ---- the seat ------------------------------------------------------------------------------------------------------

#define SEAT_BELOW_EYE 0.75 ///< m. Eyes of a seated operator over the seat, about
#define SMOOTH         (2.0 * M_PI * 20.0) ///< rad/s: what a platform can follow, and below half of 60 samples a second
#define ONSET          2.5 ///< rad/s
#define SUSTAINED      5.0 ///< rad/s
#define TURN           1.0 ///< rad/s
#define CRITICAL       1.0 ///< damping ratio of the washout: no overshoot
#define SIDEWAYS       1.4 ///< ISO 2631-1: how much more vibration to the sides counts for health
#define RUNNING        1.0 ///< s over which its r.m.s. runs

static double *component(Vec3 *v, int axis)
{
    return axis == 0 ? &v->x : axis == 1 ? &v->y : &v->z;
}

/// Velocity of the seat, world, m/s, and the cab's motion.
static Vec3 seat_velocity(const Machine *machine, const MachineState *state, RigidMotion *cab)
{
    const MachineParams *params = machine_params(machine);
    machine_get_body(machine, state, params->cab_body, cab);
    const double *eye = params->cab.eye;
    Vec3 seat = pose_apply(&cab->frame, vec3(eye[0], eye[1], eye[2] - SEAT_BELOW_EYE));
    return vec3_add(cab->velocity, vec3_cross(cab->spin, vec3_sub(seat, cab->center)));
}

static Vec3 attitude(const Mat3 *rotation)
{
    double ahead = rotation->m[2][0];
    return vec3(same_atan2(rotation->m[2][1], rotation->m[2][2]), same_asin(fmax(-1.0, fmin(ahead, 1.0))),
                same_atan2(rotation->m[1][0], rotation->m[0][0]));
}

/// Specific force in the cab's axes: (acceleration + g upwards), m/s2.
static Vec3 specific_force(const RigidMotion *cab, Vec3 acceleration)
{
    return mat3_mul_transposed(&cab->frame.rotation, vec3_add(acceleration, vec3(0.0, 0.0, STANDARD_GRAVITY)));
}

void seat_motion_start(SeatMotion *seat, const Machine *machine, const MachineState *state, double step)
{
    RigidMotion cab;
    *seat = (SeatMotion){.step = step, .velocity = seat_velocity(machine, state, &cab)};
    SeatSample *sample = &seat->sample[0];
    Vec3 force = specific_force(&cab, vec3(0.0, 0.0, 0.0));
    sample->attitude = attitude(&cab.frame.rotation);
    for (int k = 0; k < 3; k++) {
        SeatAxis *axis = &seat->axis[k];
        axis->smooth = axis->rate_smooth = filter_low_pass(SMOOTH, M_SQRT1_2, step);
        axis->onset = filter_high_pass(ONSET, CRITICAL, step);
        axis->sustained = filter_low_pass(SUSTAINED, CRITICAL, step);
        axis->turn = filter_high_pass(TURN, CRITICAL, step);
        filter_weighting(k == 2, step, axis->weighting);
        double value = *component(&force, k), weighted = value;
        *component(&sample->force, k) = filter_settle(&axis->smooth, value);
        *component(&sample->onset, k) = filter_settle(&axis->onset, value);
        *component(&sample->sustained, k) = filter_settle(&axis->sustained, value);
        for (int stage = 0; stage < FILTER_WEIGHTING; stage++) {
            weighted = filter_settle(&axis->weighting[stage], weighted);
        }
    }
}

void seat_motion_begin_tick(SeatMotion *seat)
{
    seat->sample[0] = seat->sample[seat->count];
    seat->count = 0;
}

/// One axis: the filters, and the running r.m.s. of the weighted force (ISO 2631-1, 6.3.1, exponential).
static void filter_axis(SeatAxis *axis, double step, int k, double force, double rate, SeatSample *sample)
{
    double smooth = filter_step(&axis->smooth, force), turning = filter_step(&axis->rate_smooth, rate);
    *component(&sample->force, k) = smooth;
    *component(&sample->rate, k) = turning;
    *component(&sample->onset, k) = filter_step(&axis->onset, smooth);
    *component(&sample->sustained, k) = filter_step(&axis->sustained, smooth);
    *component(&sample->turn, k) = filter_step(&axis->turn, turning);
    double weighted = force;
    for (int stage = 0; stage < FILTER_WEIGHTING; stage++) {
        weighted = filter_step(&axis->weighting[stage], weighted);
    }
    axis->power += step / RUNNING * (weighted * weighted - axis->power);
    sample->vibration += (k < 2 ? SIDEWAYS * SIDEWAYS : 1.0) * axis->power;
}

void seat_motion_step(SeatMotion *seat, const Machine *machine, const MachineState *state)
{
    assert(seat->count < SEAT_MAX_SAMPLES);
    RigidMotion cab;
    Vec3 velocity = seat_velocity(machine, state, &cab);
    Vec3 acceleration = vec3_scale(vec3_sub(velocity, seat->velocity), 1.0 / seat->step);
    Vec3 force = specific_force(&cab, acceleration);
    Vec3 spin = mat3_mul_transposed(&cab.frame.rotation, cab.spin), rate = vec3(spin.x, -spin.y, spin.z);
    seat->velocity = velocity;
    SeatSample *sample = &seat->sample[++seat->count];
    *sample = (SeatSample){.attitude = attitude(&cab.frame.rotation)};
    for (int k = 0; k < 3; k++) {
        filter_axis(&seat->axis[k], seat->step, k, *component(&force, k), *component(&rate, k), sample);
    }
    sample->vibration = sqrt(sample->vibration);
}

static Vec3 interpolate(Vec3 a, Vec3 b, double share)
{
    return vec3_madd(a, share, vec3_sub(b, a));
}

/// Angles go the short way round.
static Vec3 between_angles(Vec3 a, Vec3 b, double share)
{
    for (int k = 0; k < 3; k++) {
        *component(&b, k) = *component(&a, k) + share * remainder(*component(&b, k) - *component(&a, k), 2.0 * M_PI);
        *component(&b, k) = remainder(*component(&b, k), 2.0 * M_PI);
    }
    return b;
}

SeatSample seat_motion_at(const SeatMotion *seat, double substeps)
{
    double at = fmax(0.0, fmin(substeps, (double)seat->count));
    int first = (int)at < seat->count ? (int)at : seat->count - 1;
    first = first < 0 ? 0 : first;
    double share = at - first;
    const SeatSample *a = &seat->sample[first], *b = &seat->sample[seat->count > 0 ? first + 1 : 0];
    return (SeatSample){.force = interpolate(a->force, b->force, share),
                        .rate = interpolate(a->rate, b->rate, share),
                        .onset = interpolate(a->onset, b->onset, share),
                        .sustained = interpolate(a->sustained, b->sustained, share),
                        .turn = interpolate(a->turn, b->turn, share),
                        .attitude = between_angles(a->attitude, b->attitude, share),
                        .vibration = a->vibration + share * (b->vibration - a->vibration)};
}
