/// The screens of the window: driving (with its pause menu), watching a recording, choosing a scene.
#ifndef SPADEWORK_TRAINER_SCREEN_H
#define SPADEWORK_TRAINER_SCREEN_H

#include "trainer/pilot/pilot.h"
#include "trainer/app/window.h"

typedef enum ScreenEnd {
    SCREEN_END_LEAVE, ///< back to where it was started from
    SCREEN_END_CLOSE, ///< the window is to go
    SCREEN_END_TAKE_OVER, ///< watching only: drive on from `at`
    SCREEN_END_FAILED ///< the status says why
} ScreenEnd;

/// Opens the program's window as the user's settings and the command line say; settings that cannot be read are told on
/// stderr and left aside. NULL with `status`: there is no window.
Window *screen_open_window(const RunOptions *options, Status *status);

/// Drives until the person leaves, the drive's end (drive_create), or a failure. `params`: without devices, which are
/// the window's. `recorded` receives the path of the last recording written, "" when none.
ScreenEnd drive_screen(Window *window, const DriveParams *params, char recorded[DATA_PATH_LENGTH], Status *status);

/// Shows a recording from second `from`. `at` (s) receives where it stood at the end.
ScreenEnd watch_screen(Window *window, const char *path, double from, const RunOptions *options, double *at,
                       Status *status);
/// Watching, with as many takings over as the person likes; new recordings lie beside the old one.
ScreenEnd watch_and_drive(Window *window, const char *path, double from, const RunOptions *options, Status *status);

/// Lets the mouse turn and the wheel move the camera, and the camera command go to the next one.
void screen_move_camera(Window *window, const WindowInput *input);
/// Goes on by so many cameras, or back.
void screen_next_camera(Window *window, int steps);
const char *camera_name(RenderCamera camera); ///< "cab", ...

#endif
