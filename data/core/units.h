/// Forwards to constants.h.
#ifndef SPADEWORK_DATA_UNITS_H
#define SPADEWORK_DATA_UNITS_H

#include "data/core/constants.h"

#endif
