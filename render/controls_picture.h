/// A picture of what a person drives with and of the machine that it moves: keyboard, gamepad or joysticks with what
/// each way does, where everything stands now, and a small machine whose moving part is lit. Filled by the page of the
/// controls (trainer/app), drawn beside a menu. A plain value: copied as a whole, compared by its bytes.
#ifndef SPADEWORK_RENDER_CONTROLS_PICTURE_H
#define SPADEWORK_RENDER_CONTROLS_PICTURE_H

#include <stdbool.h>

#include "data/core/operator_controls.h"

enum { RENDER_CONTROL_INPUTS = 72, RENDER_CONTROL_WORDS = 40, RENDER_CONTROL_WAYS = 4 };

/// How an input is drawn.
typedef enum RenderInputShape {
    RENDER_INPUT_KEY, ///< a cap of the keyboard
    RENDER_INPUT_STICK, ///< two axes: a gate with a grip
    RENDER_INPUT_PEDAL, ///< one axis or trigger: a bar
    RENDER_INPUT_BUTTON, ///< a line of the list of buttons
} RenderInputShape;

/// One input of the device, and what its ways do.
typedef struct RenderControlInput {
    RenderInputShape shape;
    bool both_ways; ///< of a bar: it has a middle
    double x, y, width; ///< of a key: 0..14, in caps, from the keyboard's upper left corner
    char label[RENDER_CONTROL_WORDS]; ///< UTF-8: "W", "left stick"
    /// UTF-8, "" = nothing. A stick's: right, left, forward, back; a bar's: plus, minus; of others the first.
    char words[RENDER_CONTROL_WAYS][RENDER_CONTROL_WORDS];
    ControlAxis axis[RENDER_CONTROL_WAYS]; ///< what the ways move, by whose colour they are drawn; CONTROL_COUNT: none
    double value[2]; ///< where it stands: a stick to the right and forward, -1..1; others 0..1 or -1..1
} RenderControlInput;

typedef enum RenderDevice { RENDER_DEVICE_KEYBOARD, RENDER_DEVICE_PAD, RENDER_DEVICE_JOYSTICKS } RenderDevice;

/// Zero-initialise with memset, so that its bytes can be compared.
typedef struct RenderControlsPicture {
    RenderDevice device;
    bool dozer; ///< the machine is a bulldozer, else an excavator
    int input_count; ///< 0..RENDER_CONTROL_INPUTS
    RenderControlInput inputs[RENDER_CONTROL_INPUTS];
    char names[CONTROL_COUNT][RENDER_CONTROL_WORDS]; ///< of the levers that the legend shows; "" = not shown
    double lever[CONTROL_COUNT]; ///< -1..1: what the machine gets
    double pose[CONTROL_COUNT]; ///< how far it has moved its parts: -1..1, of swing rad, of tracks m
    char told[2 * RENDER_CONTROL_WORDS]; ///< what moves now; "" = nothing
} RenderControlsPicture;

#endif
