/// A growing buffer of bytes, for files in little-endian formats. It remembers that memory was out, so that a writer
/// asks once, behind many additions. One thread; no state beside the buffer.
#ifndef SPADEWORK_TRAINER_BYTE_BUFFER_H
#define SPADEWORK_TRAINER_BYTE_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Zero-initialise; free with byte_buffer_free.
typedef struct ByteBuffer {
    unsigned char *bytes;
    size_t size, capacity; ///< bytes
    bool failed; ///< memory was out: what was added since is missing
} ByteBuffer;

void byte_buffer_free(ByteBuffer *buffer);
/// Forgets what is in it, keeps its memory.
void byte_buffer_clear(ByteBuffer *buffer);

/// Makes room for `more` bytes behind what is in it; grows by doubling. False when memory is out.
bool byte_buffer_reserve(ByteBuffer *buffer, size_t more);
/// Adds `size` bytes.
void byte_buffer_put(ByteBuffer *buffer, const void *bytes, size_t size);
/// Adds the lowest `count` bytes of a number, the lowest first. count  1..8
void byte_buffer_put_number(ByteBuffer *buffer, uint64_t number, int count);
/// Replaces bytes that were added before. at  bytes from the beginning. count  1..8
void byte_buffer_set_number(ByteBuffer *buffer, size_t at, uint64_t number, int count);

#endif
