/// Everything two-dimensional: HUD, time line, menu. Drawn with cairo into panels, each sent only when what it shows differs.
#ifndef SPADEWORK_RENDER_OVERLAY_H
#define SPADEWORK_RENDER_OVERLAY_H

#include "render/gpu/gl.h"
#include "render/render.h"

typedef struct Overlay Overlay;
Overlay *overlay_create(const char *shader_folder, Status *status);
void overlay_destroy(Overlay *overlay);
/// `has_picture`: a scene was drawn below; a menu then lies over it, blurred and darkened.
void overlay_draw(Overlay *overlay, const RenderView *view, bool has_picture, int width, int height);

#endif
