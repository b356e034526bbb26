/// The calibration assistant: asks for one lever, pedal or button after the other, watches what moves, and makes a
/// control map of it. Pure: fed with samples, it knows neither devices nor screen.
#ifndef SPADEWORK_INPUT_CALIBRATION_H
#define SPADEWORK_INPUT_CALIBRATION_H

#include "input/input.h"

enum { CALIBRATION_MAX_STEPS = 48, CALIBRATION_TEXT = 240 };

typedef enum CalibrationStepKind {
    CALIBRATION_REST, ///< nothing is touched
    CALIBRATION_WAY, ///< one way of a lever
    CALIBRATION_REVERSE, ///< the button that turns a one-way pedal round
    CALIBRATION_PLACE, ///< one end of the throttle's wheel or slider, which stays where it is put
    CALIBRATION_BUTTON, ///< the horn, a switch of the cab, or an action
} CalibrationStepKind;

/// What was found at a step: an axis and how far it went, or a button.
typedef struct CalibrationFind {
    bool found; ///< false: skipped
    int device, index;
    double rest, end; ///< -1..1, of an axis, as the device reads; of a place `end` alone
} CalibrationFind;

typedef struct CalibrationStep {
    CalibrationStepKind kind;
    ControlAxis axis; ///< of a way or a place; of the pedal to be reversed; of the button of the horn or a switch
    int sign; ///< of a way: +1 or -1; of a place: -1 idle, +1 full
    int action; ///< of a button: index into the base map's actions, -1: the horn or a switch
} CalibrationStep;

/// What is known of an axis.
typedef struct CalibrationAxis {
    bool known, useless; ///< has told where it rests; never stands still
    int restless; ///< how often it moved while all should have been at rest
    /// -1..1; low, high: least and greatest reading since the step (or second of rest) began
    double now, rest, low, high;
    double stood, stands; ///< where it stood last (-1..1), and for how long, s
    int anew; ///< 1: its rest was taken anew from where it stood; 2: and given back
    double rested; ///< its rest before that
} CalibrationAxis;

/// Why an answer was refused, for screens with words of their own.
typedef enum CalibrationReason {
    CALIBRATION_NOT_YET, ///< the rest is not skipped
    CALIBRATION_RESTLESS, ///< something moves that should not be touched
    CALIBRATION_SHORT, ///< it did not go all the way
    CALIBRATION_BOTH, ///< two axes moved
    CALIBRATION_USED, ///< it does something already
    CALIBRATION_STAYS, ///< it stands elsewhere than where it rested: its rest is taken anew
    CALIBRATION_OTHER, ///< another axis than that of the throttle's other end
} CalibrationReason;

typedef struct Calibration {
    ControlsParams base; ///< keyboard, pad, curves and actions come from it
    int device_count;
    ControlDevice devices[CONTROLS_MAX_DEVICES]; ///< as InputSample.joystick numbers them
    int step_count, step;
    CalibrationStep steps[CALIBRATION_MAX_STEPS];
    CalibrationFind finds[CALIBRATION_MAX_STEPS];
    CalibrationAxis axes[CONTROLS_MAX_DEVICES][CONTROLS_MAX_JOYSTICK_AXES];
    bool held[CONTROLS_MAX_DEVICES][INPUT_JOYSTICK_BUTTONS]; ///< buttons at the last sample
    bool sampled; ///< `held` is known
    double still; ///< s: at the rest, that nothing moved; at a lever, since it was asked for
    char text[CALIBRATION_TEXT]; ///< what the last answer says
    CalibrationReason reason; ///< of the last refusal
} Calibration;

typedef enum CalibrationAnswer {
    CALIBRATION_WAITS, ///< nothing to tell
    CALIBRATION_TAKEN, ///< the step is done, the next one is asked; `text` says what was read
    CALIBRATION_REFUSED, ///< `text` says what was read and what is allowed; the step is asked again
} CalibrationAnswer;

/// `base` is copied; `devices` are those of the samples to come (1..CONTROLS_MAX_DEVICES).
void calibration_start(Calibration *self, const ControlsParams *base, const ControlDevice *devices, int device_count);
/// The devices as they are, `dt` s after the last call.
CalibrationAnswer calibration_watch(Calibration *self, const InputSample *sample, double dt);
/// The present step has no lever, pedal or button. Refused at the rest.
CalibrationAnswer calibration_skip(Calibration *self);
/// True when the present step and all after it are optional: buttons, switches, rollers.
bool calibration_may_skip_rest(const Calibration *self);
/// The present step and all after it have no button or roller: the calibration is done. Not while one of them must be
/// answered.
void calibration_skip_rest(Calibration *self);
void calibration_back(Calibration *self); ///< one step; what was found there is forgotten
/// Number of the present question, from 1: what is not asked does not count.
int calibration_number(const Calibration *self);
bool calibration_is_done(const Calibration *self);
/// What is asked, in parts, each marked for translation.
typedef struct CalibrationQuestion {
    CalibrationStepKind kind;
    const char *what; ///< "swing right", "camera"; "" at the rest
    const char *gesture; ///< of a way: "left lever to the right"; else ""
} CalibrationQuestion;
/// The present question; not when it is done.
CalibrationQuestion calibration_question(const Calibration *self);
/// What the person is asked to do, in English.
void calibration_prompt(const Calibration *self, char *text, int size);
/// The map. False with `status` (STATUS_BAD_USAGE) when no lever was found.
bool calibration_result(const Calibration *self, ControlsParams *params, Status *status);

#endif
