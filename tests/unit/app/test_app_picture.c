/// The thread that draws the picture: whoever hands it a view goes on at once, no view is drawn in part, and what is
/// left out is made up for.
#include <time.h>

#include "tests/support/hidden_window.h"
#include "tests/support/test.h"
#include "trainer/window/picture/picture.h"
#include "trainer/window/session_view.h"

enum { WIDTH = 320, HEIGHT = 180 };

typedef struct Screen {
    SDL_Window *window;
    Picture *picture;
    Session *session;
    SessionView *view;
} Screen;

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/// A computer without OpenGL 3.3 skips all cases (exit code 77).
static int open_screen(void **state)
{
    static Screen screen;
    Status status = {0};
    screen.window = hidden_window(WIDTH, HEIGHT);
    screen.picture = screen.window != NULL ? picture_open(screen.window, SPADEWORK_DATA_DIR "/shaders",
                                                          RENDER_QUALITY_HIGH, false, &status)
                                           : NULL;
    if (screen.picture == NULL) {
        printf("no OpenGL 3.3 core context on this computer: nothing drawn (%s)\n", status.text);
        exit(77);
    }
    screen.session = session_create(&(SessionParams){.scene = "trench", .threads = 1}, &status);
    assert_good(screen.session != NULL, status);
    screen.view = session_view_create();
    session_view_jump(screen.view, screen.session);
    *state = &screen;
    return 0;
}

static int close_screen(void **state)
{
    Screen *screen = *state;
    picture_close(screen->picture);
    session_view_destroy(screen->view);
    session_destroy(screen->session);
    SDL_DestroyWindow(screen->window);
    SDL_Quit();
    return 0;
}

static RenderView *build(Screen *screen)
{
    RenderView *view = session_view_build(screen->view, screen->session, 1.0);
    view->orbit_distance = 12.0;
    view->orbit_pitch = 0.5;
    return view;
}

TEST_WITH(who_hands_a_view_over_goes_on, Screen *screen)
{
    double start = seconds_now();
    assert_true(picture_show(screen->picture, build(screen), WIDTH, HEIGHT, 0.0));
    double handed = seconds_now() - start;
    int refused = 0;
    while (!picture_is_ready(screen->picture)) {
        refused += !picture_show(screen->picture, build(screen), WIDTH, HEIGHT, 0.0);
        SDL_Delay(1);
    }
    double drawn = seconds_now() - start, seconds = 0.0;
    int64_t frames = picture_frames(screen->picture, &seconds);
    print_message("handed over in %.1f ms, shown after %.1f ms, %d views refused meanwhile\n", 1e3 * handed,
                  1e3 * drawn, refused);
    assert_true(frames >= 1 && seconds > 0.0);
    assert_true(handed < drawn);
}

/// A session that goes on while an older view of it is drawn, and views that are left out, change no pixel.
TEST_WITH(what_was_left_out_is_made_up_for, Screen *screen)
{
    OperatorControls controls = {{0}};
    controls.axis[CONTROL_BOOM] = control_quantise(-1.0);
    picture_show(screen->picture, build(screen), WIDTH, HEIGHT, 5.0);
    for (int k = 0; k < 90; k++) {
        session_tick(screen->session, &controls);
        session_view_tick(screen->view, screen->session);
        picture_show(screen->picture, build(screen), WIDTH, HEIGHT, 0.0);
    }
    unsigned char *first = picture_read(screen->picture, build(screen), WIDTH, HEIGHT);
    session_view_jump(screen->view, screen->session);
    unsigned char *whole = picture_read(screen->picture, build(screen), WIDTH, HEIGHT);
    assert_true(first != NULL && whole != NULL);
    assert_memory_equal(first, whole, 3 * (size_t)WIDTH * HEIGHT);
    free(first);
    free(whole);
}

TEST_WITH(a_file_that_cannot_be_written_is_told, Screen *screen)
{
    Status status = {0};
    assert_false(picture_write_png(screen->picture, build(screen), WIDTH, HEIGHT, "/nowhere/picture.png", &status));
    assert_int_equal(status.code, STATUS_LACKING);
    assert_non_null(strstr(status.text, "/nowhere/picture.png"));
}

TEST_MAIN(open_screen, close_screen)
