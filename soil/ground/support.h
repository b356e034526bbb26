/// Which ground carries a particle at a place: the site or a tray.
#ifndef SPADEWORK_SOIL_SUPPORT_H
#define SPADEWORK_SOIL_SUPPORT_H

#include "soil/ground/grounds.h"
#include "soil/model.h"

/// The ground below a place, and its surface there in world coordinates.
typedef struct Support {
    Ground *ground; ///< borrowed from the grounds
    double
        height; ///< m, world z of the surface straight below or above the place; of a tilted tray: of its plane there
    Vec3 normal; ///< unit, world
    int soil; ///< of the top layer
    const Tray *tray; ///< NULL: the site
    bool bare; ///< the steel floor of an empty tray
} Support;

/// Finds the nearest of the surfaces below (x, y, z), m, world. A tilted surface is taken as a plane.
Support support_find(const SoilModel *model, const Grounds *grounds, double x, double y, double z);
/// Friction coefficient of a soil on a support: on soil the mean of the two soils' own, on a bare floor that of steel.
double support_friction(const SoilModel *model, const Support *support, int soil_index);

#endif
