/// ODE's calls that touch the whole process: counted start and end, and a step with the seed of its random numbers and
/// the handler of its messages. They stand alone so that nothing else in the floor depends on what another machine in
/// the process does.
#include "machine/body/ode_process.h"

#include <ode/ode.h>

#include <stdarg.h>
#include <stddef.h>

// ODE tells on the terminal when constraints are redundant to the last bit and its solver leaves the rest of them out
// of a step ("LCP internal error"). Whoever drives can do nothing about it. How often a step stays unfinished,
// tests/soak.sh counts.
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

/// In a step ODE's handler itself is the note of what was heard, for it is called without any word of who waits for it:
/// `hear_first` until the solver says something, then `say_nothing`.
static void hear_first(int number, const char *text, va_list arguments)
{
    say_nothing(number, text, arguments);
    dSetMessageHandler(say_nothing);
}

bool ode_process_step(struct dxWorld *world, double dt)
{
    dMessageFunction *outside = dGetMessageHandler();
    dSetMessageHandler(hear_first);
    dRandSetSeed(0);
    dWorldStep(world, dt);
    bool whole = dGetMessageHandler() == hear_first;
    dSetMessageHandler(outside);
    return whole;
}

void ode_process_tell_unfinished(void)
{
    dMessage(d_ERR_LCP, "a step stays unfinished");
}
