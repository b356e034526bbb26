/// The picture of the controls beside a menu. Internal to the panels.
#ifndef SPADEWORK_RENDER_CONTROLS_DRAWING_H
#define SPADEWORK_RENDER_CONTROLS_DRAWING_H

#include "render/panels/panels.h"

/// Draws the picture into a place of these design units, in the middle and as large as fits.
void controls_drawing(cairo_t *cairo, const RenderControlsPicture *picture, double x, double y, double width,
                      double height);

#endif
