/// A folder for files that are needed for a while.
#ifndef SPADEWORK_DATA_TEMPORARY_FOLDER_H
#define SPADEWORK_DATA_TEMPORARY_FOLDER_H

#include <stdbool.h>

#include "data/core/status.h"

enum { TEMPORARY_FOLDER = 128 }; ///< bytes of its path with the NUL

/// Makes a folder that its owner alone may enter, in TMPDIR or in /tmp. False with `status` (STATUS_LACKING).
bool temporary_folder_make(char folder[TEMPORARY_FOLDER], Status *status);
/// Removes the files that are in it; folders in it stay.
void temporary_folder_empty(const char *folder);
/// Removes it with its files. "" is nothing.
void temporary_folder_remove(const char *folder);

#endif
