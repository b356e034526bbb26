/// The page of an exercise before it starts and in its pause: what is to be done, how it is judged, and which steps are
/// done. All of it comes from the scene's values.
#ifndef SPADEWORK_TRAINER_BRIEFING_H
#define SPADEWORK_TRAINER_BRIEFING_H

#include "data/schema/scene_params.h"
#include "trainer/sim/sim.h"
#include "trainer/app/menu.h"

/// True where there is something to tell: the scene scores something or lists steps.
bool briefing_is_worth(const SceneExercise *asked);
/// Appends goal, times, tolerance, steps (ticked off where `exercise` says so), points and what ends the attempt.
void briefing_add(Menu *menu, const SceneExercise *asked, const Exercise *exercise, TextUnits units);

#endif
