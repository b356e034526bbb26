/// What lower qualities and lacking computers draw is the same scene.
#include "tests/support/hidden_window.h"
#include "tests/support/render_scene.h"
#include "tests/support/test.h"

enum { WIDTH = 640, HEIGHT = 480 };

static int open_context(void **state)
{
    static SDL_GLContext context;
    SDL_Window *window = hidden_window(WIDTH, HEIGHT);
    context = window == NULL ? NULL : SDL_GL_CreateContext(window);
    if (context == NULL) {
        printf("no OpenGL 3.3 core context on this computer (%s): nothing drawn\n", SDL_GetError());
        exit(77);
    }
    *state = window;
    return 0;
}

static int close_context(void **state)
{
    SDL_DestroyWindow(*state);
    SDL_Quit();
    return 0;
}

/// Draws `frames` frames and returns the last one's pixels, which the caller frees.
static unsigned char *draw(const RenderParams *params, const RenderView *view, int frames)
{
    Status status;
    Renderer *renderer = render_create(params, &status);
    assert_good(renderer != NULL, status);
    assert_int_equal(render_lack(renderer) != NULL, params->no_shadow_map);
    for (int k = 0; k < frames; k++) {
        render_draw(renderer, view, WIDTH, HEIGHT);
    }
    unsigned char *rgb = malloc(3 * (size_t)WIDTH * HEIGHT);
    assert_non_null(rgb);
    render_read_pixels(WIDTH, HEIGHT, rgb);
    assert_false(render_is_lost());
    render_destroy(renderer);
    return rgb;
}

/// Mean difference of two pictures' values, of 255.
static double difference(const unsigned char *a, const unsigned char *b)
{
    double sum = 0.0;
    for (int k = 0; k < 3 * WIDTH * HEIGHT; k++) {
        sum += abs(a[k] - b[k]);
    }
    return sum / (3.0 * WIDTH * HEIGHT);
}

static Stage *trench(void)
{
    Status status;
    Stage *stage = stage_create("trench", &status);
    assert_non_null(stage);
    stage->view.camera = RENDER_CAMERA_ORBIT;
    stage->view.orbit_yaw = 0.6;
    stage->view.orbit_pitch = 0.5;
    stage->view.orbit_distance = 14.0;
    return stage;
}

/// Medium quality is high quality at fewer pixels: nearer to it than low quality is, and the frame that keeps the
/// shadows of the one before is the same.
TEST(medium_quality_is_high_quality_at_fewer_pixels)
{
    Stage *stage = trench();
    RenderParams params = {.shader_folder = SPADEWORK_DATA_DIR "/shaders"};
    unsigned char *picture[RENDER_QUALITY_COUNT];
    for (int quality = 0; quality < RENDER_QUALITY_COUNT; quality++) {
        params.quality = (RenderQuality)quality;
        picture[quality] = draw(&params, &stage->view, 1);
    }
    params.quality = RENDER_QUALITY_MEDIUM;
    unsigned char *second = draw(&params, &stage->view, 2);
    const unsigned char *high = picture[RENDER_QUALITY_HIGH], *medium = picture[RENDER_QUALITY_MEDIUM];
    double near = difference(medium, high), far = difference(picture[RENDER_QUALITY_LOW], high);
    print_message("medium from high %.1f, low from high %.1f of 255\n", near, far);
    assert_true(near > 0.0 && near < far);
    assert_true(difference(medium, second) < 0.01);
    for (int quality = 0; quality < RENDER_QUALITY_COUNT; quality++) {
        free(picture[quality]);
    }
    free(second);
    free(stage);
}

/// Without a shadow map all qualities draw; no value is darker for it.
TEST(without_a_shadow_map_all_is_lit)
{
    Stage *stage = trench();
    for (int quality = 0; quality < RENDER_QUALITY_COUNT; quality++) {
        RenderParams params = {.shader_folder = SPADEWORK_DATA_DIR "/shaders", .quality = (RenderQuality)quality};
        unsigned char *with = draw(&params, &stage->view, 1);
        params.no_shadow_map = true;
        unsigned char *without = draw(&params, &stage->view, 1);
        int lighter = 0, darker = 0;
        for (int k = 0; k < 3 * WIDTH * HEIGHT; k++) {
            lighter += without[k] > with[k] + 8;
            darker += without[k] + 8 < with[k];
        }
        assert_true(lighter > 3 * WIDTH * HEIGHT / 100);
        assert_int_equal(darker, 0);
        free(with);
        free(without);
    }
    free(stage);
}

TEST_GROUP(open_context, close_context)
