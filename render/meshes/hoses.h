/// The hydraulic hoses that bridge a machine's joints, and the curves that they hang in. A hose keeps its length: what
/// a joint takes from the distance of its fittings goes into its loop. Pure functions, any thread.
#ifndef SPADEWORK_RENDER_HOSES_H
#define SPADEWORK_RENDER_HOSES_H

#include "data/core/vec.h"
#include "data/schema/machine_params.h"

enum { HOSES_MAX = 12, HOSE_MAX_POINTS = 17 };

/// Where a hose is screwed on.
typedef struct HoseEnd {
    int body; ///< of the machine's; of a cylinder: the one that carries its base pin
    int joint; ///< -1, or the joint whose cylinder carries the fitting
    int cylinder; ///< of several of the joint
    /// m and unit: place and direction in which the hose leaves. In the body's frame; of a cylinder: from its base pin
    /// x along the rod, y to the machine's left, z across.
    Vec3 at, out;
} HoseEnd;

typedef struct Hose {
    HoseEnd end[2];
    double length, radius; ///< m
} Hose;

/// Writes the hoses of a machine and returns their number.
int machine_hoses(const MachineParams *params, Hose hoses[HOSES_MAX]);

/// Finds the curve of a hose.
/// frames  of its two ends in the world: the bodies', or the cylinders'
/// count   3..HOSE_MAX_POINTS
/// points  out: m, world, from fitting to fitting. The line through them is as long as the hose, unless the fittings
///         are further apart than that: then it is straight.
void hose_curve(const Hose *hose, const Pose frames[2], int count, Vec3 points[HOSE_MAX_POINTS]);

/// m, in the frame of the body that carries it: the base pin, as drawn, of the cylinder that carries a hose's end.
Vec3 hose_cylinder_pin(const MachineParams *params, const HoseEnd *end);

/// m, in the boom's frame: where the foot of an excavator's stick cylinder is drawn. It is the pin of the machine's
/// file, lifted out of the boom where that one lies within.
PlanePoint excavator_stick_cylinder_foot(const MachineParams *params);
/// m: by how much the cylinder's barrel is then drawn longer, so that its rod comes out as far as it does.
double excavator_stick_cylinder_longer(const MachineParams *params);

#endif
