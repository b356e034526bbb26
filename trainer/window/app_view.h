/// Session -> RenderView. Keeps what the last two ticks looked like, so that a frame shows a moment between them; never
/// changes the session's state.
#ifndef SPADEWORK_TRAINER_APP_VIEW_H
#define SPADEWORK_TRAINER_APP_VIEW_H

#include "render/render.h"
#include "trainer/session/session.h"

/// Where the picture is taken from; belongs to the window, survives restarts and seeks.
typedef struct AppCamera {
    RenderCamera camera;
    double orbit_yaw, orbit_pitch, orbit_distance; ///< rad, rad (0.05..1.5), m (4..80)
    double cab_yaw, cab_pitch; ///< rad, -2..2 and -1.2..1.2
} AppCamera;
AppCamera app_camera_default(RenderCamera camera);
/// Turns the present camera by a mouse movement (pixels) or moves it by wheel clicks (positive = nearer).
void app_camera_drag(AppCamera *camera, double dx, double dy);
void app_camera_zoom(AppCamera *camera, double clicks);

typedef struct AppView AppView;
/// Never fails; memory grows with the particles. Free with app_view_destroy, before the session.
AppView *app_view_create(void);
void app_view_destroy(AppView *view);

/// Takes in the session after a tick: what was the present becomes the past.
void app_view_tick(AppView *view, Session *session);
/// Takes in the session after a start, a seek or a restart: there is no past, and all of the ground is new.
void app_view_jump(AppView *view, Session *session);
/// Levers to show until the next tick, where the session does not know those that led to its state (after a seek).
void app_view_set_levers(AppView *view, const OperatorControls *controls);

/// Fills the whole view for the moment `blend` (0 = the tick before the last, 1 = the last) except camera, menu, time line
/// and the HUD's message, hints and flags, which the caller sets afterwards. The result belongs to the AppView; its
/// pointers hold until the session's next tick. Clears the ground's dirty marks, so draw what it returns.
RenderView *app_view_build(AppView *view, Session *session, double blend);

/// Adds the debug view of the session's last tick (app_debug.c) to what app_view_build returned last.
void app_view_add_debug(AppView *view, Session *session);

/// What the debug view draws, in memory that lasts.
typedef struct AppDebug AppDebug;
AppDebug *app_debug_create(void);
void app_debug_destroy(AppDebug *own);
/// Fills view->debug and tints the particles that touch the tool; pointers hold until the next call.
void app_debug_fill(AppDebug *own, Session *session, RenderView *view);

/// The exercise's marks on the ground (app_overlay.c); returns how many lines were written.
int app_overlay_lines(Session *session, RenderLine *lines, int capacity);

#endif
