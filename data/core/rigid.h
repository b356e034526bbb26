/// Forwards to vec.h.
#ifndef SPADEWORK_DATA_RIGID_H
#define SPADEWORK_DATA_RIGID_H

#include "data/core/vec.h"

#endif
