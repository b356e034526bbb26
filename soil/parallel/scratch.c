/// The stack of pieces. Misuse (too little room, too many pieces, a wrong order) is a fault of the program whatever
/// the input, and nothing right could follow: it ends there, in every build.
#include "soil/parallel/scratch.h"

#include <stdlib.h>
#include <string.h>

bool scratch_create(Scratch *scratch, size_t bytes)
{
    *scratch = (Scratch){.size = scratch_room(bytes, 1)};
    scratch->memory = aligned_alloc(SCRATCH_ALIGNMENT, scratch->size);
    return scratch->memory != NULL;
}

void scratch_destroy(Scratch *scratch)
{
    free(scratch->memory);
    *scratch = (Scratch){0};
}

void *scratch_take(Scratch *scratch, const char *name, size_t count, size_t size)
{
    size_t bytes = scratch_room(count, size);
    if (scratch->depth == SCRATCH_DEPTH || bytes > scratch->size - scratch->used) {
        abort();
    }
    scratch->name[scratch->depth] = name;
    scratch->first[scratch->depth++] = scratch->used;
    scratch->used += bytes;
    return scratch->memory + scratch->used - bytes;
}

void scratch_give_back(Scratch *scratch, const void *piece)
{
    if (scratch->depth == 0 || piece != scratch->memory + scratch->first[scratch->depth - 1]) {
        abort();
    }
    size_t first = scratch->first[--scratch->depth];
#ifndef NDEBUG
    memset(scratch->memory + first, 0xA5, scratch->used - first);
#endif
    scratch->used = first;
}
