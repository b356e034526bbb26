/// Writes TIFF files with any tags, right ones and wrong ones, little-endian and without compression.
#ifndef SPADEWORK_TESTS_TIFF_BYTES_H
#define SPADEWORK_TESTS_TIFF_BYTES_H

#include <stdint.h>
#include <string.h>

#include "tests/support/test.h"

enum { TIFF_MOST_TAGS = 32, TIFF_MOST_BYTES = 16384 };

/// A tag by the specification's numbers of types: 2 text, 3 16 bits, 4 32 bits, 12 doubles.
typedef struct TiffTag {
    uint16_t tag, type;
    uint32_t count;
    uint8_t values[1536];
} TiffTag;

typedef struct TiffBytes {
    int count;
    TiffTag tags[TIFF_MOST_TAGS]; ///< in rising order
    uint8_t pixels[2048];
    size_t pixels_size;
    size_t size;
    uint8_t bytes[TIFF_MOST_BYTES]; ///< the file, once it is made
} TiffBytes;

static inline size_t tiff_type_size(uint16_t type)
{
    return type == 2 ? 1 : type == 3 ? 2 : type == 4 ? 4 : 8;
}

/// Sets a tag in place of the one of its number, if there is one; count 0 takes it away.
static inline void tiff_set(TiffBytes *tiff, uint16_t tag, uint16_t type, uint32_t count, const void *values)
{
    int at = 0;
    while (at < tiff->count && tiff->tags[at].tag < tag) {
        at++;
    }
    bool there = at < tiff->count && tiff->tags[at].tag == tag;
    size_t behind = (size_t)(tiff->count - at - there) * sizeof *tiff->tags;
    memmove(&tiff->tags[at + (count > 0)], &tiff->tags[at + there], behind);
    tiff->count += (count > 0) - there;
    assert_true(tiff->count < TIFF_MOST_TAGS && count * tiff_type_size(type) <= sizeof tiff->tags[at].values);
    if (count > 0) {
        tiff->tags[at] = (TiffTag){.tag = tag, .type = type, .count = count};
        memcpy(tiff->tags[at].values, values, count * tiff_type_size(type));
    }
}

static inline void tiff_set_number(TiffBytes *tiff, uint16_t tag, uint32_t number)
{
    tiff_set(tiff, tag, 4, 1, &number);
}

static inline void tiff_set_text(TiffBytes *tiff, uint16_t tag, const char *text)
{
    tiff_set(tiff, tag, 2, (uint32_t)strlen(text) + 1, text);
}

static inline void tiff_put(TiffBytes *tiff, size_t at, const void *bytes, size_t size)
{
    assert_true(at + size <= sizeof tiff->bytes);
    memcpy(tiff->bytes + at, bytes, size);
    tiff->size = at + size > tiff->size ? at + size : tiff->size;
}

/// Makes the file: header, directory, long values, pixels. The pixels are one strip or tile, where StripOffsets (273)
/// or TileOffsets (324) is 1: then their place is put there.
static inline void tiff_make(TiffBytes *tiff)
{
    const uint32_t start = 8, none = 0;
    uint16_t count = (uint16_t)tiff->count;
    size_t entry = start + 2, room = entry + 12 * (size_t)tiff->count + 4;
    tiff->size = 0;
    tiff_put(tiff, 0, "II*\0", 4);
    tiff_put(tiff, 4, &start, 4);
    tiff_put(tiff, start, &count, 2);
    tiff_put(tiff, entry + 12 * (size_t)tiff->count, &none, 4);
    size_t pixels = room;
    for (int k = 0; k < tiff->count; k++) {
        size_t size = tiff->tags[k].count * tiff_type_size(tiff->tags[k].type);
        pixels += size > 4 ? size : 0;
    }
    for (int k = 0; k < tiff->count; k++, entry += 12) {
        const TiffTag *tag = &tiff->tags[k];
        size_t size = tag->count * tiff_type_size(tag->type);
        uint32_t place = (uint32_t)room, first;
        memcpy(&first, tag->values, sizeof first);
        tiff_put(tiff, entry, &tag->tag, 2);
        tiff_put(tiff, entry + 2, &tag->type, 2);
        tiff_put(tiff, entry + 4, &tag->count, 4);
        if (size > 4) {
            tiff_put(tiff, entry + 8, &place, 4);
            tiff_put(tiff, room, tag->values, size);
            room += size;
        } else {
            bool offsets = (tag->tag == 273 || tag->tag == 324) && first == 1;
            place = (uint32_t)pixels;
            tiff_put(tiff, entry + 8, offsets ? (const void *)&place : tag->values, 4);
        }
    }
    tiff_put(tiff, pixels, tiff->pixels, tiff->pixels_size);
}

#endif
