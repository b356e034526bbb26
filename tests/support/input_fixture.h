/// Joysticks plugged into SDL without hardware.
#ifndef SPADEWORK_TESTS_INPUT_FIXTURE_H
#define SPADEWORK_TESTS_INPUT_FIXTURE_H

#include <SDL.h>

#include "input/input.h"
#include "tests/support/test.h"

/// A pad plugged into SDL without hardware.
typedef struct FakePad {
    SDL_JoystickID id;
    SDL_Joystick *joystick; ///< for moving its axes
} FakePad;

static inline int device_index(SDL_JoystickID id)
{
    for (int i = 0; i < SDL_NumJoysticks(); i++) {
        if (SDL_JoystickGetDeviceInstanceID(i) == id) {
            return i;
        }
    }
    return -1;
}

/// SDL keeps what it knows of a pad by its numbers: pads of different names and kinds need different ones.
static inline Uint16 product_of(SDL_JoystickType type, const char *name)
{
    unsigned product = (unsigned)type;
    for (; *name; name++) {
        product = product * 31 + (unsigned char)*name;
    }
    return (Uint16)product;
}

static bool plugged_in; ///< a device that no sample has been taken of

static inline FakePad plug(SDL_JoystickType type, int axes, int buttons, int hats, const char *name)
{
    SDL_VirtualJoystickDesc desc = {.version = SDL_VIRTUAL_JOYSTICK_DESC_VERSION,
                                    .type = (Uint16)type,
                                    .naxes = (Uint16)axes,
                                    .nbuttons = (Uint16)buttons,
                                    .nhats = (Uint16)hats,
                                    .vendor_id = 0x1209,
                                    .product_id = product_of(type, name),
                                    .name = name};
    int index = SDL_JoystickAttachVirtualEx(&desc);
    assert_true(index >= 0);
    FakePad pad = {SDL_JoystickGetDeviceInstanceID(index), SDL_JoystickOpen(index)};
    assert_non_null(pad.joystick);
    plugged_in = true;
    return pad;
}

static inline FakePad plug_pad(const char *name)
{
    return plug(SDL_JOYSTICK_TYPE_GAMECONTROLLER, SDL_CONTROLLER_AXIS_MAX, SDL_CONTROLLER_BUTTON_MAX, 0, name);
}

static inline void unplug(FakePad *pad)
{
    assert_int_equal(SDL_JoystickDetachVirtual(device_index(pad->id)), 0);
    SDL_JoystickClose(pad->joystick);
    *pad = (FakePad){.id = -1};
}

static inline void move(const FakePad *pad, int axis, double value)
{
    assert_int_equal(SDL_JoystickSetVirtualAxis(pad->joystick, axis, (Sint16)lround(value * 32767.0)), 0);
}

static inline InputDevices *open_devices(void)
{
    Status status;
    InputDevices *devices = input_devices_open(&status);
    assert_good(devices != NULL, status);
    return devices;
}

/// Time in which a device that was plugged in comes to count (input_devices_open).
enum { SETTLES_MS = 300 };

/// Looks for a while, so that what was plugged in counts.
static inline InputSample sample_settled(InputDevices *devices)
{
    for (int k = 0; k < SETTLES_MS / 10; k++) {
        input_devices_poll(devices);
        input_devices_sample(devices);
        SDL_Delay(10);
    }
    input_devices_poll(devices);
    return *input_devices_sample(devices);
}

/// What the devices read now; the first time after something was plugged in once that counts.
static inline InputSample sample_now(InputDevices *devices)
{
    if (plugged_in) {
        plugged_in = false;
        return sample_settled(devices);
    }
    input_devices_poll(devices);
    return *input_devices_sample(devices);
}

/// SDL keeps axes as 16 bit numbers.
#define assert_axis(value, wanted) assert_near((value), (wanted), 1e-3)

static inline void assert_message(InputDevices *devices, const char *expected)
{
    char text[INPUT_NEWS_TEXT];
    InputNews news;
    assert_true(input_devices_changed(devices, &news));
    input_news_text(&news, &(TextReader){.english = true}, text);
    assert_string_equal(text, expected);
}

/// SDL stays up over all tests so that virtual pads can be plugged before the devices are opened.
static inline int start_sdl(void **state)
{
    (void)state;
    setenv("SDL_VIDEODRIVER", "dummy", 1);
    return SDL_Init(SDL_INIT_GAMECONTROLLER | SDL_INIT_VIDEO);
}

static inline int stop_sdl(void **state)
{
    (void)state;
    SDL_Quit();
    return 0;
}

#endif
