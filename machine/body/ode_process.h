/// ODE's calls that touch the whole process: its start and end, which it counts, and a step with the seed of its random
/// numbers and the handler of what its solver has to say.
#ifndef SPADEWORK_MACHINE_ODE_PROCESS_H
#define SPADEWORK_MACHINE_ODE_PROCESS_H

#include <stdbool.h>

/// Before anything else of ODE; each one that succeeded is paired with one ode_process_end.
bool ode_process_begin(void);
void ode_process_end(void);

struct dxWorld; ///< a dWorldID points to it
/// One step of `dt` s by ODE's exact solver, always with the same seed: the same state gives the same step. False when
/// the solver left constraints out of it; then the bodies have moved all the same.
bool ode_process_step(struct dxWorld *world, double dt);
/// Tells whoever set a message handler of ODE that a step stays unfinished. Without one nothing is written.
void ode_process_tell_unfinished(void);

#endif
