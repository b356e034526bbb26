/// Rules of a scene that a single key cannot tell. Internal to data/. Each says what is wrong where, and returns false.
#ifndef SPADEWORK_DATA_SCENE_CHECK_H
#define SPADEWORK_DATA_SCENE_CHECK_H

#include <stdbool.h>

#include "data/schema/machine_params.h"
#include "data/files/document.h"
#include "data/schema/scene_params.h"

/// m that earthworks may have changed the ground under a truck or a road; chosen.
extern const double scene_truck_level;

/// A place that must lie on the site; the paths are those of its two keys.
bool scene_check_place(Document *document, const SceneGround *ground, const char *x_path, double x, const char *y_path,
                       double y, Status *status);
/// The four corners of a rectangle whose middle line runs from along[0] to along[1] m beyond `middle` towards
/// `heading`.
bool scene_check_rectangle(Document *document, const SceneGround *ground, const char *path, const double middle[2],
                           double heading, const double along[2], double half_width, Status *status);
/// Patches are whole, on the site and above bedrock.
bool scene_check_patches(Document *document, const SceneGround *ground, Status *status);

/// What needs the scene's soils and machine: nowhere too many layers, and the machine starts on the ground, not in it.
bool scene_check_loaded(Document *document, const SceneParams *scene, const MachineParams *machine, Status *status);

#endif
