/// A blow of the machine against a thing of the site, as session_solids.h finds it and damage.h and utilities.h judge
/// it. Plain data.
#ifndef SPADEWORK_TRAINER_SOLID_BLOW_H
#define SPADEWORK_TRAINER_SOLID_BLOW_H

#include "data/core/vec.h"
#include "trainer/sim/events.h"

/// A blow of the machine that has ended in a tick, or has been pressed on for as long as a blow lasts.
typedef struct SolidBlow {
    int fixture, truck; ///< number of what was met; -1: it is something else
    EventThing part, thing; ///< of the machine; what was met
    Vec3 at; ///< m, world
    double speed; ///< m/s: the fastest touch
    double energy; ///< J that its touches took up
    double force; ///< N: mean thrust while they touched
} SolidBlow;

#endif
