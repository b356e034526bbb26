/// Contacts of particles with the ground below them, for the default solver: a list like that of the pairs
/// (pair_list.h) whose second side is a plane that follows the surface.
#ifndef SPADEWORK_SOIL_GROUND_CONTACTS_H
#define SPADEWORK_SOIL_GROUND_CONTACTS_H

#include <stdbool.h>

#include "soil/soil.h"

typedef struct GroundReach {
    uint64_t version; ///< sum of the grounds' versions when particles were marked
    bool known; ///< false: the list must be made from the marks
    int32_t late; ///< batches from there on were added within a tick: they do not come by particle
} GroundReach;

/// Lists the particles that may touch the ground in this tick, by index; `anew`: particles have moved since the list
/// was made. What a contact remembers is kept with its particle.
void ground_contacts_list(Soil *soil, double dt, bool anew);
/// False when the ground has changed since the particles were marked. Part of the state, as the marks are.
bool ground_contacts_last(const Soil *soil);
void ground_contacts_restore(Soil *soil, bool last);
/// Lists a particle that left its way within the tick, and may touch the ground now. False without room.
bool ground_contacts_add(Soil *soil, int32_t i);
/// Of batches [first, end): starts the tick.
void ground_contacts_begin(Soil *soil, int32_t first, int32_t end);
/// Planes of particles that have moved on are taken again.
void ground_contacts_follow(Soil *soil, int32_t first, int32_t end);
/// What the contacts remember goes back to the particles.
void ground_contacts_end(Soil *soil, int32_t first, int32_t end);

#endif
