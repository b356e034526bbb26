/// Devices by SDL's virtual joysticks: signs, hot plug, several pads, odd devices, keyboard.
// test: sanitized, waits

#include <SDL.h>

#include "data/schema/controls_params.h"
#include "tests/support/input_fixture.h"

static void assert_all_neutral(const InputSample *sample)
{
    for (int axis = 0; axis < INPUT_PAD_AXES; axis++) {
        assert_axis(sample->pad_axis[axis], 0.0);
    }
    for (int button = 0; button < INPUT_PAD_BUTTONS; button++) {
        assert_int_equal(sample->pad_button[button], 0);
    }
}

static void assert_no_message(InputDevices *devices)
{
    InputNews news;
    assert_false(input_devices_changed(devices, &news));
}

TEST(axes_and_buttons_arrive_with_their_signs)
{
    InputDevices *devices = open_devices();
    FakePad pad = plug_pad("Test pad");
    InputSample sample = sample_now(devices);
    assert_true(sample.pad_present);
    assert_int_equal(input_devices_pad_count(devices), 1);
    assert_all_neutral(&sample);
    const double values[] = {-1.0, 0.25, 0.5, -0.75, 0.0, 1.0};
    for (int axis = 0; axis < INPUT_PAD_AXES; axis++) {
        // A trigger rests at the lower end of the raw axis.
        move(&pad, axis, axis < 4 ? values[axis] : 2.0 * values[axis] - 1.0);
    }
    SDL_JoystickSetVirtualButton(pad.joystick, SDL_CONTROLLER_BUTTON_Y, 1);
    SDL_JoystickSetVirtualButton(pad.joystick, SDL_CONTROLLER_BUTTON_DPAD_LEFT, 1);
    sample = sample_now(devices);
    for (int axis = 0; axis < INPUT_PAD_AXES; axis++) {
        assert_axis(sample.pad_axis[axis], values[axis]);
        assert_true(sample.pad_axis[axis] >= -1.0 && sample.pad_axis[axis] <= 1.0);
    }
    for (int button = 0; button < INPUT_PAD_BUTTONS; button++) {
        bool pressed = button == control_pad_button_index("y") || button == control_pad_button_index("dpleft");
        assert_int_equal(sample.pad_button[button], pressed);
    }
    unplug(&pad);
    input_devices_close(devices);
}

TEST(unplugged_in_mid_hold_is_neutral_and_told)
{
    InputDevices *devices = open_devices();
    FakePad pad = plug_pad("Test pad");
    sample_now(devices);
    assert_message(devices, "Test pad connected");
    assert_no_message(devices);
    move(&pad, 0, 1.0);
    InputSample sample = sample_now(devices);
    assert_axis(sample.pad_axis[0], 1.0);
    assert_int_equal(sample.pads_lost, 0);

    unplug(&pad);
    sample = *input_devices_sample(devices); // even before any event came by
    assert_false(sample.pad_present);
    assert_all_neutral(&sample);
    sample = sample_now(devices);
    assert_all_neutral(&sample);
    assert_int_equal(sample.pads_lost, 1);
    assert_int_equal(input_devices_pad_count(devices), 0);
    assert_message(devices, "Test pad lost: its levers are neutral");
    assert_no_message(devices);

    pad = plug_pad("Test pad");
    sample = sample_now(devices);
    assert_message(devices, "Test pad connected");
    assert_all_neutral(&sample);
    move(&pad, 0, -0.5);
    sample = sample_now(devices);
    assert_true(sample.pad_present);
    assert_axis(sample.pad_axis[0], -0.5);
    assert_int_equal(sample.pads_lost, 1);
    unplug(&pad);
    input_devices_close(devices);
}

