/// The window: the menu, driving, the pages before and after a drive, replays and pictures (screens.h, offscreen.h),
/// and what is drawn and heard in them. Main thread only.
#ifndef SPADEWORK_TRAINER_APP_DOOR_H
#define SPADEWORK_TRAINER_APP_DOOR_H

#include "trainer/app/camera.h"
#include "trainer/app/ghost.h"
#include "trainer/app/offscreen.h"
#include "trainer/app/screens.h"
#include "trainer/app/session_view.h"
#include "trainer/app/window.h"

#endif
