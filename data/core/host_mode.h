/// What a host sets for its threads and a library must not depend on: the floating-point environment, and the locale
/// that says how numbers are written.
///
///     HostMode mode = host_mode_begin();
///     work();
///     host_mode_end(&mode);
///
/// Calls nest. Some 100 ns. Any thread.
#ifndef SPADEWORK_DATA_HOST_MODE_H
#define SPADEWORK_DATA_HOST_MODE_H

#include <locale.h>

#include "data/core/float_mode.h"

typedef struct HostMode {
    FloatMode numbers;
    locale_t locale; ///< of the thread
} HostMode;

/// Sets the default floating-point environment and the locale "C" for this thread; returns what was set.
HostMode host_mode_begin(void);
/// Sets what host_mode_begin returned.
void host_mode_end(const HostMode *mode);

#endif
