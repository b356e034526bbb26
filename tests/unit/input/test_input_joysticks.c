/// Joysticks and pedals that a map names, by SDL's virtual joysticks: who stands for what, hot plug, garbage, shaking.
// test: sanitized

#include "tests/support/input_fixture.h"

static const double second = 1.0; // long enough for every ramp

/// Two equal joysticks by their name, pedals by their numbers.
static ControlsParams cab_params(unsigned pedals_product)
{
    ControlsParams params = {.name = "cab", .device_count = 3};
    params.devices[0] = (ControlDevice){.id = "left", .name = "LEVER"};
    params.devices[1] = (ControlDevice){.id = "right", .name = "lever"};
    params.devices[2] = (ControlDevice){.id = "feet"};
    snprintf(params.devices[2].usb, sizeof(params.devices[2].usb), "1209:%04X", pedals_product);
    const struct {
        const char *input;
        ControlAxis axis;
        double rest;
    } bindings[] = {{"left:0", CONTROL_SWING, 0.0},
                    {"right:0", CONTROL_BUCKET, 0.0},
                    {"feet:1", CONTROL_LEFT_TRACK, -1.0},
                    {"feet:12", CONTROL_RIGHT_TRACK, 0.0}};
    for (size_t i = 0; i < sizeof(bindings) / sizeof(bindings[0]); i++) {
        ControlBinding *binding = &params.bindings[params.binding_count++];
        *binding = (ControlBinding){.source = CONTROL_SOURCE_JOYSTICK_AXIS,
                                    .axis = bindings[i].axis,
                                    .scale = 1.0,
                                    .low = -1.0,
                                    .rest = bindings[i].rest,
                                    .high = 1.0};
        snprintf(binding->input, sizeof(binding->input), "%s", bindings[i].input);
    }
    for (int axis = 0; axis < CONTROL_COUNT; axis++) {
        params.curves[axis] = (ControlCurve){.dead_zone = 0.05, .exponent = 1.0, .rate = 1000.0};
    }
    return params;
}

/// Devices, map and levers of a cab.
typedef struct Cab {
    InputDevices *devices;
    InputMap *map;
    InputMemory memory;
    OperatorControls controls;
} Cab;

static Cab enter_cab(const char *pedals)
{
    Status status;
    ControlsParams params = cab_params(product_of(SDL_JOYSTICK_TYPE_THROTTLE, pedals));
    Cab cab = {.devices = open_devices(), .map = input_map_create(&params, &status)};
    assert_non_null(cab.map);
    int count = 0;
    const ControlDevice *wanted = input_map_devices(cab.map, &count);
    assert_int_equal(count, 3);
    input_devices_use(cab.devices, wanted, count);
    return cab;
}

static void leave_cab(Cab *cab)
{
    input_map_destroy(cab->map);
    input_devices_close(cab->devices);
}

static InputSample look(Cab *cab)
{
    InputSample sample = sample_now(cab->devices);
    input_map_apply(cab->map, &sample, second, &cab->memory, &cab->controls);
    return sample;
}

static double lever(const Cab *cab, ControlAxis axis)
{
    return control_value(&cab->controls, axis);
}

static void touch(const FakePad *pad, int axes)
{
    for (int axis = 0; axis < axes; axis++) {
        move(pad, axis, 0.01); // the first report
    }
}

static FakePad plug_lever(void)
{
    return plug(SDL_JOYSTICK_TYPE_FLIGHT_STICK, 3, 4, 1, "Hand lever");
}

static FakePad plug_pedals(void)
{
    return plug(SDL_JOYSTICK_TYPE_THROTTLE, 3, 0, 0, "Feet");
}

static void assert_stands(const Cab *cab, int number, const char *expected)
{
    char text[64];
    assert_int_equal(input_devices_name(cab->devices, number, text, sizeof(text)), expected[0] != '\0');
    assert_string_equal(text, expected);
}

