/// The thread that draws the picture: whoever hands it a view goes on at once, no view is drawn in part, and what is
/// left out is made up for.
// test: long
#include <time.h>

#include "tests/support/hidden_window.h"
#include "tests/support/test.h"
#include "trainer/app/picture.h"
#include "trainer/app/session_view.h"

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

static Picture *open_picture(SDL_Window *window, bool no_shadow_map, Status *status)
{
    return picture_open(&(PictureParams){.window = window,
                                         .shader_folder = SPADEWORK_DATA_DIR "/shaders",
                                         .quality = RENDER_QUALITY_HIGH,
                                         .no_shadow_map = no_shadow_map},
                        status);
}

/// A computer without OpenGL 3.3 skips all cases (exit code 77).
static int open_screen(void **state)
{
    static Screen screen;
    Status status = {0};
    screen.window = hidden_window(WIDTH, HEIGHT);
    screen.picture = screen.window != NULL ? open_picture(screen.window, false, &status) : NULL;
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
    view->hud.payload = 0.0; // it follows the ticks, the gauges are drawn anew ten times a second
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
    OperatorControls controls = control_neutral;
    controls.axis[CONTROL_BOOM] = control_quantise(-0.4); // it stays in the air: a view between two ticks moves grains
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

/// Shows a view and waits for it.
static void show(Screen *screen, int width, int height)
{
    assert_true(picture_show(screen->picture, build(screen), width, height, 60.0));
    while (!picture_is_ready(screen->picture)) {
        SDL_Delay(1);
    }
}

/// A graphics card that was reset takes all textures and meshes along: what is drawn afterwards is the same, pixel by
/// pixel, and the ground is sent whole again.
TEST_WITH(a_lost_context_is_made_anew, Screen *screen)
{
    unsigned char *before = picture_read(screen->picture, build(screen), WIDTH, HEIGHT);
    for (int k = 0; k < 2; k++) {
        picture_try(screen->picture, &(PictureTrial){.lost = true});
        show(screen, WIDTH, HEIGHT);
        unsigned char *after = picture_read(screen->picture, build(screen), WIDTH, HEIGHT);
        assert_true(before != NULL && after != NULL);
        assert_memory_equal(before, after, 3 * (size_t)WIDTH * HEIGHT);
        free(after);
    }
    free(before);
}

/// Shows the same view some times; returns the frames that were drawn for it.
static int64_t show_again(Screen *screen, int times)
{
    double seconds;
    int64_t before = picture_frames(screen->picture, &seconds);
    for (int k = 0; k < times; k++) {
        show(screen, WIDTH, HEIGHT);
    }
    return picture_frames(screen->picture, &seconds) - before;
}

/// While nothing changes nothing is drawn; what may be gone from the screen is drawn again, and so is what changed.
TEST_WITH(a_view_that_stands_is_not_drawn_again, Screen *screen)
{
    show_again(screen, 20);
    assert_int_equal(show_again(screen, 20), 0);
    picture_refresh(screen->picture);
    assert_true(show_again(screen, 20) >= 1);
    assert_int_equal(show_again(screen, 5), 0);
    for (int k = 0; k < 60; k++) { // figures are looked at some times a second
        session_tick(screen->session, &control_neutral);
        session_view_tick(screen->view, screen->session);
    }
    assert_true(show_again(screen, 20) >= 1);
    free(picture_read(screen->picture, build(screen), WIDTH, HEIGHT)); // which the window does not show
    assert_true(show_again(screen, 20) >= 1);
    assert_int_equal(show_again(screen, 5), 0);
}

/// A window that is made as small or as flat as can be, and large again, draws on.
TEST_WITH(any_size_is_drawn, Screen *screen)
{
    static const int sizes[][2] = {{1, 1}, {1, 300}, {WIDTH, 1}, {2, 2}, {WIDTH, HEIGHT}};
    unsigned char *before = picture_read(screen->picture, build(screen), WIDTH, HEIGHT);
    double seconds = 0.0;
    int64_t frames = picture_frames(screen->picture, &seconds);
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        show(screen, sizes[k][0], sizes[k][1]);
        unsigned char *pixels = picture_read(screen->picture, build(screen), sizes[k][0], sizes[k][1]);
        assert_non_null(pixels);
        free(pixels);
    }
    assert_int_equal(picture_frames(screen->picture, &seconds) - frames, sizeof sizes / sizeof sizes[0]);
    unsigned char *after = picture_read(screen->picture, build(screen), WIDTH, HEIGHT);
    assert_memory_equal(before, after, 3 * (size_t)WIDTH * HEIGHT);
    free(before);
    free(after);
}

/// Where OpenGL cannot draw a shadow map the picture has no shadows: nothing is darker for it, and much is lighter.
TEST_WITH(without_a_shadow_map_nothing_lies_in_shadow, Screen *screen)
{
    Status status = {0};
    SDL_Window *window = hidden_window(WIDTH, HEIGHT);
    Picture *picture = open_picture(window, true, &status);
    assert_good(picture != NULL, status);
    unsigned char *with = picture_read(screen->picture, build(screen), WIDTH, HEIGHT);
    unsigned char *without = picture_read(picture, build(screen), WIDTH, HEIGHT);
    int lighter = 0, darker = 0;
    for (int k = 0; k < 3 * WIDTH * HEIGHT; k++) {
        lighter += without[k] > with[k] + 8;
        darker += without[k] + 8 < with[k];
    }
    print_message("without shadows %d of %d values are lighter, %d darker\n", lighter, 3 * WIDTH * HEIGHT, darker);
    assert_true(lighter > 3 * WIDTH * HEIGHT / 50);
    assert_int_equal(darker, 0);
    free(with);
    free(without);
    picture_close(picture);
    SDL_DestroyWindow(window);
}

