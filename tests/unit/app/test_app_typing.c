/// Keys that come faster than the window is looked at: none is lost, and their order is kept.
#include <SDL.h>

#include "tests/support/test.h"
#include "trainer/app/window.h"

static int open_window(void **state)
{
    Status status;
    setenv("SDL_VIDEODRIVER", "offscreen", 1);
    *state = window_open("test", SETTINGS_QUALITY_LOW, &status);
    if (*state == NULL) {
        printf("no window on this computer: %s\n", status.text);
        exit(77);
    }
    return 0;
}

static int close_window(void **state)
{
    window_close(*state);
    return 0;
}

static void press_key(Uint32 type, SDL_Keycode key, Uint16 modifiers)
{
    SDL_Event event = {.key = {.type = type,
                               .repeat = 0,
                               .keysym = {.scancode = SDL_GetScancodeFromKey(key), .sym = key, .mod = modifiers}}};
    assert_int_equal(SDL_PushEvent(&event), 1);
}

static void type_text(const char *text)
{
    SDL_Event event = {.text = {.type = SDL_TEXTINPUT}};
    snprintf(event.text.text, sizeof event.text.text, "%s", text);
    assert_int_equal(SDL_PushEvent(&event), 1);
}

/// What becomes of a text of at most `most` bytes by what was typed since the last look.
static void expect_text(Window *window, const char *before, size_t most, const char *after)
{
    char text[64];
    snprintf(text, sizeof text, "%s", before);
    WindowInput input;
    window_poll(window, NULL, &input);
    window_edit_text(&input, text, most + 1);
    assert_string_equal(text, after);
}

TEST_WITH(what_is_typed_and_erased_between_two_looks_keeps_its_order, Window *window)
{
    window_take_text(window, true);
    for (int k = 0; k < 3; k++) {
        press_key(SDL_KEYDOWN, SDLK_BACKSPACE, KMOD_NONE);
    }
    type_text("A");
    type_text("ä");
    press_key(SDL_KEYDOWN, SDLK_BACKSPACE, KMOD_NONE);
    type_text("nn");
    expect_text(window, "xyöz", 40, "xAnn");
    expect_text(window, "xAnn", 40, "xAnn"); // nothing comes twice
}

TEST_WITH(a_text_is_filled_with_whole_characters, Window *window)
{
    window_take_text(window, true);
    type_text("aä");
    expect_text(window, "", 2, "a");
    type_text("abcdefghijklmnopqrstuvwxyzABCDE");
    type_text("öFG");
    expect_text(window, "", 40, "abcdefghijklmnopqrstuvwxyzABCDE"); // as much as is kept between two looks
}

TEST_WITH(shift_counts_as_it_was_when_the_key_was_pressed, Window *window)
{
    window_take_text(window, false);
    WindowInput input;
    press_key(SDL_KEYDOWN, SDLK_RIGHT, KMOD_LSHIFT);
    press_key(SDL_KEYUP, SDLK_RIGHT, KMOD_LSHIFT);
    press_key(SDL_KEYUP, SDLK_LSHIFT, KMOD_NONE);
    window_poll(window, NULL, &input);
    assert_true(input.shift);
    press_key(SDL_KEYDOWN, SDLK_RIGHT, KMOD_NONE);
    window_poll(window, NULL, &input);
    assert_false(input.shift);
}

TEST_GROUP(open_window, close_window)
