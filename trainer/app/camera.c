/// Moves the window's cameras. The mouse turns a view by its movement in pixels; each wheel click changes the distance
/// by a constant ratio, so near and far respond alike.
#include "trainer/app/camera.h"

#include <math.h>

#include "data/core/language.h"

#define SIDE        1.3 ///< rad: a glance to the side, past the front pillar
#define SHOULDER    2.6 ///< rad: over the shoulder
#define GLANCE_TIME 2.5 ///< s for which a glance lasts that was tapped. Chosen
#define FLIGHT      5.0 ///< m/s of the free camera
#define FAST        20.0
enum { GLANCES = 4 };

#define USUAL_HEIGHT 720.0 ///< pixels of a picture that the plan is moved by

const char *camera_name(RenderCamera camera)
{
    static const char *const names[RENDER_CAMERA_COUNT] = {TEXT("around"),  TEXT("behind"), TEXT("cab"),
                                                           TEXT("bucket"),  TEXT("boom"),   TEXT("plan"),
                                                           TEXT("section"), TEXT("rear"),   TEXT("free")};
    return language_text(names[camera]);
}

Camera camera_default(RenderCamera camera)
{
    return (Camera){.camera = camera,
                    .before = camera,
                    .orbit_yaw = -0.85,
                    .orbit_pitch = 0.42,
                    .orbit_distance = 17.0,
                    .plan_height = 24.0,
                    .section_height = 7.0};
}

static double clamp(double value, double low, double high)
{
    return value < low ? low : value > high ? high : value;
}

void camera_drag(Camera *camera, double dx, double dy)
{
    const double turn = 0.006; // rad a pixel: half a turn across a small window
    if (camera->camera == RENDER_CAMERA_CAB) {
        camera->cab_yaw = clamp(camera->cab_yaw - dx * turn, -2.0, 2.0);
        camera->cab_pitch = clamp(camera->cab_pitch - dy * turn, -1.2, 1.2);
        return;
    }
    if (camera->camera == RENDER_CAMERA_PLAN) { // the ground goes with the mouse
        double scale = camera->plan_height / USUAL_HEIGHT;
        camera->plan_x = clamp(camera->plan_x - dx * scale, -200.0, 200.0);
        camera->plan_y = clamp(camera->plan_y + dy * scale, -200.0, 200.0);
        return;
    }
    if (camera->camera == RENDER_CAMERA_FREE) {
        camera->free_yaw -= dx * turn;
        camera->free_pitch = clamp(camera->free_pitch - dy * turn, -1.5, 1.5);
        return;
    }
    camera->orbit_yaw -= dx * turn;
    camera->orbit_pitch = clamp(camera->orbit_pitch + dy * turn, 0.05, 1.5);
}

static Vec3 gaze_direction(const Camera *camera)
{
    return vec3(cos(camera->free_pitch) * cos(camera->free_yaw), cos(camera->free_pitch) * sin(camera->free_yaw),
                sin(camera->free_pitch));
}

void camera_zoom(Camera *camera, double clicks)
{
    double ratio = pow(0.88, clicks);
    if (camera->camera == RENDER_CAMERA_PLAN) {
        camera->plan_height = clamp(camera->plan_height * ratio, 4.0, 160.0);
        return;
    }
    if (camera->camera == RENDER_CAMERA_SECTION) {
        camera->section_height = clamp(camera->section_height * ratio, 1.5, 20.0);
        return;
    }
    if (camera->camera == RENDER_CAMERA_FREE) {
        camera->free_eye = vec3_madd(camera->free_eye, 1.5 * clicks, gaze_direction(camera));
        return;
    }
    camera->orbit_distance = clamp(camera->orbit_distance * ratio, 4.0, 80.0);
}

void camera_select(Camera *camera, RenderCamera chosen)
{
    if (chosen != camera->camera) {
        camera->before = camera->camera;
        camera->camera = chosen;
    }
}

/// First-order approach from `from` to `to` over `dt` s; nearly complete after 0.3 s.
static double approach(double from, double to, double dt)
{
    return to + (from - to) * exp(-dt / 0.09);
}

