/// The rigid bodies of a machine in ODE, used as a pure function from body states to body states.
/// ODE's types stay in ode_world.c.
#ifndef SPADEWORK_MACHINE_ODE_WORLD_H
#define SPADEWORK_MACHINE_ODE_WORLD_H

#include "machine/drive/drive_step.h"
#include "machine/solids.h"

typedef struct OdeWorld OdeWorld;

/// Bodies and hinges in the zero pose. NULL when ODE cannot be initialised. The caller destroys it.
OdeWorld *ode_world_create(const MachineParams *params);
void ode_world_destroy(OdeWorld *world);

/// What the machine has to do with in a step.
typedef struct OdeOthers {
    MachineTouch *touches; ///< they hold the bodies off the world, or off movers; each gets its force
    int touch_count;
    MachineMover *movers;
    int mover_count;
    const MachineOwnTouch *own; ///< they hold two of its bodies apart
    int own_count;
} OdeOthers;

/// One step of ODE's exact solver. `wrenches` act at the centres of mass, gravity is added. `torques` receives what
/// each motor gave, N m, positive towards greater joint angles.
void ode_world_step(OdeWorld *world, const Wrench wrenches[MACHINE_MAX_BODIES],
                    const JointMotor motors[MACHINE_MAX_JOINTS], const OdeOthers *others, double dt,
                    MachineBodyState bodies[MACHINE_MAX_BODIES], double torques[MACHINE_MAX_JOINTS]);

#endif
