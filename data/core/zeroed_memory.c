/// Maps large pieces of memory from the system, each with a head that holds its size. Small ones come from the C
/// library, and all of them where a sanitizer watches what is done with memory.
#define _GNU_SOURCE // MAP_ANONYMOUS
#include "data/core/zeroed_memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { HEAD = 64 }; ///< bytes before the caller's, so that those keep the alignment
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

void *zeroed_alloc(size_t count, size_t size)
{
    if (size > 0 && count > (SIZE_MAX - 2 * HEAD) / size) {
        return NULL;
    }
    size_t bytes = HEAD + (count * size + HEAD - 1) / HEAD * HEAD;
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
