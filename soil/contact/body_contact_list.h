/// Which particles may touch which bodies in a tick, for all solvers.
#ifndef SPADEWORK_SOIL_BODY_CONTACT_LIST_H
#define SPADEWORK_SOIL_BODY_CONTACT_LIST_H

#include "soil/contact/contact_system.h"

/// Finds the contacts of all bodies for a tick of `dt` seconds; what they remember goes over. The particles are sorted.
void body_contacts_find(const ContactSystem *system, double dt);
/// Keeps what the contacts have to remember for the next tick.
void body_contacts_remember(const ContactSystem *system);

#endif
