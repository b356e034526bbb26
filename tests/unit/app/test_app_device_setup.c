/// Levers set up in the menu: what is plugged in is offered, asked for lever by lever, tried and kept; by keys alone
/// and by the device alone; what is left half done changes nothing.
#include <sys/stat.h>
#include <unistd.h>

#include "data/schema/load.h"
#include "tests/support/input_fixture.h"
#include "trainer/app/main_menu.h"

#define TICK (1.0 / 60.0)

enum { AXES = 6, WHEEL = AXES, BUTTONS = 40, HATS = 2 };

typedef struct Desk {
    char home[64];
    FakePad levers;
    InputDevices *devices;
    InputSample sample;
    MainMenu *menu;
    RenderView *view;
} Desk;

static Desk *sit_down(void)
{
    Status status = {0};
    char path[128];
    Desk *desk = calloc(1, sizeof *desk);
    assert_non_null(desk);
    snprintf(desk->home, sizeof desk->home, "/tmp/spadework-setup-XXXXXX");
    assert_non_null(mkdtemp(desk->home));
    assert_int_equal(setenv("XDG_DATA_HOME", desk->home, 1), 0);
    assert_int_equal(setenv("XDG_CONFIG_HOME", desk->home, 1), 0);
    snprintf(path, sizeof path, "%s/spadework", desk->home);
    assert_int_equal(mkdir(path, 0700), 0);
    desk->levers = plug(SDL_JOYSTICK_TYPE_UNKNOWN, AXES + 1, BUTTONS, HATS, "Cab levers");
    desk->devices = open_devices();
    desk->view = calloc(1, sizeof *desk->view);
    desk->menu = main_menu_create(&(RunOptions){.trainee = "Ann"}, &status);
    assert_good(desk->menu != NULL && desk->view != NULL, status);
    return desk;
}

static void leave(Desk *desk)
{
    char command[96];
    main_menu_destroy(desk->menu);
    input_devices_close(desk->devices);
    unplug(&desk->levers);
    free(desk->view);
    snprintf(command, sizeof command, "rm -r '%s'", desk->home);
    assert_int_equal(system(command), 0);
    free(desk);
}

/// One round, in which the device's own buttons are commands, as the window has it.
static void round_with(Desk *desk, WindowInput input)
{
    desk->sample = sample_now(desk->devices);
    for (int i = 0; i < CONTROLS_MAX_DEVICES; i++) {
        input.pressed[WINDOW_ACCEPT] += desk->sample.joystick[i].pressed[0];
        input.pressed[WINDOW_BACK] += desk->sample.joystick[i].pressed[1];
    }
    input.width = 1280;
    input.height = 720;
    main_menu_watch(desk->menu, desk->devices, &desk->sample, TICK);
    main_menu_take(desk->menu, &input, desk->view);
    main_menu_show(desk->menu, &desk->view->menu);
}

static void wait(Desk *desk, double seconds)
{
    for (int k = 0; k < (int)(seconds / TICK); k++) {
        round_with(desk, (WindowInput){0});
    }
}

static void press(Desk *desk, WindowCommand command)
{
    WindowInput input = {0};
    input.pressed[command] = 1;
    round_with(desk, input);
}

static void press_button(Desk *desk, int button)
{
    assert_int_equal(SDL_JoystickSetVirtualButton(desk->levers.joystick, button, 1), 0);
    wait(desk, 0.1);
    assert_int_equal(SDL_JoystickSetVirtualButton(desk->levers.joystick, button, 0), 0);
    wait(desk, 0.1);
}

static void expect_page(const Desk *desk, const char *title)
{
    if (strstr(desk->view->menu.title, title) == NULL) {
        fail_msg("\"%s\" is shown, not \"%s\"", desk->view->menu.title, title);
    }
}

static const RenderMenuItem *find(const Desk *desk, const char *text)
{
    for (int k = 0; k < desk->view->menu.count; k++) {
        if (strncmp(desk->view->menu.items[k].text, text, strlen(text)) == 0) {
            return &desk->view->menu.items[k];
        }
    }
    fail_msg("no item \"%s\" under \"%s\"", text, desk->view->menu.title);
    return NULL;
}

static void choose(Desk *desk, const char *text)
{
    int wanted = (int)(find(desk, text) - desk->view->menu.items);
    for (int k = 0; k < 100 && desk->view->menu.selected != wanted; k++) {
        press(desk, WINDOW_DOWN);
    }
    assert_int_equal(desk->view->menu.selected, wanted);
    press(desk, WINDOW_ACCEPT);
}

