/// Writing a file so that whoever reads it finds the old one or the new one, never a part. Any thread; nothing is kept.
#ifndef SPADEWORK_DATA_WRITE_WHOLE_H
#define SPADEWORK_DATA_WRITE_WHOLE_H

#include <stdbool.h>
#include <stddef.h>

#include "data/core/status.h"

/// Writes `size` bytes to a file beside `path`, puts them on the disk and renames it. What a link leads to is written,
/// the link stays; a file that was there keeps its permissions. False with `status` (STATUS_LACKING) and the old file
/// as it was.
bool write_whole(const char *path, const char *bytes, size_t size, Status *status);

#endif
