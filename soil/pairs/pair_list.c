/// A list of contacts (pair_list.h): memory and state, the choice of the kernel, batches of a block, and tidying.
#include "soil/pairs/pair_list.h"

#include <math.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "data/core/zeroed_memory.h"

/// ---- kernels -------------------------------------------------------------------------------------------------------

const PairKernel *pair_kernel_choose(int lanes)
{
#if defined(__x86_64__)
    __builtin_cpu_init();
    if ((lanes == 0 || lanes == 16) && __builtin_cpu_supports("avx512f")) {
        return &pair_kernel_avx512;
    }
    if ((lanes == 0 || lanes == 8) && __builtin_cpu_supports("avx2")) {
        return &pair_kernel_avx2;
    }
#endif
    return lanes == 0 || lanes == 4 ? &pair_kernel_baseline : NULL;
}

/// ---- batches of a block --------------------------------------------------------------------------------------------
/// Batches of a block: the first that has room, in windows of so many contacts that a bit a batch is enough.
///
/// A block is sorted again when the contacts that touch, which are visited in every substep, have come to be spread
/// over more batches than when it was sorted last.

/// Contacts that are sorted into batches together: with 64 open batches at most, one bit a batch is enough.
enum { WINDOW = 640 };

/// The open batches of a window.
typedef struct Window {
    uint64_t *masks; ///< of each particle: the batches it is in
    uint64_t full; ///< batches without room
    int counts[64], top;
} Window;

/// Contacts that are being sorted.
typedef struct Sorting {
    const int32_t *i, *j;
    int32_t *place;
} Sorting;

/// Gives the contacts of a kind in [first, end) places in batches that hold no particle twice: each goes to the first
/// batch that has room. Returns where it stopped.
static int32_t fill_window(const Sorting *sorting, Window *window, int kind, int32_t first, int32_t end,
                           int32_t batches)
{
    for (int32_t k = first; k < end; k++) {
        if (sorting->place[k] != kind) {
            continue;
        }
        uint64_t *a = &window->masks[sorting->i[k]], *b = &window->masks[sorting->j[k]];
        uint64_t room = ~(*a | *b | window->full);
        if (room == 0) {
            return k;
        }
        int batch = __builtin_ctzll(room);
        uint64_t bit = (uint64_t)1 << batch;
        sorting->place[k] = (batches + batch) * BATCH + window->counts[batch]++;
        window->full |= window->counts[batch] == BATCH ? bit : 0;
        *a |= bit;
        *b |= bit;
        window->top = batch >= window->top ? batch + 1 : window->top;
    }
    return end;
}

int32_t pair_batches_sort(const int32_t *i, const int32_t *j, int32_t *place, uint64_t *masks, int32_t first,
                          int32_t end)
{
    const Sorting sorting = {i, j, place};
    int32_t batches = 0;
    while (first < end) {
        int32_t stop = end - first < WINDOW ? end : first + WINDOW;
        Window window = {.masks = masks};
        for (int32_t k = first; k < stop; k++) {
            masks[i[k]] = masks[j[k]] = 0;
        }
        for (int kind = PAIR_TOUCHES; kind >= PAIR_NEAR; kind--) {
            stop = fill_window(&sorting, &window, kind, first, stop, batches);
        }
        batches += window.top;
        first = stop;
    }
    return batches;
}

/// ---- blocks of the list --------------------------------------------------------------------------------------------

/// True when contact k of the list touches, or has just met.
static bool pair_touches(const PairList *list, int32_t k)
{
    return list->flags[k] != 0 || list->lambda_x[k] != 0.0F || list->lambda_y[k] != 0.0F || list->lambda_z[k] != 0.0F;
}

/// Contacts that touch, by their flags alone, and batches with such.
typedef struct Tightness {
    int32_t contacts, batches;
} Tightness;

static Tightness look_at(const PairList *list, int32_t block)
{
    Tightness sum = {0, 0};
    for (int32_t batch = list->block_first[block]; batch < list->block_first[block + 1]; batch++) {
        int found = 0;
        for (int lane = 0; lane < BATCH; lane++) {
            found += list->flags[batch * BATCH + lane] != 0;
        }
        sum.contacts += found;
        sum.batches += found > 0;
    }
    return sum;
}

void pair_block_note(PairList *list, int32_t block)
{
    Tightness now = look_at(list, block);
    list->block_contacts[block] = now.contacts;
    list->block_batches[block] = now.batches;
}