TEST(two_pads_add_up)
{
    FakePad first = plug_pad("First"), second = plug_pad("Second");
    InputDevices *devices = open_devices(); // both were there before
    sample_now(devices);
    assert_int_equal(input_devices_pad_count(devices), 2);
    assert_message(devices, "First connected");
    assert_message(devices, "Second connected");
    move(&first, 0, 0.25);
    move(&second, 0, 0.5);
    move(&first, 1, -0.75);
    move(&second, 1, -0.75);
    SDL_JoystickSetVirtualButton(second.joystick, SDL_CONTROLLER_BUTTON_A, 1);
    InputSample sample = sample_now(devices);
    assert_axis(sample.pad_axis[0], 0.75);
    assert_axis(sample.pad_axis[1], -1.0);
    assert_int_equal(sample.pad_button[0], 1);
    unplug(&second);
    sample = sample_now(devices);
    assert_true(sample.pad_present);
    assert_axis(sample.pad_axis[0], 0.25);
    assert_int_equal(sample.pad_button[0], 0);
    assert_int_equal(sample.pads_lost, 1);
    assert_message(devices, "Second lost: its levers are neutral");
    unplug(&first);
    input_devices_close(devices);
}

/// A device that neither SDL nor a map knows works menus by its buttons, and moves nothing, beside a pad and alone.
TEST(a_stranger_moves_nothing)
{
    InputDevices *devices = open_devices();
    char name[64] = "";
    FakePad joystick = plug(SDL_JOYSTICK_TYPE_FLIGHT_STICK, 7, 12, 2, "Plain joystick"), pad = plug_pad("Test pad");
    sample_now(devices);
    assert_message(devices, "Plain joystick moves nothing until it is set up");
    assert_message(devices, "Test pad connected");
    assert_int_equal(input_devices_pad_count(devices), 1);
    assert_int_equal(input_devices_strangers(devices, 0, name, sizeof(name)), 1);
    assert_string_equal(name, "Plain joystick");
    const double way[] = {0.1, 1.0, -1.0, 0.0, 0.6};
    for (size_t k = 0; k < sizeof(way) / sizeof(way[0]); k++) {
        for (int axis = 0; axis < 7; axis++) {
            move(&joystick, axis, way[k]);
        }
        InputSample sample = sample_now(devices);
        assert_all_neutral(&sample);
    }
    SDL_JoystickSetVirtualButton(joystick.joystick, 0, 1);
    SDL_JoystickSetVirtualHat(joystick.joystick, 0, SDL_HAT_DOWN);
    InputSample sample = sample_now(devices);
    assert_all_neutral(&sample);
    assert_int_equal(sample.stranger_pressed[0], 1);
    assert_int_equal(sample.stranger_pressed[CONTROLS_MAX_BUTTONS + 2], 1);
    move(&pad, 0, 0.5);
    sample = sample_now(devices);
    assert_axis(sample.pad_axis[0], 0.5);
    assert_int_equal(sample.stranger_pressed[0], 0);
    unplug(&joystick);
    sample = sample_now(devices);
    assert_message(devices, "Plain joystick unplugged");
    assert_axis(sample.pad_axis[0], 0.5);
    assert_int_equal(sample.pads_lost, 0);
    unplug(&pad);
    input_devices_close(devices);
}

