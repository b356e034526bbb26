/// Contacts of particles with bodies in the default solver. Found by body_contact_list.h, begun by
/// contact_geometry.h.
#ifndef SPADEWORK_SOIL_BODY_CONTACTS_H
#define SPADEWORK_SOIL_BODY_CONTACTS_H

#include <stdbool.h>

#include "soil/contact/contact_system.h"

/// First lambda of every contact; `first`: of a tick, in which no row has a lambda yet.
void body_contacts_warm(const ContactSystem *system, bool first);
/// One visit of every contact.
void body_contacts_visit(const ContactSystem *system);
/// After the last iteration of a substep of `h` seconds.
void body_contacts_finish(const ContactSystem *system, double h);

#endif
