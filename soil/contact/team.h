/// Waiting for each other inside one parallel region, much quicker than the library's barrier: a substep has a dozen of them.
#ifndef SPADEWORK_SOIL_TEAM_H
#define SPADEWORK_SOIL_TEAM_H

#include <stdatomic.h>
#include <threads.h>

/// Looks at a flag before the processor is given to others: a few microseconds, a multiple of what threads usually wait.
enum { TEAM_SPINS = 4000 };

typedef struct Team {
    int size;
    _Alignas(64) atomic_int arrived;
    _Alignas(64) atomic_int phase;
} Team;

static inline void team_create(Team *team, int size)
{
    team->size = size;
    atomic_init(&team->arrived, 0);
    atomic_init(&team->phase, 0);
}

/// Returns when all threads of the team have come here. What one wrote before, all see afterwards.
static inline void team_wait(Team *team)
{
    if (team->size == 1) {
        return;
    }
    int phase = atomic_load_explicit(&team->phase, memory_order_relaxed);
    if (atomic_fetch_add_explicit(&team->arrived, 1, memory_order_acq_rel) == team->size - 1) {
        atomic_store_explicit(&team->arrived, 0, memory_order_relaxed);
        atomic_store_explicit(&team->phase, phase + 1, memory_order_release);
        return;
    }
    // Plain loads: a processor's pause instruction makes a virtual machine give the core away, for twenty times as long.
    for (int spins = 0; atomic_load_explicit(&team->phase, memory_order_acquire) == phase; spins++) {
        if (spins >= TEAM_SPINS) {
            thrd_yield();
        }
    }
}

#endif
