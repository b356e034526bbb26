/// Large arrays of which most is never touched: memory that costs nothing until it is written to, and that goes back to
/// the system when it is freed. (What calloc takes from memory that was freed before, it writes zeros to.)
#ifndef SPADEWORK_DATA_ZEROED_MEMORY_H
#define SPADEWORK_DATA_ZEROED_MEMORY_H

#include <stddef.h>

/// Takes `count` elements of `size` bytes, all zero, aligned to 64 bytes. NULL: memory is short. The caller frees it
/// with zeroed_free. Any thread.
void *zeroed_alloc(size_t count, size_t size);
/// NULL is nothing.
void zeroed_free(void *memory);

#endif
