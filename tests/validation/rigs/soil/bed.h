/// A bed of grains in a box with smooth sides, and walls that may move: what `wall` and `footing` push into.
///
/// The bed lies from x = 0 to its length, between its side walls in the middle of y, from z = 0 up. It is in plane
/// strain: no friction on the sides, so that it is a slice of a bed without end.
#ifndef SPADEWORK_VALIDATION_BED_H
#define SPADEWORK_VALIDATION_BED_H

#include "tests/validation/rigs/soil/packing.h"

/// The box, in the order in which the soil knows it; a body that is pressed into the bed is the last tool.
enum { BED_FLOOR, BED_SIDES, BED_EAST, BED_SILL, BED_WEST, BED_BOX, BED_BODY = BED_BOX, BED_TOOLS = BED_BOX + 2 };

#define BED_ROUGH 10.0 ///< friction of what no grain slides on, over that of the soil on steel

typedef struct BedPlan {
    double length, width, depth; ///< m, of the bed as it is struck off: along x, y, z
    double room; ///< m: how far the west wall may go from x = 0 either way
    double sill; ///< m: up to this height the west wall stays where it is
    double floor_friction, west_friction; ///< over that of the soil on steel
    uint64_t seed;
} BedPlan;

typedef struct Bed {
    BedPlan plan;
    Grains grains;
    SceneParams scene;
    Soil *soil;
    ToolShape shapes[BED_TOOLS];
    SoilTool tools[BED_TOOLS];
    Vec3 *marks; ///< m, by id: where the grains were at bed_mark()
    int count; ///< of grains
} Bed;

/// The soil of the options `soil`, `friction` and `stiffness`; false with run_fail.
bool bed_load_soil(Run *run, SoilParams *soil);
/// False with run_fail when a length (m) that is measured over is below 3 diameters of the grains.
bool bed_check_length(Run *run, const char *what, double length, double radius);
/// Pours the bed and lets it come to rest. A soil with adhesion is poured without it and with the friction of its
/// bonds, and is then bonded: undisturbed ground. Substeps as the option `substeps` says. False with run_fail;
/// bed_destroy() is to be called in either case.
bool bed_create(Run *run, const SoilParams *soil, double radius, const BedPlan *plan, Bed *bed);
void bed_destroy(Bed *bed);

/// Density of the bed where neither floor nor surface are near, kg/m3.
double bed_density(const Bed *bed);
/// Height of the bed above `floor` between two places along x, m, to where it would end if it were of this density all
/// the way up: half the density times the square of the height is the mass's moment about `floor`, per area. That
/// moment times g is the vertical stress summed over the depth, whatever the surface looks like.
double bed_level(const Bed *bed, double floor, double from, double to, double density);

/// Remembers where the grains are.
void bed_mark(Bed *bed);

#endif
