/// Rows and rules that the tables of the machine files share. Internal to data/.
#ifndef SPADEWORK_DATA_MACHINE_KEYS_H
#define SPADEWORK_DATA_MACHINE_KEYS_H

#include "data/schema/machine_params.h"
#include "data/schema/schemas.h"

/// A point in a link's plane is written [x, z].
#define ROW_POINT(name, Struct, member, about) ROW_TUPLE(name, Struct, member, double, 2, -20, 20, 1, about)
#define ROW_VECTOR(name, Struct, member, low, high, about)                                                             \
    ROW_TUPLE(name, Struct, member, double, 3, low, high, 1, about)

#define MACHINE_CYLINDER_ROWS                                                                                          \
    ROW_INTEGER("count", MachineCylinder, count, 1, 4, "equal cylinders that work together"),                          \
        ROW_NUMBER("bore_mm", MachineCylinder, bore, 20, 500, UNIT_MM, "mm: inner diameter of the tube"),              \
        ROW_NUMBER("rod_mm", MachineCylinder, rod, 10, 450, UNIT_MM, "mm: diameter of the rod"),                       \
        ROW_NUMBER("stroke_mm", MachineCylinder, stroke, 50, 5000, UNIT_MM, "mm: way of the rod from closed to open"), \
        ROW_NUMBER("closed_mm", MachineCylinder, closed, 100, 8000, UNIT_MM,                                           \
                   "mm: length from pin to pin with the rod in"),                                                      \
        ROW_POINT("base", MachineCylinder, base, "m: pin of the tube on the body before, along and above its frame"),  \
        ROW_TUPLE_OPTIONAL("head", MachineCylinder, head, double, 2, -20, 20, 1,                                       \
                           "m: pin of the rod on the body that it moves; none where the rod works a linkage"),         \
        ROW_NUMBER("relief_mpa", MachineCylinder, relief, 1, 100, UNIT_MPA,                                            \
                   "MPa: pressure at which the valves of both ports open"),                                            \
        ROW_NUMBER("flow_share", MachineCylinder, flow_share, 0, 2, 1,                                                 \
                   "pumps: most of their flow that the function can take")

#define MACHINE_TRACK_ROWS                                                                                             \
    ROW_NUMBER("gauge", MachineTracks, gauge, 0.5, 8, 1, "m: between the middle lines of the tracks"),                 \
        ROW_NUMBER("contact_length", MachineTracks, contact_length, 0.5, 12, 1,                                        \
                   "m: between the first and the last roller"),                                                        \
        ROW_NUMBER("length", MachineTracks, length, 0.5, 15, 1, "m: over all"),                                        \
        ROW_NUMBER("shoe_width", MachineTracks, shoe_width, 0.1, 2, 1, "m: of the track's shoes"),                     \
        ROW_NUMBER("height", MachineTracks, height, 0.2, 3, 1, "m: of the track over the ground"),                     \
        ROW_INTEGER("patches", MachineTracks, patches, 3, 16, "patches of contact a side that the ground is felt by"), \
        ROW_NUMBER("stiffness", MachineTracks, stiffness, 1e4, 5e7, 1,                                                 \
                   "Pa/m: pressure on firm ground for each metre of sinkage"),                                         \
        ROW_NUMBER("damping_ratio", MachineTracks, damping_ratio, 0, 2, 1,                                             \
                   "ratio: of the machine's heave on its tracks to critical damping"),                                 \
        ROW_NUMBER("friction", MachineTracks, friction, 0, 2, 1,                                                       \
                   "ratio: of the grip of the shoes to the soil's shear strength"),                                    \
        ROW_NUMBER("side_friction", MachineTracks, side_friction, 0.05, 2, 1,                                          \
                   "ratio: of the resistance against sliding sideways to the load"),                                   \
        ROW_NUMBER("shear_modulus_length", MachineTracks, shear_modulus_length, 0.005, 0.2, 1,                         \
                   "m: slip in which the grip builds up (K of Janosi and Hanamoto)"),                                  \
        ROW_NUMBER("rolling_resistance", MachineTracks, rolling_resistance, 0, 0.5, 1,                                 \
                   "share: of the weight that resists rolling")

extern const DataKey machine_body_keys[], machine_engine_keys[], machine_hydraulics_keys[], machine_cab_keys[],
    machine_tool_keys[], machine_excavator_keys[];
/// Items of the lists of corners and pieces.
extern const DataKey machine_corner_item, machine_piece_item;
/// What every tool's shape has, whether or not it holds soil.
#define MACHINE_TOOL_ROWS                                                                                              \
    ROW_LIST("pieces", ToolShape, pieces, piece_count, 1, TOOL_MAX_PIECES, &machine_piece_item,                        \
             "convex pieces of the tool's steel"),                                                                     \
        ROW_TUPLE("edge", ToolShape, edge, double, 2, -20, 20, 1,                                                      \
                  "m: middle of the cutting edge, along and above the frame of the tool's body"),                      \
        ROW_NUMBER("edge_width", ToolShape, edge_width, 0.1, 10, 1, "m: of the cutting edge")
/// An item of the list `solids` (MachineSolidParams).
extern const DataKey machine_solid_item;
#define MACHINE_SOLIDS_ROW                                                                                             \
    ROW_LIST_OPTIONAL("solids", MachineParams, solid, solid_count, 0, MACHINE_MAX_SOLIDS, &machine_solid_item,         \
                      "convex pieces of steel that touch things, beside tools, tracks and cab")

extern const KeyChoice machine_types[]; ///< of the key `type`
/// The tables of the files of each type: data_excavator_schema, data_dozer_schema.
#define X(TYPE, type) extern const DataSchema data_##type##_schema;
MACHINE_TYPES(X)
#undef X

/// A body and the joint it hangs on (MachineJointParams): what a type says and no file does.
typedef struct MachineRow {
    const char *body;
    int parent;
    const char *joint;
    MachineAxis axis;
    ControlAxis control;
    int control_sign;
    MachineDrive drive;
    int falls;
    const char *column; ///< NULL: as `joint`
} MachineRow;

/// Writes the names, parents and drives of `count` joints and of the bodies on them, after `base`; finds swing_joint
/// and the bodies of the solids.
void machine_fill_tree(MachineParams *params, const char *base, const MachineRow *rows, int count);

/// Hangs an attachment on a machine in place of the body of its first tool. The machine must take one
/// (MachineParams.takes_attachment); whether the linkage closes is for machine_create to say.
void attachment_hang(const AttachmentParams *attachment, MachineParams *machine);

/// A tool's pieces and inside are convex; `name` is its key.
bool machine_check_tool(Document *document, const char *name, const ToolShape *tool, Status *status);
/// A mass is that of its box of equal inertia, between foam and solid steel; `path` is its key.
bool machine_check_density(Document *document, const char *path, double mass, const double size[3], Status *status);
/// A tool weighs at most a fifth of its machine; `machine` in kg, `of` says which one.
bool machine_check_tool_mass(Document *document, const char *path, double mass, double machine, const char *of,
                             Status *status);
/// A joint between bodies of which one is more than `allowed` times as heavy as the other; NULL: there is none.
const MachineJointParams *machine_uneven_joint(const MachineParams *params, double *allowed);
double machine_mass(const MachineParams *params); ///< kg of all bodies

/// What holds for every type: joints and their cylinders, engine, tracks, solids.
bool machine_check_common(Document *document, const MachineParams *params, Status *status);

#endif
