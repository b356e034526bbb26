/// A shipped exercise that is shifted, mirrored and turned by quarter turns as a whole: machine, site, earthworks,
/// heaps, marks, truck. The relief is left out, since its noise does not turn.
#ifndef SPADEWORK_VALIDATION_TURNED_SCENE_H
#define SPADEWORK_VALIDATION_TURNED_SCENE_H

#include <stdbool.h>

#include "data/core/operator_controls.h"
#include "data/core/status.h"
#include "data/core/vec.h"
#include "data/schema/scene_params.h"

enum { TURNED_SETTINGS = 320, TURNED_SETTING = 72 };

/// Applied in this order. Zero is the scene as its file states it, without relief.
typedef struct SceneTurn {
    double along, aside; ///< m: shift along the file's x and y of all but the site's borders
    bool mirrored; ///< about the x axis
    int quarters; ///< turns by 90 degrees to the left
} SceneTurn;

/// What turns a scene: settings as session_create takes them.
typedef struct TurnedScene {
    int count;
    char text[TURNED_SETTINGS][TURNED_SETTING]; ///< "KEY=VALUE"
    const char *set[TURNED_SETTINGS]; ///< [count], into `text`
} TurnedScene;

/// Fills the settings that turn `scene`. False with `status` (STATUS_BAD_USAGE) where it has a part that this cannot
/// turn: trucks that drive, fixtures, persons, rocks, grains, loads, hard ground for a ripper, a survey or height map.
/// Places in the file of an expert are not the scene's, and stay.
bool scene_turn(const SceneParams *scene, const SceneTurn *turn, TurnedScene *turned, Status *status);
/// A place or direction of the turned scene, as it lies in the file's: the turn and the mirror undone, and of a place
/// (`free` false) the shift as well.
Vec3 scene_turn_back(const SceneTurn *turn, Vec3 vector, bool free);
/// Levers that do in a mirrored scene what `controls` do in the scene.
OperatorControls scene_mirror_levers(const OperatorControls *controls);

#endif
