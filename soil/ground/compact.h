/// Compaction of loose soil under pressure.
#ifndef SPADEWORK_SOIL_COMPACT_H
#define SPADEWORK_SOIL_COMPACT_H

#include "soil/ground/ground.h"

/// Pa: pressure up to which loose soil keeps its loose density. Handbooks measure swell in heaps; this is what lies on
/// the soil half-way down a heap of 0.8 m.
#define COMPACT_REFERENCE 5e3
/// kg/m3: density of mineral grains (quartz 2650, clay minerals 2600 to 2800).
#define COMPACT_GRAIN 2650.0

/// Density (kg/m3) to which loose soil compacts under a lasting `pressure` (Pa): from its loose density up to its bank
/// density, never beyond.
double compact_density(const SoilParams *soil, double pressure);

/// Compacts the loose soil at a column's top under a plate `width` m wide that presses with `pressure` (Pa); lowers the
/// surface at most by `most` m. Intact ground keeps its density. Mass stays.
void ground_compact(Ground *ground, int row, int column, double pressure, double width, double most);

/// Compacts the loose soil under a track patch: a rectangle of length x width (m) around (x, y), whose length runs
/// along the heading (rad), that presses with `pressure` (Pa). No column sinks by more than 2 mm.
void ground_press(Ground *ground, double x, double y, double heading, double length, double width, double pressure);

#endif
