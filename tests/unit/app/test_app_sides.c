/// Windows beside the main one: each is drawn, closed, turned and aimed on its own, and takes no more of the main one's
/// time than it may.
#include <time.h>

#include "tests/support/hidden_window.h"
#include "tests/support/test.h"
#include "trainer/app/picture.h"
#include "trainer/app/session_view.h"
#include "trainer/app/side_windows.h"
#include "trainer/app/window.h"

enum { WIDTH = 320, HEIGHT = 180, FRAMES = 30 };

typedef struct Screen {
    SDL_Window *window, *other[2];
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
    screen.picture = screen.window == NULL
                         ? NULL
                         : picture_open(&(PictureParams){.window = screen.window,
                                                         .shader_folder = SPADEWORK_DATA_DIR "/shaders",
                                                         .quality = RENDER_QUALITY_LOW},
                                        &status);
    if (screen.picture == NULL) {
        printf("no OpenGL 3.3 core context on this computer: nothing drawn (%s)\n", status.text);
        exit(77);
    }
    screen.other[0] = hidden_window(WIDTH, HEIGHT);
    screen.other[1] = hidden_window(2 * WIDTH, HEIGHT);
    assert_true(screen.other[0] != NULL && screen.other[1] != NULL);
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
    SDL_DestroyWindow(screen->other[0]);
    SDL_DestroyWindow(screen->other[1]);
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

/// Shows so many frames; returns the seconds that they took.
static double show(Screen *screen, int frames)
{
    double start = seconds_now();
    for (int k = 0; k < frames; k++) {
        RenderView *view = build(screen);
        view->orbit_yaw += 0.01 * (k % 2); // what stands would not be drawn again
        assert_true(picture_show(screen->picture, view, WIDTH, HEIGHT, 60.0));
    }
    while (!picture_is_ready(screen->picture)) {
        SDL_Delay(1);
    }
    return seconds_now() - start;
}

/// The first window from behind, the second from above; `flat`: the first has no pixels.
static void ask_for(Screen *screen, bool one, bool two, bool flat)
{
    PictureSide sides[RENDER_MAX_BESIDE] = {{0}};
    RenderView *view = build(screen);
    if (one) {
        view->camera = RENDER_CAMERA_CHASE;
        sides[0] = (PictureSide){screen->other[0], flat ? 0 : WIDTH, flat ? 0 : HEIGHT, render_aim_of(view)};
    }
    if (two) {
        view->camera = RENDER_CAMERA_PLAN;
        sides[2] = (PictureSide){screen->other[1], 2 * WIDTH, HEIGHT, render_aim_of(view)};
    }
    picture_set_sides(screen->picture, sides, false);
}

static int64_t drawn(Screen *screen, int k)
{
    double seconds = 0.0;
    return picture_side_frames(screen->picture, k, &seconds);
}

TEST_WITH(each_is_drawn_and_one_that_goes_is_not, Screen *screen)
{
    ask_for(screen, true, true, false);
    show(screen, FRAMES);
    int64_t first = drawn(screen, 0), second = drawn(screen, 2);
    print_message("of %d frames the windows have %d and %d\n", FRAMES, (int)first, (int)second);
    assert_true(first > 1 && second > 1);
    assert_int_equal(drawn(screen, 1), 0);
    ask_for(screen, true, false, false); // the second is closed: its window may go
    SDL_DestroyWindow(screen->other[1]);
    show(screen, FRAMES);
    assert_true(drawn(screen, 0) > first);
    assert_int_equal(drawn(screen, 2), 0);
    screen->other[1] = hidden_window(2 * WIDTH, HEIGHT);
    ask_for(screen, true, true, true); // the first is minimised or has no pixels
    first = drawn(screen, 0);
    show(screen, FRAMES);
    assert_int_equal(drawn(screen, 0), first);
    assert_true(drawn(screen, 2) > 1);
    ask_for(screen, false, false, false);
}

/// Pictures beside it that are ten times as slow take a sixth of the time, not ten elevenths.
TEST_WITH(slow_ones_leave_the_main_window_its_rate, Screen *screen)
{
    picture_try(screen->picture, &(PictureTrial){.delay = 0.02});
    ask_for(screen, false, false, false);
    show(screen, 3);
    double alone = show(screen, 2 * FRAMES);
    picture_try(screen->picture, &(PictureTrial){.delay = 0.02, .side_delay = 0.2});
    ask_for(screen, true, true, false);
    show(screen, 3); // the first of each is not counted
    double beside = show(screen, 2 * FRAMES);
    print_message("%d frames: %.2f s alone, %.2f s beside slow windows (%d and %d frames)\n", 2 * FRAMES, alone, beside,
                  (int)drawn(screen, 0), (int)drawn(screen, 2));
    assert_true(drawn(screen, 0) >= 1 && drawn(screen, 2) >= 1);
    assert_true(drawn(screen, 0) + drawn(screen, 2) < FRAMES / 2);
    // What they cost is the delay of each: less than half of the time, where one after each main frame would take ten
    // elevenths. A busy computer makes the share smaller, never larger.
    assert_true((double)(drawn(screen, 0) + drawn(screen, 2)) * 0.2 < 0.5 * beside);
    picture_try(screen->picture, &(PictureTrial){0});
    ask_for(screen, false, false, false);
}

TEST_WITH(a_lost_context_is_made_anew_for_all, Screen *screen)
{
    ask_for(screen, true, true, false);
    show(screen, FRAMES);
    int64_t first = drawn(screen, 0), second = drawn(screen, 2);
    picture_try(screen->picture, &(PictureTrial){.lost = true});
    show(screen, 2 * FRAMES);
    assert_true(drawn(screen, 0) > first && drawn(screen, 2) > second);
    ask_for(screen, false, false, false);
}

/// ---- what the windows take in --------------------------------------------------------------------------------------

static SDL_Event window_event(const SideWindow *side, Uint8 kind)
{
    return (SDL_Event){.window = {.type = SDL_WINDOWEVENT, .windowID = SDL_GetWindowID(side->window), .event = kind}};
}

TEST_WITH(mouse_digits_and_the_cross_are_each_windows_own, Screen *screen)
{
    Status status;
    SideWindows sides = {0};
    SettingsSides wanted = {2, {{CAMERA_ORBIT, 0}, {CAMERA_FREE, 0}}};
    assert_true(side_windows_set(&sides, &wanted, screen->picture, &status));
    SideWindow *first = &sides.side[0], *second = &sides.side[1];
    assert_true(side_windows_are_seen(&sides));
    double yaw = first->camera.orbit_yaw;
    SDL_Event drag = {.motion = {.type = SDL_MOUSEMOTION,
                                 .windowID = SDL_GetWindowID(first->window),
                                 .state = SDL_BUTTON_LMASK,
                                 .x = 50,
                                 .y = 50,
                                 .xrel = 30}};
    assert_true(side_windows_take(&sides, &drag, screen->picture));
    assert_true(first->camera.orbit_yaw < yaw);
    assert_true(second->camera.free_yaw == 0.0);
    drag.motion.windowID = SDL_GetWindowID(screen->window);
    assert_false(side_windows_take(&sides, &drag, screen->picture)); // the main one's
    SDL_Event key = {.key = {.type = SDL_KEYDOWN, .windowID = SDL_GetWindowID(second->window)}};
    key.key.keysym.sym = SDLK_6;
    assert_true(side_windows_take(&sides, &key, screen->picture));
    assert_int_equal(second->camera.camera, RENDER_CAMERA_PLAN);
    assert_int_equal(first->camera.camera, RENDER_CAMERA_ORBIT);
    key.key.keysym.sym = SDLK_i; // drives
    assert_false(side_windows_take(&sides, &key, screen->picture));
    SDL_Event finger = {.tfinger = {.type = SDL_FINGERDOWN, .windowID = SDL_GetWindowID(first->window), .x = 0.5f}};
    assert_true(side_windows_take(&sides, &finger, screen->picture));
    finger.tfinger.type = SDL_FINGERMOTION;
    finger.tfinger.x = 0.7f;
    yaw = first->camera.orbit_yaw;
    assert_true(side_windows_take(&sides, &finger, screen->picture));
    assert_true(first->camera.orbit_yaw < yaw);
    SDL_Event cross = window_event(first, SDL_WINDOWEVENT_CLOSE);
    assert_true(side_windows_take(&sides, &cross, screen->picture));
    assert_true(first->window == NULL && second->window != NULL);
    assert_true(side_windows_toggle(&sides, screen->picture, &status)); // it opens again, turned as it was
    assert_non_null(first->window);
    assert_true(first->camera.orbit_yaw < yaw);
    assert_true(side_windows_toggle(&sides, screen->picture, &status)); // and all are closed
    assert_true(first->window == NULL && second->window == NULL && !side_windows_are_seen(&sides));
    SideWindows none = {0};
    assert_true(side_windows_toggle(&none, screen->picture, &status));
    assert_true(none.count == 1 && none.side[0].camera.camera == RENDER_CAMERA_ORBIT);
    side_windows_close(&none, screen->picture);
}

TEST_WITH(a_display_that_is_not_there_is_told, Screen *screen)
{
    Status status;
    SideWindows sides = {0};
    SettingsSides wanted = {2, {{CAMERA_PLAN, 15}, {CAMERA_REAR, 0}}};
    assert_false(side_windows_set(&sides, &wanted, screen->picture, &status));
    assert_int_equal(status.code, STATUS_LACKING);
    assert_non_null(strstr(status.text, "plan@15"));
    assert_non_null(strstr(status.text, "allowed is @1 to @1"));
    assert_true(sides.side[0].window == NULL && sides.side[1].window != NULL);
    side_windows_close(&sides, screen->picture);
}

/// What a window shows is where its camera stands; the section is as high as the highest of them asks.
TEST_WITH(each_has_its_aim, Screen *screen)
{
    Status status;
    SideWindows sides = {0};
    SettingsSides wanted = {3, {{CAMERA_SECTION, 0}, {CAMERA_CAB, 0}, {CAMERA_FREE, 0}}};
    assert_true(side_windows_set(&sides, &wanted, screen->picture, &status));
    sides.side[0].camera.section_height = 12.0;
    assert_near(side_windows_section(&sides), 12.0, 1e-12);
    side_windows_show(&sides, build(screen), screen->picture, false);
    show(screen, FRAMES);
    for (int k = 0; k < 3; k++) {
        assert_true(drawn(screen, k) > 0);
    }
    // Some versions of SDL's driver without a screen give the newest window the keyboard, others none.
    CameraKeys keys = {.ahead = 1.0};
    bool has_keyboard = SDL_GetKeyboardFocus() == sides.side[2].window;
    assert_int_equal(side_windows_fly(&sides, &keys, 0.1), has_keyboard);
    sides.side[2].camera.camera = RENDER_CAMERA_PLAN; // does not fly
    assert_false(side_windows_fly(&sides, &keys, 0.1));
    side_windows_close(&sides, screen->picture);
    assert_near(side_windows_section(&sides), 0.0, 1e-12);
}

TEST_GROUP(open_screen, close_screen)
