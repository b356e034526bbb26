/// A run without a window: `run` and `resume` with --headless, and the demonstration.
#ifndef SPADEWORK_TRAINER_HEADLESS_H
#define SPADEWORK_TRAINER_HEADLESS_H

#include "trainer/cli/cli_options.h"
#include "trainer/pilot/pilot.h"
#include "trainer/cli/run_summary.h"

/// What the caller adds to a run: pictures, for which the headless core has no means.
typedef struct HeadlessHook {
    void *context;
    /// Called after each round of the drive (a tick, but of a person's run by the clock), and once after the last one
    /// with `last` set. False ends the run with `status`.
    bool (*after_tick)(void *context, Session *session, bool last, Status *status);
} HeadlessHook;

/// Where a run begins: the options' scene (parent NULL), or a moment of a recording. Strings outlive the run.
typedef struct HeadlessStart {
    const RunOptions *options;
    const char *parent; ///< path of the recording taken over, or NULL
    double at; ///< s of it
    HeadlessHook hook; ///< after_tick may be NULL
    const DriveGuide *guide; ///< who stands beside it, or NULL; with one the run goes by the wall clock
} HeadlessStart;

/// Runs until the drive's end (drive_create) or until a signal asks it to stop (data/core/signals.h). Main
/// thread. False with `status` when the run could
/// not begin, was broken off, or lost some of its files; the summary tells of the ticks that were made.
bool headless_run(const HeadlessStart *start, RunSummary *summary, Status *status);

#endif
