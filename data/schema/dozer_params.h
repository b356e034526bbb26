/// Forwards to machine_params.h.
#ifndef SPADEWORK_DATA_DOZER_PARAMS_H
#define SPADEWORK_DATA_DOZER_PARAMS_H

#include "data/schema/machine_params.h"

#endif
