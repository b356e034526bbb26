/// Devices by SDL's virtual joysticks: signs, hot plug, several pads, odd devices, keyboard.

#include <SDL.h>

#include "data/control_names.h"
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

TEST(a_plain_joystick_stands_in_for_the_sticks)
{
    InputDevices *devices = open_devices();
    FakePad joystick = plug(SDL_JOYSTICK_TYPE_FLIGHT_STICK, 7, 12, 1, "Plain joystick");
    sample_now(devices);
    for (int axis = 0; axis < 7; axis++) {
        move(&joystick, axis, 0.1);
    }
    sample_now(devices);
    for (int axis = 0; axis < 7; axis++) {
        move(&joystick, axis, axis < 4 ? 0.2 * axis - 0.5 : 1.0);
    }
    SDL_JoystickSetVirtualButton(joystick.joystick, 5, 1);
    SDL_JoystickSetVirtualHat(joystick.joystick, 0, SDL_HAT_RIGHTDOWN);
    InputSample sample = sample_now(devices);
    for (int axis = 0; axis < 4; axis++) {
        assert_axis(sample.pad_axis[axis], 0.2 * axis - 0.5);
    }
    assert_axis(sample.pad_axis[4], 0.0); // an unknown axis at its stop is no pressed pedal
    assert_axis(sample.pad_axis[5], 0.0);
    assert_int_equal(sample.pad_button[control_pad_button_index("rightshoulder")], 1);
    assert_int_equal(sample.pad_button[control_pad_button_index("dpright")], 1);
    assert_int_equal(sample.pad_button[control_pad_button_index("dpdown")], 1);
    assert_int_equal(sample.pad_button[control_pad_button_index("dpup")], 0);
    unplug(&joystick);
    input_devices_close(devices);
}

TEST(two_single_levers_are_left_and_right)
{
    InputDevices *devices = open_devices();
    FakePad left = plug(SDL_JOYSTICK_TYPE_FLIGHT_STICK, 3, 2, 0, "Lever one");
    FakePad right = plug(SDL_JOYSTICK_TYPE_FLIGHT_STICK, 2, 2, 0, "Lever two");
    FakePad buttons = plug(SDL_JOYSTICK_TYPE_UNKNOWN, 0, 4, 0, "Box of buttons");
    sample_now(devices);
    for (int axis = 0; axis < 2; axis++) {
        move(&left, axis, 0.01); // passes its middle
        move(&right, axis, 0.01);
    }
    sample_now(devices);
    move(&left, 0, 0.25);
    move(&left, 1, -0.5);
    move(&right, 0, 0.75);
    move(&right, 1, -1.0);
    SDL_JoystickSetVirtualButton(buttons.joystick, 3, 1);
    InputSample sample = sample_now(devices);
    const double expected[] = {0.25, -0.5, 0.75, -1.0};
    for (int axis = 0; axis < 4; axis++) {
        assert_axis(sample.pad_axis[axis], expected[axis]);
    }
    assert_int_equal(sample.pad_button[control_pad_button_index("y")], 1);
    unplug(&left);
    sample = sample_now(devices);
    assert_axis(sample.pad_axis[0], 0.0);
    assert_axis(sample.pad_axis[2], 0.75); // the right one keeps its side
    unplug(&right);
    unplug(&buttons);
    input_devices_close(devices);
}

TEST(a_wheel_at_its_stop_moves_nothing)
{
    InputDevices *devices = open_devices();
    FakePad joystick = plug(SDL_JOYSTICK_TYPE_THROTTLE, 4, 2, 0, "Throttle");
    move(&joystick, 2, -1.0); // as it reads when it is plugged in
    InputSample sample = sample_now(devices);
    assert_axis(sample.pad_axis[2], 0.0);
    move(&joystick, 2, -0.8);
    sample = sample_now(devices);
    assert_axis(sample.pad_axis[2], 0.0);
    move(&joystick, 2, 0.1); // through its middle: from here on it counts
    sample_now(devices);
    move(&joystick, 2, -1.0);
    sample = sample_now(devices);
    assert_axis(sample.pad_axis[2], -1.0);
    unplug(&joystick);
    input_devices_close(devices);
}

TEST(odd_devices_do_no_harm)
{
    const char *const names[] = {"", "\xff\xfe\x01\n%s%n", "   ",
                                 "A name that is much longer than anything a screen would ever want to show anyone"};
    const char *const messages[] = {NULL, "?\?\?\?%s%n connected", NULL,
                                    "A name that is much longer than anything a scre connected"};
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
        assert_true(strlen(text) > strlen(" connected"));
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

/// Every name that names.c knows is SDL's for the same number, and every pad input of SDL has a name.
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

TEST_MAIN(start_sdl, stop_sdl)
