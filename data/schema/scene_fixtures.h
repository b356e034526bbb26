/// Fixtures of a scene: their keys and rules. Internal to data/.
#ifndef SPADEWORK_DATA_SCENE_FIXTURES_H
#define SPADEWORK_DATA_SCENE_FIXTURES_H

#include "data/files/key_table.h"
#include "data/schema/scene_params.h"

/// The row of one item of a scene's list `fixtures`.
extern const DataKey scene_fixtures_item;

/// Whole, on the site, above bedrock and not upside down. False with the place and the reason.
bool scene_check_fixtures(Document *document, const SceneParams *scene, Status *status);

/// Fills what follows of a pipe: its bottom and top.
void scene_complete_fixtures(SceneParams *scene);

#endif
