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

/// Mass, centre and inertia of a body (MachineBodyParams).
extern const DataKey machine_body_keys[];
/// An item of a list of convex pieces (ToolPiece).
extern const DataKey machine_piece_item;

/// A mass is that of its box of equal inertia; `path` is its key.
bool machine_check_density(Document *document, const char *path, double mass, const double size[3], Status *status);
/// A tool weighs at most a fifth of its machine; `machine` in kg, `of` says which one.
bool machine_check_tool_mass(Document *document, const char *path, double mass, double machine, const char *of,
                             Status *status);
/// The corners of a piece are convex, and it has a width; `name`: its path.
bool machine_check_piece(Document *document, const char *name, const ToolPiece *part, Status *status);
/// Of two numbers, where the file has them, the lower one comes first. `unit`: for the message.
bool machine_check_rising(Document *document, const char *path, const double values[2], double unit, Status *status);

#endif
