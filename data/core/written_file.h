/// Writing of files that other programs may read at the same time.
///
/// Streams and pipes: a pipe without a reader, or a reader that has stopped reading, does not block the program for
/// ever. Whole files: a reader finds the old file or the new one, never a part. Any thread; nothing is kept.
#ifndef SPADEWORK_DATA_WRITTEN_FILE_H
#define SPADEWORK_DATA_WRITTEN_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "data/core/status.h"

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
