#include "data/core/operator_controls.h"

const char *const control_axis_names[CONTROL_COUNT] = {
#define X(upper, lower) #lower,
    CONTROL_AXES(X)
#undef X
};
