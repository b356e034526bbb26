/// Earthworks of a scene: their keys and rules. Internal to data/.
#ifndef SPADEWORK_DATA_SCENE_EARTHWORKS_H
#define SPADEWORK_DATA_SCENE_EARTHWORKS_H

#include "data/schema/machine_params.h"
#include "data/files/key_table.h"
#include "data/schema/scene_params.h"

/// The row of one item of a ground's list `earthworks`.
extern const DataKey scene_earthworks_item;

/// Whole, crest or floor on the site, above bedrock, and each changes something. False with the place and the reason.
bool scene_check_earthworks(Document *document, const SceneGround *ground, Status *status);

/// What needs soils and machine: no bank of tipped soil is steeper than that soil stands, and the machine's tracks lie
/// on a plane that they can hold on to.
bool scene_check_earthworks_loaded(Document *document, const SceneParams *scene, const MachineParams *machine,
                                   Status *status);

#endif
