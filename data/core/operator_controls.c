/// Names the control axes, from the list in the header: for operator scripts, control maps and telemetry.
#include "data/core/operator_controls.h"

const char *const control_axis_names[CONTROL_COUNT] = {
#define X(upper, lower) #lower,
    CONTROL_AXES(X)
#undef X
};
