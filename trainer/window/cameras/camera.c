/// Where a picture is taken from: the mouse turns the view by its movement in pixels, the wheel changes the distance by
/// a constant ratio a click, so that near and far are reached alike.
#include "trainer/window/cameras/camera.h"

#include <math.h>

#define USUAL_HEIGHT 720.0 ///< pixels of a picture that the plan is moved by

Camera camera_default(RenderCamera camera)
{
    return (Camera){.camera = camera,
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

static Vec3 gaze(const Camera *camera)
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
        camera->free_eye = vec3_madd(camera->free_eye, 1.5 * clicks, gaze(camera));
        return;
    }
    camera->orbit_distance = clamp(camera->orbit_distance * ratio, 4.0, 80.0);
}

void camera_aim(Camera *camera, RenderView *view)
{
    view->orbit_yaw = camera->orbit_yaw;
    view->orbit_pitch = camera->orbit_pitch;
    view->orbit_distance = camera->orbit_distance;
    view->cab_yaw = camera->cab_yaw;
    view->cab_pitch = camera->cab_pitch;
    view->plan_height = camera->plan_height;
    view->plan_x = camera->plan_x;
    view->plan_y = camera->plan_y;
    view->section_height = camera->section_height;
    view->camera = camera->camera;
    view->free_placed = camera->free_placed;
    view->free_eye = camera->free_eye;
    view->free_yaw = camera->free_yaw;
    view->free_pitch = camera->free_pitch;
}
