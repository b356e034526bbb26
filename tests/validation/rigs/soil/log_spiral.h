/// Passive pressure before a face by a curved slip surface: a logarithmic spiral.
///
/// A body of soil on a spiral r = r0 exp(theta tan(phi)) turns about its pole: what the surface carries by friction
/// passes through the pole, so that the moments of weight, cohesion and the face's force about it balance. The force
/// is the least over all poles (Terzaghi 1943, Theoretical Soil Mechanics; as a bound of limit analysis: Chen 1975).
/// Before an upright wall in soil of 30 degrees its coefficient is 3.02 (Rankine: 3), 4.03, 5.34 and 6.93 for a wall of
/// 0, 10, 20 and 30 degrees; a plane wedge (Coulomb) has 3, 4.14, 6.10 and 10.1.
#ifndef SPADEWORK_VALIDATION_LOG_SPIRAL_H
#define SPADEWORK_VALIDATION_LOG_SPIRAL_H

#include "data/schema/soil_params.h"

/// Force (N per m of width) of a face on level ground that it is pushed into, inclined by the angle of steel friction
/// to its normal, the adhesion along it apart. The weight's part acts at a third of the depth, the cohesion's at half.
/// rake   rad of the face from the horizontal, above 0.5; pi/2 = upright
/// depth  m of its lower edge
double log_spiral_force(const SoilParams *soil, double rake, double depth);

#endif
