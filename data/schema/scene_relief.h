/// The heights that the undisturbed ground of a scene begins with (`ground.surface`), sampled at the site's columns.
///
/// A scene keeps them as a file of its own (kind "grounds"): 64 bytes of text with NULs behind, "spadework ground 1
/// ROWS COLUMNS", then the heights row by row from the south, each from the west, as little-endian 32-bit integers in
/// units of 0.1 mm over the level of the site.
///
/// Threads: pure functions of a ground, whose kept bytes the loader owns (SceneRelief.text).
#ifndef SPADEWORK_DATA_SCENE_RELIEF_H
#define SPADEWORK_DATA_SCENE_RELIEF_H

#include <stdbool.h>
#include <stddef.h>

#include "data/core/status.h"
#include "data/schema/scene_params.h"

#define SCENE_RELIEF_KIND "grounds" ///< of kept files

/// The site's columns: rows along y, columns along x.
int scene_rows(const SceneGround *ground);
int scene_columns(const SceneGround *ground);

/// True of a ground that begins with the heights of a file.
bool scene_has_relief(const SceneGround *ground);

/// m over the level of the site: between the middles of columns bilinear, beyond the outermost ones theirs. 0 without
/// kept heights.
double scene_relief_height(const SceneGround *ground, double x, double y);

/// Gives each column without a height (NaN) that of the nearest column with one: the mean of those that are equally
/// near. False: out of memory. height  [rows][columns] of the site, m; one at least has a height
bool scene_relief_spread(const SceneGround *ground, float *height);

/// Puts heights into the form that is kept. The bytes are malloc'd and the caller's; NULL: out of memory.
/// height  [rows][columns] of the site, m; between -20 and 20
char *scene_relief_pack(const SceneGround *ground, const float *height, size_t *size);

/// Takes kept bytes, which must outlive the ground. False with `status` (STATUS_BAD_FILE) where they are not those of
/// such a site.
bool scene_relief_take(SceneGround *ground, const char *label, const char *text, size_t size, Status *status);

/// Patches stay above bedrock below the lowest column. False with `status` (STATUS_BAD_FILE).
bool scene_relief_fits(const SceneGround *ground, Status *status);

#endif
