/// Memory, state and bookkeeping of a list of contacts (pair_list.h).
///
/// A restored list is refused unless its blocks, batches and indices could have been written by this program: contacts
/// of a batch, and blocks of a colour, that shared a particle would let lanes or threads decide what comes out.
#include "soil/pairs/pair_list.h"

#include <stdlib.h>
#include <string.h>

enum { CACHE_LINE = 64 };

/// Memory that starts on a cache line; not touched before it is used.
static void *line_alloc(size_t count, size_t size)
{
    size_t bytes = (count * size + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
    return aligned_alloc(CACHE_LINE, bytes > 0 ? bytes : CACHE_LINE);
}

#define ALLOCATE(type, to, name)                                                                                       \
    (to)->name = line_alloc(lanes, sizeof(type));                                                                      \
    good = good && (to)->name != NULL;

bool pair_list_create(PairList *list, int32_t batches, int32_t blocks, bool ground)
{
    memset(list, 0, sizeof *list);
    list->capacity = batches;
    list->block_capacity = blocks;
    list->stale = true;
    size_t lanes = (size_t)batches * BATCH;
    list->used = line_alloc((size_t)batches, 1);
    list->block_first = line_alloc((size_t)blocks + 1, sizeof(int32_t));
    list->block_particle = line_alloc((size_t)blocks + 1, sizeof(int32_t));
    list->block_load = line_alloc((size_t)blocks + 1, sizeof(int32_t));
    list->awake = line_alloc((size_t)batches, 1);
    list->kind = line_alloc((size_t)batches, 1);
    bool good = list->used != NULL && list->awake != NULL && list->kind != NULL && list->block_first != NULL &&
                list->block_particle != NULL && list->block_load != NULL;
#define X(type, name) ALLOCATE(type, list, name)
    PAIR_FIELDS(X)
    if (ground) {
        GROUND_FIELDS(X)
    }
#undef X
#define X(type, name) ALLOCATE(type, &list->old, name)
    if (!ground) {
        PAIR_FIELDS(X)
    }
#undef X
    if (good) {
        list->block_first[0] = 0;
    }
    return good;
}

void pair_list_destroy(PairList *list)
{
#define X(type, name) free(list->name);
    PAIR_FIELDS(X)
    GROUND_FIELDS(X)
#undef X
#define X(type, name) free(list->old.name);
    PAIR_FIELDS(X)
#undef X
    free(list->used);
    free(list->awake);
    free(list->kind);
    free(list->block_first);
    free(list->block_particle);
    free(list->block_load);
    memset(list, 0, sizeof *list);
}

bool pair_visits_reserve(PairVisits *visits, int32_t batches)
{
    if (batches <= visits->capacity) {
        return true;
    }
    pair_visits_destroy(visits);
    size_t lanes = (size_t)batches * BATCH;
    bool good = true;
#define X(name) ALLOCATE(float, visits, name)
    PAIR_VISIT_FIELDS(X)
#undef X
    visits->capacity = good ? batches : 0;
    return good;
}

void pair_visits_destroy(PairVisits *visits)
{
#define X(name) free(visits->name);
    PAIR_VISIT_FIELDS(X)
#undef X
    memset(visits, 0, sizeof *visits);
}

void pair_list_clear(PairList *list)
{
    list->batches = list->block_count = list->block_first[0] = 0;
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

void pair_list_pad(PairList *list, int32_t batch, int32_t nothing)
{
    for (size_t k = (size_t)batch * BATCH + list->used[batch]; k < ((size_t)batch + 1) * BATCH; k++) {
#define X(type, name) list->name[k] = 0;
        PAIR_FIELDS(X)
        if (list->plane != NULL) {
            GROUND_FIELDS(X)
            list->plane[k] = list->compliance[k] = 1.0F; // never touched, and finite
        }
#undef X
        list->i[k] = list->j[k] = nothing;
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

void pair_list_weigh(PairList *list)
{
    enum { ASLEEP = 1, AWAKE = 2 }; // a batch that sleeps is looked at, too
    list->block_load[0] = 0;
    for (int32_t block = 0; block < list->block_count; block++) {
        int32_t load = list->block_load[block];
        for (int32_t batch = list->block_first[block]; batch < list->block_first[block + 1]; batch++) {
            load += list->awake[batch] ? ASLEEP + AWAKE : ASLEEP;
        }
        list->block_load[block + 1] = load;
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

void pair_list_forget_removed(PairList *list, const int32_t *where, int32_t nothing)
{
    for (size_t k = 0; k < (size_t)list->batches * BATCH; k++) {
        int32_t i = list->i[k], j = list->j[k];
        if (i == nothing) {
            continue;
        }
        bool gone = where[i] < 0 || where[j] < 0;
        list->i[k] = gone ? nothing : where[i];
        list->j[k] = gone ? nothing : where[j];
    }
    list->stale = true;
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

/// Restored blocks and indices stay inside the arrays.
static bool is_valid(const PairList *list, int32_t particles, int32_t nothing)
{
    bool good = list->colour_first[0] == 0 && list->colour_first[PAIR_COLOURS] == list->block_count;
    for (int colour = 0; colour < PAIR_COLOURS; colour++) {
        good = good && is_between(list->colour_first[colour], 0, list->colour_first[colour + 1]);
    }
    good = good && list->block_first[0] == 0 && list->block_first[list->block_count] == list->batches;
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

/// True when contacts of a batch, and blocks of a colour, share no particle: else lanes or threads would decide what
/// comes out. False without memory to check it.
static bool shares_nothing(const PairList *list, int32_t particles)
{
    int32_t *batch_of = calloc((size_t)particles + 1, sizeof *batch_of); // of each particle the last one, from 1
    int32_t *block_of = calloc((size_t)particles + 1, sizeof *block_of);
    bool good = batch_of != NULL && block_of != NULL;
    for (int32_t block = 0, colour = 0; good && block < list->block_count; block++) {
        while (block >= list->colour_first[colour + 1]) {
            colour++;
        }
        int32_t end = list->block_first[block + 1] * BATCH;
        for (int32_t k = list->block_first[block] * BATCH; good && k < end; k++) {
            const int32_t sides[2] = {list->i[k], list->j[k]};
            for (int side = 0; side < 2 && sides[side] < particles; side++) {
                int32_t *batch = &batch_of[sides[side]], *owner = &block_of[sides[side]];
                good = good && *batch != k / BATCH + 1 && (*owner <= list->colour_first[colour] || *owner == block + 1);
                *batch = k / BATCH + 1;
                *owner = block + 1;
            }
        }
    }
    free(batch_of);
    free(block_of);
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
    int32_t batches = list->batches, blocks = list->block_count;
    uint8_t stale = list->stale;
    STATE_VISIT(visitor, "pairs.batches", batches);
    STATE_VISIT(visitor, "pairs.blocks", blocks);
    STATE_VISIT(visitor, "pairs.stale", stale);
    if (visitor->restoring) {
        if (visitor->failed || !is_between(batches, 0, list->capacity) ||
            !is_between(blocks, 0, list->block_capacity) || stale > 1) {
            visitor->failed = true;
            return;
        }
        list->batches = batches;
        list->block_count = blocks;
        list->stale = stale != 0;
    }
    state_visit_array(visitor, "pairs.colour", list->colour_first, sizeof(int32_t), PAIR_COLOURS + 1);
    state_visit_array(visitor, "pairs.block", list->block_first, sizeof(int32_t), (size_t)blocks + 1);
#define X(type, name)                                                                                                  \
    state_visit_array(visitor, PAIR_RECORDED_##name, list->name, sizeof(type), (size_t)batches *BATCH);
    PAIR_FIELDS(X)
#undef X
    if (visitor->restoring && !visitor->failed) {
        visitor->failed = !is_valid(list, particles, nothing) || !shares_nothing(list, particles);
    }
    if (visitor->restoring && visitor->failed) {
        pair_list_clear(list); // nothing that was read is used
    }
}
