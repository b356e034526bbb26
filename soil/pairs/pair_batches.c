/// Batches of a block: the first that has room, in windows of so many contacts that a bit a batch is enough.
///
/// A block is sorted again when the contacts that touch, which are visited in every substep, have come to be spread
/// over more batches than when it was sorted last.
#include "soil/pairs/pair_batches.h"

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

bool pair_touches(const PairList *list, int32_t k)
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

bool pair_block_is_loose(const PairList *list, int32_t block)
{
    Tightness now = look_at(list, block);
    int64_t noted = list->block_contacts[block] > 0 ? list->block_contacts[block] : 1;
    int64_t as_noted = (int64_t)list->block_batches[block] * now.contacts / noted, most = now.contacts / 8 + 4;
    int64_t expected = as_noted < most ? as_noted : most;
    return now.batches > expected + expected / 16 + 1;
}

/// Copies a block's contacts one after another to the scratch, from `at` on. Returns their end.
static int32_t collect(PairList *list, int32_t block, int32_t *place, int32_t at)
{
    int32_t end = at;
    for (int32_t batch = list->block_first[block]; batch < list->block_first[block + 1]; batch++) {
        for (int32_t k = batch * BATCH; k < batch * BATCH + list->used[batch]; k++, end++) {
            place[end] = pair_touches(list, k) ? PAIR_TOUCHES : PAIR_NEAR;
#define X(type, name) list->old.name[end] = list->name[k];
            PAIR_FIELDS(X)
#undef X
        }
    }
    return end;
}

void pair_block_sort(PairList *list, int32_t block, int32_t *place, int32_t at, uint64_t *masks, int32_t nothing)
{
    int32_t first_batch = list->block_first[block], end_batch = list->block_first[block + 1];
    int32_t end = collect(list, block, place, at);
    int32_t batches = pair_batches_sort(list->old.i, list->old.j, place, masks, at, end);
    if (batches <= end_batch - first_batch) { // else it stays as it is
        for (int32_t batch = first_batch; batch < end_batch; batch++) {
            list->used[batch] = 0;
        }
        for (int32_t from = at; from < end; from++) {
            int32_t k = first_batch * BATCH + place[from];
#define X(type, name) list->name[k] = list->old.name[from];
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
