/// Loose grains in closed volumes: how a scene's `grains` become particles.
#ifndef SPADEWORK_SOIL_FILL_H
#define SPADEWORK_SOIL_FILL_H

#include "data/core/status.h"
#include "soil/soil_types.h"

/// Fills every volume of the scene, in order, with particles at rest. No two overlap, none reaches out of its volume or
/// into the ground; places taken by an earlier volume are left out. Follows from the scene and the soil's seed alone.
/// False with `status` (STATUS_BAD_FILE) when a volume has room for no grain or for more than the particle budget.
bool fill_grains(Soil *soil, Status *status);

#endif
