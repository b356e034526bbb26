/// Changing values of the user's settings as a person would with an editor: comments, order and everything else stay.
/// Any thread; nothing is kept.
#ifndef SPADEWORK_DATA_SETTINGS_EDIT_H
#define SPADEWORK_DATA_SETTINGS_EDIT_H

#include <stdbool.h>

#include "data/core/status.h"

/// Puts `count` values KEY=VALUE (dotted keys: "window.gauges=all") into the file `path`, which is made when it is not
/// there, by write_whole. A file that has any fault, unknown keys included, stays as it is, and so does one in which a
/// value is not allowed: false with `status`, which says file, line, column, what was read and what is allowed
/// (STATUS_BAD_FILE, STATUS_BAD_USAGE), or why it cannot be written (STATUS_LACKING).
bool settings_edit(const char *path, const char *const *values, int count, Status *status);

#endif
