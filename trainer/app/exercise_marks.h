/// Lines, staffs, stakes and depth boards that mark an exercise on the site: where to dig, how deep, and where the soil
/// goes.
#ifndef SPADEWORK_TRAINER_EXERCISE_MARKS_H
#define SPADEWORK_TRAINER_EXERCISE_MARKS_H

#include "render/render.h"
#include "trainer/sim/sim.h"

/// Writes at most `capacity` lines (world, m), laid a little over the ground. Returns how many were written.
int exercise_marks(Session *session, RenderLine *lines, int capacity);

/// ---- staffs, stakes and boards -------------------------------------------------------------------------------------

/// Staffs, stakes and depth boards that stand where an exercise marks something: so that depths and heights can be read
/// from the picture.

/// Writes at most RENDER_MAX_STAFFS staffs. Returns how many were written. The same session gives the same staffs
/// always: they do not follow the ground.
int exercise_staffs(Session *session, RenderStaff staffs[RENDER_MAX_STAFFS]);

#endif
