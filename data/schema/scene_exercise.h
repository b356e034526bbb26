/// The keys of what every kind of exercise may have: scores, steps, targets, questions, hints, faults. Internal to
/// data/.
#ifndef SPADEWORK_DATA_SCENE_EXERCISE_H
#define SPADEWORK_DATA_SCENE_EXERCISE_H

#include "data/schema/machine_params.h"
#include "data/files/key_table.h"
#include "data/schema/scene_params.h"

extern const DataKey scene_score_item, scene_step_item, scene_target_item, scene_question_item, scene_hint_item,
    scene_fault_item;
extern const DataKey scene_surface_keys[], scene_rip_keys[];

/// Weights sum to 100; a score, step or fault names a figure that the exercise has; targets lie on the site.
bool scene_check_exercise(Document *document, const SceneParams *scene, Status *status);

/// What needs the machine: ground is ripped by one with a ripper, no deeper than that reaches.
bool scene_check_rip_loaded(Document *document, const SceneParams *scene, const MachineParams *machine, Status *status);

/// The sum of the weights alone, from the document, where its keys have faults that the rules above cannot look past.
void scene_check_weights(const Document *document);

#endif
