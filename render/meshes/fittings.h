/// What is fixed to machines and trucks: lamps, mirrors and hoses, with the lines of arm and house that they follow.
/// Says where they are, for lighting the work, for pictures in mirrors and for meshes; builds the housings of lamps and
/// mirrors. Pure functions, any thread; no OpenGL. Lengths in m.
#ifndef SPADEWORK_RENDER_FITTINGS_H
#define SPADEWORK_RENDER_FITTINGS_H

#include "data/schema/truck_params.h"
#include "render/meshes/mesh.h"

/// ---- lines of arm, house and cab -----------------------------------------------------------------------------------

/// m: height of the middle line of an excavator's bent boom over the line between its pins, `share` (0..1) of its
/// length from the foot.
double excavator_boom_line(const MachineParams *params, double share);
/// m: half of the boom's height at that share, across the middle line.
double excavator_boom_half(const MachineParams *params, double share);
/// m, in the boom's frame: the place `over` m above the boom's back, `y` m to the left of its middle plane.
/// along  out: unit, the direction of the back there towards the tip
Vec3 excavator_boom_back(const MachineParams *params, double share, double y, double over, Vec3 *along);
/// m: half of the boom's width. Estimate from machines of 8 to 22 t: its cylinders stand beside it, clear of the cab.
double excavator_boom_half_width(const MachineParams *params);
/// m: half of the stick's width, which the ears of the bucket and the bars of its linkage stand beside.
double excavator_stick_half_width(const MachineParams *params);
/// Writes by how much the house is larger along x, y and z than that of the class that its parts' sizes are of.
void excavator_house_factors(const MachineParams *params, double factors[3]);
/// m: the width of a truck's cab.
double truck_cab_width(const TruckParams *truck);

/// ---- lamps and mirrors ---------------------------------------------------------------------------------------------

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

/// Returns the frame at `at` whose x axis is the unit vector `x`, with y level and z up; of a lamp x is its direction.
Pose fitting_frame(Vec3 at, Vec3 x);

/// A mirror for the driver, turned so that he sees `shown` in its middle.
typedef struct FittingMirror {
    int body; ///< the one that carries the cab
    Pose glass; ///< of the body: the pane's middle; x out of the glass, y to the left as one looks at it, z up
    double width, height; ///< m, along y and z
    Vec3 shown; ///< m, in that body's frame: what the driver's eye (MachineCab) sees in the middle
} FittingMirror;

/// Writes the mirrors of a machine's cab and returns their number: an excavator's left and right one, and the one under
/// a dozer's roof.
int machine_mirrors(const MachineParams *params, FittingMirror mirrors[FITTINGS_MAX_MIRRORS]);

/// Adds the housings, without lenses, of those of `count` lamps that `body` carries, in the body's frame.
void fitting_mesh_lamps(const FittingLamp *lamps, int count, int body, Mesh *mesh);
/// Adds a lens in the lamp's frame, its middle at the origin. `lit`: it shines.
void fitting_mesh_lens(bool lit, Mesh *mesh);
/// Adds the housings and the glass of the mirrors of a machine's cab, in the frame of the body that carries it.
void fitting_mesh_mirrors(const MachineParams *params, Mesh *mesh);

/// ---- hoses ---------------------------------------------------------------------------------------------------------

/// Hydraulic hoses bridge a machine's joints. A hose keeps its length: where a joint brings its fittings closer, its
/// loop grows.
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
