/// Adds bytes to a buffer that doubles.
#include "trainer/report/byte_buffer.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void byte_buffer_free(ByteBuffer *buffer)
{
    free(buffer->bytes);
    *buffer = (ByteBuffer){0};
}

void byte_buffer_clear(ByteBuffer *buffer)
{
    buffer->size = 0;
    buffer->failed = false;
}

bool byte_buffer_reserve(ByteBuffer *buffer, size_t more)
{
    if (more <= buffer->capacity - buffer->size) {
        return true;
    }
    size_t least = buffer->size + more, capacity = buffer->capacity > 0 ? buffer->capacity : 256;
    while (capacity < least && capacity <= SIZE_MAX / 2) {
        capacity *= 2;
    }
    unsigned char *bytes = least > buffer->size && capacity >= least ? realloc(buffer->bytes, capacity) : NULL;
    if (bytes == NULL) {
        buffer->failed = true;
        return false;
    }
    buffer->bytes = bytes;
    buffer->capacity = capacity;
    return true;
}

void byte_buffer_put(ByteBuffer *buffer, const void *bytes, size_t size)
{
    if (size > 0 && byte_buffer_reserve(buffer, size)) {
        memcpy(buffer->bytes + buffer->size, bytes, size);
        buffer->size += size;
    }
}

void byte_buffer_put_number(ByteBuffer *buffer, uint64_t number, int count)
{
    unsigned char bytes[8];
    assert(count >= 1 && count <= 8);
    for (int k = 0; k < count; k++) {
        bytes[k] = (unsigned char)(number >> (8 * k));
    }
    byte_buffer_put(buffer, bytes, (size_t)count);
}

void byte_buffer_set_number(ByteBuffer *buffer, size_t at, uint64_t number, int count)
{
    assert(count >= 1 && count <= 8);
    if (at + (size_t)count > buffer->size) {
        assert(buffer->failed); // the bytes are missing because memory was out
        return;
    }
    for (int k = 0; k < count; k++) {
        buffer->bytes[at + (size_t)k] = (unsigned char)(number >> (8 * k));
    }
}
