/// Pairs that are found within a tick, when a particle leaves the way it was on: it hit something.
///
/// The list of pairs allows for particles that go on as they went. Most of a tick one to three of thousands do not;
/// what they may meet is looked for and added, in a block of its own, which one thread visits after all others.
#ifndef SPADEWORK_SOIL_PAIR_LATE_H
#define SPADEWORK_SOIL_PAIR_LATE_H

#include "soil/contact/contact_system.h"

/// More particles than that, or more batches of pairs, and the list is made anew.
enum { LATE_PARTICLES = 256, LATE_BATCHES = 128 };

/// Writes the particles that have left their ways by more than the list allows for. Returns their number;
/// LATE_PARTICLES + 1: more.
int late_pairs_find_deviating(const ContactSystem *system, int32_t deviating[LATE_PARTICLES]);
/// Lists what they may touch in the rest of the tick. False when there is no room for it: the list has then to be made
/// anew.
bool late_pairs_add(const ContactSystem *system, const int32_t *deviating, int count);

#endif
