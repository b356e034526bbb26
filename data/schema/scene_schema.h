/// The kind of file that states a scene. Internal to data/.
#ifndef SPADEWORK_DATA_SCENE_SCHEMA_H
#define SPADEWORK_DATA_SCENE_SCHEMA_H

#include "data/files/key_table.h"

extern const DataSchema data_scene_schema;

#endif
