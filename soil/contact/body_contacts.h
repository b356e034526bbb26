/// Contacts of particles with bodies: their search, and their part in a substep of the default solver; they begin in
/// contact_geometry.h.
#ifndef SPADEWORK_SOIL_BODY_CONTACTS_H
#define SPADEWORK_SOIL_BODY_CONTACTS_H

#include <stdbool.h>

#include "soil/contact/contact_system.h"

/// First lambda of the contacts [first, end); `first_substep`: of a tick, in which no row has a lambda yet.
void body_contacts_prepare(const ContactSystem *system, bool first_substep, int32_t first, int32_t end);
/// Gives both sides of every contact its first lambda.
void body_contacts_warm(const ContactSystem *system);
/// One visit of every contact.
void body_contacts_visit(const ContactSystem *system);
/// After the last iteration of a substep of `h` seconds: contacts [first, end).
void body_contacts_finish(const ContactSystem *system, double h, int32_t first, int32_t end);

/// Which particles may touch which bodies in a tick, for all solvers.

/// Finds the contacts of all bodies for a tick of `dt` seconds; what they remember goes over. The particles are sorted.
void body_contacts_find(const ContactSystem *system, double dt);
/// Gives the memory behind the last contact, and behind the last that is remembered, back to the system.
void body_contacts_give_back(Contacts *contacts, ContactMemory *memory);
/// Keeps what the contacts have to remember for the next tick.
void body_contacts_remember(const ContactSystem *system);

#endif
