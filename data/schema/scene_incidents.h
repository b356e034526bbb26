/// Persons on a scene's site and what incidents cost in its exercise: keys and rules. Internal to data/.
#ifndef SPADEWORK_DATA_SCENE_INCIDENTS_H
#define SPADEWORK_DATA_SCENE_INCIDENTS_H

#include "data/files/key_table.h"
#include "data/schema/scene_params.h"

/// The row of one item of a scene's list `persons`.
extern const DataKey scene_persons_item;
/// The row of one item of an exercise's list `rules`.
extern const DataKey scene_rules_item;

/// Persons stand on the site, as tall as they are wide, within their zone and in no fixture. False with the place and
/// the reason.
bool scene_check_persons(Document *document, const SceneParams *scene, Status *status);
/// Each rule takes points or ends the attempt, one of the two. False with the place and the reason.
bool scene_check_rules(Document *document, const SceneExercise *exercise, Status *status);

#endif
