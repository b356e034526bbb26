/// The hole that a bucket leaves against the section that it swept, column by column.
///
/// The bucket stays in one plane across y, so that it sweeps one outline along x, as wide as its plates. The ground has
/// no finer parts than its columns: a column that the outline passes through may go whole, so that a wall may stand by
/// up to a column's width (0.1 m for grains of 0.05 m) beside the plate without anything being dug that should stand.
/// What the outline leaves of such columns is counted apart.
#ifndef SPADEWORK_VALIDATION_SLOT_SECTION_H
#define SPADEWORK_VALIDATION_SLOT_SECTION_H

#include "tests/validation/rigs/soil/site.h"

enum { SLOT_BEYOND = 20, SLOT_LEVELS = 40, SLOT_SIDES = 2 };

/// The lowest that the bucket has been, along x.
typedef struct SlotSweep {
    double y, half_width; ///< m: the bucket's middle, and to the outside of its plates
    double low_x, step; ///< m: of the first place, and between two
    int count;
    double *floor; ///< m, world z, [count]; 0 (the surface) where it has not been in the ground
} SlotSweep;

/// Over the whole site, whose surface is at z = 0; `shape` has its plates alike on both sides. Free with
/// slot_sweep_free. Running out of memory is the end of the program.
SlotSweep slot_sweep_create(const Soil *soil, const ToolShape *shape, double y);
void slot_sweep_free(SlotSweep *sweep);
/// Adds where the bucket is now. All of its pieces count, with what lies between its plates.
void slot_sweep_note(SlotSweep *sweep, const SoilTool *bucket);
/// Volume swept below the surface, m3.
double slot_sweep_volume(const SlotSweep *sweep);
/// The lowest place within half a column of x; 0 where there is none.
double slot_sweep_floor(const SlotSweep *sweep, double x, double spacing);
/// Share of the column at y that lies between the plates, 0..1.
double slot_sweep_cover(const SlotSweep *sweep, double y, double spacing);

/// Volumes, m3.
typedef struct SlotVolumes {
    double swept; ///< by the bucket, as it is shaped
    double outside; ///< dug from columns that it never passed through, and below where it was in the others
    double below; ///< of that: the part below where it was
    double beyond; ///< dug outside of the bucket's own outline: `outside`, and what was left of columns at its border
    double left; ///< what stands where it has been
} SlotVolumes;
SlotVolumes slot_volumes(const Soil *soil, const SlotSweep *sweep);

/// One of the two walls between two stations.
typedef struct SlotWall {
    double farthest; ///< m outside of the plate: no station's wall stands farther over nine tenths of its height
    double inclination; ///< rad from level, 0..pi/2: of the means over the stations, the middle nine tenths of them
    /// m from the plate, positive outside, from the floor up: mean over the stations that are as deep; NAN of none
    double mean[SLOT_LEVELS];
    double level[SLOT_LEVELS]; ///< m, world z of those
} SlotWall;

/// The wall on a side (0: at low y) between two stations, where the hole is judged. At each height it is the border of
/// the first column, seen from the hole's middle, that stands higher.
SlotWall slot_wall(const Soil *soil, const SlotSweep *sweep, int side, double low_x, double high_x);

/// Columns near the slot that stand as part of a fin: so many side by side, along x or y, that they are thinner than
/// `thinnest` together, and more than `prominence` (m) above the columns at both of their sides.
int slot_fins(const Soil *soil, const SlotSweep *sweep, double thinnest, double prominence);

#endif