static void turn_head(Camera *camera, const CameraKeys *keys, double dt)
{
    static const double glances[GLANCES] = {0.0, SIDE, SHOULDER, -SIDE};
    camera->glance_age = keys->looks > 0 ? 0.0 : camera->glance_age + dt;
    camera->glance = camera->glance_age > GLANCE_TIME ? 0 : (camera->glance + keys->looks) % GLANCES;
    double yaw = glances[camera->glance];
    if ((keys->left && keys->right) || keys->back_left) {
        yaw = SHOULDER;
    } else if (keys->left || keys->right) {
        yaw = keys->left ? SIDE : -SIDE;
    } else if (keys->back_right) {
        yaw = -SHOULDER;
    }
    camera->head_yaw = approach(camera->head_yaw, yaw, dt);
    camera->head_pitch = approach(camera->head_pitch, 0.6 * keys->nod, dt);
    camera->lean = approach(camera->lean, keys->lean ? 1.0 : 0.0, dt);
}

static void fly_free_camera(Camera *camera, const CameraKeys *keys, double dt)
{
    double step = dt * (keys->fast ? FAST : FLIGHT);
    Vec3 left = vec3(-sin(camera->free_yaw), cos(camera->free_yaw), 0.0);
    Vec3 eye = vec3_madd(camera->free_eye, step * keys->ahead, gaze_direction(camera));
    eye = vec3_madd(eye, step * keys->aside, left);
    eye.z += step * keys->rise;
    camera->free_eye = eye;
    camera->free_yaw += 1.2 * dt * keys->turn;
}

void camera_put(Camera *camera, Vec3 eye, Vec3 target)
{
    Vec3 gaze = vec3_sub(target, eye);
    camera->free_placed = true;
    camera->free_eye = eye;
    camera->free_yaw = atan2(gaze.y, gaze.x);
    camera->free_pitch = clamp(atan2(gaze.z, sqrt(gaze.x * gaze.x + gaze.y * gaze.y)), -1.5, 1.5);
}

void camera_move(Camera *camera, const CameraKeys *keys, double dt)
{
    CameraKeys none = {0};
    bool cab = camera->camera == RENDER_CAMERA_CAB;
    turn_head(camera, cab ? keys : &none, dt);
    if (camera->camera == RENDER_CAMERA_FREE && camera->free_placed) {
        fly_free_camera(camera, keys, dt);
    }
}

double camera_head(const Camera *camera)
{
    return clamp(camera->cab_yaw + camera->head_yaw, -2.8, 2.8);
}

/// Starts at the place of the previous camera.
static void place_free(Camera *camera, RenderView *view)
{
    if (!camera->free_placed && camera->before != RENDER_CAMERA_FREE) {
        view->camera = camera->before;
        render_camera_stand(view, &camera->free_eye, &camera->free_yaw, &camera->free_pitch);
        camera->free_pitch = clamp(camera->free_pitch, -1.5, 1.5);
        camera->free_placed = true;
    }
}

void camera_aim(Camera *camera, RenderView *view)
{
    view->orbit_yaw = camera->orbit_yaw;
    view->orbit_pitch = camera->orbit_pitch;
    view->orbit_distance = camera->orbit_distance;
    view->cab_yaw = camera_head(camera);
    view->cab_pitch = camera->cab_pitch + camera->head_pitch;
    view->cab_lean = camera->lean;
    view->plan_height = camera->plan_height;
    view->plan_x = camera->plan_x;
    view->plan_y = camera->plan_y;
    view->section_height = camera->section_height;
    if (camera->camera == RENDER_CAMERA_FREE && view->on_foot) {
        camera->free_placed = true;
        camera->free_eye = view->foot_eye;
        camera->free_yaw = view->foot_yaw;
        camera->free_pitch = view->foot_pitch;
    } else if (camera->camera == RENDER_CAMERA_FREE) {
        place_free(camera, view);
    }
    view->camera = camera->camera;
    view->free_placed = camera->free_placed;
    view->free_eye = camera->free_eye;
    view->free_yaw = camera->free_yaw;
    view->free_pitch = camera->free_pitch;
    if (camera->camera == RENDER_CAMERA_FREE && camera->free_placed) { // the ground lifts it
        double yaw, pitch;
        render_camera_stand(view, &camera->free_eye, &yaw, &pitch);
    }
}
