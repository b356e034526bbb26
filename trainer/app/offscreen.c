/// Draws without a visible window: a hidden window of SDL's offscreen driver (EGL without a display server) for
/// headless pictures and films, and the small pictures that the console shows of a drive.
#include "trainer/app/offscreen.h"

#include <SDL.h>
#include <stdio.h>
#include <stdlib.h>

#include "data/core/data_files.h"
#include "trainer/app/camera.h"
#include "trainer/app/picture.h"
#include "trainer/app/menu.h"
#include "trainer/app/session_view.h"

struct Offscreen {
    SDL_Window *window;
    SDL_GLContext context;
    Renderer *renderer;
    int width, height;
};

Offscreen *offscreen_create(int width, int height, RenderQuality quality, Status *status)
{
    if (width < 16 || width > 8192 || height < 16 || height > 8192) {
        status_fail(status, STATUS_BAD_USAGE, "picture size %d x %d: 16..8192 pixels allowed", width, height);
        return NULL;
    }
    Offscreen *offscreen = calloc(1, sizeof *offscreen);
    if (offscreen == NULL) {
        abort();
    }
    offscreen->width = width;
    offscreen->height = height;
    // A window's own driver keeps serving when one is open; otherwise none is needed.
    if (SDL_WasInit(SDL_INIT_VIDEO) == 0) {
        SDL_SetHintWithPriority(SDL_HINT_VIDEODRIVER, "offscreen", SDL_HINT_OVERRIDE);
    }
    char folder[DATA_PATH_LENGTH];
    SDL_snprintf(folder, sizeof folder, "%s/shaders", data_folder());
    if (SDL_InitSubSystem(SDL_INIT_VIDEO) == 0) {
        SDL_GL_SetAttribute(SDL_GL_CONTEXT_MAJOR_VERSION, 3);
        SDL_GL_SetAttribute(SDL_GL_CONTEXT_MINOR_VERSION, 3);
        SDL_GL_SetAttribute(SDL_GL_CONTEXT_PROFILE_MASK, SDL_GL_CONTEXT_PROFILE_CORE);
        SDL_GL_SetAttribute(SDL_GL_DEPTH_SIZE, 24);
        int samples = quality == RENDER_QUALITY_HIGH ? 4 : 0;
        for (; samples >= 0 && offscreen->context == NULL; samples -= 4) {
            SDL_GL_SetAttribute(SDL_GL_MULTISAMPLEBUFFERS, samples > 0);
            SDL_GL_SetAttribute(SDL_GL_MULTISAMPLESAMPLES, samples);
            if (offscreen->window != NULL) {
                SDL_DestroyWindow(offscreen->window);
            }
            offscreen->window = SDL_CreateWindow("picture", 0, 0, width, height, SDL_WINDOW_OPENGL | SDL_WINDOW_HIDDEN);
            offscreen->context = offscreen->window != NULL ? SDL_GL_CreateContext(offscreen->window) : NULL;
        }
    }
    if (offscreen->context == NULL) {
        status_fail(status, STATUS_LACKING,
                    "picture: this computer cannot draw OpenGL 3.3 (%s); install Mesa's libgl1-mesa-dri and libegl1",
                    SDL_GetError());
    } else {
        offscreen->renderer = render_create(&(RenderParams){.shader_folder = folder, .quality = quality}, status);
    }
    if (offscreen->renderer == NULL) {
        offscreen_destroy(offscreen);
        return NULL;
    }
    render_set_fineness(offscreen->renderer, 1.0, true); // a picture must not have shadows of the one before it
    if (render_lack(offscreen->renderer) != NULL) {
        fprintf(stderr, "spadework: %s\n", render_lack(offscreen->renderer));
    }
    return offscreen;
}

void offscreen_destroy(Offscreen *offscreen)
{
    if (offscreen == NULL) {
        return;
    }
    if (offscreen->renderer != NULL) {
        render_destroy(offscreen->renderer);
    }
    if (offscreen->context != NULL) {
        SDL_GL_DeleteContext(offscreen->context);
    }
    if (offscreen->window != NULL) {
        SDL_DestroyWindow(offscreen->window);
    }
    SDL_QuitSubSystem(SDL_INIT_VIDEO);
    free(offscreen);
}

void offscreen_draw(Offscreen *offscreen, Session *session, const OffscreenLook *look)
{
    offscreen_render(offscreen->renderer, session, look, offscreen->width, offscreen->height);
}

bool offscreen_write(Offscreen *offscreen, const char *path, Status *status)
{
    return render_write_png(path, offscreen->width, offscreen->height, status);
}

