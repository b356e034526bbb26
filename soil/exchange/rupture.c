/// The plane of failure ahead of a blade, by trial (Coulomb 1776; Reece 1965, Proc. Inst. Mech. Eng. 179).
///
/// On a plane that rises at beta from the edge of a blade of rake alpha lies soil of the mass m a metre of width, of
/// which rho d^2 cot(alpha) / 2 above the blade, d deep at the edge. The blade pushes it at delta to its own normal,
/// the plane holds it at phi to its normal and by the cohesion c on its length L. Balanced along and across the plane,
/// the blade's force is
///   P = (m g + c L (sin beta + cos beta cot(beta + phi))) / (cos(alpha + delta) + sin(alpha + delta) cot(beta + phi)).
/// The soil fails on the plane for which P is the least. Below a level surface L = d / sin(beta), and the equation is
/// Reece's. With t = tan(beta), f = tan(phi), lean = alpha + delta and A = rho g d^2 / 2 it is there
///   P = (n2 t^2 + n1 t + n0) / (d2 t^2 + d1 t),   n2 = A cot(alpha) + c d,        d2 = cos(lean) - f sin(lean),
///                                                 n1 = A (1 + f cot(alpha)),      d1 = sin(lean) + f cos(lean),
///                                                 n0 = A f + c d,
/// least where (n2 d1 - n1 d2) t^2 - 2 n0 d2 t - n0 d1 = 0.
#include "soil/exchange/rupture.h"

#include <math.h>

#include "data/core/constants.h"
#include "data/core/elementary.h"

enum { PLANES = 70 }; ///< a degree apart, from the flattest on

#define LEAST_RAKE  0.35 ///< rad
#define MOST_RAKE   1.75 ///< rad: a blade that leans ahead presses the soil down, for which the law was not made
#define LEAST_DEPTH 0.05 ///< m
#define FLATTEST    (5.0 * M_PI / 180.0) ///< rad: of the planes
#define STEEPEST    (74.0 * M_PI / 180.0)

/// A plane through the edge: where it comes out, m, and the area above it, m2.
typedef struct Plane {
    double exit, area;
} Plane;

static Plane follow(const RuptureProfile *profile, double slope)
{
    Plane plane = {0.0, 0.0};
    double before = profile->top[0];
    for (int k = 1; k < profile->count && before > 0.0; k++) {
        double above = profile->top[k] - k * profile->pitch * slope;
        double share = above >= 0.0 ? 1.0 : before / (before - above); // of the pitch, up to where it comes out
        plane.area += 0.5 * share * profile->pitch * (before + fmax(0.0, above));
        plane.exit += share * profile->pitch;
        before = above;
    }
    return plane;
}

static double plane_slope(int k)
{
    return same_tan(FLATTEST + k * M_PI / 180.0);
}

double rupture_exit(const RuptureProfile *profile, double slope)
{
    return follow(profile, slope).exit;
}

RuptureProfile rupture_level(double depth, double pitch)
{
    RuptureProfile profile = {.count = RUPTURE_REACH, .pitch = pitch};
    for (int k = 0; k < RUPTURE_REACH; k++) {
        profile.top[k] = fmax(depth, LEAST_DEPTH);
    }
    return profile;
}

double rupture_slope_level(const SoilParams *soil, double rake, double depth)
{
    double alpha = fmin(fmax(rake, LEAST_RAKE), MOST_RAKE), f = same_tan(soil->friction_angle),
           d = fmax(depth, LEAST_DEPTH);
    double lean = alpha + soil->steel_friction_angle, cot = 1.0 / same_tan(alpha);
    double weight = 0.5 * soil->bank_density * STANDARD_GRAVITY * d * d, sticks = soil->cohesion * d;
    double n2 = weight * cot + sticks, n1 = weight * (1.0 + f * cot), n0 = weight * f + sticks;
    double d2 = same_cos(lean) - f * same_sin(lean), d1 = same_sin(lean) + f * same_cos(lean), a = n2 * d1 - n1 * d2;
    double under = n0 * (n0 * d2 * d2 + d1 * a), steepest = same_tan(STEEPEST);
    double slope = a > 0.0 && under > 0.0 ? (n0 * d2 + sqrt(under)) / a : steepest; // without a least force it falls on
    return fmin(fmax(slope, same_tan(FLATTEST)), steepest);
}

double rupture_force(const SoilParams *soil, double rake, const RuptureProfile *profile, double slope)
{
    double alpha = fmin(fmax(rake, LEAST_RAKE), MOST_RAKE), depth = profile->top[0];
    double lean = alpha + soil->steel_friction_angle, across = 1.0 / same_tan(same_atan(slope) + soil->friction_angle);
    double holds = same_cos(lean) + same_sin(lean) * across;
    Plane plane = follow(profile, slope);
    double mass = soil->bank_density * (plane.area + 0.5 * depth * depth / same_tan(alpha));
    double sticks = soil->cohesion * plane.exit * (slope + across);
    return holds > 0.0 && plane.exit > 0.0 ? (STANDARD_GRAVITY * mass + sticks) / holds : HUGE_VAL;
}

/// Forces on all planes, the flattest first. Returns which is the least; PLANES where none has a force.
static int try_planes(const SoilParams *soil, double rake, const RuptureProfile *profile, double forces[PLANES])
{
    int least = PLANES;
    for (int k = 0; k < PLANES; k++) {
        forces[k] = rupture_force(soil, rake, profile, plane_slope(k));
        least = forces[k] < (least < PLANES ? forces[least] : HUGE_VAL) ? k : least;
    }
    return least;
}

double rupture_slope(const SoilParams *soil, double rake, const RuptureProfile *profile)
{
    double forces[PLANES];
    int least = try_planes(soil, rake, profile, forces);
    return least < PLANES ? plane_slope(least) : same_tan(0.25 * M_PI - 0.5 * soil->friction_angle);
}

double rupture_flattest(const SoilParams *soil, double rake, const RuptureProfile *profile, double excess)
{
    double forces[PLANES];
    int least = try_planes(soil, rake, profile, forces), flattest = least;
    while (flattest > 0 && flattest < PLANES && forces[flattest - 1] <= excess * forces[least]) {
        flattest--;
    }
    return plane_slope(flattest);
}
