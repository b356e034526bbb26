/// What the files of this room share about a Machine.
#ifndef SPADEWORK_MACHINE_MACHINE_INTERNAL_H
#define SPADEWORK_MACHINE_MACHINE_INTERNAL_H

#include "machine/body/ode_world.h"
#include "machine/drive/drive_step.h"
#include "machine/machine.h"

typedef struct SolidParts SolidParts; ///< solids.c

struct Machine {
    MachineParams params;
    SolidParts *parts;
    OdeWorld *world;
    DriveRange range[MACHINE_MAX_JOINTS];
    double mass; ///< kg of all bodies
};

/// What the machine is solid with. NULL with `status` for a piece that is no solid, or without memory. Freed by free().
SolidParts *solid_parts_create(const MachineParams *params, Status *status);

/// Angles and rates of all joints, rad and rad/s (a swing in -pi..pi).
void machine_joint_motion(const Machine *machine, const MachineState *state, double angles[MACHINE_MAX_JOINTS],
                          double rates[MACHINE_MAX_JOINTS]);

/// Checks what only geometry can tell: cylinders reach, linkages close, lever arms do not vanish. Fills the ranges.
/// False with the key, what it would be and what is allowed.
bool geometry_check(const MachineParams *params, DriveRange range[MACHINE_MAX_JOINTS], Status *status);

#endif
