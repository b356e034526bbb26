/// Draws unseen and hands PNG files on.
#include "trainer/app/lookout.h"

#include <SDL.h>
#include <stdio.h>
#include <stdlib.h>

#include "data/core/data_files.h"
#include "trainer/app/pictures.h"
#include "trainer/app/camera.h"
#include "trainer/app/picture.h"
#include "trainer/app/session_view.h"

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
