/// Finding the pairs of particles that may touch, and sorting them into batches (pair_list.h).
#ifndef SPADEWORK_SOIL_PAIR_BUILD_H
#define SPADEWORK_SOIL_PAIR_BUILD_H

#include <stdbool.h>

#include "soil/contact/pair_list.h"
#include "soil/soil.h"

/// Scratch of the search.
typedef struct PairBuild {
    int32_t *raw_first, *raw_end; ///< [blocks] pairs of a block
    int32_t *head; ///< [particles] borrowed: first remembered contact whose lower particle this is, or -1
    int32_t *raw_i, *raw_j; ///< borrowed from the list's impulses, which are written last: pairs as found
    int32_t *raw_slot; ///< the same: place in the block, batch * BATCH + lane
    const PairArrays *old; ///< the list that was, see lay_aside
} PairBuild;

bool pair_build_create(PairBuild *build, int32_t particles);
void pair_build_destroy(PairBuild *build);

/// Makes the list anew after neighbours_sort; what touching contacts remember goes over. `where`: [particle count] the
/// index that each old particle has now. `dt`: the tick, s.
void pair_list_build(Soil *soil, const int32_t *where, double dt);
/// Batches of the largest block.
int32_t pair_list_largest_block(const PairList *list);
/// Material and padding of a restored list.
void pair_list_refresh(Soil *soil);

#endif
