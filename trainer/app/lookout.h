/// Pictures of what the operator sees, for who stands beside a drive (DriveGuide): where the window draws, from its own
/// view; of a drive without a window from a copy of the session's view, drawn by a thread of its own. A tick waits for
/// neither. Main thread.
#ifndef SPADEWORK_TRAINER_LOOKOUT_H
#define SPADEWORK_TRAINER_LOOKOUT_H

#include "trainer/pilot/pilot.h"
#include "trainer/app/window.h"

enum { LOOKOUT_WIDTH = 640, LOOKOUT_HEIGHT = 360 }; ///< pixels

/// Draws the view unseen when the guide wants a picture, and returns true: it is then not to be shown.
/// guide  NULL is nothing
bool lookout_lend(Window *window, RenderView *view, const DriveGuide *guide);

/// The lookout of a drive without a window. Zero at first; it makes what it draws with when a picture is first wanted,
/// and tells once where the computer cannot draw.
typedef struct Lookout {
    const DriveGuide *guide; ///< NULL: nobody looks
    struct SDL_Window *window;
    struct SessionView *view;
    struct Picture *picture;
    int64_t tick; ///< of the session, at the last picture
    bool failed;
} Lookout;
/// After each round of the drive.
void lookout_look(Lookout *lookout, Session *session);
/// Another session is driven from now on, or none.
void lookout_close(Lookout *lookout);

#endif
