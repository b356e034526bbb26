/// Staffs, stakes and depth boards that stand where an exercise marks something: so that depths and heights can be read
/// from the picture.
#ifndef SPADEWORK_TRAINER_EXERCISE_STAFFS_H
#define SPADEWORK_TRAINER_EXERCISE_STAFFS_H

#include "render/render.h"
#include "trainer/sim/sim.h"

/// Writes at most RENDER_MAX_STAFFS staffs. Returns how many were written. The same session gives the same staffs
/// always: they do not follow the ground.
int exercise_staffs(Session *session, RenderStaff staffs[RENDER_MAX_STAFFS]);

#endif
