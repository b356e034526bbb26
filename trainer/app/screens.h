/// The commands of the program that need a window (menu, run, resume, replay), the calibration on the terminal, and the
/// screens that these commands show. Main thread only.
#ifndef SPADEWORK_TRAINER_SCREENS_H
#define SPADEWORK_TRAINER_SCREENS_H

#include "trainer/app/window.h"
#include "trainer/pilot/pilot.h"

/// ---- screens, for the library itself -------------------------------------------------------------------------------

/// Drives until the person leaves, the drive's end (drive_create), or a failure. `params`: without devices, which are
/// the window's. `recorded` receives the path of the last recording written, "" when none.
ScreenEnd drive_screen(Window *window, const DriveParams *params, char recorded[DATA_PATH_LENGTH], Status *status);

/// Watches from second `from` (s), with any number of take-overs; new recordings lie beside the old one.
ScreenEnd watch_and_drive(Window *window, const char *path, double from, const RunOptions *options, Status *status);

/// ---- commands ------------------------------------------------------------------------------------------------------

/// The scene menu, until the user leaves. `defaults` holds what `run` would be given (control map, threads,
/// trainee...); its scene is the first one selected. Returns an exit code (data/core/status.h); one line on stderr when
/// it is not 0.
int screens_menu(const RunOptions *defaults);

/// Drives one scene in a window with the options, until --seconds, the window's close or leaving by the pause menu.
/// guide  of the drive, or NULL
/// why    filled when it fails; STATUS_GOOD before
int screens_run(const RunOptions *options, const DriveGuide *guide, Status *why);

/// Takes a recording over at `at` s, in a window: the new recording (options->record, or numbered beside the old one)
/// names its parent. `options` gives operator, controls, seconds and so on; its scene is not used.
int screens_resume(const char *path, double at, const RunOptions *options, const DriveGuide *guide);

/// Watches a recording from `from` s on. `options` gives control map and threads for taking over.
int screens_replay(const char *path, double from, const RunOptions *options);

/// Writes the events and bookmarks of a recording to stdout, a line each, with tabs between time, kind and what it was.
int screens_list_marks(const char *path);

/// The calibration assistant on the terminal: asks for each lever, writes the control map `path` (a file that exists is
/// left alone) from the map `base` (NULL = "iso"). Returns an exit code.
int screens_calibrate(const char *path, const char *base);

#endif
