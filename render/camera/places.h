/// Where each camera stands and what it looks at. Pure functions of a view, no OpenGL.
#ifndef SPADEWORK_RENDER_PLACES_H
#define SPADEWORK_RENDER_PLACES_H

#include "render/render.h"

/// Where a camera stands, and what its picture is.
typedef struct CameraPlace {
    Vec3 eye, target; ///< m, world: where it is; a point it looks at
    Vec3 up; ///< what is up in the picture, need not be square to where it looks
    double field_of_view; ///< rad, vertical; 0: no perspective
    double height; ///< m from the lower to the upper edge, without perspective
    double near_plane, far_plane; ///< m
    double cut; ///< m before the eye: what is nearer of all but the machine is cut away; 0: nothing is
    bool mirrored; ///< left and right are exchanged
} CameraPlace;

/// Finds the place of one of the view's cameras.
CameraPlace camera_place(const RenderView *view, RenderCamera camera);

/// Returns the height (m) of grid 0 at a world place (bilinear, 0 without a grid). Outside it is at least as high as
/// the ground around the site is drawn.
double camera_ground_height(const RenderView *view, double x, double y);

#endif
