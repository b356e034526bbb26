/// Finding the pairs of particles that may touch, and sorting them into batches (pair_list.h).
#ifndef SPADEWORK_SOIL_PAIR_BUILD_H
#define SPADEWORK_SOIL_PAIR_BUILD_H

#include <stdbool.h>

#include "soil/contact/contact_system.h"
#include "soil/pairs/pair_list.h"

bool pair_build_create(PairBuild *build, int32_t particles, int32_t pairs);
void pair_build_destroy(PairBuild *build);

/// Makes the list anew after neighbours_sort; what touching contacts remember goes over. `where`: [particle count] the
/// index that each old particle has now. `dt`: the tick, s.
void pair_list_build(const ContactSystem *system, const int32_t *where, double dt);
/// m: what the search lets a particle of a soil reach beyond its slack if that may hold on: a bond may have opened by
/// CONTACT_BREAKING_OPENING, and is listed as long as it holds.
float pair_holding(const SoilModel *model, int soil);
/// Begins the contact k of the list. Contacts of undisturbed soil are bonds: where one side has just appeared, and
/// after soil_bond. Overlap without a past (soil put into soil, a tool that jumped) holds no energy: it is the
/// contact's rest gap, from which it swells slowly.
void pair_begin_life(const ContactSystem *system, size_t k);
/// Material and padding of a restored list.
void pair_list_refresh(PairList *list, const SoilModel *model, const Particles *particles);

#endif
