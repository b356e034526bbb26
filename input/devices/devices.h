/// Pads and joysticks that are plugged in, and what they read. Internal to input/devices/, the only room of the floor
/// that knows SDL.
#ifndef SPADEWORK_INPUT_DEVICES_H
#define SPADEWORK_INPUT_DEVICES_H

#include <SDL.h>

#include "input/edges.h"

enum {
    DEVICES_NAME = 48, ///< bytes
    DEVICES_MOST_NEWS = 2 * INPUT_MAX_DEVICES,
    DEVICES_STICK_AXES = 4,
    DEVICES_TOUCH = 8192 ///< of 32767 that an axis must move from where it was at first. Chosen
};

/// An open pad or joystick.
typedef struct Device {
    bool used;
    bool touched; ///< a hand has been on it: a button was pressed, an axis moved by TOUCH
    bool fresh; ///< not looked at yet: what it told before, such as zeros that SDL makes up, is not what a hand did
    SDL_JoystickID id;
    SDL_GameController *pad; ///< NULL: a joystick without a pad mapping
    SDL_Joystick *joystick; ///< belongs to `pad` when that is set
    int first_axis; ///< joystick: where its axis 0 goes in SDL's order; 2 for the right-hand one of two levers
    int slot; ///< which of the map's devices it stands for; -1: none, it counts as a pad
    bool armed[DEVICES_STICK_AXES]; ///< joystick: this axis was near its middle
    /// As it told last. A pad that no map names: in the order of game controllers, else the device's own; the hat's
    /// ways are the last four buttons.
    double axis[CONTROLS_MAX_JOYSTICK_AXES]; ///< -1..1 (a pad's triggers 0..1); NaN before its first report
    bool button[INPUT_JOYSTICK_BUTTONS];
    char name[DEVICES_NAME];
} Device;

struct InputDevices {
    Device devices[INPUT_MAX_DEVICES];
    int wanted_count;
    ControlDevice wanted[CONTROLS_MAX_DEVICES]; ///< what the map names
    unsigned came[CONTROLS_MAX_DEVICES]; ///< devices that have stood for each so far
    unsigned pads_lost;
    int touched_lost; ///< of those that a hand had been on
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

/// Gives a device to the first entry of the map that it fits and that is free, or makes it a pad (slots.c).
void device_find_place(InputDevices *devices, Device *device);

/// Reads a device as it is now, for what it stands for (readings.c).
void device_read(Device *device);
/// Takes what one event tells of this device's axes and buttons.
void device_hear(Device *device, const SDL_Event *event);
/// Notes what all devices read together, since `time` s.
void devices_note(InputDevices *devices, double time);

#endif
