#include "trainer/operator/control_map.h"

#include <stddef.h>

static bool moves(const ControlsParams *map, ControlAxis axis)
{
    for (int i = 0; i < map->binding_count; i++) {
        if (map->bindings[i].axis == axis) {
            return true;
        }
    }
    return false;
}

bool control_map_load(const char *controls, const MachineParams *machine, ControlsParams *map, Status *status)
{
    bool dozer = machine->type == MACHINE_DOZER;
    const char *own = dozer ? "dozer" : "iso";
    if (!data_load_controls(controls != NULL ? controls : own, map, NULL, status)) {
        return false;
    }
    bool other = dozer ? moves(map, CONTROL_BOOM) : moves(map, CONTROL_BLADE);
    bool fits = moves(map, dozer ? CONTROL_BLADE : CONTROL_BOOM);
    return fits || !other || data_load_controls(own, map, NULL, status);
}