/// True when the contacts of a block that touch are spread over more batches than they need: contacts came and went.
static bool pair_block_is_loose(const PairList *list, int32_t block)
{
    Tightness now = look_at(list, block);
    int64_t noted = list->block_contacts[block] > 0 ? list->block_contacts[block] : 1;
    int64_t as_noted = (int64_t)list->block_batches[block] * now.contacts / noted, most = now.contacts / 8 + 4;
    int64_t expected = as_noted < most ? as_noted : most;
    return now.batches > expected + expected / 16 + 1;
}

/// What the contacts of a block are copied to while it is sorted.
typedef struct BlockSorting {
    PairArrays contacts;
    int32_t *place; ///< of each
    uint64_t *masks; ///< [particles]
} BlockSorting;

/// Copies a block's contacts one after another to the scratch, from `at` on. Returns their end.
static int32_t collect(const PairList *list, int32_t block, const BlockSorting *to, int32_t at)
{
    int32_t end = at;
    for (int32_t batch = list->block_first[block]; batch < list->block_first[block + 1]; batch++) {
        for (int32_t k = batch * BATCH; k < batch * BATCH + list->used[batch]; k++, end++) {
            to->place[end] = pair_touches(list, k) ? PAIR_TOUCHES : PAIR_NEAR;
#define X(type, name) to->contacts.name[end] = list->name[k];
            PAIR_FIELDS(X)
#undef X
        }
    }
    return end;
}

/// Sorts the contacts of a block anew, in the scratch from `at` on, as many as the block has room for. Blocks that
/// share no particle may be sorted side by side.
static void pair_block_sort(PairList *list, int32_t block, const BlockSorting *with, int32_t at, int32_t nothing)
{
    int32_t first_batch = list->block_first[block], end_batch = list->block_first[block + 1];
    int32_t end = collect(list, block, with, at);
    int32_t batches = pair_batches_sort(with->contacts.i, with->contacts.j, with->place, with->masks, at, end);
    if (batches <= end_batch - first_batch) { // else it stays as it is
        for (int32_t batch = first_batch; batch < end_batch; batch++) {
            list->used[batch] = 0;
        }
        for (int32_t from = at; from < end; from++) {
            int32_t k = first_batch * BATCH + with->place[from];
#define X(type, name) list->name[k] = with->contacts.name[from];
            PAIR_FIELDS(X)
#undef X
            list->used[k / BATCH]++;
        }
        for (int32_t batch = first_batch; batch < end_batch; batch++) {
            pair_list_pad(list, batch, nothing);
            pair_list_set_kind(list, batch);
        }
    }
    pair_block_note(list, block);
}

/// ---- memory and state ----------------------------------------------------------------------------------------------
/// Memory, state and bookkeeping of a list of contacts (pair_list.h).
///
/// A restored list is refused unless its blocks, batches and indices could have been written by this program: contacts
/// of a batch, and blocks of a colour, that shared a particle would let lanes or threads decide what comes out.

size_t pair_arrays_room(size_t contacts)
{
    size_t bytes = 0;
#define X(type, name) bytes += zeroed_room(contacts, sizeof(type));
    PAIR_FIELDS(X)
#undef X
    return bytes;
}

PairArrays pair_arrays_take(Scratch *scratch, const char *name, size_t contacts)
{
    PairArrays arrays;
    unsigned char *at = scratch_take(scratch, name, pair_arrays_room(contacts), 1);
#define X(type, name)                                                                                                  \
    arrays.name = (void *)at;                                                                                          \
    at += zeroed_room(contacts, sizeof(type));
    PAIR_FIELDS(X)
#undef X
    return arrays;
}

#define LAY(name, count)                                                                                               \
    list->name = memory != NULL ? (void *)(memory + at) : NULL;                                                        \
    at += zeroed_room(count, sizeof *list->name);

/// Lays the arrays of blocks out one behind another from byte `at` of `memory` on; NULL: only counts. Returns their
/// end. `room`: blocks; far fewer are used than there may be.
static size_t lay_out_blocks(PairList *list, unsigned char *memory, size_t at, int32_t room)
{
    size_t blocks = (size_t)room + 1;
    LAY(block_first, blocks)
    LAY(block_x, blocks)
    LAY(block_y, blocks)
    LAY(block_contacts, blocks)
    LAY(block_batches, blocks)
    LAY(block_particle, blocks)
    LAY(block_found, blocks)
    LAY(block_load, blocks)
    LAY(block_before, blocks * PAIR_TURN_BESIDE)
    LAY(block_urgency, blocks)
    LAY(block_owner, blocks)
    LAY(block_turn, blocks)
    LAY(block_taken, blocks)
    LAY(block_done, blocks)
    list->block_room = room;
    return at;
}

