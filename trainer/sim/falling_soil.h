/// Soil that falls through the place of a person. Pure function of the particles.
#ifndef SPADEWORK_TRAINER_FALLING_SOIL_H
#define SPADEWORK_TRAINER_FALLING_SOIL_H

#include "data/core/vec.h"
#include "soil/soil.h"

/// What of the soil is in a person's place and falls.
typedef struct FallingSoil {
    double mass; ///< kg
    double energy; ///< J, of motion
    Vec3 middle; ///< m, world: of that mass; only with a mass
} FallingSoil;

/// Sums over the particles with their middles in the upright cylinder over `feet` that fall faster than 1 m/s. Slower
/// ones roll or slide past, or lie. Nothing is summed twice: it is one moment, not a flow.
FallingSoil falling_soil_on(const Soil *soil, Vec3 feet, double radius, double height);

#endif
