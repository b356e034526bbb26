/// Where the lamps and mirrors of machines and trucks are: for lighting the work and for drawing what a mirror shows.
/// The meshes are built around the same places. Pure functions, any thread.
#ifndef SPADEWORK_RENDER_FITTINGS_H
#define SPADEWORK_RENDER_FITTINGS_H

#include "data/core/vec.h"
#include "data/schema/machine_params.h"
#include "data/schema/truck_params.h"

enum { FITTINGS_MAX_LAMPS = 4, FITTINGS_MAX_MIRRORS = 2 };

/// A lamp for work or driving.
typedef struct FittingLamp {
    int body; ///< of the machine's; of a truck always 0, which is its chassis
    Vec3 at; ///< m, in that body's frame: the middle of the glass
    Vec3 direction; ///< unit, in that body's frame: the middle of the beam
} FittingLamp;

/// Writes a machine's working lamps and returns their number.
int machine_lamps(const MachineParams *params, FittingLamp lamps[FITTINGS_MAX_LAMPS]);
/// Writes a truck's headlamps and returns their number.
int truck_lamps(const TruckParams *truck, FittingLamp lamps[FITTINGS_MAX_LAMPS]);

/// The lamp's frame in its body's: x out of the glass along the beam, z as far up as can be.
Pose fitting_lamp_pose(const FittingLamp *lamp);

/// A mirror for the driver, set so that he sees in its middle what it is there for.
typedef struct FittingMirror {
    int body; ///< the one that carries the cab
    Pose glass; ///< of the body: the pane's middle; x out of the glass, y to the left as one looks at it, z up
    double width, height; ///< m, along y and z
    Vec3 shown; ///< m, in that body's frame: what the driver's eye (MachineCab) sees in the middle
} FittingMirror;

/// Writes the mirrors of a machine's cab and returns their number: an excavator's left and right one, and the one under
/// a dozer's roof.
int machine_mirrors(const MachineParams *params, FittingMirror mirrors[FITTINGS_MAX_MIRRORS]);

#endif
