/// Other programs that are started by their names. Any thread; nothing is kept.
#ifndef SPADEWORK_DATA_PROGRAM_FILE_H
#define SPADEWORK_DATA_PROGRAM_FILE_H

#include <stdbool.h>

/// True when a folder of PATH has a program of this name that may be started.
bool program_is_there(const char *name);

#endif
