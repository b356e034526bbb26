/// The window's camera: which one, and how the person has turned, moved and zoomed it.
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
    int glance; ///< of those that follow each other: 0 ahead, left, over the left shoulder, right
    double glance_age; ///< s since it was asked for
    double head_yaw, head_pitch,
        lean; ///< rad, rad, 0..1: added to the driver's direction of view by glances, which end by themselves
    RenderCamera before; ///< that the present camera followed
    bool free_placed; ///< the free camera stands at free_eye
    Vec3 free_eye; ///< m
    double free_yaw, free_pitch; ///< rad, rad (-1.5..1.5)
} Camera;
/// Keys held to move a camera, and taps since the last poll.
typedef struct CameraKeys {
    int looks; ///< taps: the next glance
    bool left, right; ///< view to that side; both: over the left shoulder
    bool back_left, back_right; ///< view over that shoulder
    double nod; ///< -1..1: view down or up
    bool lean; ///< lean forward
    double ahead, aside, rise; ///< -1..1: the free camera flies ahead, to the left, up
    double turn; ///< -1..1: it turns to the left
    bool fast; ///< it flies faster
} CameraKeys;

const char *camera_name(RenderCamera camera); ///< in the reader's language: "cab", ...
Camera camera_default(RenderCamera camera);
/// Puts the free camera to a place (m, world), looking at another.
void camera_put(Camera *camera, Vec3 eye, Vec3 target);
/// Changes to a camera.
void camera_select(Camera *camera, RenderCamera chosen);
/// Turns the present camera by a mouse movement (`dx`, `dy`: pixels), or moves it by wheel `clicks` (above 0: nearer).
void camera_drag(Camera *camera, double dx, double dy);
void camera_zoom(Camera *camera, double clicks);
/// Turns the driver's head, or flies the free camera, by the keys held for `dt` s. Without keys the head returns.
void camera_move(Camera *camera, const CameraKeys *keys, double dt);
/// rad, + left: the driver's direction of view against the tool's.
double camera_head(const Camera *camera);
/// Sets the view's camera. The free camera starts at the place of the one before it; while the operator walks it is the
/// operator's eye.
void camera_aim(Camera *camera, RenderView *view);

#endif
