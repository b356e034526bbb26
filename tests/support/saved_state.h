/// A saved state's fields as bytes, to be changed by who knows the format.
#ifndef SPADEWORK_TESTS_SAVED_STATE_H
#define SPADEWORK_TESTS_SAVED_STATE_H

#include <xxhash.h>

#include "tests/support/test.h"
#include "trainer/sim/sim.h"

/// First element of a field's `number`-th occurrence, from 0.
static inline unsigned char *saved_field(StateBuffer *state, const char *name, int number)
{
    size_t length = strlen(name);
    for (size_t k = 18; k + length < state->size; k++) {
        uint16_t told;
        memcpy(&told, state->data + k - 2, sizeof told);
        if (told == length && memcmp(state->data + k, name, length) == 0 && number-- == 0) {
            return state->data + k + length + 4 + 8;
        }
    }
    fail_msg("the state has no %s", name);
    return NULL;
}

/// Adds to element `index` of a field of doubles.
static inline void saved_add(StateBuffer *state, const char *name, int index, double change)
{
    double value;
    unsigned char *at = saved_field(state, name, 0) + sizeof value * (size_t)index;
    memcpy(&value, at, sizeof value);
    value += change;
    memcpy(at, &value, sizeof value);
}

/// Makes the checksum fit again.
static inline void saved_seal(StateBuffer *state)
{
    uint64_t sum = XXH3_64bits(state->data, state->size - sizeof sum);
    memcpy(state->data + state->size - sizeof sum, &sum, sizeof sum);
}

#endif
