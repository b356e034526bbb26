/// ODE's calls that touch the whole process: counted start and end, and the seed of its random numbers. They stand
/// alone so that nothing else in the floor depends on what another machine in the process does.
#include "machine/body/ode_process.h"

#include <ode/ode.h>

#include <stdarg.h>
#include <stddef.h>

// ODE tells on the terminal when constraints are redundant to the last bit and its solver leaves the rest of them out
// of a step ("LCP internal error"). The next step, 1/480 s later, holds the bodies again, and whoever drives can do
// nothing about it. How often it happens, and that nothing comes of it, tests/soak.sh counts.
static void say_nothing(int number, const char *text, va_list arguments)
{
    (void)number;
    (void)text;
    (void)arguments;
}

bool ode_process_begin(void)
{
    if (dGetMessageHandler() == NULL) { // else somebody counts what it tells
        dSetMessageHandler(say_nothing);
    }
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
