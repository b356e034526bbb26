/// Tidies the list: blocks are looked at by all members, sorted colour by colour, and pruned batch by batch.
#include "soil/pairs/pair_tidy.h"

#include <stdatomic.h>
#include <string.h>

#include "soil/pairs/pair_batches.h"

/// Blocks in which contacts that touch have come to be spread over more batches than they need.
typedef struct Tidying {
    const PairTidying *with;
    uint8_t *pruned; ///< [particles] that have pairs in a block that is pruned
    uint64_t *masks; ///< [particles]
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

/// Blocks of one colour share no particle.
static void tidy_own(void *context, int member, int members)
{
    const Tidying *self = context;
    PairList *list = self->with->list;
    int32_t at = team_part((int64_t)list->capacity * BATCH, member, members).first; // its own scratch
    for (int colour = 0; colour < PAIR_COLOURS; colour++) {
        int32_t turn = 0;
        for (int32_t block = list->colour_first[colour]; block < list->colour_first[colour + 1]; block++) {
            if (self->loose[block] && turn++ % members == member) {
                pair_block_sort(list, block, self->with->place, at, self->masks, self->with->particles->capacity);
            }
        }
        team_wait(self->with->team);
    }
}

static void mark_pruned(const Tidying *self)
{
    const PairList *list = self->with->list;
    memset(self->pruned, 0, (size_t)self->with->particles->count);
    for (int32_t block = list->turn; block < list->block_count; block += PAIR_PRUNING_TICKS) {
        for (int32_t batch = list->block_first[block]; batch < list->block_first[block + 1]; batch++) {
            for (int32_t k = batch * BATCH; k < batch * BATCH + list->used[batch]; k++) {
                self->pruned[list->i[k]] = self->pruned[list->j[k]] = 1;
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
    if (member == 0) {
        mark_pruned(self);
    }
    team_wait(self->with->team);
    TeamPart part = team_part(p->count, member, members);
    for (int32_t i = part.first; i < part.end; i++) {
        if (self->pruned[i]) {
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

bool pair_list_tidy(const PairTidying *with)
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
        tidying.masks = scratch_take(scratch, "batches of particles", count, sizeof *tidying.masks);
        bool room = (int64_t)pair_list_largest_block(list) * team_members(with->team) < list->capacity;
        team_run(with->team, room && together, tidy_own, &tidying);
        scratch_give_back(scratch, tidying.masks);
    }
    scratch_give_back(scratch, tidying.loose);
    return atomic_load(&tidying.found) > 0;
}
