/// Pairs that are found within a tick: of particles that left the way on which the list of pairs counts.
///
/// Most of a tick one to three of thousands do so: they hit something. What they may meet goes to the block of late
/// pairs, which one thread visits after all others.
#ifndef SPADEWORK_SOIL_LATE_PAIRS_H
#define SPADEWORK_SOIL_LATE_PAIRS_H

#include <stdbool.h>

#include "soil/contact/contact_system.h"

/// More particles than that in a substep, and the list is made anew.
enum { LATE_PARTICLES = 256 };

/// m/s: a particle whose velocity never differs by more from that at the tick's start does not deviate.
float late_pairs_least_change(const ContactSystem *system);
/// Writes the particles that have left their ways by more than the list allows for. Returns their number;
/// LATE_PARTICLES + 1: more.
int late_pairs_find_deviating(const ContactSystem *system, int32_t deviating[LATE_PARTICLES]);
/// Lists what they may touch in the rest of the tick. False when there is no room for it: the list has then to be made
/// anew.
bool late_pairs_add(const ContactSystem *system, const int32_t *deviating, int count);

#endif
