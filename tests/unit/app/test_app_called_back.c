/// Who stands beside a drive is heard while a page covers it, the settings or the page of the end, and calls the person
/// back from there.
#include <SDL.h>

#include "tests/support/hidden_window.h"
#include "tests/support/test.h"
#include "trainer/app/screens.h"

enum { MOST_ROUNDS = 4000, BEGIN = 5 }; ///< rounds after which a case gives up; ticks before the first key

typedef struct Beside {
    bool restarts; ///< the first thing that is ordered behind the settings
    int rounds, pressed;
    int stood, followed; ///< rounds in which a page was open
    int driven; ///< rounds after a restart behind the settings
} Beside;

/// Opens the pause, and in it the settings, which stand before the last item. A round without a clock is one behind
/// them.
static bool before(void *context, Drive *drive, DriveRound *round, Status *status)
{
    static const SDL_Keycode keys[] = {SDLK_ESCAPE, SDLK_UP, SDLK_UP, SDLK_RETURN};
    Beside *beside = context;
    bool good = true, done = drive->restarts > 0 && session_frame(drive->session)->tick > BEGIN;
    beside->stood += !round->paced;
    beside->driven += round->paced && drive->restarts > 0;
    if (!round->paced && beside->restarts && drive->restarts == 0) {
        good = drive_restart(drive, status);
    } else if (!round->paced || done || ++beside->rounds == MOST_ROUNDS) {
        drive->dismissed = round->leaves = true;
    } else if (drive->restarts == 0 && beside->rounds > 2 && session_frame(drive->session)->tick > BEGIN &&
               beside->pressed < (int)(sizeof keys / sizeof keys[0])) {
        tap_key(keys[beside->pressed++]);
    }
    return good;
}

static void after(void *context, Drive *drive, bool last)
{
    (void)context;
    (void)drive;
    (void)last;
}

static bool follows(void *context, const Drive *drive)
{
    Beside *beside = context;
    assert_non_null(drive->session);
    return ++beside->followed == 3;
}

static ScreenEnd drive(Beside *beside, const char *operator_name)
{
    RunOptions options = {.scene = "free",
                          .operator_name = operator_name,
                          .threads = 1,
                          .no_record = true,
                          .no_rumble = true,
                          .no_briefing = true,
                          .shot_at = -1.0,
                          .camera = -1};
    DriveGuide guide = {.context = beside, .before = before, .after = after, .follows = follows};
    DriveParams params = {.options = &options, .guide = &guide};
    Status status = {0};
    char recorded[DATA_PATH_LENGTH];
    Window *window = window_open("test", SETTINGS_QUALITY_LOW, &status);
    assert_good(window != NULL, status);
    ScreenEnd end = drive_screen(window, &params, recorded, &status);
    window_close(window);
    return end;
}

TEST(a_drive_is_ended_behind_the_settings)
{
    Beside beside = {0};
    assert_int_equal(drive(&beside, NULL), SCREEN_END_LEAVE);
    assert_int_equal(beside.stood, 1);
    assert_int_equal(beside.followed, 0); // it was ended by who stands beside it: no page follows
}

TEST(a_drive_is_begun_again_behind_the_settings)
{
    Beside beside = {.restarts = true};
    assert_int_equal(drive(&beside, NULL), SCREEN_END_LEAVE);
    assert_int_equal(beside.stood, 1);
    assert_true(beside.driven > BEGIN && beside.rounds < MOST_ROUNDS);
}

TEST(the_page_after_a_drive_is_left_when_it_is_asked)
{
    char script[] = "test_app_called_back.csv";
    FILE *file = fopen(script, "w");
    assert_non_null(file);
    fputs("t,swing\n0,0.5\n0.05,0\n", file); // over before a key is pressed
    assert_int_equal(fclose(file), 0);
    Beside beside = {0};
    assert_int_equal(drive(&beside, script), SCREEN_END_CLOSE);
    assert_int_equal(beside.followed, 3);
    remove(script);
}

TEST_GROUP(need_offscreen_window, NULL)
