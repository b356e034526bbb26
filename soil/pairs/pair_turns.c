/// Shares of the work on a list of pairs: the turns in which members of a team visit blocks, and which particles and
/// ground contacts belong to which member.
#include "soil/pairs/pair_turns.h"

#include <sched.h>
#include <string.h>
#include <time.h>

#include "soil/parallel/team.h"

/// ---- shares --------------------------------------------------------------------------------------------------------
/// Shares of a colour: equally many particles, or where some sleep pieces of its load, which lies where the others are.
/// Both are about the particles of the blocks that a member takes first. Pieces end within blocks: of 10,000 particles,
/// a colour has hardly more blocks than a large team has members.

/// The particle of a colour at which a member's piece begins; of member `members` that of the next colour.
static int32_t first_particle(const Share *share, int colour, int member)
{
    const PairList *list = share->pairs;
    int32_t low = list->colour_first[colour], end = list->colour_first[colour + 1], high = end;
    int64_t start = list->block_load[low], total = list->block_load[end] - start;
    int64_t first = list->block_particle[low], count = list->block_particle[end] - first;
    if (!list->holds || total == 0 || member == 0 || member == share->members) {
        return (int32_t)(first + count * member / share->members);
    }
    int64_t load = start + total * member / share->members;
    while (low < high) { // the first block that ends behind it
        int32_t middle = low + (high - low) / 2;
        if (list->block_load[middle + 1] <= load) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    int64_t own = list->block_load[low + 1] - list->block_load[low];
    int64_t particles = list->block_particle[low + 1] - list->block_particle[low];
    return (int32_t)(list->block_particle[low] + particles * (load - list->block_load[low]) / own);
}

TeamPart share_particles(const Share *share, int colour)
{
    return (TeamPart){first_particle(share, colour, share->member), first_particle(share, colour, share->member + 1)};
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

/// Contacts lie on the ground's surface: a colour's are dealt out by their number, not by the load of their blocks. The
/// odd batches of the colours go to different members.
TeamPart share_ground(const Share *share, int colour)
{
    if (colour == NEIGHBOUR_COLOURS) {
        int32_t end = share->ground->batches, first = ground_batch_of(share, late_particles(share));
        return (TeamPart){share->member == 0 ? first : end, end};
    }
    const PairList *list = share->pairs;
    int32_t first = ground_batch_of(share, list->block_particle[list->colour_first[colour]]);
    int64_t count = ground_batch_of(share, list->block_particle[list->colour_first[colour + 1]]) - first;
    int64_t odd = (int64_t)share->members * colour / NEIGHBOUR_COLOURS;
    return (TeamPart){first + (int32_t)((count * share->member + odd) / share->members),
                      first + (int32_t)((count * (share->member + 1) + odd) / share->members)};
}

/// ---- turns ---------------------------------------------------------------------------------------------------------
/// Turns of blocks: a list of what comes before each block, and counters that say which blocks are taken and through.
///
/// A member that finds no block whose turn it is looks again and again: that takes microseconds, for somebody is about
/// to finish one. If it takes longer, it offers the processor to others, and at last sleeps for a while: then somebody
/// else has the processor of the one it waits for.

/// Looks in vain before the processor is offered to others, some microseconds; and so many times before a member
/// sleeps. Chosen; compare team.c.
enum { LOOKS = 100, YIELDS = 50 };
/// ns: a few blocks.
enum { NAP = 50000 };

/// ---- before the sweeps ---------------------------------------------------------------------------------------------

void pair_turns_join(PairList *list)
{
    static const int32_t beside[PAIR_TURN_BESIDE][2] = {{-1, -1}, {0, -1}, {1, -1}, {-1, 0},
                                                        {1, 0},   {-1, 1}, {0, 1},  {1, 1}};
    int32_t blocks = list->block_count > 0 ? list->colour_first[NEIGHBOUR_COLOURS] : 0;
    for (int32_t block = 0; block < blocks; block++) {
        int32_t *before = list->block_before + (size_t)block * PAIR_TURN_BESIDE, found = 0;
        for (int k = 0; k < PAIR_TURN_BESIDE; k++) {
            int32_t other =
                pair_list_block_of(list, list->block_x[block] + beside[k][0], list->block_y[block] + beside[k][1]);
            if (other >= 0 && other < block) {
                before[found++] = other;
            }
        }
        if (found < PAIR_TURN_BESIDE) {
            before[found] = -1;
        }
    }
    for (int32_t block = 0; block < blocks; block++) {
        list->block_turn[block] = block;
    }
}

static int32_t weight_of(const PairList *list, int32_t block)
{
    return list->block_load[block + 1] - list->block_load[block];
}

/// Work of each block and of the longest row of blocks that wait for it, one for another.
static void find_urgency(PairList *list, int32_t blocks)
{
    memset(list->block_urgency, 0, (size_t)blocks * sizeof *list->block_urgency);
    for (int32_t block = blocks - 1; block >= 0; block--) { // those that wait for it come behind
        list->block_urgency[block] += weight_of(list, block) + 1;
        const int32_t *before = list->block_before + (size_t)block * PAIR_TURN_BESIDE;
        for (int k = 0; k < PAIR_TURN_BESIDE && before[k] >= 0; k++) {
            int32_t *urgency = &list->block_urgency[before[k]];
            *urgency = *urgency < list->block_urgency[block] ? list->block_urgency[block] : *urgency;
        }
    }
}

static bool comes_before(const PairList *list, int32_t a, int32_t b)
{
    int32_t owner_a = list->block_owner[a], owner_b = list->block_owner[b];
    int32_t more = list->block_urgency[a] - list->block_urgency[b];
    return owner_a < owner_b || (owner_a == owner_b && (more > 0 || (more == 0 && a < b)));
}

/// By owner, and by what waits for them. Insertion sort, for the order hardly changes from tick to tick.
static void sort_turns(PairList *list, int32_t blocks)
{
    int32_t *turn = list->block_turn;
    for (int32_t a = 1; a < blocks; a++) {
        int32_t block = turn[a], b = a;
        for (; b > 0 && comes_before(list, block, turn[b - 1]); b--) {
            turn[b] = turn[b - 1];
        }
        turn[b] = block;
    }
}

void pair_turns_deal(PairList *list, int members)
{
    int32_t blocks = list->block_count > 0 ? list->colour_first[NEIGHBOUR_COLOURS] : 0;
    if (members == 1) {
        return; // one after another
    }
    find_urgency(list, blocks);
    for (int colour = 0; colour < NEIGHBOUR_COLOURS; colour++) {
        for (int32_t block = list->colour_first[colour]; block < list->colour_first[colour + 1]; block++) {
            list->block_owner[block] = pair_list_owner(list, colour, block, members);
        }
    }
    sort_turns(list, blocks);
    int32_t at = 0;
    for (int member = 0; member < members; member++) {
        list->turns_first[member] = at;
        while (at < blocks && list->block_owner[list->block_turn[at]] == member) {
            at++;
        }
    }
    list->turns_first[members] = blocks;
}

void pair_turns_begin(PairList *list)
{
    list->sweep += 2; // one may give the rows what contacts held, and one renews it
}

/// ---- a sweep -------------------------------------------------------------------------------------------------------

PairTurn pair_turn_start(const PairList *list, uint32_t sweep, int member, int members)
{
    return (PairTurn){
        .list = list, .sweep = sweep, .member = member, .members = members, .at = list->turns_first[member]};
}

static bool is_taken(const PairTurn *turn, int32_t block)
{
    return atomic_load_explicit(&turn->list->block_taken[block], memory_order_relaxed) == turn->sweep;
}

/// True when all that come before a block are through.
static bool is_due(const PairTurn *turn, int32_t block)
{
    const int32_t *before = turn->list->block_before + (size_t)block * PAIR_TURN_BESIDE;
    bool due = true;
    for (int k = 0; due && k < PAIR_TURN_BESIDE && before[k] >= 0; k++) {
        due = atomic_load_explicit(&turn->list->block_done[before[k]], memory_order_acquire) == turn->sweep;
    }
    return due;
}

/// The first block of turns [first, end) whose turn it is, or -1; `left`: there are some that nobody has taken.
static int32_t take_from(const PairTurn *turn, int32_t first, int32_t end, bool *left)
{
    const PairList *list = turn->list;
    for (int32_t k = first; k < end; k++) {
        int32_t block = list->block_turn[k];
        if (is_taken(turn, block)) {
            continue;
        }
        *left = true;
        if (is_due(turn, block) &&
            atomic_exchange_explicit(&list->block_taken[block], turn->sweep, memory_order_relaxed) != turn->sweep) {
            return block;
        }
    }
    return -1;
}

int32_t pair_turn_take(PairTurn *turn)
{
    const int32_t *first = turn->list->turns_first;
    for (int looks = 0;; looks++) {
        bool left = false;
        while (turn->at < first[turn->member + 1] && is_taken(turn, turn->list->block_turn[turn->at])) {
            turn->at++;
        }
        int32_t block = take_from(turn, turn->at, first[turn->member + 1], &left);
        for (int k = 1; block < 0 && k < turn->members; k++) {
            int other = (turn->member + k) % turn->members;
            block = take_from(turn, first[other], first[other + 1], &left);
        }
        if (block >= 0 || !left) {
            return block;
        }
        if (looks >= LOOKS + YIELDS) {
            nanosleep(&(struct timespec){.tv_nsec = NAP}, NULL);
        } else if (looks >= LOOKS) {
            sched_yield();
        }
    }
}

void pair_turn_finish(const PairTurn *turn, int32_t block)
{
    atomic_store_explicit(&turn->list->block_done[block], turn->sweep, memory_order_release);
}
