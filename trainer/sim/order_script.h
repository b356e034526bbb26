/// A list of orders in a file, for lessons and tests: CSV with the columns t, fault, part and value.
///
///     t,fault,part,value
///     5,valve,boom,1
///     12.5,pressure,,0.5
///
/// An order is given before the first tick that begins at its time t (s, 0..1e6, in ascending order) or later. Faults
/// are those of SESSION_FAULTS; the part is the function's name ("boom", "left track"), the truck's number, or empty.
#ifndef SPADEWORK_TRAINER_ORDER_SCRIPT_H
#define SPADEWORK_TRAINER_ORDER_SCRIPT_H

#include "trainer/sim/session_order.h"

typedef struct OrderScript OrderScript;

/// Reads a list for a scene and its machine. NULL with `status` (STATUS_BAD_FILE) when the file is not right: the text
/// names file:line:column, what was read and what is allowed. The caller frees it.
OrderScript *order_script_load(const char *path, const SceneParams *scene, const MachineParams *machine,
                               Status *status);
void order_script_destroy(OrderScript *script); ///< NULL is nothing
/// Goes to the first order whose time is `time` (s) or later; before the first call it stands at the first of all. NULL
/// is nothing.
void order_script_seek(OrderScript *script, double time);
/// Takes the next order that is due at `time`; NULL when none is, and for NULL. Valid as long as the script.
const SessionOrder *order_script_take(OrderScript *script, double time);

#endif
