/// Each page of the menu is reached and left by the keyboard alone, by a gamepad alone and by the mouse alone, in every
/// language, so that somebody who has only one of them reaches every page.
// test: unit, alone
#include "tests/support/recording_fixture.h"

#include "data/core/language.h"
#include "render/panels/panels.h"
#include "trainer/app/commands.h"
#include "trainer/app/main_menu.h"

enum { WIDTH = 1024, HEIGHT = 600, MOST_PAGES = 64, DEEPEST = 8 };

typedef enum Hand { BY_KEYS, BY_PAD, BY_MOUSE, HANDS } Hand;

typedef struct Walk {
    Hand hand;
    MainMenu *menu;
    RenderView view;
    InputSample sample; ///< what the menu sees of the devices
    char path[DEEPEST][MENU_TEXT]; ///< titles of the pages from the first one to the present
    int count;
    char titles[MOST_PAGES][MENU_TEXT]; ///< of the pages that were reached
} Walk;

static char home[64];

static void take(Walk *walk, WindowInput input)
{
    input.width = WIDTH;
    input.height = HEIGHT;
    main_menu_watch(walk->menu, NULL, &walk->sample, 0.02);
    main_menu_take(walk->menu, &input, &walk->view);
    main_menu_show(walk->menu, &walk->view.menu);
}

/// What a key or a pad's button does, through the program's own tables.
static void press(Walk *walk, SDL_Keycode key, SDL_GameControllerButton button)
{
    WindowInput input = {0};
    int pushed = 0;
    if (walk->hand == BY_KEYS) {
        SDL_KeyboardEvent event = {.keysym = {.sym = key}};
        commands_take_key(&event, false, input.pressed);
    } else {
        InputSample sample = {.pad_present = true};
        sample.pad_pressed[button] = 1;
        commands_count(NULL, &sample, &pushed, input.pressed);
    }
    take(walk, input);
}

/// The height at which the mouse is over an item, which is scrolled into sight by the wheel; below 0: it is not there.
static double find_item(Walk *walk, int item)
{
    for (int turn = 0; turn < 80; turn++) {
        for (double y = 4.0; y < HEIGHT; y += 4.0) {
            if (render_menu_at(&walk->view, WIDTH, HEIGHT, 300.0, y) == item) {
                return y;
            }
        }
        take(walk, (WindowInput){.wheel = turn < 40 ? -1.0 : 1.0, .mouse_x = 300.0, .mouse_y = 300.0});
    }
    return -1.0;
}

/// True when the item could be chosen, and was.
static bool choose(Walk *walk, int item)
{
    if (walk->hand == BY_MOUSE) {
        double y = find_item(walk, item);
        take(walk, (WindowInput){.moved = true, .mouse_x = 300.0, .mouse_y = y});
        if (y < 0.0 || walk->view.menu.selected != item) {
            return false;
        }
        take(walk, (WindowInput){.clicks = 1, .mouse_x = 300.0, .mouse_y = y});
        return true;
    }
    for (int n = 0; n < 2 * walk->view.menu.count && walk->view.menu.selected != item; n++) {
        press(walk, SDLK_DOWN, SDL_CONTROLLER_BUTTON_DPAD_DOWN);
    }
    if (walk->view.menu.selected != item) {
        return false;
    }
    press(walk, SDLK_RETURN, SDL_CONTROLLER_BUTTON_A);
    return true;
}

static void go_back(Walk *walk)
{
    if (walk->hand == BY_MOUSE) {
        take(walk, (WindowInput){.back_clicks = 1});
    } else {
        press(walk, SDLK_ESCAPE, SDL_CONTROLLER_BUTTON_B);
    }
}

static bool is_known(const Walk *walk, const char *title)
{
    for (int k = 0; k < walk->count; k++) {
        if (strcmp(walk->titles[k], title) == 0) {
            return true;
        }
    }
    return false;
}

/// True when the present page is one that the walk came through.
static bool is_above(const Walk *walk, int depth)
{
    for (int k = 0; k < depth; k++) {
        if (strcmp(walk->path[k], walk->view.menu.title) == 0) {
            return true;
        }
    }
    return false;
}

/// Notes a page, tries each of its items, and explores the pages behind them. Ends on a page that it came through.
static void explore(Walk *walk, int depth)
{
    char *title = walk->path[depth];
    snprintf(title, MENU_TEXT, "%s", walk->view.menu.title);
    if (!is_known(walk, title)) {
        assert_true(walk->count < MOST_PAGES);
        memcpy(walk->titles[walk->count++], title, MENU_TEXT);
        for (int k = 0; k < walk->view.menu.count && k < 40; k++) {
            if (choose(walk, k) && strcmp(walk->view.menu.title, title) != 0 && !is_above(walk, depth) &&
                depth + 1 < DEEPEST) {
                explore(walk, depth + 1);
            }
            for (int n = 0; n < 4 && strcmp(walk->view.menu.title, title) != 0 && !is_above(walk, depth); n++) {
                go_back(walk);
            }
            if (is_above(walk, depth)) {
                return; // by the item that leads back
            }
            assert_string_equal(walk->view.menu.title, title); // one can go back
        }
    }
    for (int n = 0; n < 4 && depth > 0 && !is_above(walk, depth); n++) {
        go_back(walk);
    }
    assert_true(depth == 0 || is_above(walk, depth));
}

static int compare(const void *a, const void *b)
{
    return strcmp(a, b);
}

static void begin_walk(Walk *walk, Hand hand)
{
    Status status;
    memset(walk, 0, sizeof *walk);
    walk->hand = hand;
    walk->sample.pad_present = hand == BY_PAD;
    walk->menu = main_menu_create(&(RunOptions){.trainee = "Ann"}, &status);
    assert_good(walk->menu != NULL, status);
    take(walk, (WindowInput){0});
    explore(walk, 0);
    qsort(walk->titles, (size_t)walk->count, sizeof walk->titles[0], compare);
    main_menu_destroy(walk->menu);
}

TEST(each_page_is_reached_by_each_hand_alone)
{
    static const char *const languages[] = {"en", "de", "es"};
    static Walk walks[HANDS];
    for (size_t k = 0; k < sizeof languages / sizeof languages[0]; k++) {
        Status status;
        assert_good(language_choose(languages[k], &status), status);
        for (int hand = 0; hand < HANDS; hand++) {
            begin_walk(&walks[hand], (Hand)hand);
            assert_true(is_known(&walks[hand], language_text("Controls")));
            assert_true(is_known(&walks[hand], language_text("Settings")));
            assert_true(is_known(&walks[hand], language_text("Move the levers")));
            assert_true(walks[hand].count >= 14);
            assert_int_equal(walks[hand].count, walks[0].count);
            for (int n = 0; n < walks[hand].count; n++) {
                assert_string_equal(walks[hand].titles[n], walks[0].titles[n]);
            }
        }
    }
    Status status;
    assert_good(language_choose("en", &status), status);
}

static int begin(void **state)
{
    (void)state;
    make_folder(home);
    setenv("SPADEWORK_DATA", SPADEWORK_DATA_DIR, 1);
    setenv("XDG_DATA_HOME", home, 1);
    setenv("XDG_CONFIG_HOME", home, 1);
    return 0;
}

static int end(void **state)
{
    (void)state;
    remove_folder(home);
    return 0;
}

TEST_GROUP(begin, end)
