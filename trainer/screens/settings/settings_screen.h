/// The settings over a drive that stands still: those of the window count at once, levers and units with the next
/// exercise. Main thread only.
#ifndef SPADEWORK_TRAINER_SETTINGS_SCREEN_H
#define SPADEWORK_TRAINER_SETTINGS_SCREEN_H

#include "trainer/window/session_view.h"
#include "trainer/window/window.h"

/// Shows the page over the session as it is, until the person goes back. True: the window is to close.
bool settings_screen(Window *window, SessionView *behind, Session *session);

#endif
