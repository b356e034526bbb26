/// Draws the panels of a view over its picture: HUD, time line, menu. Panels are drawn with cairo, each sent to the GPU
/// only when what it shows differs.
///
/// Every function of an Overlay needs a current OpenGL 3.3 core context and must be called from the thread that it is
/// current on.
#ifndef SPADEWORK_RENDER_OVERLAY_H
#define SPADEWORK_RENDER_OVERLAY_H

#include "render/gpu.h"
#include "render/render.h"
#include "render/panels/panels.h"

typedef struct Overlay Overlay;

/// Returns a new overlay, which the caller frees with overlay_destroy; NULL with `status` set.
/// rate  1/s of RenderHud.time: how often figures that run with the time are drawn anew, more than 0
Overlay *overlay_create(const GlShaders *shaders, double rate, Status *status);
/// Does nothing for NULL.
void overlay_destroy(Overlay *overlay);

/// Draws all panels anew the next time, whatever has changed.
void overlay_forget(Overlay *overlay);

/// Draws the panels of a view over a framebuffer of width x height pixels.
/// has_picture  a scene was drawn below; a menu then lies over it, blurred and darkened. Else a backdrop is drawn.
void overlay_draw(Overlay *overlay, const RenderView *view, bool has_picture, int width, int height);

/// Returns a number that changes when what the panel shows changes visibly. Pure.
uint64_t panel_signature(const RenderView *view, PanelKind kind);

/// Draws a panel with the origin at its corner, in design units, without OpenGL.
void panel_draw(cairo_t *cairo, const RenderView *view, PanelKind kind, const PanelPlace *place);

#endif
