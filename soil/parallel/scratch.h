/// Scratch memory: one block, taken in pieces that have names and are given back in the order opposite to that in
/// which they were taken. What a stage needs while it works lies where the stage before had its own, and stays in the
/// cache.
///
/// Pieces hold nothing when they are taken and mean nothing when they are given back; in a build with asserts they are
/// overwritten then. One thread takes and gives back; any may use a piece in between.
#ifndef SPADEWORK_SOIL_SCRATCH_H
#define SPADEWORK_SOIL_SCRATCH_H

#include <stdbool.h>
#include <stddef.h>

enum { SCRATCH_ALIGNMENT = 64, SCRATCH_DEPTH = 8 };

typedef struct Scratch {
    unsigned char *memory;
    size_t size, used; ///< bytes
    int depth; ///< pieces that are taken
    const char *name[SCRATCH_DEPTH]; ///< what each is for, for a debugger
    size_t first[SCRATCH_DEPTH]; ///< byte at which each begins
} Scratch;

/// Bytes that a piece of `count` elements of `size` bytes takes in the block.
static inline size_t scratch_room(size_t count, size_t size)
{
    return (count * size + SCRATCH_ALIGNMENT - 1) / SCRATCH_ALIGNMENT * SCRATCH_ALIGNMENT;
}

/// False when there is no memory for `bytes`. The caller destroys it.
bool scratch_create(Scratch *scratch, size_t bytes);
void scratch_destroy(Scratch *scratch);

/// Takes a piece, aligned to a cache line. More than there is room for is a fault of the program: it ends.
void *scratch_take(Scratch *scratch, const char *name, size_t count, size_t size);
/// Gives back the piece that was taken last, which must be `piece`.
void scratch_give_back(Scratch *scratch, const void *piece);

#endif
