/// Warnings of what a good scene asks for and a machine cannot do. Internal to data/.
#ifndef SPADEWORK_DATA_SCENE_ADVICE_H
#define SPADEWORK_DATA_SCENE_ADVICE_H

#include "data/schema/machine_params.h"
#include "data/files/document.h"
#include "data/schema/scene_params.h"

/// Adds warnings, each with its place and its figures, to the document's findings. The scene and its machine are loaded
/// and good.
void scene_advise(const Document *document, const SceneParams *scene, const MachineParams *machine);

#endif
