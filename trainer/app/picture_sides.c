/// Windows beside the picture's own: the same context is made current on each in turn, and the frame that the snapshot
/// holds is drawn into it once more, as its camera sees it.
#include "trainer/app/picture_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define SIDE_SHARE   0.2 ///< of a frame's time that other windows may take at least. Chosen
#define LONGEST_DEBT 0.5 ///< s that they wait at most for what one of them took. Chosen

/// Draws what the snapshot holds into another window and shows it, which waits for no screen. False: it cannot be done.
static bool draw_side(Picture *own, const PictureSide *side, int k, double delay)
{
    if (SDL_GL_MakeCurrent(side->window, own->context) != 0) {
        return false;
    }
    SDL_GL_SetSwapInterval(0);
    memcpy(own->aimed, render_snapshot_view(own->snapshot), sizeof *own->aimed);
    render_aim_at(&side->aim, own->aimed);
    render_draw_beside(own->renderer, own->aimed, k, side->width, side->height);
    render_wait();
    if (delay > 0.0) {
        SDL_Delay((Uint32)(1000.0 * delay));
    }
    SDL_GL_SwapWindow(side->window);
    return true;
}

/// The `k`th of them as it is asked for now; false: it is not to be drawn.
static bool take_side(Picture *own, int k, PictureSide *side)
{
    SDL_LockMutex(own->mutex);
    const Beside *beside = &own->beside[k];
    *side = beside->side;
    bool drawn = side->window != NULL && side->width > 0 && side->height > 0 && !beside->failed;
    SDL_UnlockMutex(own->mutex);
    return drawn;
}

/// Returns the frames before.
static int64_t note_side(Picture *own, int k, bool drawn, bool good, double seconds)
{
    SDL_LockMutex(own->mutex);
    int64_t before = own->beside[k].frames;
    own->beside[k].frames += drawn;
    own->beside[k].seconds = seconds;
    own->beside[k].failed = !good;
    SDL_UnlockMutex(own->mutex);
    if (!good) {
        fprintf(stderr, "spadework: another window cannot be drawn into (%s)\n", SDL_GetError());
    }
    return before;
}

bool picture_has_sides(Picture *own)
{
    PictureSide side;
    bool any = false;
    for (int k = 0; k < RENDER_MAX_BESIDE; k++) {
        any = take_side(own, k, &side) || any;
    }
    return any;
}

void picture_draw_sides(Picture *own, double drawing, double delay)
{
    bool left = false;
    double more = fmax(FRAME_WITHOUT_VSYNC - drawing, SIDE_SHARE * own->took);
    own->credit = fmin(own->credit + more, FRAME_WITHOUT_VSYNC);
    for (int count = 0; count < RENDER_MAX_BESIDE && own->credit > 0.0; count++) {
        PictureSide side;
        int k = own->turn;
        own->turn = (own->turn + 1) % RENDER_MAX_BESIDE;
        if (take_side(own, k, &side)) {
            double start = picture_clock();
            bool good = draw_side(own, &side, k, delay);
            double seconds = picture_clock() - start;
            bool first = note_side(own, k, good, good, seconds) == 0; // in which the driver makes things ready
            own->credit = fmax(own->credit - (first ? 0.0 : seconds), -LONGEST_DEBT);
            left = true;
        }
    }
    if (left) {
        SDL_GL_MakeCurrent(own->window, own->context);
        SDL_GL_SetSwapInterval(1);
    }
}

void picture_forgive_sides(Picture *own)
{
    for (int k = 0; k < RENDER_MAX_BESIDE; k++) {
        note_side(own, k, false, true, 0.0);
    }
}

/// ---- who runs the window -------------------------------------------------------------------------------------------

void picture_set_sides(Picture *own, const PictureSide sides[RENDER_MAX_BESIDE], bool hidden)
{
    bool goes = false;
    SDL_LockMutex(own->mutex);
    own->hidden = hidden;
    for (int k = 0; k < RENDER_MAX_BESIDE; k++) {
        Beside *beside = &own->beside[k];
        if (beside->side.window != sides[k].window) {
            goes = goes || beside->side.window != NULL;
            beside->frames = 0;
            beside->seconds = 0.0;
            beside->failed = false;
        }
        beside->side = sides[k];
    }
    SDL_UnlockMutex(own->mutex);
    if (goes) {
        picture_wait(own, -1.0);
    }
}

int64_t picture_side_frames(Picture *own, int k, double *seconds)
{
    SDL_LockMutex(own->mutex);
    int64_t frames = own->beside[k].frames;
    *seconds = own->beside[k].seconds;
    SDL_UnlockMutex(own->mutex);
    return frames;
}
