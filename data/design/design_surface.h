/// The ground as it is asked for: planes over parts of the site, level or inclined.
#ifndef SPADEWORK_DATA_DESIGN_SURFACE_H
#define SPADEWORK_DATA_DESIGN_SURFACE_H

#include <stdbool.h>

#include "data/scene_params.h"

/// Height of the design at a place of the world, m; where parts overlap, that of the later one of the file. False where
/// nothing is asked for.
/// x, y    m
/// height  m, out
bool design_height(const SceneSurface *surface, double x, double y, double *height);
/// Distance, m, from a place inside the design to the nearest side of the part that holds; below 0 outside.
double design_inset(const SceneSurface *surface, double x, double y);

#endif
