/// Places the cameras. Orbit and tool views turn about what is worked on, chase follows the machine, and the cab's view
/// is the driver's, whose head turns part of the way to the tool. Distances and angles are chosen so that the place of
/// work is free of panels (orbit_looks_at_the_place_of_work in test_render_shapes) and the eye never below the ground.
#include "render/camera/camera.h"

#include <math.h>

static const double default_yaw = -0.75; ///< rad against the undercarriage's heading: from the front right
static const double default_pitch = 0.30; ///< rad: the eye over the level
static const double default_distance = 16.0; ///< m: the whole machine with its arm stretched
static const double least_clearance = 0.4; ///< m of the eye over the ground

double camera_ground_height(const RenderView *view, double x, double y)
{
    if (view->grid_count < 1 || view->grids[0].height == NULL) {
        return 0.0;
    }
    const RenderGrid *grid = &view->grids[0];
    double c = cos(grid->heading), s = sin(grid->heading);
    double dx = x - grid->x, dy = y - grid->y;
    double column = (c * dx + s * dy - grid->origin_x) / grid->spacing;
    double row = (-s * dx + c * dy - grid->origin_y) / grid->spacing;
    column = fmin(fmax(column, 0.0), grid->columns - 1.001);
    row = fmin(fmax(row, 0.0), grid->rows - 1.001);
    int i = (int)column, j = (int)row;
    double u = column - i, v = row - j;
    const float *h = grid->height + (size_t)j * (size_t)grid->columns + i;
    double near_row = (1.0 - u) * (double)h[0] + u * (double)h[1];
    double far_row = (1.0 - u) * (double)h[grid->columns] + u * (double)h[grid->columns + 1];
    return (1.0 - v) * near_row + v * far_row;
}

static void look(Camera *camera, Vec3 eye, Vec3 target, float field_of_view)
{
    linear_from_vec3(eye, camera->eye);
    linear_from_vec3(target, camera->target);
    camera->field_of_view = field_of_view;
}

/// Unit vector of where a body looks, level.
static Vec3 forward_of(const Pose *pose)
{
    return vec3_unit(vec3(pose->rotation.m[0][0], pose->rotation.m[1][0], 0.0), vec3(1.0, 0.0, 0.0));
}

/// Frame of the body with the cab.
static const Pose *cab_frame(const RenderView *view)
{
    return &view->body[view->machine != NULL ? view->machine->cab_body : MACHINE_BASE];
}

/// Frame of the body with the tool.
static const Pose *tool_frame(const RenderView *view)
{
    return &view->body[view->machine != NULL ? view->machine->tool[0].body : MACHINE_BASE];
}

/// What the view turns about, and where it looks: the house; of a machine without one, above its tracks.
static Pose middle_of(const RenderView *view)
{
    Pose pose = *cab_frame(view);
    if (view->machine != NULL && view->machine->cab_body == MACHINE_BASE) {
        pose.position = pose_apply(&pose, vec3(0.0, 0.0, view->machine->tracks.height));
    }
    return pose;
}

static void keep_above_ground(const RenderView *view, Vec3 *eye)
{
    eye->z = fmax(eye->z, camera_ground_height(view, eye->x, eye->y) + least_clearance);
}

static void place_orbit(const RenderView *view, Camera *camera)
{
    const Pose house = middle_of(view);
    double yaw = view->orbit_yaw, pitch = view->orbit_pitch, distance = view->orbit_distance;
    Vec3 ahead = forward_of(&view->body[MACHINE_BASE]);
    if (!(distance > 0.0)) {
        yaw = atan2(ahead.y, ahead.x) + default_yaw;
        pitch = default_pitch;
        distance = default_distance;
    }
    // Ahead of the machine and low: the place of work stays clear of the panels at the lower edge.
    Vec3 target = vec3_add(vec3_madd(house.position, 1.6, ahead), vec3(0.0, 0.0, -1.1));
    Vec3 out = vec3(cos(pitch) * cos(yaw), cos(pitch) * sin(yaw), sin(pitch));
    Vec3 eye = vec3_madd(target, distance, out);
    keep_above_ground(view, &eye);
    look(camera, eye, target, 0.76f);
}

