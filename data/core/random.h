/// Random numbers. Those of a simulation are counter-based: the same (seed, stream, index) gives the same number on
/// every machine and thread (mixing function: splitmix64's finaliser, Stafford variant 13). Secrets and instance names
/// are made from random bytes of the system, which no simulation uses.
#ifndef SPADEWORK_DATA_RANDOM_H
#define SPADEWORK_DATA_RANDOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "data/core/status.h"

/// ---- random numbers of a simulation --------------------------------------------------------------------------------

static inline uint64_t random_mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/// Uniform in [0, 1).
static inline double random_unit(uint64_t seed, uint64_t stream, uint64_t index)
{
    uint64_t bits = random_mix(random_mix(seed ^ (stream * 0xd1342543de82ef95u)) + index);
    return (double)(bits >> 11) * (1.0 / 9007199254740992.0);
}

/// ---- random bytes of the system ------------------------------------------------------------------------------------

/// Writes `bytes` (1..256) random bytes of the system as hexadecimal digits into text [2 * bytes + 1]. False with
/// `status` (STATUS_LACKING): there are none.
bool random_hex(char *text, size_t bytes, Status *status);

#endif
