/// What the exercise marks on the ground: where to dig, how deep, and where the soil goes.
#ifndef SPADEWORK_TRAINER_EXERCISE_MARKS_H
#define SPADEWORK_TRAINER_EXERCISE_MARKS_H

#include "render/render.h"
#include "trainer/sim/sim.h"

/// Writes at most `capacity` lines (world, m), laid a little over the ground. Returns how many were written.
int exercise_marks(Session *session, RenderLine *lines, int capacity);

#endif
