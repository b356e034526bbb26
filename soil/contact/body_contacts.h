/// Contacts of particles with bodies in the default solver. Begun by soil_begin_bodies (geometry.h).
#ifndef SPADEWORK_SOIL_BODY_CONTACTS_H
#define SPADEWORK_SOIL_BODY_CONTACTS_H

#include <stdbool.h>

#include "soil/soil.h"

/// First impulse of every contact; `first`: of a tick, in which no row has an impulse yet.
void body_contacts_warm(Soil *soil, bool first);
/// One visit of every contact.
void body_contacts_visit(Soil *soil);
/// After the last iteration of a substep of `h` seconds.
void body_contacts_finish(Soil *soil, double h);

#endif
