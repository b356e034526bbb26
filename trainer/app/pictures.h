/// Pictures for the panels of menus: from PNG files, from PNG bytes of a recording, and plans of scenes. The caller
/// frees them with pictures_free. NULL means that a picture is not available, and a menu does without it.
#ifndef SPADEWORK_TRAINER_PICTURES_H
#define SPADEWORK_TRAINER_PICTURES_H

#include <stddef.h>

#include "data/schema/scene_params.h"
#include "render/render.h"

enum { PICTURES_MOST = 2048 }; ///< pixels a side of a picture that is read

/// Reads a PNG file of at most PICTURES_MOST pixels a side.
RenderPicture *pictures_read(const char *path);
/// Reads the shipped picture of a scene: data/pictures/scenes/KEY.png, where the scene states a `key`, else NAME.png.
RenderPicture *pictures_of_scene(const char *name, const char *key);
/// The same from bytes.
RenderPicture *pictures_decode(const unsigned char *png, size_t size);
/// Draws the plan of a scene, so large in points (1..PICTURES_MOST / 2 a side), each of 2 x 2 pixels.
/// units  that heights are written in
RenderPicture *pictures_plan(const SceneParams *scene, TextUnits units, int width, int height);
void pictures_free(RenderPicture *picture); ///< NULL is nothing

/// Writes pixels as a PNG in memory, made smaller to `width` pixels, and returns it with its size; the caller frees it.
/// NULL when memory is short.
/// rgb  [height_of][width_of][3], top row first; at least as large as what is asked for
unsigned char *pictures_encode(const unsigned char *rgb, int width_of, int height_of, int width, size_t *size);

#endif
