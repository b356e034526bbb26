/// ODE's calls that touch the whole process: its start and end, which it counts, and the seed of its random numbers.
#ifndef SPADEWORK_MACHINE_ODE_PROCESS_H
#define SPADEWORK_MACHINE_ODE_PROCESS_H

#include <stdbool.h>

/// Before anything else of ODE; each one that succeeded is paired with one ode_process_end.
bool ode_process_begin(void);
void ode_process_end(void);
/// Before each step: the same state then gives the same step.
void ode_process_seed(void);

#endif
