/// One mutex guards whose job it is: the thread waits for a job, draws the snapshot and says that it is done; who
/// runs the window fills the snapshot only while there is none.
#include "trainer/window/picture/picture.h"

#include <SDL.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "data/load.h"
#include "render/snapshot/snapshot.h"

/// Without vsync (Xvfb, offscreen) a frame is held back to this, s; screens up to 160 Hz are not slowed.
#define SHORTEST_FRAME      0.006
#define FRAME_WITHOUT_VSYNC (1.0 / 60.0)

// Chosen: the simulation then keeps its time on two cores; frames that do not count, and slow ones in a row after which
// the quality falls.
enum { YIELDING = 5, FIRST_FRAMES = 2, SLOW_FRAMES = 3 };

typedef enum Job { JOB_NONE, JOB_SHOW, JOB_READ, JOB_WRITE, JOB_QUALITY, JOB_END } Job;

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
    bool adapts; ///< the thread's: may still go over to low quality
    int slow; ///< the thread's: frames one after the other that took long
    // Whose job it is has these: the thread while there is one, else who runs the window.
    RenderSnapshot *snapshot;
    bool missed; ///< a view was not taken: what is dirty of the next is not all
    int width, height; ///< pixels
    unsigned char *rgb;
    const char *path;
    RenderQuality wanted;
    Status *status;
};

static double clock_now(void)
{
    return (double)SDL_GetPerformanceCounter() / (double)SDL_GetPerformanceFrequency();
}

/// ---- the thread ----------------------------------------------------------------------------------------------------

