/// What a frame may cost: 100,000 grains are one draw call, and once a scene is known a frame takes no memory. This
/// program is linked so that the allocator's calls of render/ come by here; those of the driver, cairo and pango, which
/// are shared libraries, do not.
// test: unit, alone
#include "render/grains.h"
#include "tests/support/gl_count.h"
#include "tests/support/hidden_window.h"
#include "tests/support/render_scene.h"

enum { WIDTH = 320, HEIGHT = 180, GRAINS = 100000 };

static int taken; ///< calls of the allocator

// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)
void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__wrap_realloc(void *memory, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);

void *__wrap_malloc(size_t size)
{
    taken++;
    return __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    taken++;
    return __real_calloc(count, size);
}

void *__wrap_realloc(void *memory, size_t size)
{
    taken++;
    return __real_realloc(memory, size);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    taken++;
    return __real_aligned_alloc(alignment, size);
}
// NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)

typedef struct Studio {
    SDL_Window *window;
    SDL_GLContext context;
} Studio;

/// A computer without OpenGL 3.3 skips all cases (exit code 77).
static int open_studio(void **state)
{
    static Studio studio;
    studio.window = hidden_window(WIDTH, HEIGHT);
    studio.context = studio.window == NULL ? NULL : SDL_GL_CreateContext(studio.window);
    if (studio.context == NULL) {
        printf("no OpenGL 3.3 core context on this computer: nothing drawn (%s)\n", SDL_GetError());
        exit(77);
    }
    *state = &studio;
    return 0;
}

static int close_studio(void **state)
{
    Studio *studio = *state;
    SDL_GL_DeleteContext(studio->context);
    SDL_DestroyWindow(studio->window);
    SDL_Quit();
    return 0;
}

static Renderer *make_renderer(RenderQuality quality)
{
    Status status = {0};
    taken = 0;
    Renderer *renderer =
        render_create(&(RenderParams){.shader_folder = SPADEWORK_DATA_DIR "/shaders", .quality = quality}, &status);
    assert_good(renderer != NULL, status);
    assert_true(taken > 0); // the allocator's calls do come by here
    return renderer;
}

/// Particles in a block right before the camera, so that all are near.
static void fill_with_particles(Stage *stage, int count)
{
    stage->view.particles.count = 0;
    for (int k = 0; k < count; k++) {
        Vec3 at = vec3(6.0 + 0.1 * (k % 20), 0.1 * (k / 20 % 20), 0.5 + 0.1 * (k / 400));
        stage_add_particle(stage, at, 0.3, 0);
    }
}

static void check_one_draw(RenderQuality quality, int parts)
{
    Status status;
    Stage *stage = stage_create("trench", &status);
    assert_good(stage != NULL, status);
    stage->view.orbit_distance = 9.0;
    stage->view.orbit_pitch = 0.4;
    stage->view.grid_count = 0;
    Renderer *renderer = make_renderer(quality);
    int particles = (GRAINS + parts - 1) / parts, draws[2];
    for (int k = 0; k < 2; k++) {
        fill_with_particles(stage, k == 0 ? 1 : particles);
        render_draw(renderer, &stage->view, WIDTH, HEIGHT);
        gl_count_begin();
        render_draw(renderer, &stage->view, WIDTH, HEIGHT);
        draws[k] = gl_count.draws;
    }
    print_message("%d particles, %d grains: %d draw calls, %d with a single particle; %.0f kB\n", particles,
                  particles * parts, draws[1], draws[0], (double)gl_count.uploaded / 1e3);
    assert_int_equal(draws[1], draws[0]);
    if (quality == RENDER_QUALITY_HIGH) {
        assert_int_equal(gl_count.most_instances, particles);
    } else {
        assert_int_equal(gl_count.most_vertices, particles * parts);
    }
    // What is sent of a grain is its particle alone.
    assert_true(gl_count.uploaded < (int64_t)sizeof(GrainInstance) * particles + 100000);
    render_destroy(renderer);
    free(stage);
}

TEST(one_draw_call_has_100000_grains)
{
    check_one_draw(RENDER_QUALITY_HIGH, GRAIN_NEAR_PARTS);
}

TEST(so_it_has_at_low_quality)
{
    check_one_draw(RENDER_QUALITY_LOW, GRAIN_POINT_PARTS);
}

/// The next moment: the house swings, soil moves and another part of the ground changes; gauges, too.
static void move_on(Stage *stage, int frame)
{
    RenderView *view = &stage->view;
    stage_pose(stage, 0.01 * frame, 6.0, 1.0, -2.4);
    view->particles.count -= frame % 3;
    for (int k = 0; k < view->particles.count; k++) {
        stage->xyzr[4 * k + 2] += 0.01f;
    }
    RenderGrid *grid = &view->grids[0];
    grid->all_dirty = false;
    grid->dirty_row_min = grid->dirty_column_min = 100 + 7 * frame;
    grid->dirty_row_max = grid->dirty_column_max = 140 + 7 * frame;
    for (int k = 100; k < 300; k++) {
        stage->height[k * STAGE_SIDE + 100 + 7 * frame] += 0.02f;
    }
    view->hud.time += 0.05;
    view->hud.pressure[1] += 1e5;
    view->hud.payload += 3.0;
    view->hud.depth += 0.01;
}

static void check_memory(RenderQuality quality)
{
    enum { KNOWN = 2, FRAMES = 8 };
    Status status;
    Stage *stage = stage_create_truck(&status);
    assert_good(stage != NULL, status);
    stage_show_hud(stage);
    stage->view.orbit_distance = 12.0;
    stage->view.orbit_pitch = 0.5;
    Renderer *renderer = make_renderer(quality);
    for (int frame = 0; frame < KNOWN + FRAMES; frame++) {
        move_on(stage, frame);
        gl_count_begin();
        taken = 0;
        render_draw(renderer, &stage->view, WIDTH, HEIGHT);
        if (frame >= KNOWN) {
            assert_int_equal(taken, 0);
            assert_true(gl_count.uploaded > 0 && gl_count.uploaded < 2000000);
        }
    }
    render_destroy(renderer);
    free(stage);
}

TEST(a_frame_takes_no_memory)
{
    check_memory(RENDER_QUALITY_HIGH);
}

TEST(nor_does_it_at_low_quality)
{
    check_memory(RENDER_QUALITY_LOW);
}

TEST_GROUP(open_studio, close_studio)
