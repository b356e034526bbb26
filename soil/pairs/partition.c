/// Shares of a colour by load: a block belongs to the member in whose part of the colour's load its middle lies, so
/// that all have equally much to do and a member's blocks follow one another.
#include "soil/pairs/partition.h"

static int owner_of(const Share *share, int colour, int32_t block)
{
    const PairList *list = share->pairs;
    int64_t start = list->block_load[list->colour_first[colour]];
    int64_t total = list->block_load[list->colour_first[colour + 1]] - start;
    int64_t middle = ((int64_t)list->block_load[block] + list->block_load[block + 1]) / 2 - start;
    int owner = total > 0 ? (int)(middle * share->members / total) : 0;
    return owner < share->members ? owner : share->members - 1;
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

bool share_has_block(const Share *share, int colour, int32_t block, TeamPart *batches)
{
    *batches = (TeamPart){share->pairs->block_first[block], share->pairs->block_first[block + 1]};
    return batches->first < batches->end && owner_of(share, colour, block) == share->member;
}