/// Slow pictures lead from high quality to medium, and to low where that is slow, too; far too slow ones at once.
TEST_WITH(slow_pictures_lead_to_lower_quality, Screen *screen)
{
    for (int k = 0; k < 2; k++) {
        Status status = {0};
        SDL_Window *window = hidden_window(WIDTH, HEIGHT);
        Picture *kept = screen->picture;
        screen->picture = picture_open(&(PictureParams){.window = window,
                                                        .shader_folder = SPADEWORK_DATA_DIR "/shaders",
                                                        .quality = k == 0 ? RENDER_QUALITY_MEDIUM : RENDER_QUALITY_HIGH,
                                                        .adapts = true},
                                       &status);
        assert_good(screen->picture != NULL, status);
        picture_try(screen->picture, &(PictureTrial){.delay = 0.2});
        int views = 0;
        while (picture_quality(screen->picture) != RENDER_QUALITY_LOW && views < 10) {
            show(screen, 64, 36);
            views++;
        }
        assert_int_equal(views, 5);
        picture_close(screen->picture);
        screen->picture = kept;
        SDL_DestroyWindow(window);
    }
}

/// Automatic quality begins at low where no graphics card draws, and when it is chosen again.
TEST_WITH(automatic_quality_starts_low_in_software, Screen *screen)
{
    Status status = {0};
    SDL_Window *window = hidden_window(WIDTH, HEIGHT);
    Picture *kept = screen->picture;
    screen->picture = picture_open(&(PictureParams){.window = window,
                                                    .shader_folder = SPADEWORK_DATA_DIR "/shaders",
                                                    .quality = RENDER_QUALITY_HIGH,
                                                    .adapts = true,
                                                    .low_in_software = true},
                                   &status);
    assert_good(screen->picture != NULL, status);
    if (picture_quality(screen->picture) != RENDER_QUALITY_LOW) {
        print_message("a graphics card draws here: nothing tested\n");
    } else {
        show(screen, 64, 36);
        assert_int_equal(picture_quality(screen->picture), RENDER_QUALITY_LOW);
        assert_true(picture_set_quality(screen->picture, RENDER_QUALITY_HIGH, false, &status));
        assert_int_equal(picture_quality(screen->picture), RENDER_QUALITY_HIGH);
        assert_true(picture_set_quality(screen->picture, RENDER_QUALITY_HIGH, true, &status));
        show(screen, 64, 36);
        assert_int_equal(picture_quality(screen->picture), RENDER_QUALITY_LOW);
    }
    picture_close(screen->picture);
    screen->picture = kept;
    SDL_DestroyWindow(window);
}

/// What takes too long three times in a row is drawn a notch less finely, to the last notch; what is quick again for a
/// while comes back notch by notch, what lies between stays as it is.
TEST(slow_pictures_of_low_quality_are_less_fine)
{
    const double between = 0.5 * (FINENESS_SLOW + FINENESS_QUICK);
    Fineness fineness = {0};
    double share = 1.0;
    for (int k = 1; k < FINENESS_SLOW_PICTURES; k++) {
        assert_near(fineness_next(&fineness, 0.2), 1.0, 1e-12);
    }
    assert_near(fineness_next(&fineness, between), 1.0, 1e-12); // not in a row
    for (int k = 0; k < 4 * FINENESS_SLOW_PICTURES; k++) {
        double next = fineness_next(&fineness, 0.2);
        assert_true(next <= share);
        share = next;
    }
    assert_near(share, FINENESS_LEAST, 1e-12);
    double before = share;
    for (int k = 0; k < 4 * FINENESS_QUICK_PICTURES; k++) {
        share = fineness_next(&fineness, between);
    }
    assert_near(share, before, 1e-12);
    for (int k = 1; k < FINENESS_QUICK_PICTURES; k++) {
        assert_near(fineness_next(&fineness, 0.02), before, 1e-12);
    }
    share = fineness_next(&fineness, 0.02);
    assert_true(share > before && share < 1.0);
    assert_true(FINENESS_QUICK * share * share / (before * before) <
                FINENESS_SLOW); // it does not go down again at once
    for (int k = 0; k < 3 * FINENESS_QUICK_PICTURES; k++) {
        share = fineness_next(&fineness, 0.02);
    }
    assert_near(share, 1.0, 1e-12);
}

/// A slow picture in a window shows fewer pixels, but what is read or written of it has them all.
TEST_WITH(pictures_that_are_kept_are_as_fine_as_they_can_be, Screen *screen)
{
    Status status = {0};
    SDL_Window *window = hidden_window(800, 450);
    Picture *kept = screen->picture;
    screen->picture = picture_open(&(PictureParams){.window = window,
                                                    .shader_folder = SPADEWORK_DATA_DIR "/shaders",
                                                    .quality = RENDER_QUALITY_LOW,
                                                    .adapts = true},
                                   &status);
    assert_good(screen->picture != NULL, status);
    unsigned char *before = picture_read(screen->picture, build(screen), 800, 450);
    picture_try(screen->picture, &(PictureTrial){.delay = 0.1});
    for (int k = 0; k < 2 + 4 * FINENESS_SLOW_PICTURES; k++) {
        show(screen, 64, 36);
    }
    unsigned char *after = picture_read(screen->picture, build(screen), 800, 450);
    assert_memory_equal(before, after, 3 * (size_t)800 * 450);
    free(before);
    free(after);
    picture_close(screen->picture);
    screen->picture = kept;
    SDL_DestroyWindow(window);
}

TEST_GROUP(open_screen, close_screen)
