/// Forwards to system_files.h.
#ifndef SPADEWORK_DATA_WRITTEN_FILE_H
#define SPADEWORK_DATA_WRITTEN_FILE_H

#include "data/core/system_files.h"

#endif
