/// Maps large pieces of memory from the system, each with a head that holds its size. Small ones come from the C
/// library, and all of them where a sanitizer watches what is done with memory.
#define _GNU_SOURCE // MAP_ANONYMOUS
#include "data/core/zeroed_memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { HEAD = ZEROED_ALIGNMENT }; ///< bytes before the caller's, so that those keep the alignment
#define LEAST_MAPPED ((size_t)32 * 1024) ///< bytes: what is smaller wastes more at a page's end than it saves

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define WATCHED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define WATCHED
#endif
#endif

#ifdef WATCHED
static const size_t least_mapped = SIZE_MAX;
#else
static const size_t least_mapped = LEAST_MAPPED;
#endif

size_t zeroed_page(size_t at)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    return (at + HEAD + page - 1) / page * page - HEAD;
}

void *zeroed_alloc(size_t count, size_t size)
{
    if (size > 0 && count > (SIZE_MAX - 2 * HEAD) / size) {
        return NULL;
    }
    size_t bytes = HEAD + zeroed_room(count, size);
    unsigned char *memory = NULL;
    if (bytes < least_mapped) {
        memory = aligned_alloc(HEAD, bytes);
        if (memory == NULL) {
            return NULL;
        }
        memset(memory, 0, bytes);
    } else {
        memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED) {
            return NULL;
        }
        (void)madvise(memory, bytes, MADV_NOHUGEPAGE); // a first touch takes 4 kB, not 2 MB
    }
    memcpy(memory, &bytes, sizeof bytes);
    return memory + HEAD;
}

void zeroed_free(void *memory)
{
    if (memory == NULL) {
        return;
    }
    unsigned char *start = (unsigned char *)memory - HEAD;
    size_t bytes;
    memcpy(&bytes, start, sizeof bytes);
    if (bytes < least_mapped) {
        free(start);
    } else {
        munmap(start, bytes);
    }
}

void zeroed_give_back(void *memory, size_t first, size_t end)
{
    unsigned char *start = (unsigned char *)memory - HEAD;
    size_t bytes, page = (size_t)sysconf(_SC_PAGESIZE);
    memcpy(&bytes, start, sizeof bytes);
    size_t from = (HEAD + first + page - 1) / page * page, to = (HEAD + end) / page * page;
    if (bytes >= least_mapped && from < to) {
        (void)madvise(start + from, to - from, MADV_DONTNEED); // refused, it stays
    }
}

void zeroed_give_back_elements(void *memory, const void *array, size_t size, size_t first, size_t end)
{
    size_t at = (size_t)((const unsigned char *)array - (const unsigned char *)memory);
    zeroed_give_back(memory, at + first * size, at + end * size);
}
