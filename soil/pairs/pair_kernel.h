/// The pair kernels, compiled once for each instruction set (pair_kernel_*.c). KERNEL_NAME names the table they end in.
///
/// Batches, what sleeps in them, and particles that move on; what a batch's lanes compute: pair_lanes.h.
#include "soil/pairs/pair_lanes.h"

/// ---- batches -------------------------------------------------------------------------------------------------------

LANES_INLINE void begin_batches(const PairList *list, Row *rows, int32_t first, int32_t end, bool ground)
{
    for (int32_t batch = first; batch < end; batch++) {
        int awake = 0;
        if (list->holds && list->held[batch] == PAIR_ASLEEP) {
            list->awake[batch] = 0;
            continue;
        }
        for (int lane = 0; lane < list->used[batch]; lane += LANES) {
            size_t k = (size_t)batch * BATCH + (size_t)lane;
            Lanes3 lambda = LOAD3(list, lambda, k);
            int held = lanes_any(differs3(lambda, 0.0F));
            awake |= held | lanes_any(lanes_load_bytes(list->flags + k) != 0);
            if (held) {
                LaneSides move = gather(rows, ROW_MOVE, list, k, ground);
                take(&move, lambda, ground);
                scatter_moves(rows, list, k, &move, list->used[batch] - lane, ground);
            }
        }
        list->awake[batch] = (uint8_t)awake;
    }
}

/// True when all contacts of a batch that slept may sleep on: it is decided for the batch, so that the number of lanes
/// changes nothing.
LANES_INLINE bool sleeps_on(const PairList *list, Row *rows, const PairStep *step, int32_t batch, bool ground)
{
    int awake = 0;
    for (int lane = 0; lane < list->used[batch]; lane += LANES) {
        size_t k = (size_t)batch * BATCH + (size_t)lane;
        LaneSides place = gather(rows, ROW_PLACE, list, k, ground), speed = gather(rows, ROW_SPEED, list, k, ground);
        LaneContacts c = meet(list, step, k, ground, &place, &speed);
        awake |= may_touch(step, ground, &c);
    }
    return !awake;
}

LANES_INLINE bool renew_batches(const PairList *list, Row *rows, const PairStep *step, const PairVisits *visits,
                                int32_t first, int32_t end, bool ground, bool held)
{
    int restless = 0;
    for (int32_t batch = first; batch < end; batch++) {
        bool slept = !list->awake[batch];
        if ((held && list->held[batch] == PAIR_ASLEEP) || (slept && sleeps_on(list, rows, step, batch, ground))) {
            continue;
        }
        list->awake[batch] = 1;
        for (int lane = 0; lane < list->used[batch]; lane += LANES) {
            size_t k = (size_t)batch * BATCH + (size_t)lane, at = k - (size_t)first * BATCH;
            restless |= renew(list, rows, step, visits, at, k, list->used[batch] - lane, ground, slept, held);
        }
    }
    return restless != 0;
}

LANES_INLINE void visit_batches(const PairList *list, Row *rows, const PairStep *step, const PairVisits *visits,
                                int32_t first, int32_t end, bool held)
{
    for (int32_t batch = first; batch < end; batch++) {
        for (int lane = 0; list->awake[batch] && lane < list->used[batch]; lane += LANES) {
            size_t k = (size_t)batch * BATCH + (size_t)lane, at = k - (size_t)first * BATCH;
            visit(list, rows, step, visits, at, k, list->used[batch] - lane, held);
        }
    }
}

static void begin_pairs(const PairList *list, Row *rows, int32_t first, int32_t end)
{
    begin_batches(list, rows, first, end, false);
}

static void begin_ground(const PairList *list, Row *rows, int32_t first, int32_t end)
{
    begin_batches(list, rows, first, end, true);
}

/// Where particles sleep; apart, so that it costs nothing where none does.
static __attribute__((noinline)) bool renew_held(const PairList *list, Row *rows, const PairStep *step,
                                                 const PairVisits *visits, int32_t first, int32_t end)
{
    return renew_batches(list, rows, step, visits, first, end, false, true);
}

static __attribute__((noinline)) void visit_held(const PairList *list, Row *rows, const PairStep *step,
                                                 const PairVisits *visits, int32_t first, int32_t end)
{
    visit_batches(list, rows, step, visits, first, end, true);
}

static bool renew_pairs(const PairList *list, Row *rows, const PairStep *step, const PairVisits *visits, int32_t first,
                        int32_t end)
{
    return list->holds ? renew_held(list, rows, step, visits, first, end)
                       : renew_batches(list, rows, step, visits, first, end, false, false);
}

static void renew_ground(const PairList *list, Row *rows, const PairStep *step, int32_t first, int32_t end)
{
    (void)renew_batches(list, rows, step, NULL, first, end, true, false);
}

static void solve_pairs(const PairList *list, Row *rows, const PairStep *step, const PairVisits *visits, int32_t first,
                        int32_t end)
{
    if (list->holds) {
        visit_held(list, rows, step, visits, first, end);
    } else {
        visit_batches(list, rows, step, visits, first, end, false);
    }
}

typedef float Quarter __attribute__((vector_size(16), may_alias));
typedef uint32_t QuarterWords __attribute__((vector_size(16), may_alias));
typedef int32_t QuarterSteps __attribute__((vector_size(16), may_alias));

/// Quarters of a row whose last number stays are one operation.
static void advance(Row *rows, double h, double gravity, int32_t first, int32_t end)
{
    const float per_h = (float)(1.0 / h), steps = (float)(h * ROW_STEPS);
    const Quarter gain = {per_h, per_h, per_h, 0.0F}, fall = {0.0F, 0.0F, (float)(gravity * h), 0.0F};
    const Quarter way = {steps, steps, steps, 0.0F}, up = {0.5F, 0.5F, 0.5F, 0.5F};
    const QuarterSteps sign = {INT32_MIN, INT32_MIN, INT32_MIN, INT32_MIN};
    for (int32_t i = first; i < end; i++) {
        Quarter *row = (Quarter *)&rows[i], speed = row[ROW_SPEED / 4];
        Quarter added = row[ROW_MOVE / 4] * gain - fall - row[ROW_CARRY / 4], sum = speed + added, moved = sum * way;
        row[ROW_CARRY / 4] = (sum - speed) - added;
        row[ROW_SPEED / 4] = sum;
        moved += (Quarter)((QuarterSteps)up | ((QuarterSteps)moved & sign)); // to the nearest step
        QuarterWords *place = (QuarterWords *)&row[ROW_PLACE / 4];
        *place += (QuarterWords) __builtin_convertvector(moved, QuarterSteps);
    }
}

const PairKernel KERNEL_NAME = {.lanes = LANES,
                                .begin = begin_pairs,
                                .begin_ground = begin_ground,
                                .renew = renew_pairs,
                                .renew_ground = renew_ground,
                                .solve = solve_pairs,
                                .advance = advance,
                                .search = search};
