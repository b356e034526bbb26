/// Where a picture is taken from: the mouse turns the view by its movement in pixels, the wheel changes the distance by
/// a constant ratio a click, so that near and far are reached alike.
#include "trainer/window/camera.h"

#include <math.h>

Camera camera_default(RenderCamera camera)
{
    return (Camera){.camera = camera,
                    .orbit_yaw = -0.85,
                    .orbit_pitch = 0.42,
                    .orbit_distance = 17.0,
                    .cab_yaw = 0.0,
                    .cab_pitch = 0.0};
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
    camera->orbit_yaw -= dx * turn;
    camera->orbit_pitch = clamp(camera->orbit_pitch + dy * turn, 0.05, 1.5);
}

void camera_zoom(Camera *camera, double clicks)
{
    camera->orbit_distance = clamp(camera->orbit_distance * pow(0.88, clicks), 4.0, 80.0);
}
