/// The page of an exercise before it starts and in its pause: what is to be done, how it is judged, and which steps are
/// done. All of it comes from the scene's values.
#ifndef SPADEWORK_TRAINER_BRIEFING_H
#define SPADEWORK_TRAINER_BRIEFING_H

#include "data/scene_params.h"
#include "trainer/exercise/exercise.h"
#include "trainer/screens/menu.h"

/// True where there is something to tell: the scene scores something or lists steps.
bool briefing_is_worth(const SceneExercise *asked);
/// Appends goal, times, tolerance, steps (ticked off where `exercise` says so), points and what ends the attempt.
void briefing_add(Menu *menu, const SceneExercise *asked, const Exercise *exercise, SettingsUnits units);

#endif
