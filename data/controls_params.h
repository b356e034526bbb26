/// A control map: which device axis or button moves which lever, and how. File: data/controls/NAME.yaml.
#ifndef SPADEWORK_DATA_CONTROLS_PARAMS_H
#define SPADEWORK_DATA_CONTROLS_PARAMS_H

#include <stdbool.h>

#include "data/operator_controls.h"

enum { CONTROLS_MAX_BINDINGS = 64 };

/// What a device offers. Gamepad names follow SDL's game controller mapping; keys are SDL key names ("W", "Left").
typedef enum ControlSource { CONTROL_SOURCE_PAD_AXIS, CONTROL_SOURCE_PAD_BUTTON, CONTROL_SOURCE_KEY } ControlSource;

/// One binding: source moves an axis (by `scale` at full deflection; several bindings of one axis add up and are clamped).
typedef struct ControlBinding {
    ControlSource source;
    char input[24]; ///< "leftx", "righttrigger", "a", "leftshoulder", "W", ...
    ControlAxis axis; ///< which lever
    double scale; ///< -1..1
    /// Pad button or key that must be held too, or "". A binding without modifier yields to one whose modifier is held on
    /// the same input.
    char modifier[24];
} ControlBinding;

/// How a lever answers.
typedef struct ControlCurve {
    double dead_zone; ///< 0..0.5 of the deflection
    double exponent; ///< 0.5..4
    double rate; ///< full deflections a second the lever may move, 0.5..1000 (keys are ramped by it)
} ControlCurve;

typedef struct ControlsParams {
    char name[64];
    char title[96];
    char pattern[8]; ///< "iso" or "bhl": named on screen
    int binding_count;
    ControlBinding bindings[CONTROLS_MAX_BINDINGS];
    ControlCurve curves[CONTROL_COUNT];
    /// Inputs with a fixed meaning: camera, pause, menu, throttle_up, throttle_down, reset.
    struct {
        char name[16];
        char pad[24];
        char key[24];
    } actions[8];
    int action_count;
} ControlsParams;

#endif
