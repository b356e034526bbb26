/// The kinds of data files. A new kind is a table (key_table.h) and a line in schemas.c.
/// Internal to data/.
#ifndef SPADEWORK_DATA_SCHEMAS_H
#define SPADEWORK_DATA_SCHEMAS_H

#include "data/files/key_table.h"
#include "data/schema/coupler_params.h"
#include "data/schema/machine_params.h"

extern const DataSchema data_scene_schema, data_machine_schema, data_soil_schema, data_controls_schema,
    data_truck_schema, data_attachment_schema, data_expert_schema, data_settings_schema, data_course_schema,
    data_condition_schema, data_coupler_schema;
/// No YAML, but found and kept as the YAML files are: closed surfaces (obj.h), survey surfaces (landxml.h) and
/// height maps (height_map.h).
extern const DataSchema data_mesh_schema, data_survey_schema, data_heights_schema;

/// Schema of a folder under data/ ("scenes"); of two that share it, the first. NULL when there is none.
const DataSchema *schema_of_folder(const char *folder);
/// Schema of a YAML file's key `kind` ("scene"), or NULL.
const DataSchema *schema_of_kind(const char *kind);

/// ---- machines ------------------------------------------------------------------------------------------------------

/// The tables of the files of each type: data_excavator_schema, data_dozer_schema.
#define X(TYPE, type) extern const DataSchema data_##type##_schema;
MACHINE_TYPES(X)
#undef X

/// Hangs an attachment on a machine in place of the body of its first tool. The machine must take one
/// (MachineParams.takes_attachment); whether the linkage closes is for machine_create to say.
void attachment_hang(const AttachmentParams *attachment, MachineParams *machine);
/// Mounts a coupler between the linkage of a machine that takes attachments and its first tool: the body of the tool
/// becomes that of both, and its frame stays at the stick's pin, with x to the edge. The pins must be as far apart.
void coupler_mount(const CouplerParams *coupler, MachineParams *machine);
/// Pieces that it adds to the solids of a machine.
int coupler_pieces(const CouplerParams *coupler);
/// Mounts a coupler that holds no tool: its steel is then the first tool, whose edge is the seat of a tool's first pin.
void coupler_mount_alone(const CouplerParams *coupler, MachineParams *machine);
/// m: from the stick's pin to that of the link on a machine's tool; 0: it has no linkage.
double coupler_pins_apart(const MachineParams *machine);
/// A joint between bodies of which one is more than `allowed` times as heavy as the other; NULL: there is none.
const MachineJointParams *machine_uneven_joint(const MachineParams *params, double *allowed);

#endif
