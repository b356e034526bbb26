/// The cameras that a person turns, moves and zooms.
#ifndef SPADEWORK_TRAINER_CAMERA_H
#define SPADEWORK_TRAINER_CAMERA_H

#include "render/render.h"

/// Where the picture is taken from; belongs to the window, survives restarts and seeks.
typedef struct Camera {
    RenderCamera camera;
    double orbit_yaw, orbit_pitch, orbit_distance; ///< rad, rad (0.05..1.5), m (4..80)
    double cab_yaw, cab_pitch; ///< rad, -2..2 and -1.2..1.2
    double plan_height, plan_x, plan_y; ///< m, 4..160, of the picture; m of its middle beside the machine, -200..200
    double section_height; ///< m, 1.5..20
    bool free_placed; ///< the free camera has been flown
    Vec3 free_eye; ///< m
    double free_yaw, free_pitch; ///< rad, rad (-1.5..1.5)
} Camera;
Camera camera_default(RenderCamera camera);
/// Turns the present camera by a mouse movement (pixels) or moves it by wheel clicks (positive = nearer).
void camera_drag(Camera *camera, double dx, double dy);
void camera_zoom(Camera *camera, double clicks);
/// Lets the view be seen through the camera. The free camera begins where the one before it stood.
void camera_aim(Camera *camera, RenderView *view);

#endif
