/// The plane of failure ahead of a blade, by trial (Coulomb 1776; Reece 1965, Proc. Inst. Mech. Eng. 179).
///
/// On a plane that rises at beta from the edge of a blade of rake alpha lies soil of the mass m a metre of width, of
/// which rho d^2 cot(alpha) / 2 above the blade, d deep at the edge. The blade pushes it at delta to its own normal,
/// the plane holds it at phi to its normal and by the cohesion c on its length L. Balanced along and across the plane,
/// the blade's force is
///   P = (m g + c L (sin beta + cos beta cot(beta + phi))) / (cos(alpha + delta) + sin(alpha + delta) cot(beta + phi)).
/// The soil fails on the plane for which P is the least. Below a level surface L = d / sin(beta), and the equation is
/// Reece's.
#include "soil/exchange/rupture.h"

#include <math.h>

#include "data/core/constants.h"

enum { PLANES = 70 }; ///< a degree apart, from 5 degrees on

#define LEAST_RAKE  0.35 ///< rad
#define MOST_RAKE   1.75 ///< rad: a blade that leans ahead presses the soil down, for which the law was not made
#define LEAST_DEPTH 0.05 ///< m

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

double rupture_slope(const SoilParams *soil, double rake, const RuptureProfile *profile)
{
    double alpha = fmin(fmax(rake, LEAST_RAKE), MOST_RAKE), phi = soil->friction_angle, depth = profile->top[0];
    double lean = alpha + soil->steel_friction_angle, least = HUGE_VAL, slope = tan(0.25 * M_PI - 0.5 * phi);
    for (int k = 0; k < PLANES; k++) {
        double beta = (5 + k) * M_PI / 180.0, rise = tan(beta), across = 1.0 / tan(beta + phi),
               holds = cos(lean) + sin(lean) * across;
        Plane plane = follow(profile, rise);
        double mass = soil->bank_density * (plane.area + 0.5 * depth * depth / tan(alpha));
        double sticks = soil->cohesion * plane.exit * (rise + across);
        double force = (STANDARD_GRAVITY * mass + sticks) / holds;
        if (holds > 0.0 && plane.exit > 0.0 && force < least) {
            least = force;
            slope = rise;
        }
    }
    return slope;
}