/// A lever goes all the way and back.
static void swing(Desk *desk, int axis, double end)
{
    wait(desk, 0.5);
    for (int k = 1; k <= 5; k++) {
        move(&desk->levers, axis, end * k / 5.0);
        wait(desk, 0.05);
    }
    move(&desk->levers, axis, 0.0);
    wait(desk, 0.1);
}

/// Both ways of the six levers, each on its axis; right and ahead are plus.
static void move_all(Desk *desk)
{
    static const char *const questions[] = {
        "Swing right", "Swing left",  "Stick in",         "Stick out",       "Boom up",           "Boom down",
        "Bucket curl", "Bucket dump", "Left track ahead", "Left track back", "Right track ahead", "Right track back"};
    for (int k = 0; k < 2 * AXES; k++) {
        expect_page(desk, questions[k]);
        swing(desk, k / 2, k % 2 == 0 ? 0.9 : -0.9);
    }
    expect_page(desk, "Engine idle");
}

/// The throttle's wheel is put to one end and to the other.
static void turn_wheel(Desk *desk)
{
    wait(desk, 0.5);
    move(&desk->levers, WHEEL, -0.8);
    wait(desk, 1.2);
    expect_page(desk, "Engine full");
    wait(desk, 0.5);
    move(&desk->levers, WHEEL, 0.8);
    wait(desk, 1.2);
    expect_page(desk, "Horn");
}

/// From the first page to the first lever.
static void begin(Desk *desk)
{
    for (int axis = 0; axis <= WHEEL; axis++) {
        move(&desk->levers, axis, 0.05); // its first report
        wait(desk, 0.05);
        move(&desk->levers, axis, 0.0);
    }
    wait(desk, 0.1);
    choose(desk, "Set up: Cab levers");
    expect_page(desk, "Set up levers");
    assert_string_equal(find(desk, "Cab levers")->value, "[x] set it up");
    choose(desk, "Begin");
    expect_page(desk, "Let go of all levers");
    wait(desk, 1.5);
}

TEST(the_optional_rest_is_skipped_by_one_press)
{
    Desk *desk = sit_down();
    begin(desk);
    for (int k = 0; k < desk->view->menu.count; k++) {
        assert_null(strstr(desk->view->menu.items[k].text, "None of the rest")); // a lever is asked for
    }
    move_all(desk);
    turn_wheel(desk);
    choose(desk, "None of the rest");
    expect_page(desk, "Try it out");
    leave(desk);
}

TEST(levers_are_set_up_by_keys_and_kept)
{
    Desk *desk = sit_down();
    begin(desk);
    swing(desk, 0, 0.3);
    assert_non_null(strstr(desk->view->menu.subtitle, "only part of the way"));
    move_all(desk);
    turn_wheel(desk);
    press_button(desk, 39);
    expect_page(desk, "Camera");
    assert_int_equal(SDL_JoystickSetVirtualHat(desk->levers.joystick, 1, SDL_HAT_LEFT), 0);
    wait(desk, 0.1);
    assert_int_equal(SDL_JoystickSetVirtualHat(desk->levers.joystick, 1, SDL_HAT_CENTERED), 0);
    wait(desk, 0.1);
    for (int k = 0; k < 40 && strcmp(desk->view->menu.title, "Try it out") != 0; k++) {
        choose(desk, "There is none");
    }
    expect_page(desk, "Try it out");
    wait(desk, 0.1); // all at rest
    move(&desk->levers, 2, 0.9);
    wait(desk, 0.5);
    assert_string_equal(find(desk, "Boom")->value, "up");
    assert_true(find(desk, "Boom")->bar.share > 0.9);
    move(&desk->levers, 2, 0.0);
    wait(desk, 0.5);
    choose(desk, "Keep it");
    expect_page(desk, "Spadework");
    assert_string_equal(main_menu_options(desk->menu)->controls, "cab-levers-iso");
    assert_string_equal(main_menu_settings(desk->menu)->now.controls, "cab-levers-iso");
    ControlsParams params;
    Status status = {0};
    assert_good(data_load_controls("cab-levers-iso", &params, NULL, &status), status);
    assert_string_equal(params.devices[0].name, "Cab levers");
    bool throttle = false, horn = false;
    for (int k = 0; k < params.binding_count; k++) {
        const ControlBinding *binding = &params.bindings[k];
        throttle |= binding->axis == CONTROL_THROTTLE && strcmp(strchr(binding->input, 0) - 2, ":6") == 0 &&
                    binding->scale > 0.0;
        horn |= binding->axis == CONTROL_HORN && strcmp(strchr(binding->input, 0) - 3, ":39") == 0;
    }
    assert_true(throttle && horn);
    assert_non_null(strstr(params.actions[0].joystick, ":hat2-left"));
    wait(desk, 0.1);
    for (int k = 0; k < desk->view->menu.count; k++) { // it is known now
        assert_true(strncmp(desk->view->menu.items[k].text, "Set up", 6) != 0);
    }
    leave(desk);
}

