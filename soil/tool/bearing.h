/// Tools pressed on the ground: what bears them, and what it does to the ground.
#ifndef SPADEWORK_SOIL_BEARING_H
#define SPADEWORK_SOIL_BEARING_H

#include <stdbool.h>

#include "data/soil_params.h"
#include "data/core/vec.h"
#include "soil/ground/ground.h"

struct Soil;

/// Pa/m: stiffness of ground under a plate below its capacity.
#define BEARING_MODULUS 2e7

enum { BEARING_POINTS = 1536 };

/// The ground under a plate at one point.
typedef struct BearingGround {
    const SoilParams *soil;
    double density; ///< kg/m3, of the top layer
    double firmness; ///< 0 loose .. 1 intact
} BearingGround;

/// Pressure (Pa) at which ground fails under a plate: c Nc + q Nq + 1/2 g rho B Ngamma.
/// `width` B, m; `surcharge` q, Pa; `down`: cosine between the plate's pressing direction and straight down, 0 (a wall) .. 1 (a footing).
double bearing_capacity(const BearingGround *ground, double width, double surcharge, double down);

/// A patch of a tool's surface that may come to lie in the ground in this tick.
typedef struct BearingPoint {
    int body;
    Vec3 local, out_local; ///< middle and outward normal, tool's frame
    Vec3 along_local, across_local; ///< half its sides, tool's frame
    double area; ///< m2
    bool edge; ///< of the cutting edge
    /// As it is in this substep.
    Vec3 at, out; ///< world
    double depth; ///< m below the surface, at right angles to it
    double weight; ///< 0..1: share of it that faces the ground; 0 when it is not in the ground
    double pressure; ///< Pa
    bool fails; ///< the ground is at its capacity
} BearingPoint;

/// What a tool rests on.
typedef struct Footing {
    GroundCover cover; ///< its rectangle, y along the tool's y axis
    double around; ///< m: height of the ground around it
    int first, count; ///< its points
    int pressed; ///< how many of them lie in the ground
} Footing;

/// Shorter side, m.
double footing_width(const Footing *footing);

/// Start of a tick of `dt` seconds: finds the patches of the tools that may come to lie in the ground (pressed.c).
void soil_find_pressed(struct Soil *soil, double dt);

/// Where a patch is now, and how it lies in the ground.
void soil_follow_pressed(const struct Soil *soil, BearingPoint *point);

/// Pressure of bodies on the ground (bearing.c): adds to the bodies' sums.
void soil_bear(struct Soil *soil, double h);

/// End of a tick: what was pressed compacts, what failed is pushed aside (tamp.c).
void soil_tamp(struct Soil *soil);

#endif
