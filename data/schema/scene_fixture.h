/// Forwards to scene_site.h.
#ifndef SPADEWORK_DATA_SCENE_FIXTURE_H
#define SPADEWORK_DATA_SCENE_FIXTURE_H

#include "data/schema/scene_site.h"

#endif