/// As orbit, about the bucket and at a third of the distance; the yaw counts from where the house looks.
static void place_tool(const RenderView *view, Camera *camera)
{
    const double nearer = 0.3, wanted = view->orbit_distance > 0.0 ? view->orbit_distance : default_distance;
    Vec3 ahead = forward_of(cab_frame(view));
    double yaw = atan2(ahead.y, ahead.x) + (view->orbit_distance > 0.0 ? view->orbit_yaw : default_yaw);
    double pitch = view->orbit_distance > 0.0 ? view->orbit_pitch : default_pitch;
    double middle = view->machine != NULL ? view->machine->tool[0].middle : 0.0;
    Vec3 target = pose_apply(tool_frame(view), vec3(middle, 0.0, 0.0));
    Vec3 eye = vec3_madd(target, nearer * wanted, vec3(cos(pitch) * cos(yaw), cos(pitch) * sin(yaw), sin(pitch)));
    keep_above_ground(view, &eye);
    look(camera, eye, target, 0.76f);
}

static void place_chase(const RenderView *view, Camera *camera)
{
    const Pose house = middle_of(view);
    Vec3 ahead = forward_of(&house);
    Vec3 left = vec3(-ahead.y, ahead.x, 0.0);
    Vec3 eye = vec3_madd(vec3_madd(house.position, -7.5, ahead), 4.6, left);
    eye.z += 5.4;
    keep_above_ground(view, &eye);
    Vec3 target = vec3_madd(house.position, 5.0, ahead);
    target.z -= 1.2;
    look(camera, eye, target, 0.86f);
}

/// The driver looks ahead, and with half his mind at the bucket: the head turns part of the way to it.
static void place_cab(const RenderView *view, Camera *camera)
{
    const Pose *house = cab_frame(view);
    Vec3 seat = vec3(0.6, 0.8, 1.6);
    if (view->machine != NULL) {
        seat = vec3(view->machine->cab.eye[0], view->machine->cab.eye[1], view->machine->cab.eye[2]);
    }
    Vec3 bucket = vec3_sub(pose_apply_inverse(house, tool_frame(view)->position), seat);
    double reach = fmax(hypot(bucket.x, bucket.y), 1.0);
    double down = fmin(fmax(0.62 * atan2(bucket.z, reach), -0.62), 0.05) - 0.04;
    double aside = fmin(fmax(0.55 * atan2(bucket.y, fmax(bucket.x, 0.5)), -0.35), 0.35);
    double yaw = aside + view->cab_yaw;
    double pitch = fmin(fmax(down + view->cab_pitch, -1.45), 1.45);
    Vec3 gaze = vec3(cos(pitch) * cos(yaw), cos(pitch) * sin(yaw), sin(pitch));
    look(camera, pose_apply(house, seat), pose_apply(house, vec3_add(seat, gaze)), 1.12f);
}

void camera_compute(const RenderView *view, double aspect, Camera *camera)
{
    float near_plane = 0.25f, far_plane = 2600.0f;
    FloatVec3 up = {0.0f, 0.0f, 1.0f};
    if (view->camera == RENDER_CAMERA_CAB) {
        const Mat3 *r = &cab_frame(view)->rotation;
        place_cab(view, camera);
        linear_from_vec3(vec3(r->m[0][2], r->m[1][2], r->m[2][2]), up);
        near_plane = 0.08f;
    } else if (view->camera == RENDER_CAMERA_CHASE) {
        place_chase(view, camera);
    } else if (view->camera == RENDER_CAMERA_TOOL) {
        place_tool(view, camera);
    } else {
        place_orbit(view, camera);
    }
    glm_lookat(camera->eye, camera->target, up, camera->view);
    glm_perspective(camera->field_of_view, (float)aspect, near_plane, far_plane, camera->projection);
    glm_mat4_mul(camera->projection, camera->view, camera->view_projection);
    glm_mat4_inv(camera->view_projection, camera->inverse);
    glm_frustum_planes(camera->view_projection, camera->planes);
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
    float x = roundf(seen[0] / texel) * texel, y = roundf(seen[1] / texel) * texel;
    glm_ortho(x - radius, x + radius, y - radius, y + radius, -seen[2] - 40.0f, -seen[2] + 40.0f, projection);
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