/// Lays all arrays out in the same way. Those of contacts, of which only the first are used, begin at pages: so each
/// touches one page less. Returns their bytes.
static size_t lay_out(PairList *list, unsigned char *memory, bool ground)
{
    size_t batches = (size_t)list->capacity, lanes = batches * BATCH, at = 0;
#define X(type, name)                                                                                                  \
    at = zeroed_page(at);                                                                                              \
    LAY(name, lanes)
    PAIR_FIELDS(X)
#undef X
    at = zeroed_page(at);
    LAY(ground, ground ? batches : 0)
    list->ground = ground ? list->ground : NULL;
    LAY(awake, batches)
    LAY(used, batches)
    LAY(held, batches)
    LAY(kind, batches)
    return lay_out_blocks(list, memory, at, list->block_capacity);
}
#undef LAY

bool pair_list_create(PairList *list, int32_t batches, int32_t blocks, bool ground)
{
    memset(list, 0, sizeof *list);
    list->capacity = batches;
    list->block_capacity = blocks;
    list->stale = true;
    list->memory = zeroed_alloc(lay_out(list, NULL, ground), 1);
    if (list->memory != NULL) {
        lay_out(list, list->memory, ground);
    }
    return list->memory != NULL;
}

void pair_list_reserve_blocks(PairList *list, int32_t blocks)
{
    unsigned char *memory = list->memory;
    lay_out_blocks(list, memory, (size_t)((unsigned char *)list->block_first - memory), blocks);
    memset(list->block_taken, 0, ((size_t)blocks + 1) * sizeof *list->block_taken);
    memset(list->block_done, 0, ((size_t)blocks + 1) * sizeof *list->block_done);
    list->sweep = 0;
}

void pair_list_destroy(PairList *list)
{
    zeroed_free(list->memory);
    memset(list, 0, sizeof *list);
}

bool pair_visits_reserve(PairVisits *visits, int32_t batches)
{
    if (batches <= visits->capacity) {
        return true;
    }
    pair_visits_destroy(visits);
    batches += batches / 2; // a block that grows batch by batch takes memory but a few times
    visits->batches = zeroed_alloc((size_t)batches, sizeof *visits->batches);
    visits->capacity = visits->batches != NULL ? batches : 0;
    return visits->batches != NULL;
}

void pair_visits_destroy(PairVisits *visits)
{
    zeroed_free(visits->batches);
    memset(visits, 0, sizeof *visits);
}

void pair_list_give_back(PairList *list)
{
    size_t first = (size_t)list->batches * BATCH, end = (size_t)list->capacity * BATCH;
#define X(type, name) zeroed_give_back_elements(list->memory, list->name, sizeof(type), first, end);
    PAIR_FIELDS(X)
#undef X
    if (list->ground != NULL) {
        zeroed_give_back_elements(list->memory, list->ground, sizeof *list->ground, (size_t)list->batches,
                                  (size_t)list->capacity);
    }
}

void pair_list_clear(PairList *list)
{
    list->batches = list->block_count = list->block_first[0] = list->looks = list->turn = 0;
    list->cell = 0.0;
    memset(list->colour_first, 0, sizeof list->colour_first);
    list->stale = true;
}

int32_t pair_list_count(const PairList *list)
{
    int32_t sum = 0;
    for (int32_t batch = 0; batch < list->batches; batch++) {
        sum += list->used[batch];
    }
    return sum;
}

int32_t pair_list_largest_block(const PairList *list)
{
    int32_t most = 0;
    for (int32_t block = 0; block < list->block_count; block++) {
        int32_t batches = list->block_first[block + 1] - list->block_first[block];
        most = batches > most ? batches : most;
    }
    return most;
}

/// Makes the contacts of a batch from `lane` on harmless: never touched, and finite.
static void ground_batch_pad(GroundBatch *batch, int lane)
{
    enum { NUMBERS = offsetof(GroundBatch, tray) / sizeof batch->plane }; // of each contact, four bytes each
    uint32_t(*numbers)[BATCH] = (void *)batch;
    for (int k = 0; k < NUMBERS; k++) {
        memset(numbers[k] + lane, 0, (size_t)(BATCH - lane) * sizeof numbers[k][0]);
    }
    memset(batch->tray + lane, 0, (size_t)(BATCH - lane));
    for (; lane < BATCH; lane++) {
        batch->plane[lane] = batch->compliance[lane] = 1.0F;
    }
}

void pair_list_pad(PairList *list, int32_t batch, int32_t nothing)
{
    for (size_t k = (size_t)batch * BATCH + list->used[batch]; k < ((size_t)batch + 1) * BATCH; k++) {
#define X(type, name) list->name[k] = 0;
        PAIR_FIELDS(X)
#undef X
        list->i[k] = list->j[k] = nothing;
    }
    if (list->ground != NULL) {
        ground_batch_pad(&list->ground[batch], list->used[batch]);
    }
}

