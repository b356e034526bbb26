/// Plates that hold faces: the sides of a trench box.
///
/// A face that stands within a hand's breadth of a plate cannot fall as far up as the plate reaches: what would move
/// leans on it at once. The plate may end 0.61 m over the foot of the face (OSHA 29 CFR 1926.652(g)(2): an excavation
/// may go 2 ft below the bottom of a shield). Above the plate a face is judged as any other. Whether a plate bears the
/// soil is the caller's to compare: its pressure is Rankine's active one,
///   p = Ka (rho g z + q) - 2 c sqrt(Ka), 0 or more, Ka = tan2(45 - phi / 2),
/// z below the crest and q the mean of what lies and stands on the wedge z sqrt(Ka) wide behind the face.
#ifndef SPADEWORK_SOIL_SHORING_H
#define SPADEWORK_SOIL_SHORING_H

#include "soil/soil_parts.h"

/// Height (m) up to which plates hold the face between a column and the next one along a step; `toe` where none does.
double shoring_toe(const Soil *soil, int row, int column, int step_row, int step_column, double toe);
/// Pa: the greatest pressure of the soil on a plate, of both sides, at its bottom or the foot of the face.
double shoring_pressure(const Soil *soil, const SoilPlate *plate);

#endif
