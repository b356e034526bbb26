/// The settings over a drive that stands still. All count at once; the levers by who calls. Main thread only.
#ifndef SPADEWORK_TRAINER_SETTINGS_SCREEN_H
#define SPADEWORK_TRAINER_SETTINGS_SCREEN_H

#include "trainer/pilot/pilot.h"
#include "trainer/app/session_view.h"
#include "trainer/app/window.h"

typedef enum SettingsEnd {
    SETTINGS_END_BACK, ///< the person goes back, or who stands beside the drive calls him back (drive_stand)
    SETTINGS_END_CLOSE, ///< the window is to close
    SETTINGS_END_FAILED ///< the drive has, the status says why
} SettingsEnd;

/// Shows the page over the session as it is, until it is left. Who stands beside the drive is heard meanwhile.
/// behind    the session's view, which gets the units and the language that are chosen
/// controls  [DATA_PATH_LENGTH] receives the control map that is to drive from now on; "" = the same as before
SettingsEnd settings_screen(Window *window, SessionView *behind, Drive *drive, char *controls, Status *status);

#endif
