/// Opening what is to be read, without waiting for anybody: a pipe without a writer would hold the program for ever.
/// Any thread; nothing is kept.
#ifndef SPADEWORK_DATA_REGULAR_FILE_H
#define SPADEWORK_DATA_REGULAR_FILE_H

#include <stdio.h>

#include "data/core/status.h"

/// Opens a regular file for reading; the caller closes it. NULL with `status` (STATUS_BAD_FILE), and errno, when there
/// is none (ENOENT), it is a folder, a device or a pipe (ENOTSUP), or it cannot be read.
FILE *regular_file_open(const char *path, Status *status);

#endif
