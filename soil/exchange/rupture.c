/// The plane of failure ahead of a blade, by trial (Coulomb 1776; Reece 1965, Proc. Inst. Mech. Eng. 179).
///
/// On a plane that rises at beta from the edge of a blade of rake alpha at the depth d lies a wedge of the mass
/// rho d^2 (cot alpha + cot beta) / 2 a metre of width. The blade pushes it at delta to its own normal, the plane holds
/// it at phi to its normal and by the cohesion c on its length. Balanced along and across the plane, the blade's force is
///   P = (rho g d^2 (cot alpha + cot beta) / 2 + c d (1 + cot beta cot(beta + phi))) /
///       (cos(alpha + delta) + sin(alpha + delta) cot(beta + phi)).
/// The soil fails on the plane for which P is the least.
#include "soil/exchange/rupture.h"

#include <math.h>

#include "data/core/constants.h"

enum { PLANES = 60 }; ///< a degree apart, from 5 degrees on

#define LEAST_RAKE  0.35 ///< rad
#define MOST_RAKE   1.75 ///< rad: a blade that leans ahead presses the soil down, for which the law was not made
#define LEAST_DEPTH 0.05 ///< m

double rupture_slope(const SoilParams *soil, double rake, double depth)
{
    double alpha = fmin(fmax(rake, LEAST_RAKE), MOST_RAKE), d = fmax(depth, LEAST_DEPTH);
    double lean = alpha + soil->steel_friction_angle, least = HUGE_VAL,
           slope = tan(0.25 * M_PI - 0.5 * soil->friction_angle);
    for (int k = 0; k < PLANES; k++) {
        double beta = (5 + k) * M_PI / 180.0;
        double across = 1.0 / tan(beta + soil->friction_angle), holds = cos(lean) + sin(lean) * across;
        double weight = 0.5 * STANDARD_GRAVITY * soil->bank_density * d * d * (1.0 / tan(alpha) + 1.0 / tan(beta));
        double force = (weight + soil->cohesion * d * (1.0 + across / tan(beta))) / holds;
        if (holds > 0.0 && force < least) {
            least = force;
            slope = tan(beta);
        }
    }
    return slope;
}
