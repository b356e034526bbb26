/// Contacts of particles with the ground below them, for the default solver: a list like that of the pairs
/// (pair_list.h) whose second side is a plane that follows the surface.
#ifndef SPADEWORK_SOIL_GROUND_CONTACTS_H
#define SPADEWORK_SOIL_GROUND_CONTACTS_H

#include <stdbool.h>

#include "soil/contact/contact_system.h"

/// Lists the particles that may touch the ground in this tick, by index; `anew`: particles have moved since the list
/// was made. What a contact remembers is kept with its particle.
void ground_contacts_list(const ContactSystem *system, double dt, bool anew);
/// Finds which of the particles that are `due` [particles] may touch the ground in a tick of `dt` s.
void ground_contacts_look(const ContactSystem *system, double dt, const uint8_t *due);
/// False when the ground has changed since the particles were marked. Part of the state, as the marks are.
bool ground_contacts_last(const GroundReach *reach, const Grounds *grounds);
/// Sets whether they last, for a state that is restored or a ground that has moved.
void ground_contacts_restore(GroundReach *reach, const Grounds *grounds, bool last);
/// Lists a particle that left its way within the tick, and may touch the ground now. False without room.
bool ground_contacts_add(const ContactSystem *system, int32_t i);
/// Of batches [first, end): starts the tick.
void ground_contacts_begin(const ContactSystem *system, int32_t first, int32_t end);
/// Planes of particles that have moved on are taken again.
void ground_contacts_follow(const ContactSystem *system, int32_t first, int32_t end);
/// What the contacts remember goes back to the particles.
void ground_contacts_end(const ContactSystem *system, int32_t first, int32_t end);

#endif
