/// ODE's own step of a site's bodies (machine, truck, rocks), as the measure of the machine's tick: the same numbers of
/// bodies, masses and hinges, ODE's boxes in place of the parts' shapes. Call after the soil's machine is made, which
/// starts ODE, and destroy before it.
#ifndef SPADEWORK_BENCH_ODE_SITE_H
#define SPADEWORK_BENCH_ODE_SITE_H

#include "data/schema/load.h"
#include "tests/bench/bench.h"

typedef struct OdeSite OdeSite;

/// The excavator stands at the origin, its bucket on the floor of the truck's bed, `rocks` lie in a heap beside;
/// settled by QuickStep for three seconds. NULL: no memory. The caller destroys it.
/// truck_mass   kg
/// truck_floor  m: height of the bed's floor
OdeSite *ode_site_create(const MachineParams *machine, double truck_mass, double truck_floor, int rocks);
void ode_site_destroy(OdeSite *site); ///< NULL is nothing
/// Steps a tick of 1/60 s in eight: ODE's exact solver, or QuickStep with 20 iterations. `contacts`: out, of the last.
BenchSample ode_site_tick(OdeSite *site, bool exact, int *contacts);

#endif
