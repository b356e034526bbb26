/// The table of faults as the scene and its machine have it.
#include "trainer/remote/console_faults.h"

#include "trainer/sim/sim.h"

/// Adds the parts that a fault has here; false when there are none.
static bool add_parts(ConsoleLine *line, const Session *session, SessionFault fault)
{
    char name[ORDER_NAME];
    bool any = false;
    for (int part = 0; part < ORDER_PARTS; part++) {
        if (session_order_part(fault, part, session_scene(session), session_machine_params(session), name)) {
            console_line_add(line, "{\"name\":");
            console_line_add_string(line, name);
            console_line_add(line, ",\"value\":");
            console_line_add_number(line, session_orders(session)->value[fault][part], 3);
            console_line_end_list(line);
            console_line_add(line, "},");
            any = true;
        }
    }
    console_line_end_list(line);
    return any;
}

static void add_named(ConsoleLine *line, const char *head, double value)
{
    console_line_add(line, head);
    console_line_add_number(line, value, 3);
}

void console_faults_write(ConsoleLine *line, const Session *session)
{
    console_line_add(line, "\"faults\":[");
    for (int k = 0; k < SESSION_FAULT_COUNT; k++) {
        const SessionFaultKind *kind = session_fault_kind((SessionFault)k);
        size_t before = line->size;
        console_line_add(line, "{\"name\":");
        console_line_add_string(line, kind->name);
        console_line_add(line, ",\"unit\":");
        console_line_add_string(line, kind->unit);
        add_named(line, ",\"low\":", kind->low);
        add_named(line, "\"high\":", kind->high);
        add_named(line, "\"sound\":", kind->sound);
        console_line_add(line, kind->ends ? "\"ends\":true,\"parts\":[" : "\"ends\":false,\"parts\":[");
        if (add_parts(line, session, (SessionFault)k)) {
            console_line_add(line, "]},");
        } else if (line->bytes != NULL) {
            line->size = before;
        }
    }
    console_line_end_list(line);
    console_line_add(line, "]");
}
