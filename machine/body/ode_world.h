/// The rigid bodies of a machine in ODE, used as a pure function from body states to body states.
/// ODE's types stay in ode_world.c.
#ifndef SPADEWORK_MACHINE_ODE_WORLD_H
#define SPADEWORK_MACHINE_ODE_WORLD_H

#include "machine/machine.h"

/// m/s2, downwards.

typedef struct OdeWorld OdeWorld;

/// A joint's motor in one step: it brings the joint to `speed` unless that takes more than `limit`.
typedef struct OdeMotor {
    double speed; ///< rad/s, of the joint angle (machine_params.h)
    double limit; ///< N m, > 0
} OdeMotor;

/// Bodies and hinges in the zero pose. NULL when ODE cannot be initialised. The caller destroys it.
OdeWorld *ode_world_create(const MachineParams *params);
void ode_world_destroy(OdeWorld *world);

/// One step of ODE's exact solver. `wrenches` act at the centres of mass, gravity is added. `torques` receives what each
/// motor gave, N m, positive towards greater joint angles.
void ode_world_step(OdeWorld *world, const Wrench wrenches[MACHINE_MAX_BODIES],
                    const OdeMotor motors[MACHINE_MAX_JOINTS], double dt, MachineBodyState bodies[MACHINE_MAX_BODIES],
                    double torques[MACHINE_MAX_JOINTS]);

#endif
