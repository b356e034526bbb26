/// Search for the neighbours of one particle (search.h), compiled once for each instruction set (pair_kernel_*.c).
#ifndef SPADEWORK_SOIL_SEARCH_KERNEL_H
#define SPADEWORK_SOIL_SEARCH_KERNEL_H

#include "soil/lanes.h"
#include "soil/search.h"

/// Writes the numbers of those lanes that are set, and anything behind them: LANES numbers. Returns how many are set.
LANES_INLINE int32_t lanes_list(LaneBits set, LaneBits numbers, int32_t *list)
{
#if LANES == 16
    __mmask16 mask = _mm512_test_epi32_mask((__m512i)set, (__m512i)set);
    _mm512_storeu_si512(list, _mm512_maskz_compress_epi32(mask, (__m512i)numbers));
    return __builtin_popcount(mask);
#else
    int32_t found = 0;
    for (int lane = 0; lane < LANES; lane++) {
        list[found] = numbers[lane];
        found -= set[lane];
    }
    return found;
#endif
}

/// Appends those of particles [j, end) that are near particle i and not above `top`. Returns the new length of the list. What
/// lies between two looks at `top` is tested unasked: that takes less time than to guess wrong.
LANES_INLINE int32_t list_near(const SearchPlaces *place, int32_t i, int32_t j, int32_t end, float top, int32_t *list,
                               int32_t found)
{
    const float x = place->x[i], y = place->y[i], z = place->z[i], reach = place->reach[i];
    do {
        Lanes dx = x - lanes_load_any(place->x + j), dy = y - lanes_load_any(place->y + j);
        Lanes dz = z - lanes_load_any(place->z + j), sum = reach + lanes_load_any(place->reach + j);
        LaneBits numbers = lanes_count() + j;
        LaneBits near = (dx * dx + dy * dy + dz * dz < sum * sum) & (numbers < end);
        found += lanes_list(near, numbers, list + found);
        j += LANES;
    } while (j < end && place->z[j] <= top);
    return found;
}

/// See SearchFunction.
static int32_t search(const SearchPlaces *place, SearchAround *around, int32_t i, int32_t *list, int32_t room)
{
    const float z = place->z[i], reach = place->reach[i];
    around->cell[0].low = i + 1; // in its own cell a particle finds those above it
    int32_t found = 0;
    for (int c = 0; c < around->cells; c++) {
        float longest = reach + around->cell[c].reach, bottom = z - around->cell[c].below;
        int32_t j = around->cell[c].low, end = around->cell[c].end;
        for (int k = 0; k < 2; k++) { // it rises by about one particle: what is left of it is only tested in vain
            j += (j < end) & (place->z[j] < bottom);
        }
        around->cell[c].low = j;
        if (found + end - j + SEARCH_LANES <= room) {
            found = list_near(place, i, j, end, z + longest, list, found);
        }
    }
    return found;
}

#endif
