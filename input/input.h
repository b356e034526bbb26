/// Devices -> OperatorControls. SDL lives in devices.c alone; curves, mapping and scripts are pure functions.
#ifndef SPADEWORK_INPUT_INPUT_H
#define SPADEWORK_INPUT_INPUT_H

#include <stdbool.h>

#include "data/controls_params.h"
#include "data/operator_controls.h"
#include "data/status.h"

/// ---- pure: one control map applied to sampled devices (mapping.c) -------------------------------------------------

enum { INPUT_MAX_KEYS = 512, INPUT_PAD_AXES = 6, INPUT_PAD_BUTTONS = 24 };

/// Raw sample of everything the map may name. Axes -1..1 (triggers 0..1) in SDL game controller order
/// (leftx, lefty, rightx, righty, lefttrigger, righttrigger); buttons and keys 0/1 (keys by SDL scancode).
typedef struct InputSample {
    double pad_axis[INPUT_PAD_AXES];
    unsigned char pad_button[INPUT_PAD_BUTTONS];
    unsigned char key[INPUT_MAX_KEYS];
    bool pad_present;
} InputSample;

/// What rate limiting remembers between ticks. Belongs to the caller; zero-initialise.
typedef struct InputMemory {
    double lever[CONTROL_COUNT];
} InputMemory;

/// A control map with its names resolved to indices; made once by input_map_resolve.
typedef struct InputMap InputMap;
InputMap *input_map_create(const ControlsParams *params, Status *status); ///< fails on a name no device has, naming it
void input_map_destroy(InputMap *map);
/// Dead zone, exponent, sum of bindings, clamp, rate limit, quantise. `dt` s since the last call.
void input_map_apply(const InputMap *map, const InputSample *sample, double dt, InputMemory *memory,
                     OperatorControls *controls);
/// True when the action ("pause", "camera", ...) is held on any device.
bool input_map_action(const InputMap *map, const InputSample *sample, const char *action);
/// One line for the screen: what an axis is bound to on the pad and on the keyboard ("right stick up/down, I/K").
void input_map_describe(const InputMap *map, ControlAxis axis, char *text, int size);

/// ---- pure: operator scripts (script.c) ---------------------------------------------------------------------------

/// A CSV operator script (header row; columns t and any control axis; values -1..1 held until the next row).
typedef struct InputScript InputScript;
InputScript *input_script_load(const char *path, Status *status); ///< errors name file:line:column
void input_script_destroy(InputScript *script);
/// Controls at time t (s). Before the first row: neutral. Binary search; any order of calls.
void input_script_get(const InputScript *script, double t, OperatorControls *controls);
double input_script_duration(const InputScript *script); ///< t of the last row

/// ---- devices (devices.c): SDL game controllers, joysticks and keyboard ---------------------------------------------

typedef struct InputDevices InputDevices;
/// Initialises SDL's game controller subsystem (not video). NULL with `status` when SDL cannot.
InputDevices *input_devices_open(Status *status);
void input_devices_close(InputDevices *devices);
/// Takes in what happened: hot plug, axes, buttons. `event` is an SDL_Event * from the window's loop, or NULL to have this
/// function pump SDL itself (no window). Keyboard comes from the events.
void input_devices_handle(InputDevices *devices, const void *event);
void input_devices_poll(InputDevices *devices); ///< for programs without a window loop: pumps and handles all events
/// The sample of this moment; a device that is gone reads neutral.
void input_devices_sample(const InputDevices *devices, InputSample *sample);
/// True once after a pad came or went; `text` receives one line for the screen ("Xbox pad connected").
bool input_devices_changed(InputDevices *devices, char *text, int size);
int input_devices_pad_count(const InputDevices *devices);
/// Rumble, 0..1 each, for `milliseconds`; nothing when the pad cannot.
void input_devices_rumble(InputDevices *devices, double low, double high, int milliseconds);

#endif
