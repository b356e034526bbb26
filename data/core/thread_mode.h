/// What a host sets for its threads and a library must not depend on: the floating-point environment, and the locale
/// that says how numbers are written.
///
///     ThreadMode mode = thread_mode_begin();
///     work();
///     thread_mode_end(&mode);
///
/// Calls nest. Some 100 ns. Any thread.
#ifndef SPADEWORK_DATA_THREAD_MODE_H
#define SPADEWORK_DATA_THREAD_MODE_H

#include <locale.h>

#include "data/core/float_mode.h"

typedef struct ThreadMode {
    FloatMode numbers;
    locale_t locale; ///< of the thread
} ThreadMode;

/// Sets the default floating-point environment and the locale "C" for this thread; returns what was set.
ThreadMode thread_mode_begin(void);
/// Sets what thread_mode_begin returned.
void thread_mode_end(const ThreadMode *mode);

#endif
