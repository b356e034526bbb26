/// Where soil is in motion, coarsely: which rocks are near particles.
#ifndef SPADEWORK_TRAINER_ROCK_NEAR_H
#define SPADEWORK_TRAINER_ROCK_NEAR_H

#include "soil/soil.h"

/// Cells of 0.5 m over a site. Scratch: marked anew each tick.
typedef struct RockNear RockNear;
/// `size_x`, `size_y`: m of the site. NULL when memory lacks.
RockNear *rock_near_create(double size_x, double size_y);
void rock_near_destroy(RockNear *near);
void rock_near_mark(RockNear *near, const SoilParticleView *particles);
/// True when a cell that a ball reaches into holds particles at its height, give or take 0.2 m.
bool rock_near_soil(const RockNear *near, Vec3 middle, double radius);

#endif
