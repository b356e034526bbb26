/// Tools pressed on the ground: what bears them, and what it does to the ground.
#ifndef SPADEWORK_SOIL_BEARING_H
#define SPADEWORK_SOIL_BEARING_H

#include <stdbool.h>

#include "data/core/vec.h"
#include "data/soil_params.h"
#include "soil/contact/solver_body.h"
#include "soil/ground/ground.h"
#include "soil/tool/probe.h"

/// Pa/m: stiffness of ground under a plate below its capacity. Chosen; see test_soil_bearing.
#define BEARING_MODULUS 2e7

enum { BEARING_PATCHES = 1536 };

/// The ground under a plate at one point.
typedef struct BearingGround {
    const SoilParams *soil;
    double density; ///< kg/m3, of the top layer
    double firmness; ///< 0 loose .. 1 intact
} BearingGround;

/// Computes the pressure (Pa) at which ground fails under a plate: c Nc + q Nq + 1/2 g rho B Ngamma. `width` B, m;
/// `surcharge` q, Pa; `down`: cosine between the plate's pressing direction and straight down, 0 (a wall) .. 1 (a
/// footing).
double bearing_capacity(const BearingGround *ground, double width, double surcharge, double down);

/// A patch of a tool's surface that may come to lie in the ground in this tick.
typedef struct BearingPatch {
    int body;
    Vec3 local, out_local; ///< middle and outward normal, tool's frame
    Vec3 along_local, across_local; ///< half its sides, tool's frame
    double area; ///< m2
    bool edge; ///< of the cutting edge
    /// m along the tool's y axis from the patch to where the ground is looked at: a side plate cuts as the edge beside
    /// it does, though the column that it stands in may reach beyond it
    double inward;
    /// As it is in this substep.
    Vec3 at, out; ///< world
    Vec3 under; ///< world: where the ground is looked at and gives way
    double depth; ///< m below the surface, at right angles to it
    double weight; ///< 0..1: share of it that faces the ground; 0 when it is not in the ground
    double pressure; ///< Pa
    bool fails; ///< the ground is at its capacity
} BearingPatch;

/// What a tool rests on.
typedef struct Footing {
    GroundCover cover; ///< its rectangle, y along the tool's y axis
    double around; ///< m: height of the ground around it
    int first, count; ///< its patches
    int pressed; ///< how many of them lie in the ground
} Footing;

/// All patches and footings of a tick. Found at its start, followed in each substep.
typedef struct Bearing {
    int count;
    BearingPatch patches[BEARING_PATCHES]; ///< [count], body by body
    Footing footings[SOIL_MAX_BODIES]; ///< [bodies]
} Bearing;

/// Shorter side, m.
double footing_width(const Footing *footing);

/// Start of a tick of `dt` seconds: finds the patches of the tools that may come to lie in the ground
/// (bearing_patches.c).
void bearing_find_patches(Bearing *bearing, const Ground *ground, const SolverBody *bodies, int body_count, double dt);
/// Finds where a patch of `tool` is now, and how it lies in the ground.
void bearing_follow_patch(BearingPatch *patch, const Ground *ground, const SoilTool *tool);

/// Presses the bodies on the ground for a substep of `h` seconds: adds to the bodies' sums (bearing.c).
void bearing_press(Bearing *bearing, const Ground *ground, SolverBody *bodies, int body_count, double h, Probe *probe);

/// End of a tick: what was pressed compacts, what failed is pushed aside (bearing_failure.c).
void bearing_fail(const Bearing *bearing, int body_count, Ground *ground);

#endif
