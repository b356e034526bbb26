/// The camera that a person turns with the mouse.
#ifndef SPADEWORK_TRAINER_CAMERA_H
#define SPADEWORK_TRAINER_CAMERA_H

#include "render/render.h"

/// Where the picture is taken from; belongs to the window, survives restarts and seeks.
typedef struct Camera {
    RenderCamera camera;
    double orbit_yaw, orbit_pitch, orbit_distance; ///< rad, rad (0.05..1.5), m (4..80)
    double cab_yaw, cab_pitch; ///< rad, -2..2 and -1.2..1.2
} Camera;
Camera camera_default(RenderCamera camera);
/// Turns the present camera by a mouse movement (pixels) or moves it by wheel clicks (positive = nearer).
void camera_drag(Camera *camera, double dx, double dy);
void camera_zoom(Camera *camera, double clicks);

#endif
