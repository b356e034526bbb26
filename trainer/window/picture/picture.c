#include "trainer/window/picture/picture.h"

#include <SDL.h>
#include <stdlib.h>
#include <unistd.h>

#include "render/snapshot/snapshot.h"

/// Without vsync (Xvfb, offscreen) a frame is held back to this, s; screens up to 160 Hz are not slowed.
#define SHORTEST_FRAME      0.006
#define FRAME_WITHOUT_VSYNC (1.0 / 60.0)

enum {
    YIELDING = 5
}; ///< by so much the thread is nicer than the simulation. Chosen: it then keeps its time on two cores

typedef enum Job { JOB_NONE, JOB_SHOW, JOB_READ, JOB_WRITE, JOB_END } Job;

struct Picture {
    SDL_Window *window;
    const char *shader_folder; ///< while it is opened
    SDL_Thread *thread;
    SDL_mutex *mutex; ///< guards what follows
    SDL_cond *changed;
    Job job; ///< what is to be done or is being done; JOB_NONE: the thread waits
    bool opened, good; ///< the thread has a context and a renderer, or has failed
    int64_t frames;
    double seconds; ///< of the last frame
    // Whose job it is has these: the thread while there is one, else who runs the window.
    RenderSnapshot *snapshot;
    bool missed; ///< a view was not taken: what is dirty of the next is not all
    int width, height; ///< pixels
    unsigned char *rgb;
    const char *path;
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

static void draw_until_end(Picture *own, Renderer *renderer)
{
    double last = clock_now();
    for (Job job = next_job(own); job != JOB_END; job = next_job(own)) {
        double start = clock_now();
        render_draw(renderer, render_snapshot_view(own->snapshot), own->width, own->height);
        if (job == JOB_SHOW) {
            show(own, &last);
        } else if (job == JOB_READ) {
            render_read_pixels(own->width, own->height, own->rgb);
        } else {
            render_write_png(own->path, own->width, own->height, own->status);
        }
        finish_job(own, clock_now() - start);
    }
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
    return render_create(own->shader_folder, own->status);
}

/// Of this thread alone, as Linux has it, and of those that it starts: the driver's. Lower still, and whatever else runs
/// on the computer would stop the picture.
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
        draw_until_end(own, renderer);
        render_destroy(renderer);
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

Picture *picture_open(SDL_Window *window, const char *shader_folder, Status *status)
{
    Picture *own = calloc(1, sizeof *own);
    if (own == NULL) {
        abort();
    }
    own->window = window;
    own->shader_folder = shader_folder;
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

int64_t picture_frames(Picture *own, double *seconds)
{
    SDL_LockMutex(own->mutex);
    int64_t frames = own->frames;
    *seconds = own->seconds;
    SDL_UnlockMutex(own->mutex);
    return frames;
}
