/// What stands on the ground and weighs on its faces: tracks, tyres.
///
/// Each footprint spreads its force evenly over the columns whose middles it covers, so that the force on a face
/// depends on neither grid nor heading; one that covers no middle stands on the column below its own. A wedge carries
/// what stands on it (ground/wedge.h). It needs time to move, and a jolt of a tenth of a second moves it by a few
/// millimetres (a sliding block, Newmark 1965): what counts is the mean over MEAN_TIME.
#ifndef SPADEWORK_SOIL_STANDING_H
#define SPADEWORK_SOIL_STANDING_H

#include "soil/soil_parts.h"

#define STANDING_MOST 1e9 ///< Pa

/// Takes the footprints of a tick, and advances their means.
void standing_take(Soil *soil, const SoilFootprint *footprints, int count);
/// Adds the mean pressures of the tick's footprints to a map of the site's columns, kg/m2.
void standing_add(const Soil *soil, float *map);
/// Sets the columns of standing_add to 0.
void standing_clear(const Soil *soil, float *map);

#endif
