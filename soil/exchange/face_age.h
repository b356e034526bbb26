/// Ages of open faces: a cut face in cohesive soil stands for a while and then falls.
///
/// Unloaded clay takes up water and opens along its fissures, and a face weakens from the strength that it was cut
/// with towards a lower one (Skempton and La Rochelle 1965, Geotechnique 15: a cut in London clay fell days later at
/// 55 % of its first strength; Bishop and Bjerrum 1960: the end of construction is the safest moment of a cut). Rain
/// hastens it. The cohesion after t seconds is
///   c(t) = c1 + (c - c1) exp(-t / Ts - tw / Tw),
/// c1 soft_cohesion, Ts standing_time and Tw soaking_time of the soil, tw the part of t in which the ground was wet. A
/// face of the height H that needs the cohesion ch therefore falls after Ts ln((c - c1) / (ch - c1)), in dry weather.
/// A face is as old as the time since its foot was last lowered by a decimetre: each bite opens it anew. Particles that
/// fill it up do not stop its clock.
#ifndef SPADEWORK_SOIL_FACE_AGE_H
#define SPADEWORK_SOIL_FACE_AGE_H

#include "soil/soil_parts.h"

/// True where a soil of the scene weakens.
bool face_age_acts(const SoilModel *model);
/// Makes the clocks, where a soil weakens. False when memory is short; face_age_destroy frees what there is.
bool face_age_create(const SoilModel *model, size_t cells, FaceAge *age);
void face_age_destroy(FaceAge *age);
/// Counts `dt` s for the face over a foot, once in a look: `look` is its number, above 0.
void face_age_count(const SoilModel *model, FaceAge *age, int index, float foot, uint32_t look, double dt);
/// Pa: cohesion that a soil has left in the face over a foot.
double face_age_cohesion(const FaceAge *age, int foot, const SoilParams *soil);
/// Visits the clocks of the tiles that have been touched; nothing where no soil weakens.
void face_age_visit(FaceAge *age, const Ground *ground, StateVisitor *visitor);

#endif
