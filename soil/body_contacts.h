/// Contacts of particles with bodies in the default solver. Begun by soil_begin_bodies (geometry.h).
#ifndef SPADEWORK_SOIL_BODY_CONTACTS_H
#define SPADEWORK_SOIL_BODY_CONTACTS_H

#include <stdbool.h>

#include "soil/soil.h"

/// One visit of every contact; `warm`: its first impulse.
void body_contacts_sweep(Soil *soil, bool warm);
/// After the last iteration of a substep of `h` seconds.
void body_contacts_finish(Soil *soil, double h);

#endif
