/// Who moves the levers: a person with pad and keyboard, the automatic operator, or a script.
#ifndef SPADEWORK_TRAINER_WINDOW_OPERATOR_H
#define SPADEWORK_TRAINER_WINDOW_OPERATOR_H

#include "input/input.h"
#include "trainer/window/window.h"
#include "trainer/operator/autopilot.h"

enum { HINT_TEXT = 120 };

typedef struct WindowOperator {
    bool person;
    Autopilot *autopilot; ///< or NULL
    InputScript *script; ///< or NULL
    InputMap *map; ///< never NULL: its actions work for every operator
    char pattern[8]; ///< "ISO", "BHL", "DOZER"
    InputMemory memory;
    double throttle; ///< -1..1, where the person set it; starts at full
    bool throttle_mapped; ///< the map itself moves the throttle, so that presses of the actions are not counted here
    const InputDevices *devices; ///< that were told of the map; NULL = none yet
    int pads; ///< known at the last update
    bool pad_lost; ///< levers are neutral until a pad is back or the person goes on without
    char notice[HINT_TEXT]; ///< what last happened to the pads, for the screen
    double notice_left; ///< s that it is still shown
    bool still; ///< devices do not shake (--no-rumble)
    double shake_left; ///< s until the pad is told the next strength
    int hint_count;
    char hints[RENDER_MAX_HINTS][HINT_TEXT];
} WindowOperator;

/// `name`: "gamepad", "keyboard", "auto" or a script's path; NULL = a person. `controls`: a control map's name or file,
/// NULL = the machine's own (control_map.h).
bool window_operator_create(WindowOperator *self, const char *name, const char *controls, Session *session,
                            Status *status);
void window_operator_destroy(WindowOperator *self);
/// Starts over with a new or restored session.
void window_operator_reset(WindowOperator *self, Session *session);
/// Once a frame: throttle steps, devices that come and go; gives the devices to the map.
void window_operator_update(WindowOperator *self, InputDevices *devices, const WindowInput *input, double elapsed);
/// Once a frame: devices shake with the force on the tool, the engine's load and when a limit acts.
void window_operator_feel(WindowOperator *self, InputDevices *devices, const Session *session, double elapsed);
/// The levers of the next tick.
void window_operator_controls(WindowOperator *self, Session *session, const InputSample *sample,
                              OperatorControls *controls);
/// True when a script is over or `auto` has finished its exercise.
bool window_operator_is_done(const WindowOperator *self, const Session *session);

#endif
