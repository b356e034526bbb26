/// A hidden window to draw pictures of high quality in, and looking at what was drawn.
#ifndef SPADEWORK_TESTS_RENDER_STUDIO_H
#define SPADEWORK_TESTS_RENDER_STUDIO_H

#include <epoxy/gl.h>

#include "render/render.h"
#include "tests/support/hidden_window.h"
#include "tests/support/test.h"

enum { WIDTH = 640, HEIGHT = 360 };

typedef struct Studio {
    SDL_Window *window;
    SDL_GLContext context;
    Renderer *renderer;
    unsigned char *rgb;
} Studio;

static inline Renderer *create_renderer(RenderQuality quality, Status *status)
{
    return render_create(&(RenderParams){.shader_folder = SPADEWORK_DATA_DIR "/shaders", .quality = quality}, status);
}

/// A computer without OpenGL 3.3 skips all cases (exit code 77, as tests/CMakeLists.txt says).
static inline int open_studio(void **state)
{
    static Studio studio;
    studio.window = hidden_window(WIDTH, HEIGHT);
    studio.context = studio.window == NULL ? NULL : SDL_GL_CreateContext(studio.window);
    if (studio.context == NULL) {
        printf("no OpenGL 3.3 core context on this computer (%s): nothing drawn; install libegl1 and libgl1-mesa-dri\n",
               SDL_GetError());
        exit(77);
    }
    Status status;
    studio.renderer = create_renderer(RENDER_QUALITY_HIGH, &status);
    assert_good(studio.renderer != NULL, status);
    printf("%s\n", (const char *)glGetString(GL_RENDERER));
    studio.rgb = malloc(3 * (size_t)WIDTH * HEIGHT);
    assert_non_null(studio.rgb);
    *state = &studio;
    return 0;
}

static inline int close_studio(void **state)
{
    Studio *studio = *state;
    render_destroy(studio->renderer);
    free(studio->rgb);
    SDL_GL_DeleteContext(studio->context);
    SDL_DestroyWindow(studio->window);
    SDL_Quit();
    return 0;
}

static inline void shoot(Studio *studio, const RenderView *view, const char *path)
{
    render_draw(studio->renderer, view, WIDTH, HEIGHT);
    render_read_pixels(WIDTH, HEIGHT, studio->rgb);
    Status status;
    assert_good(render_write_png(path, WIDTH, HEIGHT, &status), status);
}

/// Mean of the pixels about (x, y), from the upper left: 0..255.
static inline void mean_color(const Studio *studio, int x, int y, double color[3])
{
    const int half = 3;
    assert_true(x >= half && x < WIDTH - half && y >= half && y < HEIGHT - half);
    color[0] = color[1] = color[2] = 0.0;
    for (int j = y - half; j <= y + half; j++) {
        for (int i = x - half; i <= x + half; i++) {
            for (int k = 0; k < 3; k++) {
                color[k] += studio->rgb[3 * ((size_t)j * WIDTH + (size_t)i) + (size_t)k] /
                            (double)((2 * half + 1) * (2 * half + 1));
            }
        }
    }
}

static inline void draw(Studio *studio, const RenderView *view)
{
    render_draw(studio->renderer, view, WIDTH, HEIGHT);
    render_read_pixels(WIDTH, HEIGHT, studio->rgb);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

#endif
