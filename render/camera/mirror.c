/// A mirror is a window through which the eye's image looks out. Behind a flat glass the image stands as far as the eye
/// before it, d; behind one of radius R, by the mirror equation 1/d' = 1/d + 2/R, at
///
///     d' = m d,   m = f / (f + d),   f = R / 2                                                                  (1)
///
/// and m times as far from the axis. Near the axis, and driver's mirrors are small against R, all that the eye sees in
/// the glass it sees in the directions in which the image sees it through the glass. Left and right are exchanged
/// because the eye looks at the glass from the other side.
#include "render/camera/mirror.h"

#define FARTHEST 2600.0 ///< m

bool camera_of_mirror(const MirrorGlass *glass, Vec3 eye, CameraPlace *place, Camera *camera)
{
    Vec3 local = pose_apply_inverse(&glass->frame, eye);
    if (!(local.x > 0.01)) {
        return false;
    }
    double focus = 0.5 * glass->radius, m = glass->radius > 0.0 ? focus / (focus + local.x) : 1.0; // (1)
    Vec3 image = vec3(-m * local.x, m * local.y, m * local.z);
    const Mat3 *r = &glass->frame.rotation;
    *place = (CameraPlace){.eye = pose_apply(&glass->frame, image),
                           .up = vec3(r->m[0][2], r->m[1][2], r->m[2][2]),
                           .near_plane = m * local.x,
                           .far_plane = FARTHEST};
    place->target = pose_apply(&glass->frame, vec3(image.x + 1.0, image.y, image.z));
    place->field_of_view = 2.0 * atan(0.5 * glass->height / place->near_plane);
    camera_from_place(place, glass->width / glass->height, camera);
    // The glass as the image sees it: looking out along x with z up, the right is -y.
    glm_frustum((float)(image.y - 0.5 * glass->width), (float)(image.y + 0.5 * glass->width),
                (float)(-0.5 * glass->height - image.z), (float)(0.5 * glass->height - image.z),
                (float)place->near_plane, (float)FARTHEST, camera->projection);
    camera_finish(camera);
    return true;
}

void mirror_corners(const MirrorGlass *glass, Vec3 corners[4])
{
    for (int k = 0; k < 4; k++) {
        double y = (k & 1) != 0 ? 0.5 : -0.5, z = (k & 2) != 0 ? 0.5 : -0.5;
        corners[k] = pose_apply(&glass->frame, vec3(0.0, y * glass->width, z * glass->height));
    }
}
