/// Where the picture is taken from. Matrices are column-major, OpenGL clip space. Pure functions of a view, no OpenGL.
#ifndef SPADEWORK_RENDER_CAMERA_H
#define SPADEWORK_RENDER_CAMERA_H

#include "render/camera/places.h"
#include "render/gpu/linear.h"
#include "render/render.h"

typedef struct Camera {
    FloatVec3 eye; ///< world, m
    FloatVec3 target; ///< world, m: a point looked at
    float field_of_view; ///< rad, vertical; without perspective: under which the picture's height is seen
    bool mirrored; ///< left and right are exchanged: triangles turn the other way
    mat4 view, projection, view_projection, inverse;
    vec4 planes[6]; ///< of the view volume, pointing inwards
} Camera;

/// Makes the matrices of a camera for a picture of width / height = `aspect`.
void camera_from_place(const CameraPlace *place, double aspect, Camera *camera);

/// As camera_from_place, of what is cut away nearer than CameraPlace.cut. Returns the depth, 0..1, at which it is cut:
/// drawn into the range of depths from there to 1, it is hidden by, and hides, what the whole camera sees. 0 when
/// nothing is cut.
double camera_cut(const CameraPlace *place, double aspect, Camera *camera);

/// Makes the other matrices and the planes from `view` and `projection`.
void camera_finish(Camera *camera);

/// Places the camera of a view for a picture of width / height = `aspect`. An orbit distance <= 0 gives a pleasant
/// default. The eye of orbit and chase stays above the ground of grid 0.
void camera_compute(const RenderView *view, double aspect, Camera *camera);

/// Places the orthographic camera of the sun (`to_sun`: unit vector towards it): covers `radius` m about `center`,
/// moved in whole texels of a map of `texels` pixels so that shadow edges do not crawl.
void camera_compute_sun(const FloatVec3 center, const FloatVec3 to_sun, float radius, int texels, mat4 light,
                        vec4 planes[6]);

/// Returns false when the world box is wholly outside one of the planes.
bool camera_sees_box(vec4 planes[6], const float low[3], const float high[3]);

/// Finds the pixel (from the left, from the top) where a world point is seen; false when it is behind the eye.
bool camera_project(const Camera *camera, const double point[3], int width, int height, double pixel[2]);

#endif
