/// Draws a window on its own thread. One mutex guards the current job: the thread waits for a job, draws the snapshot
/// and reports that it is done; the window's thread fills the snapshot only while there is no job.
#include "trainer/app/picture.h"

#include <SDL.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "data/schema/schema.h"

#define FRAME_WITHOUT_VSYNC (1.0 / 60.0) ///< s

/// Another window, and what it took.
typedef struct Beside {
    PictureSide side; ///< as it was asked for last
    int64_t frames;
    double seconds; ///< of the last of them
    bool failed; ///< it cannot be drawn into; reported once
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
    bool no_shadow_map, adapts, low_in_software;
    double shortest; ///< s that a picture is shown for at least
    bool told; ///< what pictures go without
    int drawn; ///< frames by this renderer
    int slow; ///< frames one after the other that took long
    Fineness fineness; ///< of low quality
    double share; ///< of the pixels along a side that it asks for
    bool settled; ///< the last frame was shown as fine and as whole as it can be
    double tried; ///< read_clock: when a context was last asked for
    double last; ///< read_clock: when the last frame was shown
    RenderView *aimed; ///< the snapshot's view as the window sees it that is being drawn
    double took; ///< s: the frame that was shown last, drawn and shown
    double credit; ///< s that other windows may take before the next frame
    int turn; ///< which of them is drawn next
    bool missed; ///< window's thread: a view was skipped, so the next one's dirty marks are incomplete
    bool stale; ///< the same: what the window shows is not the snapshot's view, or has to be drawn anew
    // Owned by the thread while there is a job, else by the window's thread.
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

/// ---- resolution on slow computers ----------------------------------------------------------------------------------

/// Quality steps down above FINENESS_SLOW and up below FINENESS_QUICK; the gap exceeds one notch's cost, so it cannot
/// oscillate.

static const double shares[] = {1.0, 0.85, 0.72, FINENESS_LEAST};

enum { LAST_NOTCH = sizeof shares / sizeof shares[0] - 1 };

double fineness_next(Fineness *fineness, double seconds)
{
    fineness->slow = seconds > FINENESS_SLOW ? fineness->slow + 1 : 0;
    fineness->quick = seconds < FINENESS_QUICK ? fineness->quick + 1 : 0;
    if (fineness->slow >= FINENESS_SLOW_PICTURES) {
        fineness->notch += fineness->notch < LAST_NOTCH;
        fineness->slow = 0;
    } else if (fineness->quick >= FINENESS_QUICK_PICTURES) {
        fineness->notch -= fineness->notch > 0;
        fineness->quick = 0;
    }
    return shares[fineness->notch];
}

/// ---- other windows -------------------------------------------------------------------------------------------------

/// The same context is made current on each other window in turn, and the snapshot's frame is drawn into it from that
/// window's camera.

#define SIDE_SHARE   0.2 ///< of a frame's time that other windows may take at least. Chosen
#define LONGEST_DEBT 0.5 ///< s that they wait at most for what one of them took. Chosen

/// Monotonic time, s.
static double read_clock(void)
{
    return (double)SDL_GetPerformanceCounter() / (double)SDL_GetPerformanceFrequency();
}

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

/// Copies the present request of window `k`; false: it is not to be drawn.
static bool take_side(Picture *own, int k, PictureSide *side)
{
    SDL_LockMutex(own->mutex);
    const Beside *beside = &own->beside[k];
    *side = beside->side;
    bool drawn = side->window != NULL && side->width > 0 && side->height > 0 && !beside->failed;
    SDL_UnlockMutex(own->mutex);
    return drawn;
}

/// Counts a frame; returns the count before.
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

/// True when one of the other windows is to be drawn.
static bool has_sides(Picture *own)
{
    PictureSide side;
    bool any = false;
    for (int k = 0; k < RENDER_MAX_BESIDE; k++) {
        any = take_side(own, k, &side) || any;
    }
    return any;
}

/// After a frame that took `drawing` s to draw: what a screen of 60 Hz leaves of its time is theirs, and at least a
/// fifth of what the frame took with showing it. Time over that is owed. Each picture takes `delay` s longer.
static void draw_sides(Picture *own, double drawing, double delay)
{
    bool left = false;
    double more = fmax(FRAME_WITHOUT_VSYNC - drawing, SIDE_SHARE * own->took);
    own->credit = fmin(own->credit + more, FRAME_WITHOUT_VSYNC);
    for (int count = 0; count < RENDER_MAX_BESIDE && own->credit > 0.0; count++) {
        PictureSide side;
        int k = own->turn;
        own->turn = (own->turn + 1) % RENDER_MAX_BESIDE;
        if (take_side(own, k, &side)) {
            double start = read_clock();
            bool good = draw_side(own, &side, k, delay);
            double seconds = read_clock() - start;
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

/// With a new context, windows that could not be drawn into are tried again.
static void retry_sides(Picture *own)
{
    for (int k = 0; k < RENDER_MAX_BESIDE; k++) {
        note_side(own, k, false, true, 0.0);
    }
}

/// ---- the picture ---------------------------------------------------------------------------------------------------

/// Without vsync (Xvfb, offscreen) a frame is held back to FRAME_WITHOUT_VSYNC, s; screens up to 160 Hz are not slowed.
#define SHORTEST_FRAME 0.006
/// The environment may ask for fewer pictures a second, 1..60: computers that draw in software then have time for more.
#define FEWER_PICTURES "SPADEWORK_PICTURES_PER_SECOND"

#define FAR_TOO_SLOW (2.0 * PICTURE_SLOW) ///< s: medium quality saves less than half (bench run render)
#define NEXT_CONTEXT 1.0 ///< s between two tries for a new context. Chosen

// Chosen: the simulation then keeps its time on two cores; frames of a renderer that do not count, since the driver
// still compiles, and slow ones in a row after which the quality falls.
enum { YIELDING = 5, FIRST_FRAMES = 2, SLOW_FRAMES = 3 };

/// ---- the thread ----------------------------------------------------------------------------------------------------

static void finish_job(Picture *own)
{
    SDL_LockMutex(own->mutex);
    own->seconds = own->took;
    own->job = JOB_NONE;
    SDL_CondSignal(own->changed);
    SDL_UnlockMutex(own->mutex);
}

static Job next_job(Picture *own)
{
    SDL_LockMutex(own->mutex);
    while (own->job == JOB_NONE) {
        SDL_CondWait(own->changed, own->mutex);
    }
    Job job = own->job;
    SDL_UnlockMutex(own->mutex);
    return job;
}

static PictureTrial trial_of(Picture *own)
{
    SDL_LockMutex(own->mutex);
    PictureTrial trial = own->trial;
    own->trial.lost = false;
    SDL_UnlockMutex(own->mutex);
    return trial;
}

/// Returns the s that it waited because fewer pictures are asked for than a screen shows.
static double show_frame(Picture *own)
{
    SDL_LockMutex(own->mutex);
    bool hidden = own->hidden;
    SDL_UnlockMutex(own->mutex);
    if (!hidden) { // a compositor may block the swap of a hidden window
        SDL_GL_SwapWindow(own->window);
    }
    double elapsed = read_clock() - own->last;
    if (elapsed < own->shortest) {
        SDL_Delay((Uint32)((fmax(own->shortest, FRAME_WITHOUT_VSYNC) - elapsed) * 1000.0));
    }
    own->last = read_clock();
    return fmax(own->shortest - fmax(elapsed, FRAME_WITHOUT_VSYNC), 0.0);
}

/// ---- the renderer and its context ----------------------------------------------------------------------------------

/// Replaces the renderer, or keeps the old one where a new one cannot be created. A new one knows nothing
/// of the ground yet: the next view is drawn whole.
static bool take_renderer(Picture *own, RenderQuality quality, Status *status)
{
    Renderer *renderer = render_create(
        &(RenderParams){.shader_folder = own->shader_folder, .quality = quality, .no_shadow_map = own->no_shadow_map},
        status);
    if (renderer == NULL) {
        return false;
    }
    render_destroy(own->renderer);
    own->renderer = renderer;
    own->renewed = true;
    own->drawn = own->slow = 0;
    own->fineness = (Fineness){0};
    own->share = 1.0;
    SDL_LockMutex(own->mutex);
    own->quality = quality;
    SDL_UnlockMutex(own->mutex);
    if (render_lack(renderer) != NULL && !own->told) {
        fprintf(stderr, "spadework: %s\n", render_lack(renderer));
        own->told = true;
    }
    return true;
}

/// After some slow frames another renderer draws, of lower quality; low quality draws less finely.
static void adapt_quality(Picture *own, double seconds)
{
    Status status;
    own->drawn++;
    if (own->quality == RENDER_QUALITY_LOW && own->drawn > FIRST_FRAMES) {
        own->share = fineness_next(&own->fineness, seconds);
    }
    own->slow = own->drawn > FIRST_FRAMES && seconds > PICTURE_SLOW ? own->slow + 1 : 0;
    if (!own->adapts || own->slow < SLOW_FRAMES) {
        return;
    }
    bool medium = own->quality == RENDER_QUALITY_HIGH && seconds < FAR_TOO_SLOW;
    own->adapts = take_renderer(own, medium ? RENDER_QUALITY_MEDIUM : RENDER_QUALITY_LOW, &status) && medium;
}

/// The quality to start with. Without a graphics card high and medium would be too slow, and the frames that show it
/// take seconds, so automatic quality begins where it would end.
static RenderQuality first_quality(Picture *own, RenderQuality asked)
{
    if (!own->adapts || !own->low_in_software || !render_is_in_software()) {
        return asked;
    }
    own->adapts = false;
    return RENDER_QUALITY_LOW;
}

/// Creates a context that reports its loss, where the driver offers one.
static bool open_context(Picture *own)
{
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_RESET_NOTIFICATION, SDL_GL_CONTEXT_RESET_LOSE_CONTEXT);
    own->context = SDL_GL_CreateContext(own->window);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_RESET_NOTIFICATION, SDL_GL_CONTEXT_RESET_NO_NOTIFICATION);
    if (own->context == NULL) {
        own->context = SDL_GL_CreateContext(own->window);
    }
    if (own->context != NULL) {
        SDL_GL_SetSwapInterval(1);
    }
    return own->context != NULL;
}

static void close_context(Picture *own)
{
    render_destroy(own->renderer);
    own->renderer = NULL;
    if (own->context != NULL) {
        SDL_GL_DeleteContext(own->context);
        own->context = NULL;
    }
}

static bool open_renderer(Picture *own, Status *status)
{
    if (!open_context(own)) {
        return status_fail(
            status, STATUS_LACKING,
            "window: cannot make an OpenGL 3.3 window (%s); use --headless, with --shot OUT.png for a picture",
            SDL_GetError());
    }
    return take_renderer(own, first_quality(own, own->quality), status);
}

/// Replaces a lost context; one line on stderr reports the loss, one the replacement.
static void reopen(Picture *own)
{
    Status status;
    if (own->renderer != NULL) {
        fprintf(stderr, "spadework: the graphics card has lost the picture (context lost); it is made anew\n");
        close_context(own);
    } else if (read_clock() - own->tried < NEXT_CONTEXT) {
        return;
    }
    own->tried = read_clock();
    if (open_renderer(own, &status)) {
        fprintf(stderr, "spadework: the picture is back\n");
        retry_sides(own);
    } else {
        close_context(own);
    }
}

/// True where it is known how long a frame of this renderer takes, so that no other one will be wanted.
static bool is_measured(const Picture *own)
{
    return own->drawn >= FIRST_FRAMES + SLOW_FRAMES && (own->slow == 0 || !own->adapts);
}

/// Waits as long as a frame would take, for a view that is unchanged.
static void rest_still(Picture *own)
{
    double left = fmax(own->shortest, FRAME_WITHOUT_VSYNC) - (read_clock() - own->last);
    if (left > 0.0) {
        SDL_Delay((Uint32)(left * 1000.0));
    }
    own->last = read_clock();
    if (render_is_lost()) {
        reopen(own);
    }
}

static void count_frame(Picture *own)
{
    SDL_LockMutex(own->mutex);
    own->frames++;
    SDL_UnlockMutex(own->mutex);
}

static void do_job(Picture *own, Job job)
{
    double start = read_clock();
    PictureTrial trial = trial_of(own);
    bool finest = job != JOB_SHOW || (own->stands && is_measured(own)); // what is kept, and what stands
    render_set_fineness(own->renderer, finest ? 1.0 : own->share, finest);
    render_draw(own->renderer, render_snapshot_view(own->snapshot), own->width, own->height);
    if (trial.delay > 0.0) {
        SDL_Delay((Uint32)(1000.0 * trial.delay));
    }
    if (job == JOB_READ) {
        render_read_pixels(own->width, own->height, own->rgb);
    } else if (job == JOB_LEND) {
        render_read_pixels(own->width, own->height, own->lent);
        own->take(own->take_context, own->lent, own->width, own->height);
    } else if (job == JOB_WRITE) {
        render_write_png(own->path, own->width, own->height, own->status);
    } else {
        if (has_sides(own)) {
            render_wait();
        }
        double drawing = read_clock() - start;
        double waited = show_frame(own);
        own->took = read_clock() - start - waited;
        draw_sides(own, drawing, trial.side_delay);
        count_frame(own);
        own->settled = finest;
        if (!finest) {
            adapt_quality(own, own->took);
        }
    }
    if (trial.lost || render_is_lost()) {
        reopen(own);
    }
}

/// Without a renderer a picture that is read is black.
static void do_without(Picture *own, Job job)
{
    if (job == JOB_READ) {
        memset(own->rgb, 0, 3 * (size_t)own->width * (size_t)own->height);
    } else if (job == JOB_LEND) {
        own->renewed = true;
    } else if (job == JOB_WRITE) {
        status_fail(own->status, STATUS_LACKING, "%s: not written: the graphics card has lost the picture", own->path);
    } else {
        own->renewed = true;
        SDL_Delay((Uint32)(FRAME_WITHOUT_VSYNC * 1000.0));
    }
}

/// Changes to the wanted quality; without a context it applies to the next one.
static void change_quality(Picture *own)
{
    if (own->renderer != NULL) {
        RenderQuality quality = first_quality(own, own->wanted);
        if (quality != own->quality) {
            take_renderer(own, quality, own->status);
        }
        return;
    }
    SDL_LockMutex(own->mutex);
    own->quality = own->wanted;
    SDL_UnlockMutex(own->mutex);
}

static bool may_rest(Picture *own, Job job)
{
    return job == JOB_SHOW && own->stands && is_measured(own) && own->settled && !has_sides(own);
}

static void draw_until_end(Picture *own)
{
    own->last = read_clock();
    for (Job job = next_job(own); job != JOB_END; job = next_job(own)) {
        if (job == JOB_QUALITY) {
            change_quality(own);
            finish_job(own);
            continue;
        }
        if (own->renderer == NULL) {
            reopen(own);
        }
        if (own->renderer != NULL && may_rest(own, job)) {
            rest_still(own);
        } else if (own->renderer != NULL) {
            do_job(own, job);
        } else {
            do_without(own, job);
        }
        finish_job(own);
    }
}

/// Lowers the priority of this thread and of those that it starts (Linux), the driver's. Lower still, and other
/// programs would stop the picture.
static void lower_priority(void)
{
    if (nice(YIELDING) == -1) {
        return; // it draws as it is
    }
}

static int run_thread(void *context)
{
    Picture *own = context;
    lower_priority();
    bool good = open_renderer(own, own->status);
    SDL_LockMutex(own->mutex);
    own->opened = true;
    own->good = good;
    SDL_CondSignal(own->changed);
    SDL_UnlockMutex(own->mutex);
    if (good) {
        draw_until_end(own);
    }
    close_context(own);
    return 0;
}

/// ---- the window's thread -------------------------------------------------------------------------------------------

static bool start_thread(Picture *own)
{
    own->mutex = SDL_CreateMutex();
    own->changed = SDL_CreateCond();
    own->thread = own->mutex != NULL && own->changed != NULL ? SDL_CreateThread(run_thread, "picture", own) : NULL;
    if (own->thread == NULL) {
        return status_fail(own->status, STATUS_LACKING, "window: cannot start a thread (%s)", SDL_GetError());
    }
    SDL_LockMutex(own->mutex);
    while (!own->opened) {
        SDL_CondWait(own->changed, own->mutex);
    }
    SDL_UnlockMutex(own->mutex);
    return own->good;
}

/// Least time that a picture is shown, s.
static double shortest_frame(void)
{
    const char *asked = SDL_getenv(FEWER_PICTURES);
    char *end = NULL;
    double rate = asked != NULL ? strtod(asked, &end) : 0.0;
    if (asked == NULL || (end != asked && *end == '\0' && rate >= 1.0 && rate <= 60.0)) {
        return asked != NULL ? 1.0 / rate : SHORTEST_FRAME;
    }
    fprintf(stderr, "spadework: %s=%s is not used; allowed: 1 to 60\n", FEWER_PICTURES, asked);
    return SHORTEST_FRAME;
}

Picture *picture_open(const PictureParams *params, Status *status)
{
    Picture *own = calloc(1, sizeof *own);
    if (own == NULL) {
        abort();
    }
    own->window = params->window;
    snprintf(own->shader_folder, sizeof own->shader_folder, "%s", params->shader_folder);
    own->quality = params->quality;
    own->adapts = params->adapts && params->quality != RENDER_QUALITY_LOW;
    own->low_in_software = params->low_in_software;
    own->no_shadow_map = params->no_shadow_map;
    own->shortest = shortest_frame();
    own->status = status;
    own->snapshot = render_snapshot_create();
    own->aimed = calloc(1, sizeof *own->aimed);
    if (own->aimed == NULL) {
        abort();
    }
    own->missed = true;
    if (!start_thread(own)) {
        picture_close(own);
        return NULL;
    }
    return own;
}

/// Waits until no job is left, at most `patience` s; below 0: as long as it takes.
static bool wait_for_job(Picture *own, double patience)
{
    double end = read_clock() + patience;
    SDL_LockMutex(own->mutex);
    while (own->job != JOB_NONE) {
        double left = end - read_clock();
        if (patience >= 0.0 && left <= 0.0) {
            break;
        }
        if (patience < 0.0) {
            SDL_CondWait(own->changed, own->mutex);
        } else {
            SDL_CondWaitTimeout(own->changed, own->mutex, (Uint32)(1000.0 * left) + 1);
        }
    }
    bool ready = own->job == JOB_NONE;
    SDL_UnlockMutex(own->mutex);
    return ready;
}

/// Passes a job to the waiting thread.
static void give_job(Picture *own, Job job)
{
    SDL_LockMutex(own->mutex);
    own->job = job;
    SDL_CondSignal(own->changed);
    SDL_UnlockMutex(own->mutex);
}

static void take_view(Picture *own, const RenderView *view, int width, int height)
{
    bool whole = own->missed || own->renewed;
    render_snapshot_take(own->snapshot, view, whole);
    own->stands =
        !whole && !own->stale && !render_snapshot_is_new(own->snapshot) && own->width == width && own->height == height;
    own->missed = own->renewed = false;
    own->stale = true; // until it is shown
    own->width = width;
    own->height = height;
}

void picture_close(Picture *own)
{
    if (own == NULL) {
        return;
    }
    if (own->thread != NULL) {
        if (own->good) {
            wait_for_job(own, -1.0);
            give_job(own, JOB_END);
        }
        SDL_WaitThread(own->thread, NULL);
    }
    SDL_DestroyCond(own->changed);
    SDL_DestroyMutex(own->mutex);
    render_snapshot_destroy(own->snapshot);
    free(own->aimed);
    free(own->lent);
    free(own);
}

bool picture_is_ready(Picture *own)
{
    return wait_for_job(own, 0.0);
}

bool picture_show(Picture *own, const RenderView *view, int width, int height, double patience)
{
    if (!wait_for_job(own, patience)) {
        own->missed = true;
        return false;
    }
    take_view(own, view, width, height);
    own->stale = false;
    give_job(own, JOB_SHOW);
    return true;
}

void picture_refresh(Picture *own)
{
    own->stale = true;
}

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
        wait_for_job(own, -1.0);
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

unsigned char *picture_read(Picture *own, const RenderView *view, int width, int height)
{
    wait_for_job(own, -1.0);
    own->rgb = malloc(3 * (size_t)width * (size_t)height);
    if (own->rgb != NULL) {
        take_view(own, view, width, height);
        give_job(own, JOB_READ);
        wait_for_job(own, -1.0);
    }
    return own->rgb;
}

bool picture_lend(Picture *own, const RenderView *view, int width, int height, PictureTake *take, void *context)
{
    if (!picture_is_ready(own)) {
        return false;
    }
    unsigned char *lent = realloc(own->lent, 3 * (size_t)width * (size_t)height);
    if (lent == NULL) {
        return false;
    }
    own->lent = lent;
    own->take = take;
    own->take_context = context;
    take_view(own, view, width, height);
    give_job(own, JOB_LEND);
    return true;
}

bool picture_write_png(Picture *own, const RenderView *view, int width, int height, const char *path, Status *status)
{
    wait_for_job(own, -1.0);
    own->path = path;
    own->status = status;
    take_view(own, view, width, height);
    status_good(status);
    give_job(own, JOB_WRITE);
    wait_for_job(own, -1.0);
    return status->code == STATUS_GOOD;
}

bool picture_set_quality(Picture *own, RenderQuality quality, bool adapts, Status *status)
{
    wait_for_job(own, -1.0);
    status_good(status);
    own->adapts = adapts && quality != RENDER_QUALITY_LOW;
    if (own->adapts || quality != picture_quality(own)) {
        own->wanted = quality;
        own->status = status;
        give_job(own, JOB_QUALITY);
        wait_for_job(own, -1.0);
    }
    return status->code == STATUS_GOOD;
}

RenderQuality picture_quality(Picture *own)
{
    SDL_LockMutex(own->mutex);
    RenderQuality quality = own->quality;
    SDL_UnlockMutex(own->mutex);
    return quality;
}

void picture_try(Picture *own, const PictureTrial *trial)
{
    SDL_LockMutex(own->mutex);
    own->trial = *trial;
    SDL_UnlockMutex(own->mutex);
    picture_refresh(own);
}

int64_t picture_frames(Picture *own, double *seconds)
{
    SDL_LockMutex(own->mutex);
    int64_t frames = own->frames;
    *seconds = own->seconds;
    SDL_UnlockMutex(own->mutex);
    return frames;
}
