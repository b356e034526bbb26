/// The kernels of state_sum.h, compiled once for each instruction set (state_sum_*.c) from xxHash's own header.
/// KERNEL_NAME names the table that they end in.
#include "trainer/sim/state_sum.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

_Static_assert(sizeof(XXH3_state_t) <= STATE_SUM_BYTES && _Alignof(XXH3_state_t) <= STATE_SUM_ALIGNMENT,
               "a sum has room for xxHash's state");

static uint64_t sum_of(const void *bytes, size_t size)
{
    return XXH3_64bits(bytes, size);
}

static void sum_begin(StateSum *sum)
{
    XXH3_state_t *state = (XXH3_state_t *)(void *)sum->state;
    XXH3_INITSTATE(state);
    XXH3_64bits_reset(state);
}

static void sum_add(StateSum *sum, const void *bytes, size_t size)
{
    XXH3_64bits_update((XXH3_state_t *)(void *)sum->state, bytes, size);
}

static uint64_t sum_end(const StateSum *sum)
{
    return XXH3_64bits_digest((const XXH3_state_t *)(const void *)sum->state);
}

const StateSumKernel KERNEL_NAME = {.of = sum_of, .begin = sum_begin, .add = sum_add, .end = sum_end};
