/// Marks of what happened in a recording: each kind has a shape and a colour of its own.
#ifndef SPADEWORK_RENDER_MARK_H
#define SPADEWORK_RENDER_MARK_H

#include <cairo.h>

#include "render/render.h"

/// Draws a mark around (x, y), in design units; `r` is about half its width.
void mark_draw(cairo_t *cairo, RenderMarkKind kind, double x, double y, double r);

#endif
