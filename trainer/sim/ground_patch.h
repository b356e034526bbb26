/// A patch of the site as arrays of heights: the ground with its grains, the design beside it, and what holds where.
///
/// Element [row][column] is the place (column - (columns - 1) / 2) x spacing ahead of the middle along the heading and
/// (row - (rows - 1) / 2) x spacing to the left of it. At heading 0 columns run east and rows north, as those of
/// soil_get_grid do. One session's thread; reads the session alone, and allocates nothing.
#ifndef SPADEWORK_TRAINER_GROUND_PATCH_H
#define SPADEWORK_TRAINER_GROUND_PATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "data/core/status.h"

typedef struct Session Session;

enum { GROUND_PATCH_SIDE = 512 }; ///< most rows, and most columns

/// Where a patch lies.
typedef struct GroundPatch {
    double x, y; ///< m, world, -1e5..1e5: the patch's middle
    double heading; ///< rad, -1e3..1e3: along which columns run, from x towards y
    int rows, columns; ///< 1..GROUND_PATCH_SIDE
    double spacing; ///< m between samples, 0.01..10
} GroundPatch;

/// Bits of a sample's mask.
enum {
    GROUND_PATCH_ON_SITE = 1, ///< the place is on the site
    GROUND_PATCH_GRAINS = 2, ///< the height is that of grains
    GROUND_PATCH_DESIGN = 4, ///< something is asked for there
};

/// True when every number of a patch is in its range; else `status` (STATUS_BAD_USAGE) names the number, what it is and
/// what is allowed.
bool ground_patch_check(const GroundPatch *patch, Status *status);

/// A patch round the middle of the first tool's cutting edge, turned as the machine's base (its undercarriage).
/// spacing  m between samples
GroundPatch ground_patch_at_tip(const Session *session, int rows, int columns, double spacing);

/// Writes the samples of a patch.
/// patch   as ground_patch_check allows it
/// ground  [rows][columns], m, out: the surface, bilinear between the middles of columns. A grain stands on it as a
///         ball: it raises the samples that it covers to its skin, and the sample in whose square of spacing x spacing
///         its middle lies to its top, so that no grain is lost between samples. What a tool of the machine carries and
///         what lies over a truck's bed is no ground, and rocks are none.
///         Beyond the site: the height of its edge.
/// design  [rows][columns], m, out, or NULL: what is to be cut or filled to (exercise_work); where nothing is asked for
///         the same as `ground`, so that the difference is 0
/// mask    [rows][columns], out, or NULL: GROUND_PATCH_ bits; 0 beyond the site
void ground_patch_fill(Session *session, const GroundPatch *patch, float *ground, float *design, uint8_t *mask);

#endif
