/// The pages over a drive are drawn however far the drive is behind the wall clock, and Esc on the page before a drive
/// starts nothing. The lag is injected by the drive's guide, so that no case depends on a slow computer.
#include <SDL.h>

#include "tests/support/hidden_window.h"
#include "tests/support/recording_fixture.h"
#include "trainer/app/screens.h"
#include "trainer/app/picture.h"

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

static bool before(void *context, Drive *drive, DriveRound *round, Status *status)
{
    (void)status;
    Lag *lag = context;
    int64_t tick = session_frame(drive->session)->tick;
    lag->drive = drive;
    round->elapsed = LAG;
    round->budget = HUGE_VAL; // catching up is never given up
    if (tick >= BEGIN && lag->key != 0 && !lag->pressed) {
        tap_key(lag->key);
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

/// ---- the briefing --------------------------------------------------------------------------------------------------

typedef struct Start {
    SDL_Keycode key;
    int rounds;
    int64_t ticks;
} Start;

/// Presses the key on the briefing, and ends the drive after its first ticks.
static bool before_start(void *context, Drive *drive, DriveRound *round, Status *status)
{
    (void)status;
    Start *start = context;
    start->ticks = session_frame(drive->session)->tick;
    if (++start->rounds == 3) {
        tap_key(start->key);
    }
    round->leaves |= start->ticks >= BEGIN || start->rounds == 100000;
    drive->dismissed |= start->ticks >= BEGIN;
    return true;
}

static int count_files(const char *folder)
{
    char command[600];
    snprintf(command, sizeof command, "find %s -type f -name '*.spade*' | wc -l", folder);
    FILE *pipe = popen(command, "r");
    int count = -1;
    assert_non_null(pipe);
    assert_int_equal(fscanf(pipe, "%d", &count), 1);
    assert_int_equal(pclose(pipe), 0);
    return count;
}

static int64_t begin_with(SDL_Keycode key, bool named, const char *record)
{
    RunOptions options = {.scene = "trench",
                          .threads = 1,
                          .trainee = named ? "Ann" : NULL,
                          .record = record,
                          .no_rumble = true,
                          .shot_at = -1.0,
                          .camera = -1};
    Start start = {.key = key};
    DriveGuide guide = {.context = &start, .before = before_start, .after = after};
    DriveParams params = {.options = &options, .guide = &guide, .briefs = true, .from_menu = true};
    Status status = {0};
    char recorded[DATA_PATH_LENGTH];
    Window *window = window_open("test", SETTINGS_QUALITY_LOW, &status);
    assert_good(window != NULL, status);
    assert_int_equal(drive_screen(window, &params, recorded, &status), SCREEN_END_LEAVE);
    window_close(window);
    assert_int_equal(recorded[0] != '\0', start.ticks > 0);
    return start.ticks;
}

/// Nothing is recorded and nothing is among the results: the folder holds no recording. Return starts the exercise.
TEST(escape_on_the_briefing_starts_nothing)
{
    char folder[64], record[512];
    make_folder(folder);
    setenv("XDG_DATA_HOME", folder, 1);
    for (int k = 0; k < 2; k++) {
        assert_int_equal(begin_with(SDLK_ESCAPE, k == 1, NULL), 0);
        assert_int_equal(count_files(folder), 0);
    }
    assert_int_equal(begin_with(SDLK_ESCAPE, false, path_in(folder, "a.spade", record)), 0);
    assert_int_equal(count_files(folder), 0);
    assert_int_equal(begin_with(SDLK_RETURN, true, NULL), BEGIN);
    assert_int_equal(count_files(folder), 1);
    unsetenv("XDG_DATA_HOME");
    remove_folder(folder);
}

TEST_GROUP(need_offscreen_window, NULL)
