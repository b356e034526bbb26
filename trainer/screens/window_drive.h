/// One session being driven: its machine room without the window. Makes the session (new, or a recording taken over),
/// ticks it by the wall clock, records it.
#ifndef SPADEWORK_TRAINER_WINDOW_DRIVE_H
#define SPADEWORK_TRAINER_WINDOW_DRIVE_H

#include "trainer/screens/window_operator.h"
#include "trainer/window/session_view.h"
#include "trainer/command/cli.h"
#include "trainer/recording/recording.h"
#include "trainer/export/telemetry.h"

/// Where the driving begins: a scene (parent NULL) or a moment of a recording.
typedef struct WindowDriveStart {
    const RunOptions *options;
    const char *parent; ///< path of the recording that is taken over, or NULL
    int64_t parent_tick;
} WindowDriveStart;

typedef struct WindowDrive {
    WindowDriveStart start;
    Session *session;
    SessionView *view;
    WindowOperator driver;
    Recorder *recorder; ///< or NULL
    char record[DATA_PATH_LENGTH]; ///< file being written, or last written; "" = none
    double behind; ///< s of the wall clock not yet simulated
    double real_time; ///< simulated s per wall s, smoothed
    bool slow; ///< in a slow-down that is already in the recording
    Telemetry *telemetry; ///< or NULL
    bool record_failed; ///< writing broke; `failure` says why
    Status failure; ///< of the recording
    Status telemetry_failure; ///< the first; code STATUS_GOOD = none
} WindowDrive;

/// Makes session, operator and recorder. False with `status`; nothing is left to destroy then.
bool window_drive_create(WindowDrive *drive, const WindowDriveStart *start, Status *status);
/// Closes recording and telemetry; false when some of either was lost, now or earlier.
bool window_drive_destroy(WindowDrive *drive, Status *status);
/// From the beginning again, with a recording of its own beside the first, whose name goes to stdout.
bool window_drive_restart(WindowDrive *drive, Status *status);

/// Simulates `elapsed` s of the wall clock with the devices as they are, starting no tick after `budget` s of work; what
/// cannot be done in time is dropped: the simulation slows and skips nothing. Stops early at `until` (simulated s).
void window_drive_advance(WindowDrive *drive, double elapsed, double budget, double until, const InputSample *sample);
/// After a pause: no time has passed.
void window_drive_forget_time(WindowDrive *drive);
/// Share of a tick that has passed, for drawing between ticks.
double window_drive_blend(const WindowDrive *drive);
/// Gives the recording up and goes on without; one line on stderr.
void window_drive_stop_recording(WindowDrive *drive);

/// A path beside `path` that does not exist yet: "dig.spade" -> "dig-2.spade", "dig-3.spade", ...
void numbered_path(const char *path, char *numbered, size_t size);

#endif
