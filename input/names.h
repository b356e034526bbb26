/// The names by which a control map calls axes, buttons and keys. Pure; the names and numbers are SDL's, so that the map's
/// files read like any SDL mapping, but nothing of SDL is needed here.
#ifndef SPADEWORK_INPUT_NAMES_H
#define SPADEWORK_INPUT_NAMES_H

/// Index of a pad axis ("leftx" ...) in SDL_GameControllerAxis order, or -1.
int input_pad_axis_index(const char *name);
/// Index of a pad button ("a", "dpup" ...) in SDL_GameControllerButton order, or -1.
int input_pad_button_index(const char *name);
/// Scancode of a key by SDL's name ("W", "Left Shift"; case does not matter), or -1.
int input_key_index(const char *name);

/// What the screen calls them. Valid indices only; the text is constant.
const char *input_pad_axis_label(int index); ///< "left stick", "right trigger"
const char *input_pad_button_label(int index); ///< "A", "left bumper"
const char *input_key_label(int scancode); ///< "Left Shift"; "" when no key of the list has this code
/// The two ways of an axis: positive "right" or "down", negative "left" or "up"; NULL for triggers, which have one way.
const char *input_pad_axis_way(int index, int sign);

#endif
