/// Makes the matrices of a camera from where it stands. What is cut away of the ground is cut by a second near plane.
/// Both projections can have one depth, since the depth of each is the same function of the distance but for a factor
/// and a term; the range of depths (camera_cut) makes these equal.
#include "render/camera.h"

#include <math.h>

void camera_finish(Camera *camera)
{
    glm_mat4_mul(camera->projection, camera->view, camera->view_projection);
    glm_mat4_inv(camera->view_projection, camera->inverse);
    glm_frustum_planes(camera->view_projection, camera->planes);
}

static void project(Camera *camera, const CameraPlace *place, double aspect, double near_plane)
{
    float near = (float)near_plane, far = (float)place->far_plane;
    if (place->field_of_view > 0.0) {
        glm_perspective((float)place->field_of_view, (float)aspect, near, far, camera->projection);
    } else {
        float y = (float)(0.5 * place->height), x = (float)(0.5 * place->height * aspect);
        glm_ortho(-x, x, -y, y, near, far, camera->projection);
    }
    if (place->mirrored) {
        glm_vec4_scale(camera->projection[0], -1.0f, camera->projection[0]);
    }
}

void camera_from_place(const CameraPlace *place, double aspect, Camera *camera)
{
    FloatVec3 up;
    linear_from_vec3(place->eye, camera->eye);
    linear_from_vec3(place->target, camera->target);
    linear_from_vec3(place->up, up);
    double away = vec3_length(vec3_sub(place->target, place->eye));
    bool flat = !(place->field_of_view > 0.0);
    camera->field_of_view = (float)(flat ? 2.0 * atan(0.5 * place->height / away) : place->field_of_view);
    camera->mirrored = place->mirrored;
    glm_lookat(camera->eye, camera->target, up, camera->view);
    project(camera, place, aspect, place->near_plane);
    camera_finish(camera);
}

double camera_cut(const CameraPlace *place, double aspect, Camera *camera)
{
    camera_from_place(place, aspect, camera);
    if (!(place->cut > place->near_plane)) {
        return 0.0;
    }
    project(camera, place, aspect, place->cut);
    camera_finish(camera);
    double n = place->near_plane, f = place->far_plane, d = place->cut;
    return place->field_of_view > 0.0 ? f / (f - n) * (1.0 - n / d) : (d - n) / (f - n);
}

void camera_compute(const RenderView *view, double aspect, Camera *camera)
{
    CameraPlace place = camera_place(view, view->camera);
    camera_from_place(&place, aspect, camera);
}

void camera_compute_sun(const FloatVec3 center, const FloatVec3 to_sun, float radius, int texels, mat4 light,
                        vec4 planes[6])
{
    FloatVec3 eye, up = {0.0f, 0.0f, 1.0f}, middle = {center[0], center[1], center[2]};
    float back = 60.0f;
    for (int k = 0; k < 3; k++) {
        eye[k] = to_sun[k] * back;
    }
    mat4 view, projection;
    glm_lookat(eye, (FloatVec3){0.0f, 0.0f, 0.0f}, up, view);
    FloatVec3 seen;
    glm_mat4_mulv3(view, middle, 1.0f, seen);
    float texel = 2.0f * radius / (float)texels;
    // Depth moves in whole metres, so that what stands still has the same one from frame to frame, too.
    float x = roundf(seen[0] / texel) * texel, y = roundf(seen[1] / texel) * texel, z = roundf(seen[2]);
    glm_ortho(x - radius, x + radius, y - radius, y + radius, -z - 40.0f, -z + 40.0f, projection);
    glm_mat4_mul(projection, view, light);
    glm_frustum_planes(light, planes);
}

bool camera_sees_box(vec4 planes[6], const float low[3], const float high[3])
{
    FloatVec3 box[2] = {{low[0], low[1], low[2]}, {high[0], high[1], high[2]}};
    return glm_aabb_frustum(box, planes);
}

bool camera_project(const Camera *camera, const double point[3], int width, int height, double pixel[2])
{
    vec4 world = {(float)point[0], (float)point[1], (float)point[2], 1.0f}, clip;
    mat4 matrix;
    glm_mat4_copy((vec4 *)camera->view_projection, matrix);
    glm_mat4_mulv(matrix, world, clip);
    if (clip[3] <= 0.0f) {
        return false;
    }
    pixel[0] = (0.5 + 0.5 * (double)(clip[0] / clip[3])) * width;
    pixel[1] = (0.5 - 0.5 * (double)(clip[1] / clip[3])) * height;
    return true;
}
