/// What lies below a place of a scene before anything has touched it.
#ifndef SPADEWORK_DATA_SCENE_GROUND_H
#define SPADEWORK_DATA_SCENE_GROUND_H

#include <stdbool.h>

#include "data/scene_params.h"

/// One soil between two depths.
typedef struct SceneStratum {
    double thickness; ///< m, above 0
    int soil; ///< index into SceneParams.soils
    bool loose; ///< of a mound
} SceneStratum;

/// Top first. A patch splits a layer at most in two; a mound lies on top.
enum { SCENE_MAX_STRATA = SCENE_MAX_LAYERS + 2 * SCENE_MAX_PATCHES + SCENE_MAX_MOUNDS };

typedef struct SceneProfile {
    int count;
    SceneStratum strata[SCENE_MAX_STRATA];
} SceneProfile;

/// True when a patch holds the place (x, y), m.
bool scene_patch_holds(const ScenePatch *patch, double x, double y);

/// Height of a mound's cone over the surface at (x, y), m; `tan_repose` of its soil.
double scene_mound_height(const SceneMound *mound, double tan_repose, double x, double y);

/// The strata at (x, y), where bedrock lies `depth` m below the surface of the undisturbed ground. `tan_repose` by
/// soil.
void scene_profile(const SceneGround *ground, const double *tan_repose, double depth, double x, double y,
                   SceneProfile *profile);

#endif
