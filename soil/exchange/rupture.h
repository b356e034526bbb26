/// The plane on which soil fails ahead of a blade.
#ifndef SPADEWORK_SOIL_RUPTURE_H
#define SPADEWORK_SOIL_RUPTURE_H

#include "data/schema/soil_params.h"

enum { RUPTURE_REACH = 40 };

/// A vertical section ahead of a blade's edge.
typedef struct RuptureProfile {
    int count; ///< 1..RUPTURE_REACH
    double pitch; ///< m between two heights, above 0
    double top[RUPTURE_REACH]; ///< m: height of the soil above the edge, from right above it on
} RuptureProfile;

/// Tangent of the angle, against the horizontal, at which the plane of failure rises from a blade's edge: of all planes
/// the one on which the soil above it takes the least force (fundamental equation of earthmoving, Reece 1965, for the
/// surface as it is; the trial wedge is Coulomb's). Below a level surface that is the law's angle; a chip at the foot
/// of a high face breaks out steeply before it. Pure function, any thread.
///   rake   rad between the blade and the way it comes, 0.35..1.75 (others count as the nearest): pi/2 = upright, less
///          = the edge ahead
double rupture_slope(const SoilParams *soil, double rake, const RuptureProfile *profile);
/// The same below a level surface, `depth` m above the edge (0.05 at least is taken), in closed form.
double rupture_slope_level(const SoilParams *soil, double rake, double depth);

/// N a metre of width that the soil above a plane takes from a blade; HUGE_VAL where it locks.
double rupture_force(const SoilParams *soil, double rake, const RuptureProfile *profile, double slope);
/// Tangent of the flattest plane that takes at most `excess` (1 or more) times the least force.
double rupture_flattest(const SoilParams *soil, double rake, const RuptureProfile *profile, double excess);

/// m from the edge to where a plane of a slope (above 0) comes out of the soil, or to the profile's end.
double rupture_exit(const RuptureProfile *profile, double slope);

/// The section below a level surface, `depth` m above the edge: 0.05 at least is taken.
RuptureProfile rupture_level(double depth, double pitch);

#endif