void pair_list_set_kind(PairList *list, int32_t batch)
{
    size_t first = (size_t)batch * BATCH;
    int kind = list->used[batch] > 0 ? pair_list_kind(list->soils[list->i[first]], list->soils[list->j[first]]) : 0;
    for (size_t k = first + 1; k < first + list->used[batch]; k++) {
        kind = kind == pair_list_kind(list->soils[list->i[k]], list->soils[list->j[k]]) ? kind : PAIR_MIXED;
    }
    list->kind[batch] = (uint8_t)kind;
}

/// Loads of a member's share of the blocks into block_load[block + 1].
static void weigh_own(void *context, int member, int members)
{
    enum { ASLEEP = 1, AWAKE = 2 }; // a batch that sleeps is looked at, too
    PairList *list = context;
    TeamPart part = team_part(list->block_count, member, members);
    for (int32_t block = part.first; block < part.end; block++) {
        int32_t load = 0;
        for (int32_t batch = list->block_first[block]; batch < list->block_first[block + 1]; batch++) {
            load += list->used[batch] == 0 ? 0 : list->awake[batch] ? ASLEEP + AWAKE : ASLEEP;
        }
        list->block_load[block + 1] = load;
    }
}

void pair_list_weigh(PairList *list, Team *team)
{
    team_run(team, list->batches > PARTICLES_WORTH_THREADS, weigh_own, list);
    list->block_load[0] = 0;
    for (int32_t block = 0; block < list->block_count; block++) {
        list->block_load[block + 1] += list->block_load[block];
    }
}

void pair_list_count_used(PairList *list, int32_t nothing)
{
    for (int32_t batch = 0; batch < list->batches; batch++) {
        int used = 0;
        while (used < BATCH && list->i[(size_t)batch * BATCH + (size_t)used] != nothing) {
            used++;
        }
        list->used[batch] = (uint8_t)used;
    }
}

void pair_list_strike(PairList *list, int32_t k, int32_t nothing)
{
    int32_t batch = k / BATCH, last = batch * BATCH + --list->used[batch];
#define X(type, name)                                                                                                  \
    list->name[k] = list->name[last];                                                                                  \
    list->name[last] = 0;
    PAIR_FIELDS(X)
#undef X
    list->i[last] = list->j[last] = nothing;
}

/// Whether a batch holds either of two particles; its padding holds neither.
static bool has_either(const PairList *list, int32_t batch, int32_t i, int32_t j)
{
    const int32_t *first = list->i + (size_t)batch * BATCH, *second = list->j + (size_t)batch * BATCH;
    int found = 0;
    for (int lane = 0; lane < BATCH; lane++) {
        found |= (first[lane] == i) | (first[lane] == j) | (second[lane] == i) | (second[lane] == j);
    }
    return found != 0;
}

int32_t pair_list_insert(PairList *list, int32_t block, int32_t i, int32_t j)
{
    for (int32_t batch = list->block_first[block]; batch < list->block_first[block + 1]; batch++) {
        if (list->used[batch] < BATCH && !has_either(list, batch, i, j)) {
            int32_t k = batch * BATCH + list->used[batch]++; // as padding it holds nothing
            list->i[k] = i;
            list->j[k] = j;
            list->awake[batch] = 1;
            pair_list_set_kind(list, batch);
            return k;
        }
    }
    return -1;
}

int32_t pair_list_insert_late(PairList *list, int32_t i, int32_t j, int32_t nothing)
{
    int32_t late = list->block_count - 1, k = pair_list_insert(list, late, i, j);
    if (k >= 0 || list->batches == list->capacity || list->batches - list->block_first[late] == LATE_BATCHES) {
        return k;
    }
    int32_t batch = list->batches++;
    list->block_first[late + 1] = list->batches;
    list->used[batch] = 0;
    pair_list_pad(list, batch, nothing);
    return pair_list_insert(list, late, i, j);
}

int pair_list_owner(const PairList *list, int colour, int32_t block, int members)
{
    int64_t start = list->block_load[list->colour_first[colour]];
    int64_t total = list->block_load[list->colour_first[colour + 1]] - start;
    int64_t middle = ((int64_t)list->block_load[block] + list->block_load[block + 1]) / 2 - start;
    int owner = total > 0 ? (int)(middle * members / total) : 0;
    return owner < members ? owner : members - 1;
}

