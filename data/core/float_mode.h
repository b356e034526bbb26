/// The floating-point environment of a thread: rounding, flushing of denormal numbers, traps and exception flags.
///
/// Other code of a process changes it, for its speed (denormals flushed to zero, as -ffast-math and some libraries set
/// it) or its rounding, and each of these changes results. What computes a state does it in the default environment,
/// and leaves the caller's environment as it was:
///
///     FloatMode mode = float_mode_begin();
///     advance(session); // a function of its own: the compiler may move arithmetic across the calls beside it
///     float_mode_end(&mode);
///
/// Calls nest. A thread begins with the environment of the thread that creates it, so worker threads call
/// float_mode_begin first of all. Both calls together cost 0.2 microseconds. Any thread.
#ifndef SPADEWORK_DATA_FLOAT_MODE_H
#define SPADEWORK_DATA_FLOAT_MODE_H

#include <fenv.h>

/// A thread's environment: on x86-64 the control and status words of the x87 unit and MXCSR.
typedef struct FloatMode {
    fenv_t environment;
} FloatMode;

/// Returns the thread's environment and sets the default one: round to nearest, denormals kept, no traps, no flags.
FloatMode float_mode_begin(void);
/// Sets the environment that float_mode_begin returned, flags included.
void float_mode_end(const FloatMode *mode);

#endif