/// What is held when a pad comes reads nothing, also once it was let go, until driving goes on with it at rest: the pad
/// may not be the one that SDL takes it for, and rest there. A button that is held works menus once it was let go, and
/// is no press.
TEST(what_is_held_when_a_pad_comes_moves_nothing)
{
    InputDevices *devices = open_devices();
    FakePad pad = plug_pad("Test pad");
    move(&pad, 0, 1.0);
    move(&pad, 1, 0.2); // worn: it rests there
    SDL_JoystickSetVirtualButton(pad.joystick, SDL_CONTROLLER_BUTTON_A, 1);
    InputSample sample = sample_now(devices);
    assert_all_neutral(&sample);
    assert_int_equal(sample.pad_pressed[SDL_CONTROLLER_BUTTON_A], 0);
    assert_true(sample.pad_waits[0] && !sample.pad_waits[1]);
    assert_message(devices, "Test pad connected");
    assert_message(devices, "Test pad came with something held: let it go and pause once");
    const double way[] = {0.0, 1.0, -1.0, 0.0};
    for (size_t k = 0; k < sizeof(way) / sizeof(way[0]); k++) {
        move(&pad, 0, way[k]);
        sample = sample_now(devices);
        assert_all_neutral(&sample);
    }
    for (int down = 0; down < 2; down++) {
        SDL_JoystickSetVirtualButton(pad.joystick, SDL_CONTROLLER_BUTTON_A, (Uint8)down);
        sample = sample_now(devices);
        assert_all_neutral(&sample);
        assert_int_equal(sample.pad_pressed[SDL_CONTROLLER_BUTTON_A], 0);
        assert_int_equal(sample.stranger_pressed[0], down);
    }
    SDL_JoystickSetVirtualButton(pad.joystick, SDL_CONTROLLER_BUTTON_A, 0);
    sample_now(devices);
    SDL_Delay((Uint32)(1000.0 * INPUT_RESTS) + 50);
    input_devices_forget(devices); // a pause
    input_devices_tick(devices);
    SDL_JoystickSetVirtualButton(pad.joystick, SDL_CONTROLLER_BUTTON_A, 1);
    sample = sample_now(devices);
    assert_int_equal(sample.pad_button[SDL_CONTROLLER_BUTTON_A], 1);
    assert_int_equal(sample.pad_pressed[SDL_CONTROLLER_BUTTON_A], 1);
    move(&pad, 0, 1.0);
    move(&pad, 1, 1.0);
    sample = sample_now(devices);
    assert_axis(sample.pad_axis[0], 1.0);
    assert_axis(sample.pad_axis[1], 1.0);
    move(&pad, 1, 0.6);
    sample = sample_now(devices);
    assert_axis(sample.pad_axis[1], (0.6 - 0.2) / (1.0 - 0.2));
    unplug(&pad);
    input_devices_close(devices);
}

TEST(odd_devices_do_no_harm)
{
    const char *const names[] = {"", "\xff\xfe\x01\n%s%n", "   ",
                                 "A name that is much longer than anything a screen would ever want to show anyone"};
    const char *const messages[] = {NULL, "?\?\?\?%s%n moves nothing until it is set up", NULL,
                                    "A name that is much longer than anything a scre moves nothing until it is set up"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        InputDevices *devices = open_devices();
        FakePad nothing = plug(SDL_JOYSTICK_TYPE_UNKNOWN, 0, 0, 0, names[i]);
        InputSample sample = sample_now(devices);
        char text[INPUT_NEWS_TEXT];
        InputNews news;
        assert_all_neutral(&sample);
        assert_true(input_devices_changed(devices, &news));
        input_news_text(&news, &(TextReader){.english = true}, text);
        if (messages[i]) {
            assert_string_equal(text, messages[i]);
        }
        assert_true(strlen(text) > strlen(" moves nothing until it is set up"));
        input_devices_rumble(devices, (double)NAN, 2.0, 10);
        input_devices_rumble(devices, -1.0, 0.5, -10);
        unplug(&nothing);
        sample = sample_now(devices);
        assert_all_neutral(&sample);
        input_devices_close(devices);
    }
}

TEST(more_pads_than_fit_are_left_alone)
{
    enum { PLUGGED = INPUT_MAX_DEVICES + 2 };
    FakePad pads[PLUGGED];
    InputDevices *devices = open_devices();
    for (int i = 0; i < PLUGGED; i++) {
        pads[i] = plug_pad("Pad");
    }
    sample_now(devices);
    assert_int_equal(input_devices_pad_count(devices), INPUT_MAX_DEVICES);
    for (int i = 0; i < PLUGGED; i++) {
        assert_message(devices, i < INPUT_MAX_DEVICES ? "Pad connected" : "Pad not used: too many pads");
    }
    for (int i = 0; i < PLUGGED; i++) {
        unplug(&pads[i]);
    }
    InputSample sample = sample_now(devices);
    assert_false(sample.pad_present);
    assert_int_equal(sample.pads_lost, INPUT_MAX_DEVICES);
    input_devices_close(devices);
}

