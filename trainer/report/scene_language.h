/// A scene as people read it.
#ifndef SPADEWORK_TRAINER_SCENE_LANGUAGE_H
#define SPADEWORK_TRAINER_SCENE_LANGUAGE_H

#include "data/schema/scene_params.h"

/// Puts the translations of all texts of the scene in their places: title, description, goal, steps, hints, faults,
/// questions and labels; a row of the score without a label gets the translation of its metric's phrase, where there is
/// one. A text that is longer than its place is cut between characters. The scene is a copy to be shown: what is
/// simulated, recorded and stored keeps the words of its file.
void language_translate_scene(SceneParams *scene);

#endif
