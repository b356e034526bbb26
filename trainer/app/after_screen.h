/// The page that follows a drive.
#ifndef SPADEWORK_TRAINER_AFTER_SCREEN_H
#define SPADEWORK_TRAINER_AFTER_SCREEN_H

#include "trainer/app/end_page.h"
#include "trainer/app/screen.h"
#include "trainer/app/session_view.h"

/// A drive that is closed, not yet destroyed.
typedef struct AfterParams {
    const Drive *drive;
    SessionView *view; ///< of its session
    const ScoreTrail *trail; ///< how the score stood
    const char *recorded; ///< path, "" = nothing was recorded
} AfterParams;

/// Shows the page until the person leaves, starts again or goes to the next exercise (END_LEAVE, END_AGAIN, END_NEXT).
/// wish  what is done at once: END_DEBRIEF, END_WATCH, END_LOOK + a mistake's number; END_NOTHING: nothing
/// next  receives the next exercise
/// end   receives SCREEN_END_CLOSE when the window is to go, else SCREEN_END_LEAVE
EndChoice after_screen(Window *window, const AfterParams *params, int wish, NextExercise *next, ScreenEnd *end);

#endif