void offscreen_pixels(Offscreen *offscreen, unsigned char *rgb)
{
    render_read_pixels(offscreen->width, offscreen->height, rgb);
}

bool offscreen_shot(Session *session, const char *path, const OffscreenLook *look, int width, int height,
                    Status *status)
{
    Offscreen *offscreen = offscreen_create(width, height, look->quality, status);
    if (offscreen == NULL) {
        return false;
    }
    offscreen_draw(offscreen, session, look);
    bool written = offscreen_write(offscreen, path, status);
    offscreen_destroy(offscreen);
    return written;
}

/// ---- pictures of a drive for others --------------------------------------------------------------------------------

/// PNG pictures for the guide, drawn off screen.

enum { LOOKOUT_WIDTH = 640, LOOKOUT_HEIGHT = 360 }; ///< pixels

/// On the picture's thread.
static void encode(void *context, const unsigned char *rgb, int width, int height)
{
    const DriveGuide *guide = context;
    size_t size = 0;
    unsigned char *png = pictures_encode(rgb, width, height, width < LOOKOUT_WIDTH ? width : LOOKOUT_WIDTH, &size);
    if (png != NULL) {
        guide->take_picture(guide->context, png, size);
    }
    free(png);
}

bool lookout_lend(Window *window, RenderView *view, const DriveGuide *guide)
{
    return guide != NULL && guide->wants_picture != NULL && window_is_ready(window) &&
           guide->wants_picture(guide->context) && window_lend(window, view, encode, (void *)(uintptr_t)guide);
}

/// A hidden window of SDL's driver that needs no display.
static bool open_hidden(Lookout *lookout, Status *status)
{
    char folder[DATA_PATH_LENGTH];
    SDL_snprintf(folder, sizeof folder, "%s/shaders", data_folder());
    SDL_SetHintWithPriority(SDL_HINT_VIDEODRIVER, "offscreen", SDL_HINT_OVERRIDE);
    if (SDL_InitSubSystem(SDL_INIT_VIDEO) != 0) {
        return status_fail(status, STATUS_LACKING, "no picture of what the operator sees: %s", SDL_GetError());
    }
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_MAJOR_VERSION, 3);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_MINOR_VERSION, 3);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_PROFILE_MASK, SDL_GL_CONTEXT_PROFILE_CORE);
    SDL_GL_SetAttribute(SDL_GL_DEPTH_SIZE, 24);
    lookout->window =
        SDL_CreateWindow("picture", 0, 0, LOOKOUT_WIDTH, LOOKOUT_HEIGHT, SDL_WINDOW_OPENGL | SDL_WINDOW_HIDDEN);
    if (lookout->window == NULL) {
        return status_fail(status, STATUS_LACKING, "no picture of what the operator sees: %s", SDL_GetError());
    }
    lookout->picture = picture_open(
        &(PictureParams){.window = lookout->window, .shader_folder = folder, .quality = RENDER_QUALITY_LOW}, status);
    return lookout->picture != NULL;
}

void lookout_look(Lookout *lookout, Session *session)
{
    const DriveGuide *guide = lookout->guide;
    Status status;
    if (guide == NULL || guide->wants_picture == NULL || lookout->failed ||
        (lookout->picture != NULL && !picture_is_ready(lookout->picture)) || !guide->wants_picture(guide->context)) {
        return;
    }
    if (lookout->picture == NULL && !open_hidden(lookout, &status)) {
        fprintf(stderr, "spadework: %s\n", status.text);
        lookout->failed = true;
        return;
    }
    int64_t tick = session_frame(session)->tick;
    if (lookout->view == NULL || tick < lookout->tick) { // another session has taken its place
        session_view_destroy(lookout->view);
        lookout->view = session_view_create();
        session_view_jump(lookout->view, session);
    }
    lookout->tick = tick;
    Camera camera = camera_default(RENDER_CAMERA_CAB);
    RenderView *view = session_view_build(lookout->view, session, 1.0);
    camera_aim(&camera, view);
    view->hud.visible = false; // the instructor's page has the figures beside the picture
    (void)picture_lend(lookout->picture, view, LOOKOUT_WIDTH, LOOKOUT_HEIGHT, encode, (void *)(uintptr_t)guide);
}

void lookout_close(Lookout *lookout)
{
    picture_close(lookout->picture);
    if (lookout->window != NULL) {
        SDL_DestroyWindow(lookout->window);
        SDL_QuitSubSystem(SDL_INIT_VIDEO);
    }
    session_view_destroy(lookout->view);
    *lookout = (Lookout){.guide = NULL};
}