TEST(keys_follow_their_events)
{
    InputDevices *devices = open_devices();
    InputSample sample;
    SDL_Event event = {.key = {.type = SDL_KEYDOWN, .keysym.scancode = SDL_SCANCODE_W}};
    input_devices_handle(devices, &event);
    event.key.keysym.scancode = SDL_SCANCODE_LEFT;
    input_devices_handle(devices, &event);
    event.key.keysym.scancode = (SDL_Scancode)100000;
    input_devices_handle(devices, &event);
    event.key.keysym.scancode = (SDL_Scancode)-1;
    input_devices_handle(devices, &event);
    sample = *input_devices_sample(devices);
    for (int key = 0; key < INPUT_MAX_KEYS; key++) {
        assert_int_equal(sample.key[key], key == control_key_index("W") || key == control_key_index("Left"));
    }
    event = (SDL_Event){.key = {.type = SDL_KEYUP, .keysym.scancode = SDL_SCANCODE_W}};
    assert_true(SDL_PushEvent(&event) > 0);
    input_devices_handle(devices, NULL); // no window: takes it from SDL's queue
    sample = *input_devices_sample(devices);
    assert_int_equal(sample.key[control_key_index("W")], 0);
    assert_int_equal(sample.key[control_key_index("Left")], 1);
    event = (SDL_Event){.window = {.type = SDL_WINDOWEVENT, .event = SDL_WINDOWEVENT_FOCUS_LOST}};
    input_devices_handle(devices, &event);
    sample = *input_devices_sample(devices);
    assert_int_equal(sample.key[control_key_index("Left")], 0);
    input_devices_close(devices);
}

TEST(a_tap_between_two_samples_is_told_once)
{
    InputDevices *devices = open_devices();
    int key = control_key_index("W");
    SDL_Event event = {.key = {.type = SDL_KEYDOWN, .keysym.scancode = SDL_SCANCODE_W}};
    input_devices_handle(devices, &event);
    event.key.type = SDL_KEYUP;
    input_devices_handle(devices, &event);
    const InputSample *sample = input_devices_sample(devices);
    assert_int_equal(sample->key[key], 0);
    assert_int_equal(sample->key_pressed[key], 1);
    assert_ptr_equal(input_devices_sample(devices), sample);
    assert_int_equal(sample->key_pressed[key], 0);
    event.key.type = SDL_KEYDOWN;
    input_devices_handle(devices, &event);
    assert_int_equal(input_devices_sample(devices)->key_pressed[key], 1);
    event.key.repeat = 1;
    input_devices_handle(devices, &event); // held down: the keyboard repeats it
    assert_int_equal(input_devices_sample(devices)->key_pressed[key], 0);
    assert_int_equal(sample->key[key], 1);
    input_devices_close(devices);
}

TEST(polling_leaves_other_events_alone)
{
    InputDevices *devices = open_devices();
    SDL_Event event = {.type = SDL_QUIT};
    assert_true(SDL_PushEvent(&event) > 0);
    input_devices_poll(devices);
    assert_true(SDL_HasEvent(SDL_QUIT));
    SDL_FlushEvent(SDL_QUIT);
    input_devices_close(devices);
}

/// Every name in the table of names is SDL's for the same number, and every pad input of SDL has a name.
TEST(names_are_those_of_sdl)
{
    int known = 0;
    for (int code = 0; code < SDL_NUM_SCANCODES; code++) {
        const char *name = SDL_GetScancodeName((SDL_Scancode)code);
        int index = control_key_index(name);
        assert_true(index == -1 || index == (int)SDL_GetScancodeFromName(name));
        known += index == code;
        if (code < INPUT_MAX_KEYS && control_key_label(code)[0] != '\0') {
            assert_string_equal(control_key_label(code), name);
        }
    }
    assert_true(known > 100);
    for (int axis = 0; axis < INPUT_PAD_AXES; axis++) {
        assert_int_equal(control_pad_axis_index(SDL_GameControllerGetStringForAxis((SDL_GameControllerAxis)axis)),
                         axis);
    }
    for (int button = 0; button < SDL_CONTROLLER_BUTTON_MAX; button++) {
        const char *name = SDL_GameControllerGetStringForButton((SDL_GameControllerButton)button);
        assert_int_equal(control_pad_button_index(name), button);
    }
    assert_true((int)SDL_CONTROLLER_BUTTON_MAX <= (int)INPUT_PAD_BUTTONS);
    assert_int_equal(control_pad_axis_index(""), -1);
    assert_int_equal(control_key_index(""), -1);
}

TEST_GROUP(start_sdl, stop_sdl)
