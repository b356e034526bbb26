/// Rocks of a scene: their keys and rules. Internal to data/.
#ifndef SPADEWORK_DATA_SCENE_ROCKS_H
#define SPADEWORK_DATA_SCENE_ROCKS_H

#include "data/schema/machine_params.h"
#include "data/files/key_table.h"
#include "data/schema/scene_params.h"

/// The row of one item of a scene's list `rocks`.
extern const DataKey scene_rocks_item;

/// On the site, no more than SCENE_MAX_ROCKS, sizes in order. False with the place and the reason.
bool scene_check_rocks(Document *document, const SceneParams *scene, Status *status);
/// The machine does not start in them.
bool scene_check_rocks_start(Document *document, const SceneParams *scene, const MachineParams *machine,
                             Status *status);

#endif
