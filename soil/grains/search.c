/// The cells around a cell that may hold neighbours, and where in them to begin.
///
/// A cell is left out when all of it is too far away: its longest reach and the most that its particles and those of
/// the middle cell may close within the tick (the difference of the cells' mean ways and the greatest deviations from
/// them) do not bridge the gap between the two cells. The test of particle against particle is in search_kernel.h.
#include "soil/grains/search.h"

#include <math.h>
#include <stdbool.h>

size_t search_places_room(int32_t capacity)
{
    return scratch_room(SEARCH_FIELDS * ((size_t)capacity + SEARCH_LANES), sizeof(float));
}

void search_take_places(SearchPlaces *place, Scratch *scratch, int32_t capacity)
{
    size_t n = (size_t)capacity + SEARCH_LANES;
    float *memory = scratch_take(scratch, "places of the search", SEARCH_FIELDS * n, sizeof *memory);
    place->x = memory;
    place->y = memory + n;
    place->z = memory + 2 * n;
    place->way_x = memory + 3 * n;
    place->way_y = memory + 4 * n;
    place->way_z = memory + 5 * n;
    place->reach = memory + 6 * n;
}

void search_give_back_places(SearchPlaces *place, Scratch *scratch)
{
    scratch_give_back(scratch, place->x);
    *place = (SearchPlaces){.skin = place->skin, .time = place->time};
}

void search_place_particle(SearchPlaces *place, const Neighbours *grid, const Particles *particles, int32_t k,
                           double skin)
{
    const double time = place->time;
    const int32_t i = grid->item[k];
    place->x[k] = (float)(particles->x[i] - grid->corner_x);
    place->y[k] = (float)(particles->y[i] - grid->corner_y);
    place->z[k] = (float)particles->z[i];
    place->way_x[k] = (float)(time * particles->vx[i]);
    place->way_y[k] = (float)(time * particles->vy[i]);
    place->way_z[k] = (float)(time * particles->vz[i]);
    place->reach[k] = particles->radius[i] + (float)skin + 0.5F * SEARCH_ROUNDING;
}

/// What a cell holds, as the search sees it.
static SearchCell look_at(const SearchPlaces *place, const Neighbours *grid, int rank)
{
    const CellContents *contents = &grid->contents[rank];
    const float time = (float)place->time;
    return (SearchCell){
        .low = grid->start[rank],
        .end = grid->start[rank + 1],
        .reach = contents->radius + (float)place->skin + 0.5F * SEARCH_ROUNDING,
        .way = {time * contents->velocity[0], time * contents->velocity[1], time * contents->velocity[2]},
        .deviation = time * contents->deviation};
}

/// m: centres of particles of two cells that are near each other are no farther apart.
static float most_apart(const SearchCell *a, const SearchCell *b)
{
    float x = a->way[0] - b->way[0], y = a->way[1] - b->way[1], z = a->way[2] - b->way[2];
    return a->reach + b->reach + sqrtf(x * x + y * y + z * z) + a->deviation + b->deviation;
}

/// Adds cell (x, y), `apart` cells from the middle one, unless all in it is too far away.
static void add_cell(const SearchPlaces *place, const Neighbours *grid, int x, int y, float apart,
                     const SearchCell *middle, SearchAround *around)
{
    const float side = (float)grid->cell;
    int rank = neighbours_rank(grid, x, y);
    if (rank < 0 || grid->start[rank + 1] == grid->start[rank]) {
        return;
    }
    SearchCell *cell = &around->cell[around->cells];
    *cell = look_at(place, grid, rank);
    cell->below = most_apart(middle, cell);
    if (cell->below < apart * side) {
        return;
    }
    float lowest = place->z[middle->low] - cell->below;
    while (cell->low < cell->end && place->z[cell->low] < lowest) {
        cell->low++;
    }
    cell->edge[0] = side * (float)x;
    cell->edge[1] = side * (float)(x + 1);
    cell->edge[2] = side * (float)y;
    cell->edge[3] = side * (float)(y + 1);
    around->cells++;
}

/// All 25 cells, behind one in the middle's place that holds nothing: a particle finds those below it in its own cell,
/// too.
static void look_everywhere(const SearchPlaces *place, const Neighbours *grid, int cx, int cy, SearchAround *around)
{
    SearchCell middle = look_at(place, grid, neighbours_rank(grid, cx, cy));
    around->cells = 1;
    around->cell[0] = middle;
    around->cell[0].end = 0;
    for (int y = -2; y <= 2; y++) {
        for (int x = -2; x <= 2; x++) {
            bool far = x * x > 1 || y * y > 1;
            add_cell(place, grid, cx + x, cy + y, far ? x * x * y * y > 15 ? 1.4142135F : 1.0F : 0.0F, &middle, around);
        }
    }
}

void search_look_around(const SearchPlaces *place, const Neighbours *grid, int cx, int cy, SearchExtent extent,
                        SearchAround *around)
{
    static const int offset[SEARCH_FAR][2] = {{0, 0}, {1, 0},  {-1, 1}, {0, 1}, {1, 1}, {2, 0}, {-2, 1},
                                              {2, 1}, {-2, 2}, {-1, 2}, {0, 2}, {1, 2}, {2, 2}};
    static const float apart[SEARCH_FAR] = {0, 0, 0, 0, 0, 1, 1, 1, 1.4142135F, 1, 1, 1, 1.4142135F}; // cells
    if (extent == SEARCH_ALL) {
        look_everywhere(place, grid, cx, cy, around);
        return;
    }
    SearchCell middle = look_at(place, grid, neighbours_rank(grid, cx, cy));
    around->cells = 0;
    for (int k = 0; k < (int)extent; k++) {
        add_cell(place, grid, cx + offset[k][0], cy + offset[k][1], apart[k], &middle, around);
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
