/// What a picture is made of. Internal to picture/.
#ifndef SPADEWORK_TRAINER_PICTURE_INTERNAL_H
#define SPADEWORK_TRAINER_PICTURE_INTERNAL_H

#include <SDL.h>

#include "data/schema/load.h"
#include "render/snapshot/snapshot.h"
#include "trainer/app/fineness.h"
#include "trainer/app/picture.h"

#define FRAME_WITHOUT_VSYNC (1.0 / 60.0) ///< s

/// Another window, and what it took.
typedef struct Beside {
    PictureSide side; ///< as it was asked for last
    int64_t frames;
    double seconds; ///< of the last of them
    bool failed; ///< it cannot be drawn into, which was told
} Beside;

typedef enum Job { JOB_NONE, JOB_SHOW, JOB_READ, JOB_LEND, JOB_WRITE, JOB_QUALITY, JOB_END } Job;

struct Picture {
    SDL_Window *window;
    char shader_folder[DATA_PATH_LENGTH];
    SDL_Thread *thread;
    SDL_mutex *mutex; ///< guards what follows
    SDL_cond *changed;
    Job job; ///< what is to be done or is being done; JOB_NONE: the thread waits
    bool opened, good; ///< the thread has a context and a renderer, or has failed
    int64_t frames;
    double seconds; ///< of the last frame
    RenderQuality quality;
    PictureTrial trial;
    Beside beside[RENDER_MAX_BESIDE];
    bool hidden; ///< the window is not in sight
    // The thread's.
    SDL_GLContext context;
    Renderer *renderer; ///< NULL: the context is lost and there is no new one yet
    bool no_shadow_map, adapts;
    double shortest; ///< s that a picture is shown for at least
    bool told; ///< what pictures go without
    int drawn; ///< frames by this renderer
    int slow; ///< frames one after the other that took long
    Fineness fineness; ///< of low quality
    double share; ///< of the pixels along a side that it asks for
    bool settled; ///< the last frame was shown as fine and as whole as it can be
    double tried; ///< picture_clock: when a context was last asked for
    double last; ///< picture_clock: when the last frame was shown
    RenderView *aimed; ///< the snapshot's view as the window sees it that is being drawn
    double took; ///< s: the frame that was shown last, drawn and shown
    double credit; ///< s that other windows may take before the next frame
    int turn; ///< which of them is drawn next
    bool missed; ///< who runs the window: a view was not taken, what is dirty of the next is not all
    bool stale; ///< the same: what the window shows is not the snapshot's view, or has to be drawn anew
    // Whose job it is has these: the thread while there is one, else who runs the window.
    RenderSnapshot *snapshot;
    bool renewed; ///< a renderer knows nothing of the ground yet, or a view was not drawn
    bool stands; ///< the view is the one that the window shows
    int width, height; ///< pixels
    unsigned char *rgb, *lent; ///< [height][width][3]; the second is kept for the next time
    PictureTake *take; ///< of JOB_LEND
    void *take_context;
    const char *path;
    RenderQuality wanted;
    Status *status;
};

double picture_clock(void); ///< s
/// Waits until no job is left, at most `patience` s; below 0: as long as it takes.
bool picture_wait(Picture *picture, double patience);

/// ---- other windows (picture_sides.c); the thread's -----------------------------------------------------------------

bool picture_has_sides(Picture *picture); ///< one is to be drawn
/// After a frame that took `drawing` s to draw: what a screen of 60 Hz leaves of its time is theirs, and at least a
/// fifth of what the frame took with showing it. Who takes more waits for it. Each picture takes `delay` s longer.
void picture_draw_sides(Picture *picture, double drawing, double delay);
void picture_forgive_sides(Picture *picture); ///< there is a new context: what could not be drawn into is tried again

#endif
