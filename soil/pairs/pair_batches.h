/// Sorts the contacts of a block into batches that share no particle.
///
/// A contact goes to the first batch that has room and holds neither of its two. Those that touch come first; those
/// that are only near fill the room that is left in their batches, where they cost nothing, and then batches of their
/// own, which are seldom visited.
#ifndef SPADEWORK_SOIL_PAIR_BATCHES_H
#define SPADEWORK_SOIL_PAIR_BATCHES_H

#include "soil/pairs/pair_list.h"

/// What a contact's place is before it has one.
enum { PAIR_TOUCHES = -1, PAIR_NEAR = -2 };

/// Contacts [first, end) of i and j. place: PAIR_TOUCHES or PAIR_NEAR; out: batch * BATCH + lane, from 0. masks:
/// [particles] scratch. Returns the number of batches.
int32_t pair_batches_sort(const int32_t *i, const int32_t *j, int32_t *place, uint64_t *masks, int32_t first,
                          int32_t end);

/// True when contact k of the list touches, or has just met.
bool pair_touches(const PairList *list, int32_t k);
/// Notes how tight a block is that was just sorted.
void pair_block_note(PairList *list, int32_t block);
/// True when the contacts of a block that touch are spread over more batches than they need: contacts came and went.
bool pair_block_is_loose(const PairList *list, int32_t block);
/// Sorts the contacts of a block anew. place: [contacts of the list] scratch, like list->old, of both from `at` on as
/// many as the block has room for. Blocks that share no particle may be sorted side by side.
void pair_block_sort(PairList *list, int32_t block, int32_t *place, int32_t at, uint64_t *masks, int32_t nothing);

#endif
