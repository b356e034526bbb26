#include "soil/search.h"

#include <math.h>
#include <stdlib.h>

static float longest_reach(const SearchPlaces *place, int32_t first, int32_t end)
{
    float most = 0.0F;
    for (int32_t i = first; i < end; i++) {
        most = place->reach[i] > most ? place->reach[i] : most;
    }
    return most;
}

size_t search_memory(int32_t capacity)
{
    return SEARCH_FIELDS * ((size_t)capacity + SEARCH_LANES);
}

void search_place_arrays(SearchPlaces *place, float *memory, int32_t capacity)
{
    size_t n = (size_t)capacity + SEARCH_LANES;
    *place = (SearchPlaces){.x = memory,
                            .y = memory + n,
                            .z = memory + 2 * n,
                            .way_x = memory + 3 * n,
                            .way_y = memory + 4 * n,
                            .way_z = memory + 5 * n,
                            .reach = memory + 6 * n};
}

void search_place_particle(SearchPlaces *place, const Neighbours *grid, const Particles *particles, int32_t i,
                           double skin, double time)
{
    place->x[i] = (float)(particles->x[i] - grid->corner_x);
    place->y[i] = (float)(particles->y[i] - grid->corner_y);
    place->z[i] = (float)particles->z[i];
    place->way_x[i] = (float)(time * particles->vx[i]);
    place->way_y[i] = (float)(time * particles->vy[i]);
    place->way_z[i] = (float)(time * particles->vz[i]);
    place->reach[i] = particles->radius[i] + (float)skin + 0.5F * SEARCH_ROUNDING;
}

/// m: how far apart two cells are.
static float apart(const Neighbours *grid, int dx, int dy)
{
    int x = abs(dx) > 1 ? abs(dx) - 1 : 0, y = abs(dy) > 1 ? abs(dy) - 1 : 0;
    return (float)(grid->cell * sqrt((double)(x * x + y * y)));
}

/// m: most that particles of two cells close.
static float closing(const float a[4], const float b[4])
{
    float x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    return sqrtf(x * x + y * y + z * z) + a[3] + b[3];
}

static void scale_way(float way[4], const float motion[4], double time)
{
    for (int k = 0; k < 4; k++) {
        way[k] = (float)time * motion[k];
    }
}

void search_look_around(const SearchPlaces *place, const Neighbours *grid, int cx, int cy, SearchExtent extent,
                        double time, SearchAround *around)
{
    static const int offset[SEARCH_FAR][2] = {{0, 0}, {1, 0},  {-1, 1}, {0, 1},  {1, 1}, {2, 0}, {-2, 1},
                                              {2, 1}, {-2, 2}, {-1, 2}, {0, 2}, {1, 2}, {2, 2}};
    around->cells = 0;
    int middle = neighbours_rank(grid, cx, cy);
    int32_t first = grid->start[middle];
    float own_reach = longest_reach(place, first, grid->start[middle + 1]), own_way[4];
    scale_way(own_way, grid->motion[middle], time);
    for (int k = 0; k < (int)extent; k++) {
        int x = cx + offset[k][0], y = cy + offset[k][1], rank = neighbours_rank(grid, x, y);
        if (rank < 0 || grid->start[rank + 1] == grid->start[rank]) {
            continue;
        }
        int c = around->cells;
        int32_t low = grid->start[rank], end = grid->start[rank + 1];
        scale_way(around->cell[c].way, grid->motion[rank], time);
        around->cell[c].reach = longest_reach(place, low, end);
        float below = own_reach + around->cell[c].reach + closing(own_way, around->cell[c].way) + SEARCH_ROUNDING;
        if (below < apart(grid, offset[k][0], offset[k][1])) {
            continue;
        }
        while (low < end && place->z[low] < place->z[first] - below) {
            low++;
        }
        around->cell[c].below = below;
        around->cell[c].low = low;
        around->cell[c].end = end;
        around->cell[c].edge[0] = (float)(grid->cell * x);
        around->cell[c].edge[1] = (float)(grid->cell * (x + 1));
        around->cell[c].edge[2] = (float)(grid->cell * y);
        around->cell[c].edge[3] = (float)(grid->cell * (y + 1));
        around->cells++;
    }
}

int32_t search_room(const SearchAround *around)
{
    int32_t sum = SEARCH_LANES;
    for (int c = 0; c < around->cells; c++) {
        sum += around->cell[c].end - around->cell[c].low;
    }
    return sum;
}
