/// Forwards to controls_params.h.
#ifndef SPADEWORK_DATA_CONTROL_NAMES_H
#define SPADEWORK_DATA_CONTROL_NAMES_H

#include "data/schema/controls_params.h"

#endif
