/// Everything two-dimensional: HUD, time line, menu. Drawn with cairo into panels, each sent only when what it shows
/// differs.
///
/// Every function needs a current OpenGL 3.3 core context and must be called from the thread that it is current on.
#ifndef SPADEWORK_RENDER_OVERLAY_H
#define SPADEWORK_RENDER_OVERLAY_H

#include "render/gpu.h"
#include "render/render.h"

typedef struct Overlay Overlay;

/// Returns a new overlay, which the caller frees with overlay_destroy; NULL with `status` set.
/// rate  1/s of RenderHud.time: how often figures that run with the time are drawn anew, more than 0
Overlay *overlay_create(const GlShaders *shaders, double rate, Status *status);
/// NULL is left alone.
void overlay_destroy(Overlay *overlay);

/// Draws the panels of a view over a framebuffer of width x height pixels.
/// has_picture  a scene was drawn below; a menu then lies over it, blurred and darkened. Else a backdrop is drawn.
void overlay_draw(Overlay *overlay, const RenderView *view, bool has_picture, int width, int height);

#endif
