/// Cameras: where each stands, the panes that a picture is parted into, the matrices, and what a mirror shows. Matrices
/// are column-major, OpenGL clip space. Pure functions of a view; none calls OpenGL.
#ifndef SPADEWORK_RENDER_CAMERA_H
#define SPADEWORK_RENDER_CAMERA_H

#include "render/gpu.h"
#include "render/render.h"

/// ---- places --------------------------------------------------------------------------------------------------------

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

/// Computes the place of one of the view's cameras.
CameraPlace camera_place(const RenderView *view, RenderCamera camera);

/// Returns the height (m) of grid 0 at (x, y), m, world: bilinear; 0 without a grid. Outside it is at least as high as
/// the ground around the site is drawn.
double camera_ground_height(const RenderView *view, double x, double y);

/// ---- panes ---------------------------------------------------------------------------------------------------------

// Screens side by side, or a picture for each eye.

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

/// Turns and moves a camera for a pane with a ratio `aspect` of width to height. Of several screens each shows
/// RenderView.screen_angle from its left to its right edge, so that a line across a seam is straight for an eye in
/// the middle of screens that stand at that angle to each other.
CameraPlace camera_pane_place(const RenderView *view, const CameraPlace *place, const CameraPane *pane, double aspect);

/// ---- matrices ------------------------------------------------------------------------------------------------------

/// A camera as the shaders take it.
typedef struct Camera {
    FloatVec3 eye; ///< world, m
    FloatVec3 target; ///< world, m: a point looked at
    float field_of_view; ///< rad, vertical; without perspective: under which the picture's height is seen
    bool mirrored; ///< left and right are exchanged: triangles turn the other way
    mat4 view, projection, view_projection, inverse;
    vec4 planes[6]; ///< of the view volume, pointing inwards
} Camera;

/// Makes the matrices of a camera for a picture with a ratio `aspect` of width to height.
void camera_from_place(const CameraPlace *place, double aspect, Camera *camera);

/// As camera_from_place (`aspect`: ratio of width to height), with a near plane at CameraPlace.cut. Returns the depth,
/// 0..1, of that plane for the whole camera: drawn into the range of depths from there to 1, what the cut camera sees
/// is hidden by, and hides, what the whole camera sees. 0 when nothing is cut.
double camera_cut(const CameraPlace *place, double aspect, Camera *camera);

/// Makes the camera of a view for a picture with a ratio `aspect` of width to height. An orbit distance <= 0 gives the
/// default place. The eye of orbit and chase stays above the ground of grid 0.
void camera_compute(const RenderView *view, double aspect, Camera *camera);

/// Makes the orthographic camera of the sun (`to_sun`: unit vector towards it): covers `radius` m about `center`,
/// moved in whole texels of a map of `texels` pixels so that shadow edges do not crawl.
void camera_compute_sun(const FloatVec3 center, const FloatVec3 to_sun, float radius, int texels, mat4 light,
                        vec4 planes[6]);

/// Returns false when the box from `low` to `high`, m, world, is wholly outside one of the planes.
bool camera_sees_box(vec4 planes[6], const float low[3], const float high[3]);

/// Computes the `pixel` (from the left, from the top) at which a `point` (m, world) is seen; false when it is behind
/// the eye.
bool camera_project(const Camera *camera, const double point[3], int width, int height, double pixel[2]);

/// ---- mirrors -------------------------------------------------------------------------------------------------------

/// A pane that reflects.
typedef struct MirrorGlass {
    Pose frame; ///< world: its middle; x out of the glass, z up
    double width, height; ///< m, along y and z
    double radius; ///< m: of a sphere that it bulges like; 0: it is flat
} MirrorGlass;

/// Makes the camera whose picture the glass shows to an eye (m, world): its left edge is where y is greatest. False
/// when the eye is behind the glass.
bool camera_of_mirror(const MirrorGlass *glass, Vec3 eye, CameraPlace *place, Camera *camera);

/// Writes the corners of the glass, world: y and z least; y greatest; z greatest; both.
void mirror_corners(const MirrorGlass *glass, Vec3 corners[4]);

#endif
