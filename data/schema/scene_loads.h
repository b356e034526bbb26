/// Loads that are to be lifted in an exercise: their keys and rules. Internal to data/.
#ifndef SPADEWORK_DATA_SCENE_LOADS_H
#define SPADEWORK_DATA_SCENE_LOADS_H

#include "data/schema/machine_params.h"
#include "data/files/key_table.h"
#include "data/schema/scene_params.h"

/// The row of one item of an exercise's list `loads`.
extern const DataKey scene_loads_item;

/// On the site, of possible mass, with a sling that can hold them. False with the place and the reason.
bool scene_check_loads(Document *document, const SceneParams *scene, Status *status);
/// The machine has an eye and is heavier than they are, and one of them hangs there at most.
bool scene_check_loads_start(Document *document, const SceneParams *scene, const MachineParams *machine,
                             Status *status);

#endif
