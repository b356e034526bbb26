/// Windows beside the main one with a camera of their own, for an instructor's second screen or a side screen. Keys
/// work in them as in the main one; mouse and fingers turn the window's own camera, a digit chooses it, F11 fills the
/// screen, and closing one closes it alone. Main thread only.
#ifndef SPADEWORK_TRAINER_SIDE_WINDOWS_H
#define SPADEWORK_TRAINER_SIDE_WINDOWS_H

#include <SDL.h>

#include "data/core/status.h"
#include "data/schema/settings_params.h"
#include "trainer/app/camera.h"
#include "trainer/app/commands.h"
#include "trainer/app/picture.h"

typedef struct SideWindow {
    SettingsSide set;
    SDL_Window *window; ///< NULL: it is closed
    Camera camera; ///< outlives the window
    bool begun; ///< the camera is one
    Pointer pointer;
} SideWindow;

/// Zero-initialise.
typedef struct SideWindows {
    int count; ///< 0..SETTINGS_MOST_SIDES
    SideWindow side[SETTINGS_MOST_SIDES];
} SideWindows;

/// Configures and opens the windows. False with `status` (STATUS_LACKING): a display is not there, with what is
/// allowed, or SDL can make no window; those that can be opened are open.
bool side_windows_set(SideWindows *sides, const SettingsSides *wanted, Picture *picture, Status *status);
/// Opens the closed windows; with none closed, closes all. Where none was configured, opens one with the orbit camera.
bool side_windows_toggle(SideWindows *sides, Picture *picture, Status *status);
void side_windows_close(SideWindows *sides, Picture *picture); ///< all of them

/// True when an event was for one of these windows alone.
bool side_windows_take(SideWindows *sides, const SDL_Event *event, Picture *picture);
/// Moves the camera of the window that has the keyboard by the held keys; false: none has, or its camera is not flown.
bool side_windows_fly(SideWindows *sides, const CameraKeys *keys, double dt);

bool side_windows_are_seen(const SideWindows *sides); ///< one is open and not minimised
/// m: greatest height of a section among their cameras; 0: none.
double side_windows_section(const SideWindows *sides);
/// Passes the views of their cameras to the picture. Changes the view's own camera.
/// hidden  the main window is not in sight
void side_windows_show(SideWindows *sides, RenderView *view, Picture *picture, bool hidden);

#endif
