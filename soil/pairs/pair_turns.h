/// Turns of a sweep over the list of pairs: which block each member of a team visits next.
///
/// Two blocks share particles only if their squares touch, at a side or a corner (pair_list.h). So a block may be
/// visited as soon as those of the squares around it are through that come before it, by colour: what comes out is the
/// same as if all were visited in the order of the list, one after another. A member takes its own blocks first, those
/// of the same part of the ground in every sweep, so that they stay in its cache; then those that others have not come
/// to. What most work waits for is taken first.
#ifndef SPADEWORK_SOIL_PAIR_TURNS_H
#define SPADEWORK_SOIL_PAIR_TURNS_H

#include "soil/pairs/pair_list.h"
#include "soil/parallel/team.h"

/// Finds which blocks lie beside each other. To be called whenever the list has got other blocks.
void pair_turns_join(PairList *list);
/// Deals the blocks of cells out to `members`, by the weight that they have (pair_list_weigh).
void pair_turns_deal(PairList *list, int members);
/// Begins a run of up to two sweeps, list->sweep and list->sweep + 1, with a wait for all in between: one thread calls
/// it before any takes a block.
void pair_turns_begin(PairList *list);

/// One member's sweep over the blocks.
typedef struct PairTurn {
    const PairList *list;
    uint32_t sweep; ///< its number, the same for all members
    int member, members;
    int32_t at; ///< of its own blocks, what comes before is taken
} PairTurn;

PairTurn pair_turn_start(const PairList *list, uint32_t sweep, int member, int members);
/// The next block to visit; waits until there is one. -1: no more.
int32_t pair_turn_take(PairTurn *turn);
/// Block `block`, which was taken, is through.
void pair_turn_finish(const PairTurn *turn, int32_t block);

/// Which of the blocks, particles and ground contacts is whose, when members of a team sweep over them together.
///
/// A member takes the same part of every colour in every sweep, so that its particles and contacts stay in its cache:
/// what goes from one processor to another costs more than all arithmetic. Results do not depend on the shares.

/// The share of one member.
typedef struct Share {
    const PairList *pairs; ///< weighed (pair_list_weigh)
    const PairList *ground; ///< contacts with the ground, by particle up to batch `ground_late`
    int32_t ground_late;
    int member, members;
} Share;

/// Particles of a colour: about those of the member's blocks, which follow one another. Of colour NEIGHBOUR_COLOURS are
/// those that appeared since the list was made.
TeamPart share_particles(const Share *share, int colour);
/// Batches of ground contacts: equally many, about those of the member's particles; those of particles that appeared
/// since the list was made, and late ones (colour NEIGHBOUR_COLOURS), are the first member's.
TeamPart share_ground(const Share *share, int colour);

#endif
