/// A control map: which device axis or button moves which lever, and how. File: data/controls/NAME.yaml.
#ifndef SPADEWORK_DATA_CONTROLS_PARAMS_H
#define SPADEWORK_DATA_CONTROLS_PARAMS_H

#include <stdbool.h>
#include <stdio.h>

#include "data/core/operator_controls.h"

enum {
    CONTROLS_MAX_BINDINGS = 96,
    CONTROLS_MAX_DEVICES = 6,
    CONTROLS_MAX_JOYSTICK_AXES = 16,
    CONTROLS_MAX_BUTTONS = 128, ///< of a joystick, without its hats
    CONTROLS_MAX_HATS = 4,
    CONTROLS_HAT_WAYS = 4,
    CONTROLS_DEVICE_NAME = 48, ///< bytes of what a device calls itself
    CONTROLS_DEVICE_SERIAL = 48, ///< bytes of its serial number
    CONTROLS_DEVICE_PORT = 64, ///< bytes of its socket
};

#define CONTROLS_LEAST_TRAVEL 0.1 ///< of a joystick's axis, from its rest to an end

/// A joystick or a set of pedals that the map knows. A device that is plugged in takes an entry that it fits and that
/// no other device has: one with its serial number or its socket before all others, else the first in the list. So two
/// equal joysticks keep their sides by `serial` or `port`; without these they go by the order of their sockets. A
/// device that a map names is no pad any more: only bindings of its own move levers.
typedef struct ControlDevice {
    char id[12]; ///< what the bindings call it: "left"
    char name[CONTROLS_DEVICE_NAME]; ///< part of the name it gives itself (case does not matter), or ""
    char usb[10]; ///< "vvvv:pppp": vendor and product, hexadecimal, or ""
    char serial[CONTROLS_DEVICE_SERIAL]; ///< its serial number, or ""
    /// The socket that it is plugged into, as the kernel calls it ("usb-0000:00:14.0-3.2/input0"; without /input0 any
    /// part of that device fits), or "".
    char port[CONTROLS_DEVICE_PORT];
} ControlDevice;

/// What a device offers. Gamepad names follow SDL's game controller mapping; keys are SDL key names ("W", "Left").
typedef enum ControlSource {
    CONTROL_SOURCE_PAD_AXIS,
    CONTROL_SOURCE_PAD_BUTTON,
    CONTROL_SOURCE_KEY,
    CONTROL_SOURCE_JOYSTICK_AXIS, ///< of a device in the map's list: "left:0"
    CONTROL_SOURCE_JOYSTICK_BUTTON, ///< "left:3", "left:up", "left:hat2-up"
} ControlSource;

/// One binding: source moves an axis (by `scale` at full deflection; several bindings of one axis add up and are
/// clamped).
typedef struct ControlBinding {
    ControlSource source;
    char input[24]; ///< "leftx", "righttrigger", "a", "leftshoulder", "W", ...
    ControlAxis axis; ///< which lever
    double scale; ///< -1..1
    /// Joystick axis: its readings at both ends and at rest, -1 <= low <= rest <= high <= 1. Either
    /// side of rest is one deflection; a pedal rests at one of its ends.
    double low, rest, high; ///< -1..1, as SDL reads the axis
    /// Pad button, key or joystick button that must be held too, or "". A binding without modifier yields to one whose
    /// modifier is held on the same input.
    char modifier[24];
} ControlBinding;

/// How a lever answers.
typedef struct ControlCurve {
    double dead_zone; ///< 0..0.5 of the deflection
    double exponent; ///< 0.5..4
    double rate; ///< full deflections a second the lever may move, 0.5..1000 (keys are ramped by it)
} ControlCurve;

/// How strongly a device with motors shakes, 0..1 each.
typedef struct ControlRumble {
    double tool; ///< 0..1, at the machine's full digging force
    double engine; ///< 0..1, at full load of the engine
} ControlRumble;

typedef struct ControlsParams {
    char name[64];
    char title[96];
    char pattern[8]; ///< "iso", "bhl" or "dozer": named on screen
    int device_count;
    ControlDevice devices[CONTROLS_MAX_DEVICES];
    int binding_count;
    ControlBinding bindings[CONTROLS_MAX_BINDINGS];
    ControlCurve curves[CONTROL_COUNT];
    /// Inputs with a fixed meaning: camera, look, pause, menu, throttle_up, throttle_down, reset.
    struct {
        char name[16];
        char pad[24];
        char key[24];
        char joystick[24];
    } actions[8];
    int action_count;
    ControlRumble rumble;
} ControlsParams;

/// ---- writing -------------------------------------------------------------------------------------------------------

/// Numbers get 4 decimals. False when the stream failed.
bool controls_write(const ControlsParams *params, FILE *stream);

#endif