int32_t pair_list_block_of(const PairList *list, int32_t x, int32_t y)
{
    int colour = (x & 1) | (y & 1) << 1;
    int32_t low = list->colour_first[colour], high = list->colour_first[colour + 1];
    while (low < high) { // by y, then by x
        int32_t middle = low + (high - low) / 2;
        if (list->block_y[middle] < y || (list->block_y[middle] == y && list->block_x[middle] < x)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    bool found = low < list->colour_first[colour + 1] && list->block_x[low] == x && list->block_y[low] == y;
    return found ? low : -1;
}

int32_t pair_list_block_at(const PairList *list, double x, double y)
{
    const double square = list->cell * NEIGHBOUR_BLOCK;
    if (list->block_count < 2 || !(fabs(x) < 1e6 * square && fabs(y) < 1e6 * square)) {
        return -1;
    }
    return pair_list_block_of(list, (int32_t)floor(x / square), (int32_t)floor(y / square));
}

bool pair_list_reaches(const PairList *list, int32_t block, double x, double y)
{
    const double half = 0.5 * NEIGHBOUR_BLOCK, most = (half + PAIR_BLOCK_REACH) * list->cell;
    double from_x = x - (list->block_x[block] * NEIGHBOUR_BLOCK + half) * list->cell;
    double from_y = y - (list->block_y[block] * NEIGHBOUR_BLOCK + half) * list->cell;
    return fabs(from_x) < most && fabs(from_y) < most;
}

/// The blocks begin at those of their first particles that are left.
static void move_particles_of_blocks(PairList *list, const int32_t *where, int32_t particles)
{
    int32_t left = 0, at = particles;
    for (int32_t k = 0; k < particles; k++) {
        left += where[k] >= 0;
    }
    for (int32_t block = list->block_count; list->block_count > 0 && block >= 0; block--) {
        for (; at > list->block_particle[block]; at--) {
            left -= where[at - 1] >= 0;
        }
        list->block_particle[block] = left;
    }
}

void pair_list_forget_removed(PairList *list, const int32_t *where, int32_t particles, int32_t nothing)
{
    for (int32_t batch = 0; batch < list->batches; batch++) {
        for (int32_t k = batch * BATCH + list->used[batch] - 1; k >= batch * BATCH; k--) {
            if (where[list->i[k]] < 0 || where[list->j[k]] < 0) {
                pair_list_strike(list, k, nothing);
            } else {
                list->i[k] = where[list->i[k]];
                list->j[k] = where[list->j[k]];
            }
        }
    }
    move_particles_of_blocks(list, where, particles);
}

static bool is_between(int32_t value, int32_t low, int32_t high)
{
    return value >= low && value <= high;
}

/// False for what is not a number, too.
static bool is_small(float value, float limit)
{
    return value > -limit && value < limit;
}

/// Squares of a colour are as far apart as the colour asks for, and come in order.
static bool has_squares(const PairList *list)
{
    for (int colour = 0; colour < NEIGHBOUR_COLOURS; colour++) {
        for (int32_t block = list->colour_first[colour]; block < list->colour_first[colour + 1]; block++) {
            int32_t x = list->block_x[block], y = list->block_y[block];
            bool first = block == list->colour_first[colour];
            bool behind = first || y > list->block_y[block - 1] ||
                          (y == list->block_y[block - 1] && x > list->block_x[block - 1]);
            if (((x & 1) | (y & 1) << 1) != colour || !behind || !is_between(x, -2000000, 2000000) ||
                !is_between(y, -2000000, 2000000)) {
                return false;
            }
        }
    }
    return true;
}

/// Restored blocks and indices stay inside the arrays.
static bool is_valid(const PairList *list, int32_t particles, int32_t nothing)
{
    bool good = list->colour_first[0] == 0 && list->colour_first[PAIR_COLOURS] == list->block_count;
    for (int colour = 0; colour < PAIR_COLOURS; colour++) {
        good = good && is_between(list->colour_first[colour], 0, list->colour_first[colour + 1]);
    }
    good = good && list->block_first[0] == 0 && list->block_first[list->block_count] == list->batches;
    good = good && list->looks >= 0 && list->turn >= 0 && list->cell >= 0.0 && list->cell < 1e6 && has_squares(list);
    for (int32_t block = 0; good && block < list->block_count; block++) {
        good = is_between(list->block_first[block], 0, list->block_first[block + 1]);
    }
    for (size_t k = 0; good && k < (size_t)list->batches * BATCH; k++) {
        bool empty = list->i[k] == nothing && list->j[k] == nothing;
        good = empty || (is_between(list->i[k], 0, particles - 1) && is_between(list->j[k], 0, particles - 1) &&
                         list->i[k] != list->j[k]);
        good = good && is_small(list->lambda_x[k], 1e3F) && is_small(list->lambda_y[k], 1e3F);
        good = good && is_small(list->lambda_z[k], 1e3F) && is_small(list->rest[k], 1.0F);
    }
    return good;
}

/// The squares of the blocks of cells that hold pairs of one particle.
typedef struct Squares {
    int32_t low_x, high_x, low_y, high_y;
} Squares;

/// Takes a block's square in. False when two of them do not touch: the blocks could be visited side by side.
static bool take_square(Squares *squares, const PairList *list, int32_t block)
{
    int32_t x = list->block_x[block], y = list->block_y[block];
    squares->low_x = x < squares->low_x ? x : squares->low_x;
    squares->high_x = x > squares->high_x ? x : squares->high_x;
    squares->low_y = y < squares->low_y ? y : squares->low_y;
    squares->high_y = y > squares->high_y ? y : squares->high_y;
    return squares->high_x - squares->low_x <= 1 && squares->high_y - squares->low_y <= 1;
}

/// True when contacts of a batch, and blocks whose squares do not touch, share no particle: else lanes or threads would
/// decide what comes out. False without memory to check it, which is `lacking`.
static bool shares_nothing(const PairList *list, int32_t particles, bool *lacking)
{
    int32_t *batch_of = calloc((size_t)particles + 1, sizeof *batch_of); // of each particle the last one, from 1
    Squares *squares = malloc(((size_t)particles + 1) * sizeof *squares);
    bool good = batch_of != NULL && squares != NULL;
    *lacking = !good;
    for (int32_t i = 0; good && i < particles; i++) {
        squares[i] = (Squares){INT32_MAX, INT32_MIN / 2, INT32_MAX, INT32_MIN / 2};
    }
    for (int32_t block = 0; good && block < list->block_count; block++) {
        bool late = block >= list->colour_first[NEIGHBOUR_COLOURS];
        int32_t end = list->block_first[block + 1] * BATCH;
        for (int32_t k = list->block_first[block] * BATCH; good && k < end; k++) {
            const int32_t sides[2] = {list->i[k], list->j[k]};
            for (int side = 0; side < 2 && sides[side] < particles; side++) {
                int32_t *batch = &batch_of[sides[side]];
                good = good && *batch != k / BATCH + 1 && (late || take_square(&squares[sides[side]], list, block));
                *batch = k / BATCH + 1;
            }
        }
    }
    free(batch_of);
    free(squares);
    return good;
}

/// Names under which recordings hold the fields.
#define PAIR_RECORDED_i        "pairs.i"
#define PAIR_RECORDED_j        "pairs.j"
#define PAIR_RECORDED_lambda_x "pairs.impulse_x"
#define PAIR_RECORDED_lambda_y "pairs.impulse_y"
#define PAIR_RECORDED_lambda_z "pairs.impulse_z"
#define PAIR_RECORDED_rest     "pairs.rest"
#define PAIR_RECORDED_strength "pairs.strength"
#define PAIR_RECORDED_flags    "pairs.flags"

void pair_list_visit(PairList *list, StateVisitor *visitor, int32_t particles, int32_t nothing)
{
    int32_t batches = visitor->measuring ? list->capacity : list->batches;
    int32_t blocks = visitor->measuring ? list->block_capacity : list->block_count;
    uint8_t stale = list->stale;
    STATE_VISIT(visitor, "pairs.batches", batches);
    STATE_VISIT(visitor, "pairs.blocks", blocks);
    STATE_VISIT(visitor, "pairs.stale", stale);
    STATE_VISIT(visitor, "pairs.cell", list->cell);
    STATE_VISIT(visitor, "pairs.looks", list->looks);
    STATE_VISIT(visitor, "pairs.turn", list->turn);
    if (visitor->restoring) {
        if (visitor->failed || !is_between(batches, 0, list->capacity) ||
            !is_between(blocks, 0, list->block_capacity) || stale > 1) {
            visitor->failed = true;
            return;
        }
        pair_list_reserve_blocks(list, blocks);
        list->batches = batches;
        list->block_count = blocks;
        list->stale = stale != 0;
    }
    state_visit_array(visitor, "pairs.colour", list->colour_first, sizeof(int32_t), PAIR_COLOURS + 1);
    state_visit_array(visitor, "pairs.block", list->block_first, sizeof(int32_t), (size_t)blocks + 1);
    state_visit_array(visitor, "pairs.block_x", list->block_x, sizeof(int32_t), (size_t)blocks);
    state_visit_array(visitor, "pairs.block_y", list->block_y, sizeof(int32_t), (size_t)blocks);
    state_visit_array(visitor, "pairs.block_contacts", list->block_contacts, sizeof(int32_t), (size_t)blocks);
    state_visit_array(visitor, "pairs.block_batches", list->block_batches, sizeof(int32_t), (size_t)blocks);
#define X(type, name)                                                                                                  \
    state_visit_array(visitor, PAIR_RECORDED_##name, list->name, sizeof(type), (size_t)batches *BATCH);
    PAIR_FIELDS(X)
#undef X
    if (visitor->restoring && !visitor->failed) {
        visitor->failed = !is_valid(list, particles, nothing) || !shares_nothing(list, particles, &visitor->lacking);
    }
    if (visitor->restoring && visitor->failed) {
        pair_list_clear(list); // nothing that was read is used
    }
}

/// ---- tidying -------------------------------------------------------------------------------------------------------
/// Tidies the list: blocks are looked at by all members, sorted colour by colour, and pruned batch by batch.

/// Blocks in which contacts that touch have come to be spread over more batches than they need.
typedef struct Tidying {
    const PairTidying *with;
    atomic_uchar *pruned; ///< [particles] that have pairs in a block that is pruned
    BlockSorting sorting; ///< its masks: [PAIR_COLOURS][particles], for blocks of a colour share no particle
    int32_t room; ///< contacts of the largest block
    int32_t *order; ///< [found] loose blocks as they are sorted
    atomic_int next; ///< of those
    atomic_uchar *loose; ///< [blocks]
    atomic_int found; ///< such blocks
} Tidying;

static void find_own_loose(void *context, int member, int members)
{
    Tidying *self = context;
    const PairList *list = self->with->list;
    TeamPart part = team_part(list->block_count, member, members);
    int found = 0;
    for (int32_t block = part.first; block < part.end; block++) {
        if (!self->loose[block] && pair_block_is_loose(list, block)) {
            self->loose[block] = 1;
        }
        found += self->loose[block];
    }
    atomic_fetch_add(&self->found, found);
}

static int colour_of(const PairList *list, int32_t block)
{
    int colour = 0;
    while (block >= list->colour_first[colour + 1]) {
        colour++;
    }
    return colour;
}

/// Each member takes the next block. Sorting a block reads and writes what is its own.
static void tidy_own(void *context, int member, int members)
{
    (void)members;
    Tidying *self = context;
    PairList *list = self->with->list;
    int32_t at = member * self->room; // its own scratch
    int found = atomic_load(&self->found);
    for (int k = atomic_fetch_add(&self->next, 1); k < found; k = atomic_fetch_add(&self->next, 1)) {
        int32_t block = self->order[k];
        BlockSorting sorting = self->sorting;
        sorting.masks += (size_t)colour_of(list, block) * (size_t)self->with->particles->count;
        pair_block_sort(list, block, &sorting, at, self->with->particles->capacity);
    }
}

/// Lists the loose blocks, the large ones first: what is begun last is soon through.
static void order_loose(const Tidying *self, int32_t largest)
{
    const PairList *list = self->with->list;
    int32_t listed = 0;
    for (int small = 0; small < 2; small++) {
        for (int32_t block = 0; block < list->block_count; block++) {
            bool is_small = 2 * (list->block_first[block + 1] - list->block_first[block]) < largest;
            if (self->loose[block] && is_small == (small == 1)) {
                self->order[listed++] = block;
            }
        }
    }
}

/// Sorts the loose blocks anew: together, where there is room for as many of the largest as there are members.
static void sort_loose(Tidying *tidying)
{
    const PairTidying *with = tidying->with;
    Scratch *scratch = with->scratch;
    BlockSorting *sorting = &tidying->sorting;
    size_t count = (size_t)with->particles->count, found = (size_t)atomic_load(&tidying->found);
    int32_t largest = pair_list_largest_block(with->list), members = team_members(with->team);
    bool together = count > PARTICLES_WORTH_THREADS && (int64_t)largest * members < with->list->capacity;
    tidying->room = largest * BATCH;
    size_t room = (size_t)tidying->room * (size_t)(together ? members : 1);
    tidying->order = scratch_take(scratch, "loose blocks", found, sizeof *tidying->order);
    sorting->masks = scratch_take(scratch, "batches of particles", PAIR_COLOURS * count, sizeof *sorting->masks);
    sorting->place = scratch_take(scratch, "places of contacts", room, sizeof *sorting->place);
    sorting->contacts = pair_arrays_take(scratch, "contacts being sorted", room);
    order_loose(tidying, largest);
    atomic_init(&tidying->next, 0);
    team_run(with->team, together, tidy_own, tidying);
    scratch_give_back(scratch, sorting->contacts.i);
    scratch_give_back(scratch, sorting->place);
    scratch_give_back(scratch, sorting->masks);
    scratch_give_back(scratch, tidying->order);
}

/// Marks the particles of a member's share of the blocks that are pruned. Others may mark the same ones.
static void mark_pruned(const Tidying *self, int member, int members)
{
    const PairList *list = self->with->list;
    TeamPart part = team_part(self->with->particles->count, member, members);
    for (int32_t i = part.first; i < part.end; i++) {
        atomic_init(&self->pruned[i], 0);
    }
    team_wait(self->with->team);
    for (int32_t block = list->turn; block < list->block_count; block += PAIR_PRUNING_TICKS) {
        int32_t first = list->block_first[block];
        TeamPart own = team_part(list->block_first[block + 1] - first, member, members);
        for (int32_t batch = first + own.first; batch < first + own.end; batch++) {
            for (int32_t k = batch * BATCH; k < batch * BATCH + list->used[batch]; k++) {
                atomic_store_explicit(&self->pruned[list->i[k]], 1, memory_order_relaxed);
                atomic_store_explicit(&self->pruned[list->j[k]], 1, memory_order_relaxed);
            }
        }
    }
}

/// Slack that is used up is none.
static double left_of(float slack)
{
    return slack > 0.0F ? (double)slack : 0.0;
}

/// Strikes out those pairs of a batch that do not meet within the slack of both, and what they close in the tick.
/// Returns whether there were any.
static bool prune_batch(const Tidying *self, int32_t batch)
{
    PairList *list = self->with->list;
    const Particles *p = self->with->particles;
    bool struck = false;
    for (int32_t k = batch * BATCH + list->used[batch] - 1; k >= batch * BATCH; k--) {
        int32_t i = list->i[k], j = list->j[k];
        Vec3 apart = vec3(p->x[i] - p->x[j], p->y[i] - p->y[j], p->z[i] - p->z[j]);
        Vec3 closing = vec3(p->vx[i] - p->vx[j], p->vy[i] - p->vy[j], p->vz[i] - p->vz[j]);
        double near = (double)p->radius[i] + (double)p->radius[j] + left_of(p->slack[i]) + left_of(p->slack[j]) +
                      PAIR_APPROACH * self->with->dt * vec3_length(closing);
        if (!pair_touches(list, k) && vec3_dot(apart, apart) > near * near) {
            pair_list_strike(list, k, p->capacity);
            struck = true;
        }
    }
    return struck;
}

/// A particle that has become slow needs no more slack than one that is looked at now. What of the pairs is then too
/// far apart goes.
static void prune_own(void *context, int member, int members)
{
    const Tidying *self = context;
    const PairList *list = self->with->list;
    const Particles *p = self->with->particles;
    mark_pruned(self, member, members);
    team_wait(self->with->team);
    TeamPart part = team_part(p->count, member, members);
    for (int32_t i = part.first; i < part.end; i++) {
        if (atomic_load_explicit(&self->pruned[i], memory_order_relaxed)) {
            float slack = pair_slack(self->with->radius, p, i, self->with->dt);
            p->slack[i] = p->slack[i] < slack ? p->slack[i] : slack;
        }
    }
    team_wait(self->with->team);
    for (int32_t block = list->turn; block < list->block_count; block += PAIR_PRUNING_TICKS) {
        int32_t first = list->block_first[block];
        TeamPart own = team_part(list->block_first[block + 1] - first, member, members);
        bool struck = false;
        for (int32_t batch = first + own.first; batch < first + own.end; batch++) {
            struck = prune_batch(self, batch) || struck;
        }
        if (struck) {
            atomic_store_explicit(&self->loose[block], 1, memory_order_relaxed);
        }
    }
}

void pair_list_tidy(const PairTidying *with)
{
    PairList *list = with->list;
    Scratch *scratch = with->scratch;
    size_t count = (size_t)with->particles->count;
    bool together = with->particles->count > PARTICLES_WORTH_THREADS;
    list->turn = (list->turn + 1) % PAIR_PRUNING_TICKS;
    Tidying tidying = {.with = with};
    tidying.loose = scratch_take(scratch, "whether a block is loose", (size_t)list->block_count, sizeof *tidying.loose);
    for (int32_t block = 0; block < list->block_count; block++) {
        atomic_init(&tidying.loose[block], 0);
    }
    if (list->turn < list->block_count) {
        tidying.pruned = scratch_take(scratch, "whether a particle's pairs are pruned", count, 1);
        team_run(with->team, together, prune_own, &tidying);
        scratch_give_back(scratch, tidying.pruned);
    }
    team_run(with->team, together, find_own_loose, &tidying);
    if (atomic_load(&tidying.found) > 0) {
        sort_loose(&tidying);
    }
    scratch_give_back(scratch, tidying.loose);
}
