/// An allocator that refuses memory at chosen calls. For a test that is linked so that every call in the program's
/// libraries comes by here (tests/CMakeLists.txt: --wrap); those of ODE and other shared libraries do not. Counts are
/// those of one thread at a time.
#ifndef SPADEWORK_TESTS_REFUSED_MEMORY_H
#define SPADEWORK_TESTS_REFUSED_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

enum { MEMORY_NEVER = 1 << 30 };

static _Thread_local bool memory_counts; ///< calls of this thread are counted and may be refused while it is set
static size_t memory_only; ///< bytes: calls of this size alone; 0: all
static int memory_asked; ///< calls since memory_refuse
static int memory_first = MEMORY_NEVER, memory_end = MEMORY_NEVER;

/// Counts anew, and refuses calls [first, end) of the count from 0.
static inline void memory_refuse(int first, int end)
{
    memory_asked = 0;
    memory_first = first;
    memory_end = end;
}

static bool is_refused(size_t size)
{
    bool counts = memory_counts && (memory_only == 0 || size == memory_only);
    int number = counts ? memory_asked++ : -1;
    return number >= memory_first && number < memory_end;
}

// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)
void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__wrap_realloc(void *memory, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);

void *__wrap_malloc(size_t size)
{
    return is_refused(size) ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return is_refused(count * size) ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *memory, size_t size)
{
    return is_refused(size) ? NULL : __real_realloc(memory, size);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    return is_refused(size) ? NULL : __real_aligned_alloc(alignment, size);
}
// NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)

#endif