static void finish_job(Picture *own, double seconds)
{
    SDL_LockMutex(own->mutex);
    own->frames += own->job == JOB_SHOW;
    own->seconds = own->job == JOB_SHOW ? seconds : own->seconds;
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

static void show(Picture *own, double *last)
{
    SDL_GL_SwapWindow(own->window);
    double elapsed = clock_now() - *last;
    if (elapsed < SHORTEST_FRAME) {
        SDL_Delay((Uint32)((FRAME_WITHOUT_VSYNC - elapsed) * 1000.0));
    }
    *last = clock_now();
}

/// Another renderer draws from now on; the old one goes on where there is no other, with the reason in `status`.
static Renderer *replace(Picture *own, Renderer *renderer, RenderQuality quality, Status *status)
{
    Renderer *other = render_create(own->shader_folder, quality, status);
    if (other == NULL) {
        return renderer;
    }
    render_destroy(renderer);
    own->missed = true; // the new one knows nothing of the ground yet
    own->slow = 0;
    SDL_LockMutex(own->mutex);
    own->quality = quality;
    SDL_UnlockMutex(own->mutex);
    return other;
}

/// After some slow frames another renderer draws, of low quality; the first frames, for which the driver still
/// compiles, do not count.
static Renderer *adapt(Picture *own, Renderer *renderer, double seconds)
{
    own->slow = seconds > PICTURE_SLOW ? own->slow + 1 : 0;
    if (!own->adapts || own->frames < FIRST_FRAMES || own->slow < SLOW_FRAMES) {
        return renderer;
    }
    Status status;
    own->adapts = false;
    return replace(own, renderer, RENDER_QUALITY_LOW, &status);
}

/// Returns the renderer that draws at the end.
static Renderer *draw_until_end(Picture *own, Renderer *renderer)
{
    double last = clock_now();
    for (Job job = next_job(own); job != JOB_END; job = next_job(own)) {
        double start = clock_now();
        if (job == JOB_QUALITY) {
            renderer = replace(own, renderer, own->wanted, own->status);
            finish_job(own, 0.0);
            continue;
        }
        render_draw(renderer, render_snapshot_view(own->snapshot), own->width, own->height);
        if (job == JOB_SHOW) {
            show(own, &last);
            renderer = adapt(own, renderer, clock_now() - start);
        } else if (job == JOB_READ) {
            render_read_pixels(own->width, own->height, own->rgb);
        } else {
            render_write_png(own->path, own->width, own->height, own->status);
        }
        finish_job(own, clock_now() - start);
    }
    return renderer;
}

static Renderer *open_renderer(Picture *own, SDL_GLContext *context)
{
    *context = SDL_GL_CreateContext(own->window);
    if (*context == NULL) {
        status_fail(own->status, STATUS_LACKING,
                    "window: cannot make an OpenGL 3.3 window (%s); use --headless, with --shot OUT.png for a picture",
                    SDL_GetError());
        return NULL;
    }
    SDL_GL_SetSwapInterval(1);
    return render_create(own->shader_folder, own->quality, own->status);
}

/// Of this thread alone, as Linux has it, and of those that it starts: the driver's. Lower still, and whatever else
/// runs on the computer would stop the picture.
static void yield(void)
{
    if (nice(YIELDING) == -1) {
        return; // it draws as it is
    }
}

static int run(void *context)
{
    Picture *own = context;
    SDL_GLContext gl = NULL;
    yield();
    Renderer *renderer = open_renderer(own, &gl);
    SDL_LockMutex(own->mutex);
    own->opened = true;
    own->good = renderer != NULL;
    SDL_CondSignal(own->changed);
    SDL_UnlockMutex(own->mutex);
    if (renderer != NULL) {
        render_destroy(draw_until_end(own, renderer));
    }
    if (gl != NULL) {
        SDL_GL_DeleteContext(gl);
    }
    return 0;
}

/// ---- who runs the window -------------------------------------------------------------------------------------------

static bool start(Picture *own)
{
    own->mutex = SDL_CreateMutex();
    own->changed = SDL_CreateCond();
    own->thread = own->mutex != NULL && own->changed != NULL ? SDL_CreateThread(run, "picture", own) : NULL;
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

Picture *picture_open(SDL_Window *window, const char *shader_folder, RenderQuality quality, bool adapts, Status *status)
{
    Picture *own = calloc(1, sizeof *own);
    if (own == NULL) {
        abort();
    }
    own->window = window;
    snprintf(own->shader_folder, sizeof own->shader_folder, "%s", shader_folder);
    own->quality = quality;
    own->adapts = adapts && quality == RENDER_QUALITY_HIGH;
    own->status = status;
    own->snapshot = render_snapshot_create();
    own->missed = true;
    if (!start(own)) {
        picture_close(own);
        return NULL;
    }
    return own;
}

/// Waits until no job is left, at most `patience` s; below 0: as long as it takes.
static bool wait_ready(Picture *own, double patience)
{
    double end = clock_now() + patience;
    SDL_LockMutex(own->mutex);
    while (own->job != JOB_NONE) {
        double left = end - clock_now();
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

/// Gives the thread, which waits, a job.
static void give(Picture *own, Job job)
{
    SDL_LockMutex(own->mutex);
    own->job = job;
    SDL_CondSignal(own->changed);
    SDL_UnlockMutex(own->mutex);
}

static void take_view(Picture *own, const RenderView *view, int width, int height)
{
    render_snapshot_take(own->snapshot, view, own->missed);
    own->missed = false;
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
            wait_ready(own, -1.0);
            give(own, JOB_END);
        }
        SDL_WaitThread(own->thread, NULL);
    }
    SDL_DestroyCond(own->changed);
    SDL_DestroyMutex(own->mutex);
    render_snapshot_destroy(own->snapshot);
    free(own);
}

bool picture_is_ready(Picture *own)
{
    return wait_ready(own, 0.0);
}

bool picture_show(Picture *own, const RenderView *view, int width, int height, double patience)
{
    if (!wait_ready(own, patience)) {
        own->missed = true;
        return false;
    }
    take_view(own, view, width, height);
    give(own, JOB_SHOW);
    return true;
}

unsigned char *picture_read(Picture *own, const RenderView *view, int width, int height)
{
    wait_ready(own, -1.0);
    own->rgb = malloc(3 * (size_t)width * (size_t)height);
    if (own->rgb != NULL) {
        take_view(own, view, width, height);
        give(own, JOB_READ);
        wait_ready(own, -1.0);
    }
    return own->rgb;
}

bool picture_write_png(Picture *own, const RenderView *view, int width, int height, const char *path, Status *status)
{
    wait_ready(own, -1.0);
    own->path = path;
    own->status = status;
    take_view(own, view, width, height);
    status_good(status);
    give(own, JOB_WRITE);
    wait_ready(own, -1.0);
    return status->code == STATUS_GOOD;
}

bool picture_set_quality(Picture *own, RenderQuality quality, bool adapts, Status *status)
{
    wait_ready(own, -1.0);
    status_good(status);
    own->adapts = adapts && quality == RENDER_QUALITY_HIGH;
    if (quality != picture_quality(own)) {
        own->wanted = quality;
        own->status = status;
        give(own, JOB_QUALITY);
        wait_ready(own, -1.0);
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

int64_t picture_frames(Picture *own, double *seconds)
{
    SDL_LockMutex(own->mutex);
    int64_t frames = own->frames;
    *seconds = own->seconds;
    SDL_UnlockMutex(own->mutex);
    return frames;
}
