/// Shares of a colour by load: a block belongs to the member in whose part of the colour's load its middle lies, so
/// that all have equally much to do and a member's blocks follow one another.
#include "soil/pairs/partition.h"

static int owner_of(const Share *share, int colour, int32_t block)
{
    return pair_list_owner(share->pairs, colour, block, share->members);
}

TeamPart share_particles(const Share *share, int colour)
{
    const PairList *list = share->pairs;
    int32_t block = list->colour_first[colour], end = list->colour_first[colour + 1];
    while (block < end && owner_of(share, colour, block) < share->member) {
        block++;
    }
    TeamPart part = {list->block_particle[block], list->block_particle[block]};
    while (block < end && owner_of(share, colour, block) == share->member) {
        part.end = list->block_particle[++block];
    }
    return part;
}

/// The first batch of ground contacts whose particles do not come before `particle`.
static int32_t ground_batch_of(const Share *share, int32_t particle)
{
    int32_t low = 0, high = share->ground_late;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (share->ground->i[middle * BATCH] < particle) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/// The first of the particles that appeared since the list was made.
static int32_t late_particles(const Share *share)
{
    return share->pairs->block_particle[share->pairs->colour_first[NEIGHBOUR_COLOURS]];
}

TeamPart share_ground(const Share *share, int colour)
{
    if (colour == NEIGHBOUR_COLOURS) {
        int32_t end = share->ground->batches, first = ground_batch_of(share, late_particles(share));
        return (TeamPart){share->member == 0 ? first : end, end};
    }
    TeamPart part = share_particles(share, colour);
    return (TeamPart){ground_batch_of(share, part.first), ground_batch_of(share, part.end)};
}
