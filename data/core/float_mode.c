/// Saves, sets and restores the floating-point environment by the functions of the C library, whose default
/// environment also turns off flushing of denormals (glibc: FZ and DAZ of MXCSR, FZ of arm64's FPCR).
#include "data/core/float_mode.h"

FloatMode float_mode_begin(void)
{
    FloatMode mode;
    fegetenv(&mode.environment);
    fesetenv(FE_DFL_ENV);
    return mode;
}

void float_mode_end(const FloatMode *mode)
{
    fesetenv(&mode->environment);
}
