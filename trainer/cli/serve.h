/// The command `serve`: a station that the page runs. Main thread.
#ifndef SPADEWORK_TRAINER_SERVE_H
#define SPADEWORK_TRAINER_SERVE_H

#include "trainer/cli/cli_options.h"
#include "trainer/pilot/pilot.h"

/// Drives one scene with whatever the program has for it, a window or none; returns an exit code, and tells a failure
/// on stderr and in `why`, which is STATUS_GOOD before.
typedef int ServeDrive(const RunOptions *options, const DriveGuide *guide, Status *why);

/// Drives the scenes that the page loads, one after the other, or with --demo the scripted operator over and over,
/// until the page or a signal ends it. Returns the exit code of the last drive; one that failed is told and the station
/// goes on.
int serve(const CliOptions *options, ServeDrive *drive);

#endif
