/// A visitor that writes a state's fields one after another, and reads them back.
#ifndef SPADEWORK_TESTS_STATE_TAPE_H
#define SPADEWORK_TESTS_STATE_TAPE_H

#include "data/core/state_visitor.h"
#include "tests/support/test.h"

typedef struct Tape {
    StateVisitor visitor;
    unsigned char bytes[200000];
    size_t at;
} Tape;

static inline void write_tape(StateVisitor *visitor, const char *name, void *data, size_t size, size_t count)
{
    Tape *tape = (Tape *)visitor;
    assert_non_null(name);
    assert_true(tape->at + size * count <= sizeof tape->bytes);
    memcpy(tape->bytes + tape->at, data, size * count);
    tape->at += size * count;
}

static inline void read_tape(StateVisitor *visitor, const char *name, void *data, size_t size, size_t count)
{
    Tape *tape = (Tape *)visitor;
    assert_non_null(name);
    assert_true(tape->at + size * count <= sizeof tape->bytes);
    memcpy(data, tape->bytes + tape->at, size * count);
    tape->at += size * count;
}

#endif
