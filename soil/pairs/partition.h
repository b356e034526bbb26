/// Which of the blocks, particles and ground contacts is whose, when members of a team sweep over them together.
///
/// A member takes the same part of every colour in every sweep, so that its particles and contacts stay in its cache:
/// what goes from one processor to another costs more than all arithmetic. Results do not depend on the shares.
#ifndef SPADEWORK_SOIL_PARTITION_H
#define SPADEWORK_SOIL_PARTITION_H

#include "soil/pairs/pair_list.h"
#include "soil/parallel/team.h"

/// The share of one member.
typedef struct Share {
    const PairList *pairs; ///< weighed (pair_list_weigh)
    const PairList *ground; ///< contacts with the ground, by particle up to batch `ground_late`
    int32_t ground_late;
    int member, members;
} Share;

/// Particles of a colour: those of the member's blocks, which follow one another. Of colour NEIGHBOUR_COLOURS are those
/// that appeared since the list was made.
TeamPart share_particles(const Share *share, int colour);
/// Batches of ground contacts: those of the member's particles, but for the edges; those of particles that appeared
/// since the list was made, and late ones (colour NEIGHBOUR_COLOURS), are the first member's.
TeamPart share_ground(const Share *share, int colour);

#endif
