/// Water that stands on the site: where a volume that runs out at a place comes to rest on the ground's surface.
///
/// Water fills the basin it lies in to a level surface, flows over that basin's lowest edge into the next one, and what
/// reaches the edge of the site runs off it. Basins that have met are one. Nothing soaks away, and flow takes no time.
/// The result follows from the ground, the place and the volume alone.
#ifndef SPADEWORK_TRAINER_FLOOD_H
#define SPADEWORK_TRAINER_FLOOD_H

#include <stdbool.h>

#include "soil/soil.h"

/// Working memory for a grid; nothing of it is state.
typedef struct Flood Flood;

/// NULL when memory is short. The caller frees it.
Flood *flood_create(int rows, int columns);
void flood_destroy(Flood *flood); ///< NULL is nothing

/// Where the water is. Of no water all is 0.
typedef struct FloodPool {
    double volume; ///< m3 in all basins
    double run_off; ///< m3 that left the site, or spread farther than is followed
    /// Of the basin that holds the most:
    double level; ///< m, world
    double depth; ///< m: the deepest place of it
    double low[2], high[2]; ///< m, world: the box around it in plan
} FloodPool;

/// Pours `volume` m3 (0 or more) on the dry ground of a grid of the size that the flood was made for, at (x, y), m,
/// world, on the site. Takes no memory.
FloodPool flood_pour(Flood *flood, const SoilGridView *grid, double x, double y, double volume);
/// Returns the height of the water's surface on a column, m, after the last call of flood_pour; -HUGE_VAL: it is dry.
double flood_surface(const Flood *flood, int row, int column);

#endif
