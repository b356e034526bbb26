/// Reads heights from a grey PNG picture of 16 bits a pixel, interlaced or not.
///
/// Failures read `label: what was read, what is allowed`: a picture has no lines.
#ifndef SPADEWORK_DATA_HEIGHT_MAP_H
#define SPADEWORK_DATA_HEIGHT_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "data/core/status.h"

enum { HEIGHT_MAP_MOST = 1024 }; ///< pixels a side; 2 at least

typedef struct HeightMap {
    int rows, columns;
    uint16_t *grey; ///< [rows][columns], the upper row first
} HeightMap;

/// Reads a picture of `size` bytes. On success the caller ends with height_map_free.
bool height_map_read(const char *label, const char *bytes, size_t size, HeightMap *map, Status *status);
void height_map_free(HeightMap *map);

/// The grey value, 0 (black) to 65535 (white), between the pixels around a place, each by its nearness.
/// u  0 (middle of the left column) .. 1 (middle of the right one)
/// v  0 (middle of the lower row) .. 1 (middle of the upper one); both are brought into their range
double height_map_at(const HeightMap *map, double u, double v);

#endif
