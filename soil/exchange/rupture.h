/// The plane on which soil fails ahead of a blade.
#ifndef SPADEWORK_SOIL_RUPTURE_H
#define SPADEWORK_SOIL_RUPTURE_H

#include "data/soil_params.h"

/// Tangent of the angle, against the horizontal, at which the plane of failure rises from a blade's edge: of all plane
/// wedges the one that takes the least force (fundamental equation of earthmoving, Reece 1965; the trial wedge is
/// Coulomb's). Pure function, any thread.
///   rake   rad between the blade and the way it comes, 0.35..1.75 (others count as the nearest): pi/2 = upright, less
///          = the edge ahead
///   depth  m of the edge below the surface; 0.05 at least is taken
double rupture_slope(const SoilParams *soil, double rake, double depth);

#endif
