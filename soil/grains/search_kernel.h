/// Search for the neighbours of one particle (neighbours.h), compiled once for each instruction set (pair_kernel_*.c).
#ifndef SPADEWORK_SOIL_SEARCH_KERNEL_H
#define SPADEWORK_SOIL_SEARCH_KERNEL_H

#include <math.h>
#include <stdbool.h>

#include "soil/grains/neighbours.h"
#include "soil/parallel/lanes.h"

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

/// Appends those of particles [j, end) that are near particle i and not above `top`. Returns the new length of the
/// list. What lies between two looks at `top` is tested unasked: that takes less time than to guess wrong.
LANES_INLINE int32_t list_near(const SearchPlaces *place, int32_t i, int32_t j, int32_t end, float top, int32_t *list,
                               int32_t found)
{
    const float x = place->x[i], y = place->y[i], z = place->z[i], reach = place->reach[i];
    const float way_x = place->way_x[i], way_y = place->way_y[i], way_z = place->way_z[i];
    do {
        Lanes dx = x - lanes_load_any(place->x + j), dy = y - lanes_load_any(place->y + j);
        Lanes dz = z - lanes_load_any(place->z + j), sum = reach + lanes_load_any(place->reach + j);
        Lanes wx = way_x - lanes_load_any(place->way_x + j), wy = way_y - lanes_load_any(place->way_y + j);
        Lanes wz = way_z - lanes_load_any(place->way_z + j);
        sum += lanes_sqrt(wx * wx + wy * wy + wz * wz);
        LaneBits numbers = lanes_count() + j;
        LaneBits near = (dx * dx + dy * dy + dz * dz < sum * sum) & (numbers < end);
        found += lanes_list(near, numbers, list + found);
        j += LANES;
    } while (j < end && place->z[j] <= top);
    return found;
}

/// m: how far something at x lies outside [from, to].
LANES_INLINE float distance_outside(float x, const float edge[2])
{
    float before = edge[0] - x, behind = x - edge[1], more = before > behind ? before : behind;
    return more > 0.0F ? more : 0.0F;
}

/// See SearchFunction.
static int32_t search(const SearchPlaces *place, SearchAround *around, int32_t i, int32_t *list, int32_t room)
{
    const float x = place->x[i], y = place->y[i], z = place->z[i], reach = place->reach[i];
    around->cell[0].low = i + 1; // in its own cell a particle finds those above it
    int32_t found = 0;
    for (int c = 0; c < around->cells; c++) {
        SearchCell *cell = &around->cell[c];
        float bottom = z - cell->below;
        int32_t j = cell->low, end = cell->end;
        for (int k = 0; k < 2; k++) { // it rises by about one particle: what is left of it is only tested in vain
            j += (j < end) & (place->z[j] < bottom);
        }
        cell->low = j;
        float wx = place->way_x[i] - cell->way[0], wy = place->way_y[i] - cell->way[1],
              wz = place->way_z[i] - cell->way[2];
        float longest = reach + cell->reach + sqrtf(wx * wx + wy * wy + wz * wz) + cell->deviation;
        float dx = distance_outside(x, cell->edge), dy = distance_outside(y, cell->edge + 2);
        bool out_of_reach = c > 0 && dx * dx + dy * dy > longest * longest;
        if (!out_of_reach && found + end - j + SEARCH_LANES <= room) {
            found = list_near(place, i, j, end, z + longest, list, found);
        }
    }
    return found;
}

#endif
