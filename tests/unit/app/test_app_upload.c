/// Digging sends little to the GPU: what changed of the ground, the particles and what moves. The trench is dug by the
/// scripted operator and drawn as the window does; everything that any file hands to OpenGL is counted.
#include "tests/support/gl_count.h"
#include "tests/support/hidden_window.h"
#include "tests/support/test.h"
#include "trainer/pilot/autopilot.h"
#include "trainer/app/session_view.h"

enum {
    WIDTH = 160,
    HEIGHT = 90,
    MOST = 2000000, ///< bytes a frame
    WARM = 12 * 60, ///< ticks until the bucket is in the ground
    FRAMES = 10,
    STRIDE = 12 ///< ticks between frames: as when drawing is slow, more has changed then
};

static void check_upload(RenderQuality quality)
{
    Status status = {0};
    Session *session = session_create(&(SessionParams){.scene = "trench", .threads = 1}, &status);
    assert_good(session != NULL, status);
    Autopilot *pilot = autopilot_create(session);
    SessionView *own = session_view_create();
    session_view_jump(own, session);
    Renderer *renderer =
        render_create(&(RenderParams){.shader_folder = SPADEWORK_DATA_DIR "/shaders", .quality = quality}, &status);
    assert_good(renderer != NULL, status);
    int64_t most = 0;
    int drawn = 0, particles = 0; // the most in one frame
    for (int tick = 0; tick < WARM + FRAMES * STRIDE; tick++) {
        OperatorControls controls;
        autopilot_controls(pilot, session, &controls);
        session_tick(session, &controls);
        session_view_tick(own, session);
        if (tick < WARM - 1 || (tick - WARM + 1) % STRIDE != 0) {
            continue;
        }
        RenderView *view = session_view_build(own, session, 1.0);
        view->orbit_distance = 12.0;
        view->orbit_pitch = 0.5;
        int now = session_frame(session)->counters.particles;
        particles = now > particles ? now : particles;
        gl_count_begin();
        render_draw(renderer, view, WIDTH, HEIGHT);
        if (drawn++ > 0) { // the first frame sends everything
            most = gl_count.uploaded > most ? gl_count.uploaded : most;
        }
    }
    print_message("%d particles, at most %.0f kB a frame\n", particles, (double)most / 1e3);
    assert_true(particles > 100 && most > 10000 && most < MOST);
    render_destroy(renderer);
    session_view_destroy(own);
    autopilot_destroy(pilot);
    session_destroy(session);
}

TEST(a_frame_of_digging_sends_less_than_2_mb)
{
    SDL_Window *window = hidden_window(WIDTH, HEIGHT);
    SDL_GLContext context = window == NULL ? NULL : SDL_GL_CreateContext(window);
    if (context == NULL) {
        printf("no OpenGL 3.3 core context on this computer: nothing drawn (%s)\n", SDL_GetError());
        exit(77);
    }
    check_upload(RENDER_QUALITY_HIGH);
    check_upload(RENDER_QUALITY_LOW);
    SDL_GL_DeleteContext(context);
    SDL_DestroyWindow(window);
    SDL_Quit();
}

TEST_GROUP(NULL, NULL)
