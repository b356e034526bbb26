/// libspadework-render: pictures of sessions. One thread of its own has the OpenGL context and draws for all threads
/// that ask, one picture at a time. It starts at the first picture and ends with the process.
///
/// A picture depends on the session's state alone, so nothing of a session is kept: each is made of a view of its own
/// and drawn as if by a new renderer (render_forget).
#include <fenv.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "trainer/api/picture_context.h"
#include "trainer/api/plugins.h"
#include "trainer/app/app.h"

enum {
    LEAST_SIDE = 16, ///< pixels
    MOST_SIDE = 8192,
    SMOOTH_SAMPLES = 4, ///< a pixel, at high quality
    LAST_WAIT = 5, ///< s that an exit waits for a picture that is being drawn
    PAINTER_STACK = 8 << 20 ///< bytes: compilers of shaders need more than a thread may have by default
};

/// A picture that a thread waits for.
typedef struct Job {
    Session *session;
    const ApiPicture *picture;
    RenderCamera camera;
    uint8_t *rgb;
    float *depth;
    Status *status;
    bool good, done;
} Job;

/// The thread that draws; there is one for the process. `owner` is the process that it runs in: in one that fork made
/// there is no such thread, and the lock may be held for ever.
static struct Painter {
    pthread_mutex_t lock; ///< guards all below but `owner`
    pthread_cond_t changed;
    atomic_int owner; ///< process; 0: the thread does not run yet
    pthread_t thread;
    bool ends, ended; ///< it is to end; it has
    Job *job; ///< NULL: none waits or is drawn
} painter = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

/// Ends the thread when the process exits. Handlers run from the last to the first, and drivers register theirs while
/// they are loaded and when they first compile. So this is registered before that, for an exit meanwhile, and after it,
/// so that the thread's end comes before the driver's. A driver that has ended first may leave the thread waiting: then
/// it is left, too.
static void end_painter(void)
{
    struct timespec until;
    if (atomic_load(&painter.owner) != (int)getpid()) {
        return;
    }
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += LAST_WAIT;
    pthread_mutex_lock(&painter.lock);
    bool first = !painter.ends;
    int late = 0;
    painter.ends = true;
    pthread_cond_broadcast(&painter.changed);
    while (first && !painter.ended && late == 0) {
        late = pthread_cond_timedwait(&painter.changed, &painter.lock, &until);
    }
    pthread_mutex_unlock(&painter.lock);
    if (first && late == 0) {
        pthread_join(painter.thread, NULL);
    }
}

/// ---- drawing -------------------------------------------------------------------------------------------------------

/// What the painter's thread draws with.
typedef struct Tools {
    PictureContext *context;
    Renderer *renderer[RENDER_QUALITY_COUNT]; ///< NULL until a picture of that quality is wanted
    bool compiled; ///< the driver has done something for the first time
} Tools;

static void destroy_renderers(Tools *tools)
{
    for (int k = 0; k < RENDER_QUALITY_COUNT; k++) {
        render_destroy(tools->renderer[k]);
        tools->renderer[k] = NULL;
    }
}

/// Makes a context current: the first, or a new one where something in the process has ended the last.
static bool have_context(Tools *tools, Status *status)
{
    if (tools->context == NULL) {
        tools->context = picture_context_create(status);
        return tools->context != NULL;
    }
    if (picture_context_is_lost(tools->context)) {
        if (!picture_context_renew(tools->context, status)) {
            return false;
        }
        destroy_renderers(tools);
    }
    return true;
}

static Renderer *choose_renderer(Tools *tools, const ApiPicture *picture, RenderQuality quality, Status *status)
{
    char folder[DATA_PATH_LENGTH];
    if (tools->renderer[quality] == NULL) {
        snprintf(folder, sizeof folder, "%s/shaders",
                 picture->data_folder != NULL ? picture->data_folder : data_folder());
        RenderParams params = {.shader_folder = folder, .quality = quality};
        tools->compiled = true;
        tools->renderer[quality] = render_create(&params, status);
    }
    return tools->renderer[quality];
}

/// Draws a picture with so many samples a pixel into the context's framebuffer.
static bool draw_picture(Tools *tools, Renderer *renderer, const Job *job, int samples)
{
    const ApiPicture *picture = job->picture;
    const OffscreenLook look = {.camera = job->camera,
                                .panels = picture->panels ? OFFSCREEN_PANELS_STRIP : OFFSCREEN_PANELS_OFF};
    if (!picture_context_aim(tools->context, picture->width, picture->height, samples, job->status)) {
        return false;
    }
    render_forget(renderer);
    offscreen_render(renderer, job->session, &look, picture->width, picture->height);
    return true;
}

/// Of a pixel with several samples no depth is its own: the picture is then drawn once more.
static bool draw_job(Tools *tools, const Job *job)
{
    static const RenderQuality qualities[] = {RENDER_QUALITY_LOW, RENDER_QUALITY_MEDIUM, RENDER_QUALITY_HIGH};
    int width = job->picture->width, height = job->picture->height;
    RenderQuality quality = qualities[job->picture->quality];
    bool smooth = quality == RENDER_QUALITY_HIGH && job->rgb != NULL;
    Renderer *renderer = NULL;
    if (have_context(tools, job->status)) {
        renderer = choose_renderer(tools, job->picture, quality, job->status);
    }
    if (renderer == NULL || !draw_picture(tools, renderer, job, smooth ? SMOOTH_SAMPLES : 1)) {
        return false;
    }
    if (job->rgb != NULL) {
        render_read_pixels(width, height, job->rgb);
    }
    return job->depth == NULL || ((!smooth || draw_picture(tools, renderer, job, 1)) &&
                                  render_read_depth(renderer, width, height, job->depth, job->status));
}

