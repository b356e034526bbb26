/// Contacts of particles with bodies in the default solver. Begun by solver_bodies_reset (geometry.h).
#ifndef SPADEWORK_SOIL_BODY_CONTACTS_H
#define SPADEWORK_SOIL_BODY_CONTACTS_H

#include <stdbool.h>

#include "soil/contact/contact_system.h"

/// Finds the contacts of all bodies for a tick of `dt` seconds; what they remember goes over.
void body_contacts_find(const ContactSystem *system, double dt);
/// Keeps what the contacts have to remember for the next tick.
void body_contacts_remember(const ContactSystem *system);

/// First lambda of every contact; `first`: of a tick, in which no row has a lambda yet.
void body_contacts_warm(const ContactSystem *system, bool first);
/// One visit of every contact.
void body_contacts_visit(const ContactSystem *system);
/// After the last iteration of a substep of `h` seconds.
void body_contacts_finish(const ContactSystem *system, double h);

#endif
