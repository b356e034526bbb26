/// The screens of the window: driving (with its pause menu), watching a recording, choosing a scene.
#ifndef SPADEWORK_TRAINER_APP_SCREENS_H
#define SPADEWORK_TRAINER_APP_SCREENS_H

#include "trainer/window/app_drive.h"
#include "trainer/window/app_window.h"

typedef enum AppEnd {
    APP_END_LEAVE, ///< back to where it was started from
    APP_END_CLOSE, ///< the window is to go
    APP_END_TAKE_OVER, ///< watching only: drive on from `tick`
    APP_END_FAILED ///< the status says why
} AppEnd;

/// Drives until the person leaves, --seconds are over, a script or `auto` has ended, or something fails. `recorded`
/// receives the path of the last recording written, "" when none.
AppEnd app_drive_screen(AppWindow *window, const AppDriveStart *start, char recorded[DATA_PATH_LENGTH], Status *status);

/// Shows a recording from second `from`. `tick` receives where it stood at the end.
AppEnd app_watch_screen(AppWindow *window, const char *path, double from, int threads, int64_t *tick, Status *status);
/// Watching, with as many takings over as the person likes; new recordings lie beside the old one.
AppEnd app_watch_and_drive(AppWindow *window, const char *path, double from, const RunOptions *options, Status *status);

/// Lets the mouse turn and the wheel move the camera, and the camera command go to the next one.
void app_move_camera(AppWindow *window, const AppInput *input);
const char *app_camera_name(RenderCamera camera); ///< "cab", ...

#endif