TEST(each_device_moves_its_own_levers)
{
    Cab cab = enter_cab("Feet");
    FakePad pedals = plug_pedals(), left = plug_lever(), right = plug_lever(), pad = plug_pad("Some pad");
    touch(&left, 2);
    touch(&right, 2);
    move(&pedals, 1, -1.0);
    look(&cab);
    assert_message(cab.devices, "left is not plugged in");
    assert_message(cab.devices, "right is not plugged in");
    assert_message(cab.devices, "feet is not plugged in");
    assert_message(cab.devices, "Feet connected as feet");
    assert_message(cab.devices, "Hand lever connected as left");
    assert_message(cab.devices, "Hand lever connected as right");
    assert_message(cab.devices, "Some pad connected");
    assert_stands(&cab, 0, "Hand lever");
    assert_stands(&cab, 2, "Feet");
    assert_stands(&cab, 3, "");
    assert_stands(&cab, -1, "");
    move(&left, 0, -1.0);
    move(&right, 0, 1.0);
    move(&pedals, 1, 1.0);
    move(&pad, 2, 0.5);
    SDL_JoystickSetVirtualButton(right.joystick, 3, 1);
    SDL_JoystickSetVirtualHat(right.joystick, 0, SDL_HAT_LEFT);
    InputSample sample = look(&cab);
    assert_axis(lever(&cab, CONTROL_SWING), -1.0);
    assert_axis(lever(&cab, CONTROL_BUCKET), 1.0);
    assert_axis(lever(&cab, CONTROL_LEFT_TRACK), 1.0);
    assert_axis(lever(&cab, CONTROL_RIGHT_TRACK), 0.0); // an axis that the device does not have
    assert_int_equal(sample.joystick[1].button[3], 1);
    assert_int_equal(sample.joystick[1].button[CONTROLS_MAX_BUTTONS + 3], 1);
    assert_axis(sample.pad_axis[0], 0.0); // what the map names is no pad any more
    assert_axis(sample.pad_axis[2], 0.5);
    input_devices_use(cab.devices, NULL, 0);
    sample = *input_devices_sample(cab.devices);
    assert_false(sample.joystick[0].present);
    assert_axis(sample.pad_axis[0], 0.0); // without the map they are strangers
    assert_axis(sample.pad_axis[2], 0.5);
    leave_cab(&cab);
    unplug(&pedals);
    unplug(&left);
    unplug(&right);
    unplug(&pad);
}

TEST(a_lost_lever_is_neutral_and_its_place_waits)
{
    FakePad left = plug_lever(), right = plug_lever(), pedals = plug_pedals();
    touch(&left, 3);
    touch(&right, 3);
    move(&pedals, 1, -1.0);
    Cab cab = enter_cab("Feet"); // all were there before
    assert_message(cab.devices, "Hand lever is left by chance: nothing tells it from an equal one");
    assert_message(cab.devices, "Hand lever is right by chance: nothing tells it from an equal one");
    assert_message(cab.devices, "Feet is feet");
    look(&cab);
    move(&left, 0, 1.0);
    move(&right, 0, 1.0);
    move(&pedals, 1, 1.0);
    look(&cab);
    assert_axis(lever(&cab, CONTROL_SWING), 1.0);
    unplug(&left);
    InputSample sample = look(&cab);
    assert_false(sample.joystick[0].present);
    assert_axis(lever(&cab, CONTROL_SWING), 0.0);
    assert_axis(lever(&cab, CONTROL_BUCKET), 1.0); // the other keeps its side
    assert_stands(&cab, 0, "");
    unplug(&pedals);
    look(&cab);
    assert_axis(lever(&cab, CONTROL_LEFT_TRACK), 0.0);
    left = plug_lever();
    pedals = plug_pedals();
    touch(&left, 3);
    move(&pedals, 1, 1.0); // a foot rests on it, or it rests there
    sample = look(&cab);
    assert_true(sample.joystick[0].present);
    assert_axis(lever(&cab, CONTROL_LEFT_TRACK), 0.0);
    move(&left, 0, -1.0);
    move(&pedals, 1, -1.0);
    look(&cab);
    assert_axis(lever(&cab, CONTROL_SWING), -1.0);
    move(&pedals, 1, 1.0);
    look(&cab);
    assert_axis(lever(&cab, CONTROL_LEFT_TRACK), 0.0);
    InputNews rest;
    char text[INPUT_NEWS_TEXT];
    assert_true(input_map_not_at_rest(cab.map, &sample, &cab.memory, &rest));
    input_news_text(&rest, &(TextReader){.english = true}, text);
    assert_string_equal(text, "feet axis 1 came at +1.00 and rests at -1.00: let it go and pause once");
    move(&pedals, 1, -1.0); // let go, and a pause
    sample_now(cab.devices);
    SDL_Delay((Uint32)(1000.0 * INPUT_RESTS) + 50);
    input_map_rest(&cab.memory);
    look(&cab);
    move(&pedals, 1, 1.0);
    sample = look(&cab);
    assert_axis(lever(&cab, CONTROL_LEFT_TRACK), 1.0);
    assert_false(input_map_not_at_rest(cab.map, &sample, &cab.memory, &rest));
    leave_cab(&cab);
    unplug(&left);
    unplug(&right);
    unplug(&pedals);
}

/// Numbers of a fixed sequence (Knuth's MMIX constants); the same in each run.
static double next_random(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005U + 1442695040888963407U;
    return (double)(*seed >> 33) / 1073741824.0 - 1.0;
}

