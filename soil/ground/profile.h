/// What stands in a column above a height: read, never touched.
#ifndef SPADEWORK_SOIL_GROUND_PROFILE_H
#define SPADEWORK_SOIL_GROUND_PROFILE_H

#include "soil/ground/ground.h"

/// A column seen from a height in it.
typedef struct GroundProfile {
    int soil; ///< at the height
    double density; ///< kg/m3, there
    double firmness; ///< of the layer there: 0 as it was put down .. 1 at bank density or intact
    double weight; ///< Pa: of what stands above the height
} GroundProfile;

/// Looks at a column at height `z`, m; above its top: at its top layer, with no weight.
GroundProfile ground_profile_above(const Ground *ground, int row, int column, double z);

/// Writes the layers of a column, top first, and returns their number: at most GROUND_LAYERS.
int ground_profile_layers(const Ground *ground, int row, int column, SoilLayer layers[GROUND_LAYERS]);

/// m of what lies between two heights of a column (m) that have at least `share` of their soil's bank density.
double ground_dense_thickness(const Ground *ground, int row, int column, double low, double high, double share);

#endif