/// No key is touched once it has begun: the first button goes on, swing right does where a button is asked for.
TEST(the_device_alone_is_enough)
{
    Desk *desk = sit_down();
    begin(desk);
    press_button(desk, 0); // no swing right
    expect_page(desk, "Stick in");
    press_button(desk, 1); // back
    expect_page(desk, "Swing right");
    move_all(desk);
    press_button(desk, 0); // no wheel
    expect_page(desk, "Horn");
    swing(desk, 0, 0.9); // no horn
    expect_page(desk, "Camera");
    swing(desk, 0, -0.9); // back
    expect_page(desk, "Horn");
    press_button(desk, 0); // a button is an answer here
    expect_page(desk, "Camera");
    for (int k = 0; k < 40 && strcmp(desk->view->menu.title, "Try it out") != 0; k++) {
        if (strstr(desk->view->menu.title, "Tilt") != NULL || strstr(desk->view->menu.title, "Rotate") != NULL) {
            press_button(desk, 0); // where a lever is asked for, a button is an answer
        } else {
            swing(desk, 0, 0.9);
        }
    }
    expect_page(desk, "Try it out");
    press_button(desk, 0); // keep it
    expect_page(desk, "Spadework");
    assert_string_equal(main_menu_options(desk->menu)->controls, "cab-levers-iso");
    leave(desk);
}

TEST(half_a_set_up_changes_nothing)
{
    Desk *desk = sit_down();
    char path[128];
    begin(desk);
    swing(desk, 0, 0.9);
    swing(desk, 0, -0.9);
    choose(desk, "Stop");
    expect_page(desk, "Spadework");
    assert_string_equal(main_menu_options(desk->menu)->controls, "iso");
    snprintf(path, sizeof path, "%s/spadework/controls", desk->home);
    assert_int_not_equal(access(path, F_OK), 0);
    snprintf(path, sizeof path, "%s/spadework/settings.yaml", desk->home);
    assert_int_not_equal(access(path, F_OK), 0);
    choose(desk, "Set up: Cab levers"); // nothing is left of it
    choose(desk, "Begin");
    wait(desk, 1.5);
    while (strcmp(desk->view->menu.title, "Set up levers, pedals and joysticks") != 0) {
        choose(desk, "There is none"); // no lever at all: there is nothing to keep
    }
    assert_non_null(strstr(desk->view->menu.subtitle, "No lever was moved"));
    leave(desk);
}

TEST(a_device_that_goes_away_is_told)
{
    Desk *desk = sit_down();
    begin(desk);
    swing(desk, 0, 0.9);
    unplug(&desk->levers);
    wait(desk, 0.1);
    find(desk, "Cab levers: it is not plugged in any more");
    desk->levers = plug(SDL_JOYSTICK_TYPE_UNKNOWN, AXES + 1, BUTTONS, HATS, "Cab levers");
    wait(desk, 0.1);
    expect_page(desk, "Swing left");
    swing(desk, 0, -0.9);
    expect_page(desk, "Stick in");
    leave(desk);
}

/// Gamepads work as they are; who wants to may set one up all the same.
TEST(a_gamepad_is_no_stranger)
{
    Desk *desk = sit_down();
    FakePad pad = plug_pad("Couch pad");
    wait(desk, 0.1);
    choose(desk, "Settings");
    choose(desk, "Set up");
    assert_string_equal(find(desk, "Couch pad")->value, "[ ] leave it");
    choose(desk, "Couch pad");
    assert_string_equal(find(desk, "Couch pad")->value, "[x] set it up");
    choose(desk, "Couch pad");
    choose(desk, "Cab levers");
    choose(desk, "Begin");
    assert_string_equal(desk->view->menu.subtitle, "Choose at least one device");
    press(desk, WINDOW_BACK);
    expect_page(desk, "Settings");
    unplug(&pad);
    leave(desk);
}

TEST_GROUP(start_sdl, stop_sdl)
