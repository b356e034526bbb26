/// Draws whole pictures offscreen, checks what must be in them and leaves them as PNG files in the working folder.
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <time.h>

#include <SDL.h>

#include "tests/unit/test_render_scene.h"

enum { WIDTH = 1280, HEIGHT = 720 };

typedef struct Studio {
    SDL_Window *window;
    SDL_GLContext context;
    Renderer *renderer;
    unsigned char *rgb;
} Studio;

static SDL_GLContext try_context(Studio *studio, int samples)
{
    SDL_GL_SetAttribute(SDL_GL_MULTISAMPLEBUFFERS, samples > 0);
    SDL_GL_SetAttribute(SDL_GL_MULTISAMPLESAMPLES, samples);
    studio->window = SDL_CreateWindow("test", 0, 0, WIDTH, HEIGHT, SDL_WINDOW_OPENGL | SDL_WINDOW_HIDDEN);
    SDL_GLContext context = studio->window == NULL ? NULL : SDL_GL_CreateContext(studio->window);
    if (context == NULL && studio->window != NULL) {
        SDL_DestroyWindow(studio->window);
        studio->window = NULL;
    }
    return context;
}

/// NULL with a message when this computer has no OpenGL 3.3 at all.
static Studio *studio_open(void)
{
    static Studio studio;
    SDL_SetHintWithPriority(SDL_HINT_VIDEODRIVER, "offscreen", SDL_HINT_OVERRIDE);
    if (SDL_Init(SDL_INIT_VIDEO) == 0) {
        SDL_GL_SetAttribute(SDL_GL_CONTEXT_MAJOR_VERSION, 3);
        SDL_GL_SetAttribute(SDL_GL_CONTEXT_MINOR_VERSION, 3);
        SDL_GL_SetAttribute(SDL_GL_CONTEXT_PROFILE_MASK, SDL_GL_CONTEXT_PROFILE_CORE);
        SDL_GL_SetAttribute(SDL_GL_DEPTH_SIZE, 24);
        studio.context = try_context(&studio, 4);
        studio.context = studio.context == NULL ? try_context(&studio, 0) : studio.context;
    }
    if (studio.context == NULL) {
        printf("no OpenGL 3.3 core context on this computer (%s): nothing drawn; install libegl1 and libgl1-mesa-dri\n",
               SDL_GetError());
        return NULL;
    }
    Status status;
    studio.renderer = render_create(SPADEWORK_DATA_DIR "/shaders", &status);
    if (studio.renderer == NULL) {
        fail_msg("%s", status.text);
    }
    studio.rgb = malloc(3 * (size_t)WIDTH * HEIGHT);
    assert_non_null(studio.rgb);
    return &studio;
}

static void shoot(Studio *studio, const RenderView *view, const char *path)
{
    render_draw(studio->renderer, view, WIDTH, HEIGHT);
    render_read_pixels(WIDTH, HEIGHT, studio->rgb);
    Status status;
    if (!render_write_png(path, WIDTH, HEIGHT, &status)) {
        fail_msg("%s", status.text);
    }
}

static void look_at_trench(void **state)
{
    Studio *studio = *state;
    if (studio == NULL) {
        skip();
    }
    Status status;
    Stage *stage = stage_create_trench(&status);
    assert_non_null(stage);
    stage_show_hud(stage);
    stage->view.orbit_yaw = -0.62;
    stage->view.orbit_pitch = 0.36;
    stage->view.orbit_distance = 17.0;
    shoot(studio, &stage->view, "render-trench.png");
    stage->view.hud.visible = false;
    stage->view.orbit_yaw = -1.0;
    stage->view.orbit_distance = 13.0;
    shoot(studio, &stage->view, "render-close.png");
    stage->view.hud.visible = true;
    stage->view.camera = RENDER_CAMERA_CAB;
    shoot(studio, &stage->view, "render-cab.png");
    stage->view.camera = RENDER_CAMERA_CHASE;
    shoot(studio, &stage->view, "render-chase.png");
    free(stage);
}

static void look_at_menu(void **state)
{
    Studio *studio = *state;
    if (studio == NULL) {
        skip();
    }
    Status status;
    Stage *stage = stage_create_trench(&status);
    assert_non_null(stage);
    RenderMenu menu = {
        .visible = true,
        .title = "Spadework",
        .subtitle = "Choose a scene",
        .count = 4,
        .selected = 1,
        .items = {"Dig a trench", "Load a truck", "Free site", "Quit"},
        .details = {"4 m long, 1.6 m wide, 1.5 m deep", "8 tonnes of loose loam", "Nothing is scored", NULL},
        .footer = "Up / Down choose   Enter start   Esc back"};
    stage->view.menu = menu;
    shoot(studio, &stage->view, "render-pause.png");
    stage->view.scene = NULL;
    shoot(studio, &stage->view, "render-menu.png");
    free(stage);
}

static void look_at_truck(void **state)
{
    Studio *studio = *state;
    if (studio == NULL) {
        skip();
    }
    Status status;
    Stage *stage = stage_create_truck(&status);
    assert_non_null(stage);
    stage->view.orbit_yaw = -0.35;
    stage->view.orbit_pitch = 0.36;
    stage->view.orbit_distance = 15.0;
    stage_show_hud(stage);
    const double events[4] = {12.0, 40.0, 77.0, 141.0};
    shoot(studio, &stage->view, "render-truck.png");
    stage->view.timeline = (RenderTimeline){.visible = true,
                                            .position = 83.0,
                                            .duration = 240.0,
                                            .speed = 2.0,
                                            .event_count = 4,
                                            .events = events,
                                            .footer = "Space pause   Left / Right seek   T take over"};
    stage->view.camera = RENDER_CAMERA_CHASE;
    shoot(studio, &stage->view, "render-replay.png");
    free(stage);
}

static int open_studio(void **state)
{
    *state = studio_open();
    return 0;
}

static int close_studio(void **state)
{
    Studio *studio = *state;
    if (studio != NULL) {
        render_destroy(studio->renderer);
        free(studio->rgb);
        SDL_GL_DeleteContext(studio->context);
        SDL_DestroyWindow(studio->window);
    }
    SDL_Quit();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(look_at_trench),
        cmocka_unit_test(look_at_truck),
        cmocka_unit_test(look_at_menu),
    };
    return cmocka_run_group_tests_name("render picture", tests, open_studio, close_studio);
}
