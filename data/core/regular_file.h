/// Files and folders of the system: opens regular files for reading, makes folders for temporary files, finds programs.
///
/// Opening never waits: a named pipe without a writer would block the program for ever, so only regular files are
/// opened. Writing is in written_file.h. Any thread; nothing is kept.
#ifndef SPADEWORK_DATA_REGULAR_FILE_H
#define SPADEWORK_DATA_REGULAR_FILE_H

#include <stdbool.h>
#include <stdio.h>

#include "data/core/status.h"

/// ---- regular files -------------------------------------------------------------------------------------------------

/// Opens a regular file for reading; the caller closes it. NULL with `status` (STATUS_BAD_FILE), and errno, when there
/// is none (ENOENT), it is a folder, a device or a pipe (ENOTSUP), or it cannot be read.
FILE *regular_file_open(const char *path, Status *status);

/// ---- folders for temporary files -----------------------------------------------------------------------------------

enum { TEMPORARY_FOLDER = 128 }; ///< bytes of its path with the NUL

/// Makes a folder that its owner alone may enter, in TMPDIR or in /tmp. False with `status` (STATUS_LACKING).
bool temporary_folder_make(char folder[TEMPORARY_FOLDER], Status *status);
/// Removes the files that are in it; folders in it stay.
void temporary_folder_empty(const char *folder);
/// Removes it with its files. "" is nothing.
void temporary_folder_remove(const char *folder);

/// ---- other programs ------------------------------------------------------------------------------------------------

/// True when a folder of PATH has a program of this name that may be started.
bool program_is_there(const char *name);

#endif
