/// Reads which further windows are asked for, as the command line and the settings write it.
#ifndef SPADEWORK_DATA_SIDES_H
#define SPADEWORK_DATA_SIDES_H

#include "data/schema/settings_params.h"

/// Appends a window: VIEW or VIEW@DISPLAY, a name of CAMERAS and a display from 1 on. False: it is neither, or there
/// are SETTINGS_MOST_SIDES already.
bool sides_add(const char *text, SettingsSides *sides);

/// Reads a list of them, parted by commas or spaces; "" is none. False: one is wrong, or they are too many.
bool sides_read(const char *text, SettingsSides *sides);

#endif