TEST(garbage_and_devices_without_axes_do_no_harm)
{
    uint64_t seed = 7;
    Cab cab = enter_cab("Feet");
    FakePad empty = plug(SDL_JOYSTICK_TYPE_UNKNOWN, 0, 0, 0, "Lever of nothing");
    FakePad many = plug(SDL_JOYSTICK_TYPE_UNKNOWN, 40, 60, 3, "Lever of everything");
    look(&cab);
    for (int axis = 0; axis < CONTROL_COUNT; axis++) {
        assert_int_equal(cab.controls.axis[axis], control_neutral.axis[axis]);
    }
    for (int round = 0; round < 200; round++) {
        for (int axis = 0; axis < 40; axis++) {
            double value = next_random(&seed);
            SDL_JoystickSetVirtualAxis(many.joystick, axis, value < -0.9 ? INT16_MIN : (Sint16)(value * 32767.0));
        }
        for (int button = 0; button < 60; button++) {
            SDL_JoystickSetVirtualButton(many.joystick, button, next_random(&seed) > 0.0);
        }
        SDL_JoystickSetVirtualHat(many.joystick, 0, (Uint8)(127.5 * (1.0 + next_random(&seed))));
        InputSample sample = look(&cab);
        for (int axis = 0; axis < CONTROL_COUNT; axis++) {
            assert_in_range(cab.controls.axis[axis] + CONTROL_FULL, 0, 2 * CONTROL_FULL);
        }
        assert_int_equal(cab.controls.axis[CONTROL_SWING], 0); // "left" is the one without axes
        assert_true(sample.joystick[1].axis[0] >= -1.0 && sample.joystick[1].axis[0] <= 1.0);
    }
    unplug(&empty);
    unplug(&many);
    look(&cab);
    for (int axis = 0; axis < CONTROL_COUNT; axis++) {
        assert_int_equal(cab.controls.axis[axis], control_neutral.axis[axis]);
    }
    leave_cab(&cab);
}

/// Heavy motor: the share of the digging force, less than 5 % is not felt. Light motor: engine x load^2, + 0.3 at a
/// limit.
TEST(shaking_follows_force_engine_and_limit)
{
    const ControlRumble half = {.tool = 0.5, .engine = 0.2};
    assert_axis(input_shake(&half, 0.8, 0.0, false).low, 0.4);
    assert_axis(input_shake(&half, 0.04, 0.0, false).low, 0.0);
    assert_axis(input_shake(&half, 7.0, 0.0, false).low, 0.5);
    assert_axis(input_shake(&half, 0.0, 0.5, false).high, 0.05);
    assert_axis(input_shake(&half, 0.0, 1.0, true).high, 0.35);
    InputShake nothing = input_shake(&half, (double)NAN, (double)NAN, false);
    assert_axis(nothing.low, 0.0);
    assert_axis(nothing.high, 0.0);
    const ControlRumble off = {0};
    assert_axis(input_shake(&off, 1.0, 1.0, true).low, 0.0);
    assert_axis(input_shake(&off, 1.0, 1.0, true).high, 0.0);
}

typedef struct Shaken {
    int count;
    Uint16 low, high;
} Shaken;

static int SDLCALL take_rumble(void *userdata, Uint16 low, Uint16 high)
{
    Shaken *shaken = userdata;
    *shaken = (Shaken){shaken->count + 1, low, high};
    return 0;
}

TEST(devices_with_motors_shake)
{
    Shaken shaken = {0};
    Cab cab = enter_cab("Feet");
    FakePad still = plug_lever();
    SDL_VirtualJoystickDesc desc = {.version = SDL_VIRTUAL_JOYSTICK_DESC_VERSION,
                                    .type = SDL_JOYSTICK_TYPE_FLIGHT_STICK,
                                    .naxes = 2,
                                    .vendor_id = 0x1209,
                                    .product_id = 0x7777,
                                    .name = "Shaking lever",
                                    .userdata = &shaken,
                                    .Rumble = take_rumble};
    int index = SDL_JoystickAttachVirtualEx(&desc);
    assert_true(index >= 0);
    FakePad pad = {SDL_JoystickGetDeviceInstanceID(index), SDL_JoystickOpen(index)};
    look(&cab);
    input_devices_rumble(cab.devices, 0.5, 2.0, 100);
    assert_true(shaken.count > 0);
    assert_in_range(shaken.low, 32000, 33500);
    assert_int_equal(shaken.high, 65535);
    input_devices_rumble(cab.devices, (double)NAN, -1.0, 100);
    assert_int_equal(shaken.low, 0);
    assert_int_equal(shaken.high, 0);
    unplug(&pad);
    input_devices_rumble(cab.devices, 1.0, 1.0, 100); // gone: nothing happens
    leave_cab(&cab);
    unplug(&still);
}

TEST_GROUP(start_sdl, stop_sdl)
