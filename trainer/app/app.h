/// The window: menus, driving, watching, the ghost and sound; and pictures of a session without a window.
///
///     Status status = {0};
///     if (window_has_display()) {
///         return screens_run(&options, NULL, &status); // opens the window, drives, closes it; an exit code
///     }
///     OffscreenLook look = {.camera = RENDER_CAMERA_CAB};
///     if (!offscreen_shot(session, "cab.png", &look, 1280, 720, &status)) {
///         fprintf(stderr, "spadework: %s\n", status.text);
///     }
///
/// Threads: call all functions from the main thread. Drawing (picture.h) and sound (sound.h) have threads of
/// their own, which take copies; they neither delay a tick nor change a session.
/// Ownership: `create` and `open` return objects that the caller frees by `destroy` and `close`. A RenderView belongs
/// to its SessionView until the session's next tick. Sessions and recordings stay the caller's.
/// Errors: false or NULL with a Status of one line; STATUS_LACKING where the computer has no display or no OpenGL 3.3.
/// A missing sound device is no error. The screens_ functions print the line and return an exit code.
///
/// Headers from bottom to top: machine_drawing.h, camera.h, session_view.h, ghost.h, window.h, offscreen.h, screens.h.
#ifndef SPADEWORK_TRAINER_APP_DOOR_H
#define SPADEWORK_TRAINER_APP_DOOR_H

#include "trainer/app/camera.h"
#include "trainer/app/ghost.h"
#include "trainer/app/machine_drawing.h"
#include "trainer/app/offscreen.h"
#include "trainer/app/screens.h"
#include "trainer/app/session_view.h"
#include "trainer/app/window.h"

#endif
