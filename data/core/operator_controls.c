/// Tables of the control axes: their names, for operator scripts, control maps and telemetry, and their neutral
/// positions.
#include "data/core/operator_controls.h"

const OperatorControls control_neutral = {.axis = {[CONTROL_THROTTLE] = CONTROL_FULL}};

const char *const control_axis_names[CONTROL_COUNT] = {
#define X(upper, lower) #lower,
    CONTROL_AXES(X)
#undef X
};
