/// A scene's truck and haul: keys of its file and what must hold between them. Internal to data/.
#ifndef SPADEWORK_DATA_SCENE_HAUL_H
#define SPADEWORK_DATA_SCENE_HAUL_H

#include "data/schema/machine_params.h"
#include "data/files/key_table.h"
#include "data/schema/scene_params.h"

extern const DataKey scene_haul_keys[];

/// The bed is stated once, by the scene or by a truck's file, and only a truck of a file can be driven.
bool scene_check_truck(Document *document, const SceneTruck *truck, Status *status);

/// Fills in what follows from the truck's file that was loaded to scene->truck: the bed and defaults of the haul.
void scene_complete_truck(Document *document, SceneParams *scene);

/// What needs truck and machine: the bed and every road lies on the site, in no mound, not where the machine starts,
/// and lets waiting trucks stand.
bool scene_check_haul(Document *document, const SceneParams *scene, const MachineParams *machine, Status *status);

#endif