/// ---- the thread ----------------------------------------------------------------------------------------------------

/// Waits for the next picture. NULL: the process ends.
static Job *next_job(void)
{
    pthread_mutex_lock(&painter.lock);
    while (!painter.ends && (painter.job == NULL || painter.job->done)) {
        pthread_cond_wait(&painter.changed, &painter.lock);
    }
    Job *job = painter.job != NULL && !painter.job->done ? painter.job : NULL;
    pthread_mutex_unlock(&painter.lock);
    return job;
}

static void *paint(void *context)
{
    Tools tools = {0};
    (void)context;
    fesetenv(FE_DFL_ENV); // what it inherits is the mode of the thread that asked first
    for (Job *job = next_job(); job != NULL; job = next_job()) {
        bool good = draw_job(&tools, job);
        if (tools.compiled) {
            (void)atexit(end_painter);
            tools.compiled = false;
        }
        pthread_mutex_lock(&painter.lock);
        job->good = good;
        job->done = true;
        painter.job = NULL;
        pthread_cond_broadcast(&painter.changed);
        pthread_mutex_unlock(&painter.lock);
    }
    if (tools.context != NULL && !picture_context_is_lost(tools.context)) {
        destroy_renderers(&tools);
    }
    picture_context_destroy(tools.context);
    pthread_mutex_lock(&painter.lock);
    painter.ended = true;
    pthread_cond_broadcast(&painter.changed);
    pthread_mutex_unlock(&painter.lock);
    return NULL;
}

/// Starts the thread, if it does not run. It takes no signals, nor do the driver's threads, which it starts: they are
/// for the host's. The lock is held.
static bool start_painter(Status *status)
{
    pthread_attr_t attributes;
    sigset_t all, before;
    if (atomic_load(&painter.owner) != 0) {
        return true;
    }
    sigfillset(&all);
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, PAINTER_STACK);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int failed = pthread_create(&painter.thread, &attributes, paint, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    if (failed != 0) {
        return status_fail(status, STATUS_LACKING, "picture: no thread to draw with: %s", strerror(failed));
    }
    atomic_store(&painter.owner, (int)getpid());
    (void)atexit(end_painter);
    return true;
}

/// Has the thread draw, and waits for it.
static bool order_job(Job *job)
{
    int owner = atomic_load(&painter.owner);
    if (owner != 0 && owner != (int)getpid()) {
        return status_fail(job->status, STATUS_LACKING,
                           "picture: process %d has drawn and then made this one by fork, which leaves OpenGL behind: "
                           "start processes before the first picture, or anew (spawn)",
                           owner);
    }
    pthread_mutex_lock(&painter.lock);
    while (painter.job != NULL && !painter.ends) {
        pthread_cond_wait(&painter.changed, &painter.lock);
    }
    if (painter.ends) {
        status_fail(job->status, STATUS_LACKING, "picture: the process is ending");
    } else if (start_painter(job->status)) {
        painter.job = job;
        pthread_cond_broadcast(&painter.changed);
        while (!job->done) {
            pthread_cond_wait(&painter.changed, &painter.lock);
        }
    }
    pthread_mutex_unlock(&painter.lock);
    return job->good;
}

/// ---- the door ------------------------------------------------------------------------------------------------------

static bool find_camera(const char *name, RenderCamera *camera, Status *status)
{
    static const char *const names[RENDER_CAMERA_COUNT] = {
#define X(id, name) [RENDER_CAMERA_##id] = name,
        CAMERAS(X)
#undef X
    };
    static const char allowed[] =
#define X(id, name) " " name
        CAMERAS(X)
#undef X
        ;
    *camera = RENDER_CAMERA_CAB;
    for (int k = 0; name != NULL && k < RENDER_CAMERA_COUNT; k++) {
        if (strcmp(name, names[k]) == 0) {
            *camera = (RenderCamera)k;
            return true;
        }
    }
    return name == NULL || status_fail(status, STATUS_BAD_USAGE, "camera '%s': one of%s", name, allowed);
}

static bool draw(Session *session, const ApiPicture *picture, uint8_t *rgb, float *depth, Status *status)
{
    Job job = {.session = session, .picture = picture, .rgb = rgb, .depth = depth, .status = status};
    if (picture->width < LEAST_SIDE || picture->width > MOST_SIDE || picture->height < LEAST_SIDE ||
        picture->height > MOST_SIDE) {
        return status_fail(status, STATUS_BAD_USAGE, "picture of %d x %d pixels: %d..%d a side are possible",
                           picture->width, picture->height, LEAST_SIDE, MOST_SIDE);
    }
    if (picture->quality < 0 || picture->quality > 2) {
        return status_fail(status, STATUS_BAD_USAGE, "quality %d: 0 (low), 1 (medium) or 2 (high)", picture->quality);
    }
    return find_camera(picture->camera, &job.camera, status) && order_job(&job);
}

static void forget(const Session *session)
{
    (void)session; // nothing of it was kept
}

const ApiRenderer *spadework_renderer(void)
{
    static const ApiRenderer renderer = {.build = API_BUILD, .draw = draw, .forget = forget};
    return &renderer;
}
