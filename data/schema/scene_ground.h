/// The undisturbed ground of a scene: strata and surface heights at a place before the start.
#ifndef SPADEWORK_DATA_SCENE_GROUND_H
#define SPADEWORK_DATA_SCENE_GROUND_H

#include <stdbool.h>

#include "data/schema/scene_params.h"

/// One soil between two depths.
typedef struct SceneStratum {
    double thickness; ///< m, above 0
    int soil; ///< index into SceneParams.soils
    bool loose; ///< of a mound, or of a bank that was tipped
} SceneStratum;

/// Top first. A patch splits a layer at most in two; a mound lies on top.
enum { SCENE_MAX_STRATA = SCENE_MAX_LAYERS + 2 * SCENE_MAX_PATCHES + SCENE_MAX_EARTHWORKS + SCENE_MAX_MOUNDS };

typedef struct SceneProfile {
    int count;
    SceneStratum strata[SCENE_MAX_STRATA];
} SceneProfile;

/// True when a patch holds the place (x, y), m.
bool scene_patch_holds(const ScenePatch *patch, double x, double y);

/// Height of a mound's cone over the surface at (x, y), m; `tan_repose` of its soil.
double scene_mound_height(const SceneMound *mound, double tan_repose, double x, double y);

/// Height of the planes of an earthwork at (x, y), m, world: a bank reaches up to it, a cut down to it. Beside an
/// upright side -HUGE_VAL of a bank, HUGE_VAL of a cut.
double scene_earthwork_height(const SceneEarthwork *earthwork, double x, double y);

/// Height of the surface at (x, y), m, world, as earthworks leave it where it was at `undisturbed` m; without mounds.
double scene_surface(const SceneGround *ground, double undisturbed, double x, double y);

/// A plane that a rectangle of the surface without roughness and mounds lies in or below.
typedef struct SceneStand {
    double height; ///< m, world, in the rectangle's middle
    double along, across; ///< m a metre: rise towards the heading, and to its left
    double deepest; ///< m: so far lies the surface below it at most
} SceneStand;

/// What a rigid rectangle rests on, which is the plane through the surface by least squares, lifted until nothing of
/// it stands above: `length` m along the heading (rad), `width` m across, about (x, y).
SceneStand scene_stand(const SceneGround *ground, double x, double y, double heading, double length, double width);

/// Returns the height (m, world) of the surface where earthworks have changed it most below a rectangle whose middle
/// line runs from along[0] to along[1] m beyond (x, y) towards the heading (rad); `half_width` m to either side.
double scene_surface_change(const SceneGround *ground, double x, double y, double heading, const double along[2],
                            double half_width);

/// The strata at (x, y), where bedrock lies `depth` m below the surface of the undisturbed ground. `tan_repose` by
/// soil.
void scene_profile(const SceneGround *ground, const double *tan_repose, double depth, double x, double y,
                   SceneProfile *profile);

#endif
