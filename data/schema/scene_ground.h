/// Forwards to scene_site.h.
#ifndef SPADEWORK_DATA_SCENE_GROUND_H
#define SPADEWORK_DATA_SCENE_GROUND_H

#include "data/schema/scene_site.h"

#endif
