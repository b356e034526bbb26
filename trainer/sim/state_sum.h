/// XXH3 of a state's bytes, computed with the widest vectors that the processor has. A value is that of the library,
/// whatever the vectors: Debian's library uses those of every x86-64 alone and takes three times as long.
#ifndef SPADEWORK_TRAINER_STATE_SUM_H
#define SPADEWORK_TRAINER_STATE_SUM_H

#include <stddef.h>
#include <stdint.h>

enum { STATE_SUM_BYTES = 576, STATE_SUM_ALIGNMENT = 64 };

/// A sum under way; needs no release.
typedef struct StateSum {
    _Alignas(STATE_SUM_ALIGNMENT) unsigned char state[STATE_SUM_BYTES];
} StateSum;

/// The functions for one instruction set. Any thread.
typedef struct StateSumKernel {
    uint64_t (*of)(const void *bytes, size_t size);
    /// The same piece by piece: begin, then add [size] bytes as often as there are pieces, last end.
    void (*begin)(StateSum *sum);
    void (*add)(StateSum *sum, const void *bytes, size_t size);
    uint64_t (*end)(const StateSum *sum);
} StateSumKernel;

extern const StateSumKernel state_sum_baseline, state_sum_avx2;

/// The fastest kernel that this processor can run.
static inline const StateSumKernel *state_sum_choose(void)
{
#if defined(__x86_64__)
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") ? &state_sum_avx2 : &state_sum_baseline;
#else
    return &state_sum_baseline;
#endif
}

#endif
