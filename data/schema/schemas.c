/// Lists the kinds of data files: the one place that knows all of them.
#include "data/schema/schemas.h"

#include <string.h>

const DataSchema data_mesh_schema = {.kind = "mesh", .folder = "meshes", .extension = ".obj", .name_size = 64};

const DataSchema data_survey_schema = {.kind = "surface", .folder = "surfaces", .extension = ".xml", .name_size = 64};
const DataSchema data_heights_schema = {
    .kind = "height map", .folder = "heights", .extension = ".png", .name_size = 64};

static const DataSchema *const schemas[] = {&data_scene_schema,      &data_machine_schema, &data_soil_schema,
                                            &data_controls_schema,   &data_mesh_schema,    &data_truck_schema,
                                            &data_attachment_schema, &data_expert_schema,  &data_settings_schema,
                                            &data_course_schema,     &data_survey_schema,  &data_heights_schema};
enum { SCHEMA_COUNT = sizeof schemas / sizeof schemas[0] };

const DataSchema *schema_of_folder(const char *folder)
{
    for (int i = 0; i < SCHEMA_COUNT; ++i) {
        if (strcmp(schemas[i]->folder, folder) == 0) {
            return schemas[i];
        }
    }
    return NULL;
}

const DataSchema *schema_of_kind(const char *kind)
{
    for (int i = 0; i < SCHEMA_COUNT; ++i) {
        if (schemas[i]->keys && strcmp(schemas[i]->kind, kind) == 0) {
            return schemas[i];
        }
    }
    return NULL;
}
