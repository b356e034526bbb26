/// The two libraries beside libspadework, loaded when they are first needed and kept for the process. Any thread.
#ifndef SPADEWORK_TRAINER_API_ON_DEMAND_H
#define SPADEWORK_TRAINER_API_ON_DEMAND_H

#include "trainer/api/plugins.h"

/// Writes what records, or draws. False with `status` (STATUS_LACKING): the library is not there, cannot be loaded, or
/// is of another build.
bool on_demand_recorder(const ApiRecorder **recorder, Status *status);
bool on_demand_renderer(const ApiRenderer **renderer, Status *status);

#endif
