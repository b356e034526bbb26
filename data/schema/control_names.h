/// The names by which a control map calls axes, buttons and keys. Pure; the names and numbers are SDL's, so that the
/// map's files read like any SDL mapping, but nothing of SDL is needed here.
#ifndef SPADEWORK_DATA_CONTROL_NAMES_H
#define SPADEWORK_DATA_CONTROL_NAMES_H

#include <stdbool.h>

#include "data/schema/controls_params.h"

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

#endif
