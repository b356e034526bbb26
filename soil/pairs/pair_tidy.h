/// Keeps the blocks of the list of pairs tight.
///
/// Those whose contacts have come to be spread over more batches than they need are sorted anew. Each block once in
/// PAIR_PRUNING_TICKS drops what has come apart without that one of the two was looked at.
#ifndef SPADEWORK_SOIL_PAIR_TIDY_H
#define SPADEWORK_SOIL_PAIR_TIDY_H

#include "soil/pairs/pair_list.h"
#include "soil/parallel/scratch.h"
#include "soil/parallel/team.h"

/// Ticks in which each block once drops what has come apart. Chosen.
enum { PAIR_PRUNING_TICKS = 64 };

typedef struct PairTidying {
    PairList *list;
    const Particles *particles; ///< whose slack may become less
    double radius; ///< m: of a nominal particle
    double dt; ///< s: of the tick
    int32_t *place; ///< [contacts of the list] scratch
    Team *team;
    Scratch *scratch;
} PairTidying;

/// Once a tick. Returns true when contacts have changed their places.
bool pair_list_tidy(const PairTidying *with);

#endif
