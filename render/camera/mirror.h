/// What a mirror shows. Pure functions, no OpenGL.
#ifndef SPADEWORK_RENDER_MIRROR_H
#define SPADEWORK_RENDER_MIRROR_H

#include "render/camera.h"

/// A pane that reflects.
typedef struct MirrorGlass {
    Pose frame; ///< world: its middle; x out of the glass, z up
    double width, height; ///< m, along y and z
    double radius; ///< m: of a sphere that it bulges like; 0: it is flat
} MirrorGlass;

/// Makes the camera whose picture the glass shows to an eye (m, world): its left edge is where y is greatest. False
/// when the eye is behind the glass.
bool camera_of_mirror(const MirrorGlass *glass, Vec3 eye, CameraPlace *place, Camera *camera);

/// Writes the corners of the glass, world: y and z least; y greatest; z greatest; both.
void mirror_corners(const MirrorGlass *glass, Vec3 corners[4]);

#endif
