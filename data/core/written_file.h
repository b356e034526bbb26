/// Opening and writing what others may read at the same time, without waiting for ever: a pipe that nobody reads would
/// hold the program, as would a reader who has stopped reading. Any thread; nothing is kept.
#ifndef SPADEWORK_DATA_WRITTEN_FILE_H
#define SPADEWORK_DATA_WRITTEN_FILE_H

#include <stdbool.h>
#include <stdio.h>

/// How long whoever reads is waited for once the program was asked to stop (signals.h).
#define WRITTEN_FILE_PATIENCE 1.0 ///< s. Chosen

/// Makes or empties a file to be written; the caller closes it. NULL with errno, which written_file_reason puts into
/// words: ENXIO is a pipe that nobody reads.
FILE *written_file_open(const char *path);
/// The same for written_file_put: a handle whose writes do not wait, or -1 with errno.
int written_file_handle(const char *path);

/// Writes all of it, and waits for whoever reads; after a stop was asked for no longer than WRITTEN_FILE_PATIENCE.
/// False with errno: ETIMEDOUT when the wait was over, EPIPE when the reader has gone.
/// file  handle of written_file_handle
/// size  bytes
bool written_file_put(int file, const char *bytes, size_t size);

/// What an errno of these functions means, for the line that is told; valid until the next call of strerror.
const char *written_file_reason(int error);

#endif
