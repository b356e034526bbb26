/// Finding the pairs of particles that may touch, and sorting them into batches (pair_list.h).
#ifndef SPADEWORK_SOIL_PAIR_BUILD_H
#define SPADEWORK_SOIL_PAIR_BUILD_H

#include <stdbool.h>

#include "soil/contact/contact_system.h"
#include "soil/pairs/pair_list.h"

bool pair_build_create(PairBuild *build, int32_t particles);
void pair_build_destroy(PairBuild *build);

/// Makes the list anew after neighbours_sort; what touching contacts remember goes over. `where`: [particle count] the
/// index that each old particle has now. `dt`: the tick, s.
void pair_list_build(const ContactSystem *system, const int32_t *where, double dt);
/// Batches of the largest block.
int32_t pair_list_largest_block(const PairList *list);
/// Material and padding of a restored list.
void pair_list_refresh(PairList *list, const SoilModel *model, const Particles *particles);

#endif
