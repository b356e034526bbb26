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
