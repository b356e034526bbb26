/// Forwards to scene_params.h.
#ifndef SPADEWORK_DATA_COURSE_PARAMS_H
#define SPADEWORK_DATA_COURSE_PARAMS_H

#include "data/schema/scene_params.h"

#endif
