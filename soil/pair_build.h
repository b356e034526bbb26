/// Finding the pairs of particles that may touch, and sorting them into batches (pair_list.h).
#ifndef SPADEWORK_SOIL_PAIR_BUILD_H
#define SPADEWORK_SOIL_PAIR_BUILD_H

#include <stdbool.h>

#include "soil/soil.h"

/// Scratch of the search. The arrays of contacts are borrowed from the list's own scratch, which is not in use meanwhile.
typedef struct PairBuild {
    int32_t *raw_first, *raw_end; ///< [blocks] pairs of a block
    int32_t *head; ///< [particles] first remembered contact whose lower particle this is, or -1
    int32_t *raw_i, *raw_j; ///< borrowed: pairs as found
    int32_t *raw_slot; ///< borrowed: place in the block, batch * BATCH + lane
    int32_t *old_i, *old_j, *old_flags; ///< borrowed: the list that was, in new indices
    int32_t *next; ///< borrowed: the next remembered contact of the same lower particle
} PairBuild;

bool pair_build_create(PairBuild *build, int32_t particles);
void pair_build_destroy(PairBuild *build);

/// Makes the list anew after neighbours_sort; what touching contacts remember goes over. `dt`: the tick.
void pair_list_build(Soil *soil, double dt);
/// Material and padding of a restored list.
void pair_list_refresh(Soil *soil);

#endif
