/// The settings over a drive that stands still. All count at once; the levers by who calls. Main thread only.
#ifndef SPADEWORK_TRAINER_SETTINGS_SCREEN_H
#define SPADEWORK_TRAINER_SETTINGS_SCREEN_H

#include "trainer/window/session_view.h"
#include "trainer/window/window.h"

/// Shows the page over the session as it is, until the person goes back. True: the window is to close.
/// behind    the session's view, which gets the units and the language that are chosen
/// controls  [DATA_PATH_LENGTH] receives the control map that is to drive from now on; "" = the same as before
bool settings_screen(Window *window, SessionView *behind, Session *session, char *controls);

#endif
