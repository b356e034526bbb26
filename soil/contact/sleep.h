/// Grains that sleep: calm ones that are held where they are, with what their contacts bear, until something wakes
/// them.
///
/// Space is divided into cubes. A cube sleeps when all its grains have been calm for 0.2 s and nothing
/// near it moves or touches a tool. A grain that sleeps keeps its place and its velocity; contacts between two that
/// sleep keep their lambdas and are not visited, those with the ground neither. To a grain that is awake it is a grain
/// of unlimited mass which the others hold up: what it takes more than balances it goes to the ground, and when that is
/// more than a share of what it bears, it wakes, and with it the cubes around. All is decided at a tick's start from
/// the state and the tools: the state of a grain is its `calm` (particles.h).
///
/// Third law: what a grain that sleeps takes beyond its balance is summed up over the grains (ContactTick.taken).
#ifndef SPADEWORK_SOIL_SLEEP_H
#define SPADEWORK_SOIL_SLEEP_H

#include "soil/contact/contact_system.h"

/// Bytes of scratch memory that sleep_decide takes for so many particles.
size_t sleep_scratch_bytes(size_t particles);
/// At a tick's start: decides which grains sleep in it. True when some sleep now that did not, or the other way round.
bool sleep_decide(const ContactSystem *system, double dt);
/// True when all grains sleep in this tick.
static inline bool sleep_holds_all(const ContactSystem *system)
{
    return system->tick->asleep > 0 && system->tick->asleep == system->particles->count;
}
/// Notes which batches of pairs hold grains that sleep (PairList.held).
void sleep_mark_batches(const ContactSystem *system);
/// Counts in which ticks the grains were calm, from their rows at the tick's end.
void sleep_count_calm(const ContactSystem *system);
/// At a tick's end: wakes the grains whose forces no longer balance.
void sleep_weigh_forces(const ContactSystem *system);
/// Wakes the grains that have contacts with those that are about to be removed: whose mass is 0.
void sleep_wake_beside_removed(const PairList *list, Particles *particles);

#endif
