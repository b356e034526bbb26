/// A pane's camera turns about the upper axis of the picture, not of the world: seams of screens are upright in the
/// picture, however the head is bent.
#include "render/camera/panes.h"

#include <math.h>

static const double usual_angle = 0.8726646; ///< rad: 50 degrees, a screen of 0.6 m from 0.64 m
static const double usual_eyes = 0.064; ///< m between the eyes, mean of adults

static bool is_flat(const RenderView *view)
{
    return !(camera_place(view, view->camera).field_of_view > 0.0);
}

static double screen_angle(const RenderView *view)
{
    return view->screen_angle > 0.0 ? view->screen_angle : usual_angle;
}

int camera_panes(const RenderView *view, int width, CameraPane panes[CAMERA_MAX_PANES])
{
    bool screens = view->screens == 3 && !is_flat(view), eyes = !screens && view->eyes == 2;
    int count = screens ? 3 : eyes ? 2 : 1;
    double apart = view->eye_distance > 0.0 ? view->eye_distance : usual_eyes;
    for (int k = 0; k < count; k++) {
        int from = width * k / count, to = width * (k + 1) / count;
        panes[k] = (CameraPane){.x = from,
                                .width = to - from,
                                .turn = screens ? (k - 1) * screen_angle(view) : 0.0,
                                .aside = eyes ? (k - 0.5) * apart : 0.0};
    }
    return count;
}

CameraPlace camera_pane_place(const RenderView *view, const CameraPlace *place, const CameraPane *pane, double aspect)
{
    CameraPlace out = *place;
    if (!(place->field_of_view > 0.0)) {
        return out;
    }
    Vec3 gaze = vec3_sub(place->target, place->eye);
    double away = vec3_length(gaze), mirror = place->mirrored ? -1.0 : 1.0;
    Vec3 ahead = vec3_unit(gaze, vec3(1.0, 0.0, 0.0));
    Vec3 right = vec3_scale(vec3_unit(vec3_cross(ahead, place->up), vec3(0.0, -1.0, 0.0)), mirror);
    out.eye = vec3_madd(place->eye, pane->aside, right);
    out.up = vec3_scale(vec3_cross(right, ahead), mirror);
    out.target = vec3_madd(vec3_madd(out.eye, away * cos(pane->turn), ahead), away * sin(pane->turn), right);
    if (view->screens == 3) {
        out.field_of_view = 2.0 * atan(tan(0.5 * screen_angle(view)) / aspect);
    }
    return out;
}
