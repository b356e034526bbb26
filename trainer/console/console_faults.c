/// The table of faults as the scene and its machine have it.
#include "trainer/console/console_faults.h"

#include "trainer/session/orders/session_order.h"

static json_t *list_parts(const Session *session, SessionFault fault)
{
    char name[ORDER_NAME];
    json_t *parts = json_array();
    for (int part = 0; part < ORDER_PARTS; part++) {
        if (session_order_part(fault, part, session_scene(session), session_machine_params(session), name)) {
            json_array_append_new(
                parts, json_pack("{s:s, s:f}", "name", name, "value", session_orders(session)->value[fault][part]));
        }
    }
    return parts;
}

void console_faults_add(json_t *state, const Session *session)
{
    json_t *list = json_array();
    for (int k = 0; k < SESSION_FAULT_COUNT; k++) {
        const SessionFaultKind *kind = session_fault_kind((SessionFault)k);
        json_t *parts = list_parts(session, (SessionFault)k);
        if (json_array_size(parts) == 0) {
            json_decref(parts);
            continue;
        }
        json_array_append_new(list, json_pack("{s:s, s:s, s:f, s:f, s:f, s:b, s:o}", "name", kind->name, "unit",
                                              kind->unit, "low", kind->low, "high", kind->high, "sound", kind->sound,
                                              "ends", kind->ends, "parts", parts));
    }
    json_object_set_new(state, "faults", list);
}
