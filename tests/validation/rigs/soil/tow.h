/// A tool that is drawn straight through level ground at an even depth and speed: along any heading, from any place
/// within a column, at any tick rate and column spacing.
///
/// What it feels must not depend on those: level ground of one soil has no preferred heading, place, clock or grid.
#ifndef SPADEWORK_VALIDATION_TOW_H
#define SPADEWORK_VALIDATION_TOW_H

#include "tests/validation/harness/experiment.h"

typedef enum TowTool {
    TOW_BLADE, ///< flat, one edge, free ends
    TOW_BUCKET ///< the shipped excavator's, in its digging pose: side plates
} TowTool;

enum { TOW_SUBSTEPS = 480 }; ///< a second, at every tick rate

typedef struct Tow {
    const SoilParams *soil;
    TowTool tool;
    const ToolShape *bucket; ///< of TOW_BUCKET
    double rake, width; ///< rad, m: of TOW_BLADE
    double depth, speed, travel; ///< m, m/s, m
    double heading; ///< rad about z: 0 goes along +x
    bool mirrored; ///< goes along -heading, its place mirrored about the x axis
    double along, aside; ///< m: where its middle is half-way, ahead and to the left of the site's middle
    int tick_rate; ///< Hz, divides TOW_SUBSTEPS
    double spacing; ///< m: of the columns, a whole multiple of a grain's diameter
    double radius; ///< m: of the grains
    double pause; ///< s that it stands still half-way
} Tow;

/// Means over the second half of the travel, N and N m
/// in the tool's own frame.
typedef struct TowForces {
    double draft, side, lift; ///< against its way, to its left, up
    double yaw; ///< about the middle of its edge, left
    double payload; ///< kg, at the end
    double dug; ///< m3: of ground that is lower than before, in the middle fifth of the way
    double regained; ///< of a pause: draft over the tenth of a metre that follows it over that before it
    int grains; ///< most at once
} TowForces;

/// False with run_fail.
bool tow_run(Run *run, const Tow *tow, TowForces *forces);

#endif
