/// The pages over a drive are drawn however far the drive is behind the wall clock. The lag is injected by the drive's
/// guide, so that no case depends on a slow computer.
#include <SDL.h>

#include "tests/support/hidden_window.h"
#include "tests/support/test.h"
#include "trainer/screens/screen.h"
#include "trainer/window/picture/picture.h"

#define PATIENCE 30.0 ///< s after which a page counts as never drawn; sanitizers draw the first picture for seconds
#define LAG      0.4 ///< s of the wall clock that each round is late by: some 24 ticks are due at once

enum { BEGIN = 5, ENOUGH = 3 }; ///< ticks before the key; pictures of the page

typedef struct Lag {
    SDL_Keycode key; ///< that opens the page; 0: the guide freezes the drive instead, or a question comes by itself
    bool freezes;
    bool lends; ///< each picture that may be is asked for by the guide
    bool pressed;
    int64_t held_ticks; ///< ticks when the page opened
    int built; ///< pictures while time stood still
    double since; ///< drive_clock, when the case began
    const Drive *drive;
} Lag;

static void press(SDL_Keycode key)
{
    SDL_Event event = {.key = {.type = SDL_KEYDOWN, .state = SDL_PRESSED, .keysym = {.sym = key}}};
    event.key.keysym.scancode = SDL_GetScancodeFromKey(key);
    SDL_PushEvent(&event);
    event.key.type = SDL_KEYUP;
    event.key.state = SDL_RELEASED;
    SDL_PushEvent(&event);
}

static bool before(void *context, Drive *drive, DriveRound *round, Status *status)
{
    (void)status;
    Lag *lag = context;
    int64_t tick = session_frame(drive->session)->tick;
    lag->drive = drive;
    round->elapsed = LAG;
    round->budget = HUGE_VAL; // catching up is never given up
    if (tick >= BEGIN && lag->key != 0 && !lag->pressed) {
        press(lag->key);
        lag->pressed = true;
    }
    round->holds |= lag->freezes && tick >= BEGIN;
    if (lag->built >= ENOUGH || drive_clock() - lag->since > PATIENCE) {
        drive->dismissed = round->leaves = true;
    }
    return true;
}

static void after(void *context, Drive *drive, bool last)
{
    (void)context;
    (void)drive;
    (void)last;
}

/// Asked once for each view that is built.
static bool wants_picture(void *context)
{
    Lag *lag = context;
    lag->built += lag->drive->held;
    return lag->lends;
}

static void take_picture(void *context, const unsigned char *png, size_t size)
{
    (void)context;
    assert_non_null(png);
    assert_true(size > 0);
}

/// Returns the pictures that the window has shown.
static int64_t drive(Lag *lag, const char *scene)
{
    RunOptions options = {.scene = scene,
                          .threads = 1,
                          .no_record = true,
                          .no_rumble = true,
                          .no_briefing = true,
                          .shot_at = -1.0,
                          .camera = -1};
    DriveGuide guide = {
        .context = lag, .before = before, .after = after, .wants_picture = wants_picture, .take_picture = take_picture};
    DriveParams params = {.options = &options, .guide = &guide};
    Status status = {0};
    char recorded[DATA_PATH_LENGTH];
    Window *window = window_open("test", SETTINGS_QUALITY_LOW, &status);
    assert_good(window != NULL, status);
    lag->since = drive_clock();
    assert_int_equal(drive_screen(window, &params, recorded, &status), SCREEN_END_LEAVE);
    double seconds = 0.0;
    int64_t frames = picture_frames(window_picture(window), &seconds);
    window_close(window);
    return frames;
}

TEST(pages_opened_by_a_key_are_drawn_while_ticks_are_due)
{
    static const SDL_Keycode keys[] = {SDLK_ESCAPE, SDLK_p, SDLK_F5};
    for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++) {
        Lag lag = {.key = keys[k]};
        int64_t frames = drive(&lag, "free");
        assert_true(lag.built >= ENOUGH);
        assert_true(frames > 0);
    }
}

TEST(a_frozen_drive_is_drawn_while_ticks_are_due)
{
    Lag lag = {.freezes = true};
    drive(&lag, "free");
    assert_true(lag.built >= ENOUGH);
}

TEST(a_question_is_drawn_while_ticks_are_due)
{
    Lag lag = {0};
    drive(&lag, "walk-round");
    assert_true(lag.built >= ENOUGH);
}

/// A page of the instructor that takes each picture it may have leaves every other one to the window.
TEST(the_window_is_drawn_however_often_the_instructor_takes_a_picture)
{
    Lag lag = {.freezes = true, .lends = true};
    assert_true(drive(&lag, "free") > 0);
}

TEST_MAIN(need_offscreen_window, NULL)
