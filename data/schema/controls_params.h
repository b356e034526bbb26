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
    CONTROLS_MAX_ACTIONS = 24,
    CONTROLS_MAX_GEARS = 6,
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
    char pattern[8]; ///< name of a ControlPattern: named on screen
    int device_count;
    ControlDevice devices[CONTROLS_MAX_DEVICES];
    int binding_count;
    ControlBinding bindings[CONTROLS_MAX_BINDINGS];
    ControlCurve curves[CONTROL_COUNT];
    /// Shares of the tracks' travel, 0..1, ascending, that keys and buttons ask for at most in each gear; the first one
    /// at first. gear_up and gear_down change it. None: keys ask for all of it. Sticks and pedals ask by their way.
    double gears[CONTROLS_MAX_GEARS];
    int gear_count;
    /// Inputs with a fixed meaning: camera, look, pause, menu, throttle_up, throttle_down, gear_up, gear_down, reset.
    struct {
        char name[16];
        char pad[24];
        char key[24];
        char joystick[24];
    } actions[CONTROLS_MAX_ACTIONS];
    int action_count;
    ControlRumble rumble;
} ControlsParams;

/// ---- patterns ------------------------------------------------------------------------------------------------------

/// What one way of a lever does: to the right or forward is plus.
typedef struct ControlPatternWay {
    ControlAxis axis; ///< CONTROL_LEFT_TRACK: both tracks, forward ahead and sideways against each other
    int sign; ///< 1 or -1: where the plus way of the lever moves `axis`
} ControlPatternWay;

/// Which lever of the seat moves what. Texts are English and marked for translation.
typedef struct ControlPattern {
    const char *name; ///< in files: "iso"
    const char *title; ///< "ISO"
    const char *about; ///< where it is found
    const char *map; ///< shipped control map of it for gamepad and keyboard
    bool dozer; ///< of a bulldozer, else of an excavator
    ControlPatternWay ways[2][2]; ///< [left lever, right lever][to the right, forward]
} ControlPattern;

/// Pattern `index`, from 0 on; NULL behind the last. Excavators' come first.
const ControlPattern *control_pattern(int index);
/// The pattern of a name, in which case does not matter; NULL: there is none.
const ControlPattern *control_pattern_named(const char *name);

/// ---- names of inputs -----------------------------------------------------------------------------------------------

/// The names by which a control map calls axes, buttons and keys. They and the numbers are SDL's, so that the files
/// read like any SDL mapping, but nothing of SDL is needed here. Pure functions.

/// Index of a pad axis ("leftx" ...) in SDL_GameControllerAxis order, or -1.
int control_pad_axis_index(const char *name);
/// Index of a pad button ("a", "dpup" ...) in SDL_GameControllerButton order, or -1.
int control_pad_button_index(const char *name);
/// Scancode of a key by SDL's name ("W", "Left Shift"; case does not matter), or -1.
int control_key_index(const char *name);

/// Index of a pad axis, pad button or key by its name, or -1; the joystick's parts: control_joystick_part.
int control_source_index(ControlSource source, const char *name);
/// The names there are, for an error's text.
const char *control_source_names(ControlSource source);

/// What the screen calls them. Valid indices only; the text is constant.
const char *control_pad_axis_label(int index); ///< "left stick", "right trigger"
const char *control_pad_button_label(int index); ///< "A", "left bumper"
const char *control_key_label(int scancode); ///< "Left Shift"; "" when no key of the list has this code
/// The two ways of an axis: positive "right" or "down", negative "left" or "up"; NULL for triggers, which have one way.
const char *control_pad_axis_way(int index, int sign);

/// What a map calls a joystick's part: "left:2" is number 2 (counted from 0) of the device that the map names `left`;
/// of buttons also "left:up", "left:right", "left:down", "left:left", the ways of its first hat, and "left:hat2-up" to
/// "left:hat4-left" those of the others.
typedef struct ControlJoystickPart {
    int device; ///< index into ControlsParams.devices
    int index; ///< of the axis or button; CONTROLS_MAX_BUTTONS + 4 h + 0..3 are the ways of hat h, from 0
} ControlJoystickPart;
bool control_joystick_part(const ControlDevice *devices, int device_count, const char *name, bool button,
                           ControlJoystickPart *part);
/// The name again: "left:2", "left:up", "left:hat2-up".
void control_joystick_name(const ControlDevice *device, bool button, int index, char *text, int size);

/// The hat and the way of a button's index (ControlJoystickPart): "up" of hat 2 gives 1 and "up"; false for a button.
bool control_hat_way(int index, int *hat, const char **way);

/// True when two connected devices have the same name and type, so that a map must name them by serial number or
/// socket.
bool control_devices_alike(const ControlDevice *a, const ControlDevice *b);

/// "044f:b10a" -> vendor and product; false when it is not two numbers of four hexadecimal digits.
bool control_usb_numbers(const char *text, unsigned *vendor, unsigned *product);

/// ---- writing -------------------------------------------------------------------------------------------------------

/// Numbers get 4 decimals. False when the stream failed.
bool controls_write(const ControlsParams *params, FILE *stream);

#endif
