/// Lever positions and switches of one tick: the unit that is recorded, replayed and fed to the machine.
#ifndef SPADEWORK_DATA_OPERATOR_CONTROLS_H
#define SPADEWORK_DATA_OPERATOR_CONTROLS_H

#include <stdbool.h>
#include <stdint.h>

/// The control axes, in the order of the operator script's columns.
/// Signs: swing + right, stick + in (towards the cab), boom + up, bucket + curl in, tracks + forward, blade + up,
/// blade_tilt + right corner down, blade_angle + face to the right, ripper + down,
/// throttle -1 idle to +1 full, evenly, horn > 0.5 on, auxiliary > 0.5 on (what drives an attachment: the hammer),
/// and of a grab + closes, - opens by its way,
/// answer k/10: answer k of the question that is asked, counted when it comes from 0,
/// blade_float > 0.5 puts the blade's lever into its float position, where it stays until `blade` is moved.
/// Switches of the cab count each time they come beyond half: above 0.5 the next position, below -0.5 the one before
/// (session_cab.h). inspect: looks at a thing on foot, climbs in and out (session_foot.h).
/// Of a tiltrotator: tool_tilt + right corner down, tool_rotate + clockwise seen from above.
/// coupler: releases the tool, locks it (session_tools.h).
#define CONTROL_AXES(X)                                                                                                \
    X(SWING, swing)                                                                                                    \
    X(STICK, stick)                                                                                                    \
    X(BOOM, boom)                                                                                                      \
    X(BUCKET, bucket)                                                                                                  \
    X(LEFT_TRACK, left_track)                                                                                          \
    X(RIGHT_TRACK, right_track)                                                                                        \
    X(THROTTLE, throttle)                                                                                              \
    X(BLADE, blade)                                                                                                    \
    X(BLADE_TILT, blade_tilt)                                                                                          \
    X(BLADE_ANGLE, blade_angle)                                                                                        \
    X(RIPPER, ripper)                                                                                                  \
    X(HORN, horn)                                                                                                      \
    X(AUXILIARY, auxiliary)                                                                                            \
    X(ANSWER, answer)                                                                                                  \
    X(BLADE_FLOAT, blade_float)                                                                                        \
    X(IGNITION, ignition)                                                                                              \
    X(SAFETY_LEVER, safety_lever)                                                                                      \
    X(TRAVEL_RANGE, travel_range)                                                                                      \
    X(POWER_MODE, power_mode)                                                                                          \
    X(AUTO_IDLE, auto_idle)                                                                                            \
    X(LIGHTS, lights)                                                                                                  \
    X(WIPER, wiper)                                                                                                    \
    X(INSPECT, inspect)                                                                                                \
    X(TOOL_TILT, tool_tilt)                                                                                            \
    X(TOOL_ROTATE, tool_rotate)                                                                                        \
    X(COUPLER, coupler)

typedef enum ControlAxis {
#define X(upper, lower) CONTROL_##upper,
    CONTROL_AXES(X)
#undef X
        CONTROL_COUNT
} ControlAxis;

#define CONTROL_FULL 32767 ///< the int16 value of a lever at its end

/// Lever positions, quantised to int16 (-CONTROL_FULL..CONTROL_FULL) before anything uses them, so that what is
/// recorded is what was used.
typedef struct OperatorControls {
    int16_t axis[CONTROL_COUNT];
} OperatorControls;

/// Controls without an operator: every lever neutral and the throttle, which stays where it is put, at full. All
/// controls start from these.
extern const OperatorControls control_neutral;

/// Quantises a lever position (clamped to -1..1; NaN is 0). Rounds half away from zero.
static inline int16_t control_quantise(double value)
{
    if (!(value == value)) {
        return 0;
    }
    value = value < -1.0 ? -1.0 : value > 1.0 ? 1.0 : value;
    double scaled = value * CONTROL_FULL;
    return (int16_t)(scaled < 0.0 ? scaled - 0.5 : scaled + 0.5);
}

/// Lever position of one axis, -1..1.
static inline double control_value(const OperatorControls *controls, ControlAxis axis)
{
    return (double)controls->axis[axis] / CONTROL_FULL;
}

/// True for what moves the machine: no switch, answer or throttle.
static inline bool control_is_lever(ControlAxis axis)
{
    return axis < CONTROL_THROTTLE || (axis > CONTROL_THROTTLE && axis < CONTROL_HORN) || axis == CONTROL_TOOL_TILT ||
           axis == CONTROL_TOOL_ROTATE;
}

/// Lower-case names of the axes ("swing", ...), indexed by ControlAxis.
extern const char *const control_axis_names[CONTROL_COUNT];

#endif
