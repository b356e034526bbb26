/// Rows and rules that files of machines share with what hangs on them: attachments and couplers. Internal to data/.
#ifndef SPADEWORK_DATA_MACHINE_KEYS_H
#define SPADEWORK_DATA_MACHINE_KEYS_H

#include "data/files/key_table.h"
#include "data/schema/machine_params.h"

/// A point in a link's plane is written [x, z].
#define ROW_POINT(name, Struct, member, about) ROW_TUPLE(name, Struct, member, double, 2, -20, 20, 1, about)
#define ROW_VECTOR(name, Struct, member, low, high, about)                                                             \
    ROW_TUPLE(name, Struct, member, double, 3, low, high, 1, about)

#define MACHINE_CYLINDER_ROWS                                                                                          \
    ROW_INTEGER("count", MachineCylinder, count, 1, 4, "equal cylinders that work together"),                          \
        ROW_NUMBER("bore_mm", MachineCylinder, bore, 20, 500, UNIT_MM, "mm: inner diameter of the tube"),              \
        ROW_NUMBER("rod_mm", MachineCylinder, rod, 10, 450, UNIT_MM, "mm: diameter of the rod"),                       \
        ROW_NUMBER("stroke_mm", MachineCylinder, stroke, 50, 5000, UNIT_MM,                                            \
                   "mm: stroke of the rod from closed to open"),                                                       \
        ROW_NUMBER("closed_mm", MachineCylinder, closed, 100, 8000, UNIT_MM,                                           \
                   "mm: length from pin to pin with the rod in"),                                                      \
        ROW_POINT("base", MachineCylinder, base, "m: pin of the tube on the body before, along and above its frame"),  \
        ROW_TUPLE_OPTIONAL("head", MachineCylinder, head, double, 2, -20, 20, 1,                                       \
                           "m: pin of the rod on the body that it moves; none where the rod works a linkage"),         \
        ROW_NUMBER("relief_mpa", MachineCylinder, relief, 1, 100, UNIT_MPA,                                            \
                   "MPa: pressure at which the valves of both ports open"),                                            \
        ROW_NUMBER("flow_share", MachineCylinder, flow_share, 0, 2, 1,                                                 \
                   "pumps: most of their flow that the function can take"),                                            \
        ROW_NUMBER_OR("flow_share_in", MachineCylinder, flow_share_in, 0, 2, 1, 0,                                     \
                      "pumps: the same while the rod goes in; 0: as flow_share")

/// Oil that gives, of arms and jaws.
#define MACHINE_OIL_ROWS                                                                                               \
    ROW_NUMBER_OR("stiffness_kn_per_mm", MachineCylinder, stiffness, 1, 1000, UNIT_KN_PER_MM, 0,                       \
                  "kN/mm: of the oil between a closed valve and the piston of one cylinder; 0: rigid"),                \
        ROW_NUMBER_OR("damping_s", MachineCylinder, damping, 0, 0.2, 1, 0,                                             \
                      "s: what swings on that oil at w rad/s has a damping ratio of w damping_s / 2")

#define MACHINE_ROTARY_ROWS                                                                                            \
    ROW_NUMBER("torque_knm", MachineRotary, torque, 0.1, 500, UNIT_KNM, "kN m: at the relief pressure"),               \
        ROW_NUMBER("holding_knm", MachineRotary, holding, 0.1, 1000, UNIT_KNM,                                         \
                   "kN m: that turns it against its closed valve or its worm gear"),                                   \
        ROW_NUMBER("speed_rpm", MachineRotary, speed, 0.5, 60, UNIT_RPM, "rpm: with all the oil that it takes"),       \
        ROW_NUMBER("flow_lpm", MachineRotary, flow, 5, 500, UNIT_LPM, "l/min: most oil that it takes"),                \
        ROW_NUMBER("relief_mpa", MachineRotary, relief, 1, 50, UNIT_MPA, "MPa: pressure at which its valves open")

/// What every tool's shape has, whether or not it holds soil.
#define MACHINE_TOOL_ROWS                                                                                              \
    ROW_LIST("pieces", ToolShape, pieces, piece_count, 1, TOOL_MAX_PIECES, &machine_piece_item,                        \
             "convex pieces of the tool's steel"),                                                                     \
        ROW_TUPLE("edge", ToolShape, edge, double, 2, -20, 20, 1,                                                      \
                  "m: middle of the cutting edge, along and above the frame of the tool's body"),                      \
        ROW_NUMBER("edge_width", ToolShape, edge_width, 0.1, 10, 1, "m: of the cutting edge")

/// Mass, centre and inertia of a body (MachineBodyParams).
extern const DataKey machine_body_keys[];
/// A corner of a polygon, and an item of a list of convex pieces (ToolPiece).
extern const DataKey machine_corner_item;
extern const DataKey machine_piece_item;

/// A mass is that of its box of equal inertia; `path` is its key.
bool machine_check_density(Document *document, const char *path, double mass, const double size[3], Status *status);
/// A tool weighs at most a fifth of its machine; `machine` in kg, `of` says which one.
bool machine_check_tool_mass(Document *document, const char *path, double mass, double machine, const char *of,
                             Status *status);
/// The pieces and the inside of a tool are convex; `name`: its key.
bool machine_check_tool(Document *document, const char *name, const ToolShape *tool, Status *status);
/// The corners of a piece are convex, and it has a width; `name`: its path.
bool machine_check_piece(Document *document, const char *name, const ToolPiece *part, Status *status);
/// Of two numbers, where the file has them, the lower one comes first. `unit`: for the message.
bool machine_check_rising(Document *document, const char *path, const double values[2], double unit, Status *status);

/// A cylinder's measures fit each other; `name`: its key. `needs_head`: its rod ends on the body that it moves.
bool machine_check_cylinder(Document *document, const char *name, const MachineCylinder *cylinder, bool needs_head,
                            Status *status);
/// The oil brings the power that a rotary drive gives, and it holds at least what it drives with; `name`: its key.
bool machine_check_rotary(Document *document, const char *name, const MachineRotary *rotary, Status *status);

#endif
