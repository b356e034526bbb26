/// Files and folders of the system: opens regular files for reading, writes files that other programs may read at the
/// same time, makes folders for temporary files, finds programs.
///
/// Opening never waits: a named pipe without a writer would block the program for ever, so only regular files are
/// opened for reading. A pipe without a reader, or a reader that has stopped reading, does not block a writer for ever.
/// Of a whole file a reader finds the old content or the new one, never a part. Any thread; nothing is kept.
#ifndef SPADEWORK_DATA_SYSTEM_FILES_H
#define SPADEWORK_DATA_SYSTEM_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "data/core/status.h"

/// ---- regular files -------------------------------------------------------------------------------------------------

/// Opens a regular file for reading; the caller closes it. NULL with `status` (STATUS_BAD_FILE), and errno, when there
/// is none (ENOENT), it is a folder, a device or a pipe (ENOTSUP), or it cannot be read.
FILE *regular_file_open(const char *path, Status *status);

/// What follows the last slash of a path, in the path itself; all of it where there is no slash.
const char *file_name_of(const char *path);

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

/// ---- streams and pipes ---------------------------------------------------------------------------------------------

/// How long a write waits for its reader after the program was asked to stop (signals.h).
#define WRITTEN_FILE_PATIENCE 1.0 ///< s. Chosen

/// Makes or empties a file to be written; the caller closes it. NULL with errno, which written_file_reason puts into
/// words: ENXIO is a pipe without a reader.
FILE *written_file_open(const char *path);
/// The same for written_file_put: a handle whose writes do not wait, or -1 with errno.
int written_file_handle(const char *path);

/// Writes all bytes and waits for the reader; after a request to stop no longer than WRITTEN_FILE_PATIENCE.
/// False with errno: ETIMEDOUT when the wait was over, EPIPE when the reader has gone.
/// file  handle of written_file_handle
/// size  bytes
bool written_file_put(int file, const char *bytes, size_t size);

/// What an errno of these functions means, for an error message; valid until the next call of strerror.
const char *written_file_reason(int error);

/// ---- whole files ---------------------------------------------------------------------------------------------------

/// Writes `size` bytes to a file beside `path`, puts them on the disk and renames it. What a link leads to is written,
/// the link stays; a file that was there keeps its permissions. False with `status` (STATUS_LACKING) and the old file
/// as it was.
bool write_whole(const char *path, const char *bytes, size_t size, Status *status);

#endif
