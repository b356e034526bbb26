#include "soil/search.h"

static float longest_reach(const SearchPlaces *place, int32_t first, int32_t end)
{
    float most = 0.0F;
    for (int32_t i = first; i < end; i++) {
        most = place->reach[i] > most ? place->reach[i] : most;
    }
    return most;
}

void search_place_arrays(SearchPlaces *place, float *memory, int32_t capacity)
{
    size_t n = (size_t)capacity + SEARCH_LANES;
    *place = (SearchPlaces){memory, memory + n, memory + 2 * n, memory + 3 * n, memory + 4 * n};
}

void search_place_particle(SearchPlaces *place, const Neighbours *grid, const Particles *particles, int32_t i,
                           float skin, float margin)
{
    place->x[i] = (float)(particles->x[i] - grid->corner_x);
    place->y[i] = (float)(particles->y[i] - grid->corner_y);
    place->z[i] = (float)particles->z[i];
    place->margin[i] = margin;
    place->reach[i] = particles->radius[i] + skin + margin;
}

void search_look_around(const SearchPlaces *place, const Neighbours *grid, int cx, int cy, SearchAround *around)
{
    static const int offset[5][2] = {{0, 0}, {1, 0}, {-1, 1}, {0, 1}, {1, 1}};
    around->cells = 0;
    int middle = neighbours_rank(grid, cx, cy);
    int32_t first = grid->start[middle];
    float own_reach = longest_reach(place, first, grid->start[middle + 1]);
    for (int k = 0; k < 5; k++) {
        int rank = neighbours_rank(grid, cx + offset[k][0], cy + offset[k][1]);
        if (rank < 0 || grid->start[rank + 1] == grid->start[rank]) {
            continue;
        }
        int32_t low = grid->start[rank], end = grid->start[rank + 1], c = around->cells++;
        around->cell[c].reach =
            longest_reach(place, low, end) + SEARCH_ROUNDING; // one fast particle lets few others search far
        around->cell[c].below = own_reach + around->cell[c].reach;
        while (low < end && place->z[low] < place->z[first] - around->cell[c].below) {
            low++;
        }
        around->cell[c].low = low;
        around->cell[c].end = end;
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
