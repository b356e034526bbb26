/// Who moves the levers without a window: the scripted operator, a script file, or a gamepad.
#ifndef SPADEWORK_TRAINER_RUNNER_OPERATOR_H
#define SPADEWORK_TRAINER_RUNNER_OPERATOR_H

#include "input/input.h"
#include "trainer/operator/autopilot.h"

typedef struct RunnerOperator {
    Autopilot *autopilot; ///< or NULL
    InputScript *script; ///< or NULL
    InputMap *map; ///< of a person, or NULL
    InputDevices *devices; ///< of a person with pads, or NULL
    InputMemory memory;
} RunnerOperator;

/// `name`: "auto" (also NULL), "gamepad" or a script's path; `controls`: a control map. Fails when no pad is there
/// (STATUS_LACKING); a pad lost later leaves the levers neutral until it is back. "keyboard" needs a window.
bool runner_operator_create(RunnerOperator *self, const char *name, const char *controls, const Session *session,
                            Status *status);
void runner_operator_destroy(RunnerOperator *self);
/// Levers of the next tick.
void runner_operator_controls(RunnerOperator *self, Session *session, OperatorControls *controls);
/// A person's session runs by the wall clock.
bool runner_operator_is_person(const RunnerOperator *self);

#endif
