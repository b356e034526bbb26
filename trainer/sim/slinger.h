/// The slinger: comes to a load when the operator calls and the machine rests, hooks or unhooks it, and steps away.
#ifndef SPADEWORK_TRAINER_SLINGER_H
#define SPADEWORK_TRAINER_SLINGER_H

#include "trainer/sim/people.h"

/// What a slinger needs to know of the load in one tick.
typedef struct SlingerSight {
    bool called; ///< the operator wants the load hooked or taken off
    bool rests; ///< machine and load stand still
    Vec3 middle; ///< m: of the load
    double heading; ///< rad: of its axis
    double half_length, radius; ///< m
    Vec3 eye; ///< m: the lifting eye
} SlingerSight;

/// Moves the slinger for a tick. True in the tick in which the load is to be hooked or taken off.
bool slinger_tick(PersonState *state, const PersonSight *person, const SlingerSight *sight);
/// True while a slinger with a task is so near to load or eye that neither may move.
bool slinger_is_near(const PersonState *state, const ScenePerson *person, const SlingerSight *sight);

#endif
