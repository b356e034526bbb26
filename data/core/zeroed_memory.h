/// Large arrays of which most is never touched: memory that costs nothing until it is written to, and that goes back to
/// the system when it is freed. (What calloc takes from memory that was freed before, it writes zeros to.)
#ifndef SPADEWORK_DATA_ZEROED_MEMORY_H
#define SPADEWORK_DATA_ZEROED_MEMORY_H

#include <stddef.h>

enum { ZEROED_ALIGNMENT = 64 }; ///< bytes: a line of the cache

/// Bytes that an array of `count` elements of `size` bytes takes in a piece that holds several: the next begins at a
/// line of the cache. Arrays that are taken and freed together share a piece, for each piece touches a page of its own.
static inline size_t zeroed_room(size_t count, size_t size)
{
    return (count * size + ZEROED_ALIGNMENT - 1) / ZEROED_ALIGNMENT * ZEROED_ALIGNMENT;
}

/// The least number of bytes, not below `at`, behind which a page begins in a piece. An array of which only the
/// beginning is used touches one page less there.
size_t zeroed_page(size_t at);
/// Takes `count` elements of `size` bytes, all zero, aligned to ZEROED_ALIGNMENT. NULL: memory is short. The caller
/// frees it with zeroed_free. Any thread.
void *zeroed_alloc(size_t count, size_t size);
/// NULL is nothing.
void zeroed_free(void *memory);
/// Gives the memory of bytes [first, end) back to the system, by whole pages. What these bytes held is lost: each holds
/// zero, or what it held.
void zeroed_give_back(void *memory, size_t first, size_t end);
/// The same for elements [first, end) of `size` bytes each of an array that lies in `memory`.
void zeroed_give_back_elements(void *memory, const void *array, size_t size, size_t first, size_t end);

#endif
