/// Where the picture is taken from: pure functions of a view. Matrices are column-major, OpenGL clip space.
#ifndef SPADEWORK_RENDER_CAMERA_H
#define SPADEWORK_RENDER_CAMERA_H

#include "render/gpu/linear.h"

#include "render/render.h"

typedef struct Camera {
    FloatVec3 eye; ///< world, m
    FloatVec3 target; ///< world, m: a point looked at
    float field_of_view; ///< rad, vertical
    mat4 view, projection, view_projection, inverse;
    vec4 planes[6]; ///< of the view volume, pointing inwards
} Camera;

/// The camera of a view for a picture of width / height = `aspect`. An orbit distance <= 0 gives a pleasant default. The eye
/// of orbit and chase stays above the ground of grid 0.
void camera_compute(const RenderView *view, double aspect, Camera *camera);

/// Orthographic camera of the sun: covers `radius` m about `center`, moved in whole texels of a map of `texels` pixels so
/// that shadow edges do not crawl.
void camera_compute_sun(const FloatVec3 center, const FloatVec3 to_sun, float radius, int texels, mat4 light,
                        vec4 planes[6]);

/// Height of grid 0 at a world place (bilinear; its edge outside, 0 without a grid).
double camera_ground_height(const RenderView *view, double x, double y);

/// False when the box is wholly outside one of the planes.
bool camera_sees_box(vec4 planes[6], const float low[3], const float high[3]);

/// Pixel (from the left, from the top) where a world point is seen; false when it is behind the eye.
bool camera_project(const Camera *camera, const double point[3], int width, int height, double pixel[2]);

#endif
