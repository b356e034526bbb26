/// A person who changes from excavator to dozer keeps the lever pattern that was asked for only where it fits the
/// machine.
#include "trainer/pilot/control_map.h"

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
    const char *own = machine->controls;
    if (!data_load_controls(controls != NULL ? controls : own, map, NULL, status)) {
        return false;
    }
    static const ControlAxis levers[] = {CONTROL_SWING, CONTROL_STICK,      CONTROL_BOOM,        CONTROL_BUCKET,
                                         CONTROL_BLADE, CONTROL_BLADE_TILT, CONTROL_BLADE_ANGLE, CONTROL_RIPPER};
    bool other = false;
    for (size_t k = 0; k < sizeof levers / sizeof levers[0]; k++) {
        other |= moves(map, levers[k]) && machine_joint_of_control(machine, levers[k]) < 0;
    }
    bool fits = moves(map, machine->joint[machine->lift_joint].control);
    return fits || !other || data_load_controls(own, map, NULL, status);
}
