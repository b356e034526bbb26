/// How a picture is parted into panes: screens side by side, and a picture for each eye. Pure functions, no OpenGL.
#ifndef SPADEWORK_RENDER_PANES_H
#define SPADEWORK_RENDER_PANES_H

#include "render/camera/places.h"

enum { CAMERA_MAX_PANES = 3 };

/// A part of the picture, as high as the whole.
typedef struct CameraPane {
    int x, width; ///< pixels
    double turn; ///< rad by which its camera is turned to the right
    double aside; ///< m by which its camera stands to the right
} CameraPane;

/// Writes the panes of a view, from left to right, and returns their number. A camera without perspective needs none
/// for screens.
/// width  pixels, of the whole picture
int camera_panes(const RenderView *view, int width, CameraPane panes[CAMERA_MAX_PANES]);

/// Turns and moves a camera for a pane of width / height = `aspect`. Of several screens each shows
/// RenderView.screen_angle from its left to its right edge, so that what crosses a seam goes on straight for an eye in
/// the middle of screens that stand at that angle to each other.
CameraPlace camera_pane_place(const RenderView *view, const CameraPlace *place, const CameraPane *pane, double aspect);

#endif
