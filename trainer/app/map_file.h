/// Where control maps that were made here lie, and how they are written.
#ifndef SPADEWORK_TRAINER_MAP_FILE_H
#define SPADEWORK_TRAINER_MAP_FILE_H

#include "data/schema/load.h"

/// Writes a map to a file at once (data/schema/write_whole.h), and reads it again to check it. False with `status`.
bool map_file_write(const ControlsParams *params, const char *path, Status *status);
/// Writes a map into the user's folder of control maps under a name made of `title`, its letters and digits alone, in
/// place of one that was there; `name` receives it. False with `status`.
bool map_file_keep(const ControlsParams *params, const char *title, char name[64], Status *status);

#endif
