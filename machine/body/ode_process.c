/// ODE's calls that touch the whole process: counted start and end, and the seed of its random numbers. They stand
/// alone so that nothing else in the floor depends on what another machine in the process does.
#include "machine/body/ode_process.h"

#include <ode/ode.h>

bool ode_process_begin(void)
{
    return dInitODE2(0) != 0;
}

void ode_process_end(void)
{
    dCloseODE();
}

void ode_process_seed(void)
{
    dRandSetSeed(0);
}
