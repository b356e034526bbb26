/// The table of published figures, and how a measured one is judged by it.
#include "tests/validation/rigs/machine/published.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "tests/validation/rigs/machine/proving.h"

/// 22 t: what several makers publish for the class. 8 t: one machine of its class, as the trade press gave it; its dump
/// height is the load height.
static const PublishedExcavator excavators[] = {
    {.machine = "excavator-22t",
     .dig_depth = 6.7,
     .ground_reach = 9.85,
     .cut_height = 9.4,
     .load_height = 6.5,
     .least_load_height = 2.2,
     .vertical_wall = 5.2,
     .bucket_force = 140.5e3,
     .stick_force = 106.7e3,
     .swing = 11.3,
     .travel = 5.7},
    {.machine = "excavator-8t",
     .dig_depth = 4.19,
     .ground_reach = 6.91,
     .cut_height = NAN,
     .load_height = 4.65,
     .least_load_height = NAN,
     .vertical_wall = NAN,
     .bucket_force = 54.6e3,
     .stick_force = 40.9e3,
     .swing = 9.6,
     .travel = 4.5},
};

const PublishedExcavator *published_load(Run *run, MachineParams *params)
{
    const char *machine = option_word(run, "machine");
    const PublishedExcavator *found = NULL;
    for (size_t k = 0; k < sizeof excavators / sizeof *excavators; k++) {
        found = strcmp(excavators[k].machine, machine) == 0 ? &excavators[k] : found;
    }
    assert(found != NULL); // the option allows no other
    return proving_load_machine(run, machine, params) ? found : NULL;
}

void published_judge(Run *run, const char *quantity, const char *unit, double measured, double published, double share)
{
    if (isnan(published)) {
        run_note(run, quantity, unit, measured);
    } else {
        run_result(run, quantity, unit, measured, published, share * published);
    }
}
