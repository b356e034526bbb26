/// Pads and joysticks that are plugged in, and what they read. Internal to input/devices/, the only room of the floor
/// that knows SDL.
#ifndef SPADEWORK_INPUT_DEVICES_H
#define SPADEWORK_INPUT_DEVICES_H

#include <SDL.h>

#include "input/devices/socket.h"
#include "input/edges.h"

enum {
    DEVICES_NAME = CONTROLS_DEVICE_NAME, ///< bytes
    DEVICES_MOST_NEWS = 2 * INPUT_MAX_DEVICES,
    DEVICES_TOUCH = 8192 ///< of 32767 that an axis must move from where it was at first. Chosen
};

/// s after which what a device reads is taken for where it rests, if it was looked at all the while. A USB device tells
/// nothing before its node is opened: until its first report the kernel gives made-up zeros, and SDL makes up others.
/// Chosen: reports come within 10 ms.
#define DEVICES_SETTLES 0.25
/// s between two looks after which the time begins anew: meanwhile a hand may have moved what is looked at. Chosen.
#define DEVICES_LOOKED 0.1

/// Of -1..1: an axis that moves by less stands. Chosen: noise, and what a hand does that lies on it
#define DEVICES_STANDS 0.05

/// What a device reads, as a joystick, or as a pad in the order of game controllers.
typedef struct Reading {
    double axis[CONTROLS_MAX_JOYSTICK_AXES]; ///< -1..1 (a pad's triggers 0..1); NaN before its first report
    bool button[INPUT_JOYSTICK_BUTTONS]; ///< a joystick's hats are the last ones
} Reading;

/// An open pad or joystick.
typedef struct Device {
    bool used;
    bool touched; ///< a hand has been on it: a button was pressed, an axis moved by TOUCH
    bool fresh; ///< it has not been looked at for DEVICES_SETTLES: it counts as not there
    double came, looked; ///< s, as devices_now, while it is fresh: since when it has been looked at, and last
    SDL_JoystickID id;
    SDL_GameController *pad; ///< NULL: a joystick without a pad mapping
    SDL_Joystick *joystick; ///< belongs to `pad` when that is set
    int slot; ///< which of the map's devices it stands for; -1: none, it is a pad or a stranger
    Reading now; ///< as it told last, for what it stands for
    Reading stood; ///< where what it reads stands
    double axis_since[CONTROLS_MAX_JOYSTICK_AXES],
        button_since[INPUT_JOYSTICK_BUTTONS]; ///< s, as devices_now: and since
    Reading first; ///< as a joystick, when it had settled
    Reading first_pad; ///< the same as a pad; what was taken anew as it was then
    bool let_go[INPUT_PAD_BUTTONS]; ///< of a pad: the button has been up since it came
    Socket socket;
    char name[DEVICES_NAME];
} Device;

/// Where a device of the map was plugged in last.
typedef struct SlotPlace {
    bool known;
    Socket socket;
} SlotPlace;

struct InputDevices {
    Device devices[INPUT_MAX_DEVICES];
    int wanted_count;
    ControlDevice wanted[CONTROLS_MAX_DEVICES]; ///< what the map names
    unsigned came[CONTROLS_MAX_DEVICES]; ///< devices that have stood for each so far
    SlotPlace places[CONTROLS_MAX_DEVICES];
    unsigned pads_lost;
    int touched_lost; ///< of those that a hand had been on
    bool rested; ///< no tick was made; the next one takes anew where a pad's axes rest
    InputEdges edges;
    InputSample sample, tick; ///< the last ones
    int news_count;
    InputNews news[DEVICES_MOST_NEWS]; ///< oldest first
};

/// Adds what happened to a device. name, id  cut to those of InputNews
void devices_say(InputDevices *devices, InputNewsKind kind, const char *name, const char *id);
/// Devices name themselves, with any bytes: only printable ASCII reaches the screen.
void devices_copy_name(const char *from, char name[DEVICES_NAME]);
double devices_now(void); ///< s of SDL's clock, which stamps its events

/// Gives a device to the entry of the map that it fits best and that is free, or makes it a pad (slots.c).
void device_find_place(InputDevices *devices, Device *device);
/// True for a device that neither SDL nor the map knows: it moves nothing.
bool device_is_stranger(const Device *device);

/// Reads a device as it is now, for what it stands for (readings.c).
void device_read(Device *device);
/// Takes what one event tells of this device's axes and buttons.
void device_hear(Device *device, const SDL_Event *event);
/// Notes what all devices read together, since `time` s.
void devices_note(InputDevices *devices, double time);

#endif
