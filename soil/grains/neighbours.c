/// The grid of upright cells, and the search for neighbours in the cells around a cell.
#include "soil/grains/neighbours.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "data/core/zeroed_memory.h"

/// ---- grid ----------------------------------------------------------------------------------------------------------
/// The grid of upright cells: a counting sort by cell, then by height within each cell.
///
/// Sorting by counting takes two passes over the particles whatever their order; inside a cell an insertion sort is
/// next to free, since heights hardly change order between two ticks. The grid's corner lies on whole blocks of
/// cells, so that which particles share a cell does not depend on where the outermost particle is.

/// More cells than that take longer to clear than to search larger ones.
enum { MOST_CELLS = 1 << 20 };

enum { BLOCK_CELLS = NEIGHBOUR_BLOCK * NEIGHBOUR_BLOCK };

bool neighbours_create(Neighbours *neighbours, int particle_capacity, double reach)
{
    memset(neighbours, 0, sizeof *neighbours);
    size_t n = (size_t)particle_capacity;
    neighbours->reach = reach;
    neighbours->block_first = zeroed_alloc(n + 2, sizeof(int32_t));
    neighbours->item = zeroed_alloc(n + 1, sizeof(int32_t));
    if (neighbours->block_first != NULL) {
        neighbours->block_first[0] = 0;
    }
    return neighbours->block_first != NULL && neighbours->item != NULL;
}

void neighbours_destroy(Neighbours *neighbours)
{
    zeroed_free(neighbours->item);
    zeroed_free(neighbours->contents);
    zeroed_free(neighbours->block_first);
    memset(neighbours, 0, sizeof *neighbours);
}

void neighbours_give_back(Neighbours *neighbours, int particle_capacity)
{
    zeroed_give_back(neighbours->item, 0, (size_t)particle_capacity * sizeof *neighbours->item);
    if (neighbours->contents != NULL) {
        size_t cell = sizeof *neighbours->contents + sizeof *neighbours->start;
        zeroed_give_back(neighbours->contents, 0, (size_t)neighbours->start_capacity * cell);
    }
    neighbours->cells = neighbours->block_count = neighbours->blocks_x = neighbours->blocks_y = 0;
}

int neighbours_rank(const Neighbours *neighbours, int cx, int cy)
{
    if (cx < 0 || cy < 0 || cx >= neighbours->blocks_x * NEIGHBOUR_BLOCK ||
        cy >= neighbours->blocks_y * NEIGHBOUR_BLOCK) {
        return -1;
    }
    int bx = cx / NEIGHBOUR_BLOCK, by = cy / NEIGHBOUR_BLOCK;
    int colour = (bx & 1) | (by & 1) << 1;
    int block = (by >> 1) * (neighbours->blocks_x >> 1) + (bx >> 1);
    int blocks = (neighbours->blocks_x >> 1) * (neighbours->blocks_y >> 1);
    return (colour * blocks + block) * BLOCK_CELLS + (cy % NEIGHBOUR_BLOCK) * NEIGHBOUR_BLOCK + cx % NEIGHBOUR_BLOCK;
}

/// Cell along one axis. Clamped: the corner may round above the outermost particle by the last bit.
static int cell_along(double x, double corner, double cell, int cells)
{
    double c = (x - corner) / cell;
    return !(c > 0.0) ? 0 : c >= cells ? cells - 1 : (int)c;
}

void neighbours_cell_of(const Neighbours *neighbours, double x, double y, int *cx, int *cy)
{
    *cx = cell_along(x, neighbours->corner_x, neighbours->cell, neighbours->blocks_x * NEIGHBOUR_BLOCK);
    *cy = cell_along(y, neighbours->corner_y, neighbours->cell, neighbours->blocks_y * NEIGHBOUR_BLOCK);
}

/// Chooses the grid that covers all particles. Returns the number of cells.
static int64_t cover(Neighbours *neighbours, const ParticlesExtent *extent, double cell)
{
    double low_x = extent->low.x, low_y = extent->low.y, high_x = extent->high.x, high_y = extent->high.y;
    if (low_x > high_x) { // there are none
        low_x = low_y = high_x = high_y = 0.0;
    }
    double reach = neighbours->reach;
    low_x = fmin(fmax(low_x, -reach), reach);
    low_y = fmin(fmax(low_y, -reach), reach);
    high_x = fmin(fmax(high_x, -reach), reach);
    high_y = fmin(fmax(high_y, -reach), reach);
    neighbours->cell = cell;
    // Corners on whole cells: where the grid lies does not depend on the outermost particle.
    double block = cell * NEIGHBOUR_BLOCK * 2.0;
    neighbours->corner_x = floor(low_x / block) * block;
    neighbours->corner_y = floor(low_y / block) * block;
    neighbours->blocks_x = ((int)floor((high_x - neighbours->corner_x) / block) + 1) * 2;
    neighbours->blocks_y = ((int)floor((high_y - neighbours->corner_y) / block) + 1) * 2;
    return (int64_t)neighbours->blocks_x * neighbours->blocks_y * BLOCK_CELLS;
}

static bool reserve_cells(Neighbours *neighbours, int64_t cells)
{
    if (cells > INT32_MAX / 2) {
        return false;
    }
    if (cells + 1 > neighbours->start_capacity) {
        zeroed_free(neighbours->contents);
        int64_t capacity = cells + cells / 2 + 1;
        neighbours->contents = zeroed_alloc((size_t)capacity, sizeof *neighbours->contents + sizeof *neighbours->start);
        neighbours->start_capacity = neighbours->contents != NULL ? (int32_t)capacity : 0;
        if (neighbours->contents == NULL) {
            return false;
        }
        neighbours->start = (void *)(neighbours->contents + capacity); // one piece: a page less is touched
    }
    neighbours->cells = (int)cells;
    memset(neighbours->start, 0, ((size_t)cells + 1) * sizeof(int32_t));
    return true;
}

/// Inside each cell by height, ties by id: a total order. Insertion sort, for the order hardly changes between ticks.
static void sort_cell_by_height(int32_t *order, int count, const Particles *particles)
{
    for (int a = 1; a < count; a++) {
        int32_t item = order[a];
        double z = particles->z[item];
        int b = a;
        while (b > 0 && (particles->z[order[b - 1]] > z ||
                         (particles->z[order[b - 1]] == z && particles->id[order[b - 1]] > particles->id[item]))) {
            order[b] = order[b - 1];
            b--;
        }
        order[b] = item;
    }
}

static void list_blocks(Neighbours *neighbours)
{
    int blocks = neighbours->cells / BLOCK_CELLS;
    int per_colour = blocks / NEIGHBOUR_COLOURS, found = 0;
    for (int block = 0; block < blocks; block++) {
        if (block % per_colour == 0) {
            neighbours->colour_first[block / per_colour] = found;
        }
        int32_t first = neighbours->start[block * BLOCK_CELLS], end = neighbours->start[(block + 1) * BLOCK_CELLS];
        if (end > first) {
            neighbours->block_first[found++] = first;
        }
    }
    neighbours->colour_first[NEIGHBOUR_COLOURS] = found;
    neighbours->block_first[found] = neighbours->start[neighbours->cells];
    neighbours->block_count = found;
}

/// Of the particles item[first .. end - 1].
static CellContents contents_of(const Particles *p, const int32_t *item, int32_t first, int32_t end)
{
    double x = 0.0, y = 0.0, z = 0.0, most = 0.0;
    float radius = 0.0F;
    for (int32_t k = first; k < end; k++) {
        int32_t i = item[k];
        x += p->vx[i];
        y += p->vy[i];
        z += p->vz[i];
    }
    x /= end - first;
    y /= end - first;
    z /= end - first;
    for (int32_t k = first; k < end; k++) {
        int32_t i = item[k];
        double dx = p->vx[i] - x, dy = p->vy[i] - y, dz = p->vz[i] - z, square = dx * dx + dy * dy + dz * dz;
        most = square > most ? square : most;
        radius = p->radius[i] > radius ? p->radius[i] : radius;
    }
    return (CellContents){.velocity = {(float)x, (float)y, (float)z},
                          .deviation = (float)sqrt(most) * 1.001F, // the roundings above
                          .radius = radius};
}

/// What members share while they sort.
typedef struct Sort {
    Neighbours *neighbours;
    const Particles *particles;
    int32_t *order; ///< [count] the particles, cell by cell
    int32_t *rank; ///< [count] of the cell that each is in
    Team *team;
    int32_t *places; ///< [members][cells] of members that fill together: where a member's next particle in a cell goes
    int32_t found[TEAM_MOST_MEMBERS]; ///< particles in each member's share of the cells
} Sort;

static void rank_particles(void *context, int member, int members)
{
    const Sort *sort = context;
    const Particles *p = sort->particles;
    TeamPart part = team_part(p->count, member, members);
    for (int32_t i = part.first; i < part.end; i++) {
        int cx, cy;
        neighbours_cell_of(sort->neighbours, p->x[i], p->y[i], &cx, &cy);
        sort->rank[i] = neighbours_rank(sort->neighbours, cx, cy);
    }
}

/// Counting sort into cells: `start` is shifted while filling and put back afterwards.
static void fill_cells(const Sort *sort)
{
    const Neighbours *neighbours = sort->neighbours;
    int32_t *start = neighbours->start, count = sort->particles->count;
    for (int32_t i = 0; i < count; i++) {
        start[sort->rank[i] + 1]++;
    }
    for (int c = 0; c < neighbours->cells; c++) {
        start[c + 1] += start[c];
    }
    for (int32_t i = 0; i < count; i++) {
        sort->order[start[sort->rank[i]]++] = i;
    }
    for (int c = neighbours->cells; c > 0; c--) {
        start[c] = start[c - 1];
    }
    start[0] = 0;
}

/// Counts the particles of a member's share of the cells.
static int32_t count_own_cells(const Sort *sort, TeamPart cells, int members)
{
    int32_t found = 0;
    for (int k = 0; k < members; k++) {
        const int32_t *counts = sort->places + (size_t)k * (size_t)sort->neighbours->cells;
        for (int c = cells.first; c < cells.end; c++) {
            found += counts[c];
        }
    }
    return found;
}

/// From numbers of particles to places: cell by cell, and in a cell by the members that hold them.
static void place_own_cells(const Sort *sort, TeamPart cells, int members, int32_t first)
{
    size_t all = (size_t)sort->neighbours->cells;
    for (int c = cells.first; c < cells.end; c++) {
        sort->neighbours->start[c] = first;
        for (int k = 0; k < members; k++) {
            int32_t *place = &sort->places[(size_t)k * all + (size_t)c], count = *place;
            *place = first;
            first += count;
        }
    }
}

/// The same by all members: each counts its own particles by cell, and puts them behind those of the members before it.
static void fill_own_cells(void *context, int member, int members)
{
    Sort *sort = context;
    const Neighbours *neighbours = sort->neighbours;
    TeamPart part = team_part(sort->particles->count, member, members),
             cells = team_part(neighbours->cells, member, members);
    int32_t *own = sort->places + (size_t)member * (size_t)neighbours->cells;
    memset(own, 0, (size_t)neighbours->cells * sizeof *own);
    for (int32_t i = part.first; i < part.end; i++) {
        own[sort->rank[i]]++;
    }
    team_wait(sort->team);
    sort->found[member] = count_own_cells(sort, cells, members);
    team_wait(sort->team);
    int32_t first = 0;
    for (int k = 0; k < member; k++) {
        first += sort->found[k];
    }
    place_own_cells(sort, cells, members, first);
    team_wait(sort->team);
    for (int32_t i = part.first; i < part.end; i++) {
        sort->order[own[sort->rank[i]]++] = i;
    }
}

/// Sorts the particles into cells: together, where the scratch has room for numbers of all cells by each member.
static void fill(Sort *sort, bool many, Scratch *scratch)
{
    size_t numbers = (size_t)team_members(sort->team) * (size_t)sort->neighbours->cells;
    if (!many || team_members(sort->team) == 1 || scratch_left(scratch) < zeroed_room(numbers, sizeof *sort->places)) {
        fill_cells(sort);
        return;
    }
    sort->places = scratch_take(scratch, "particles of members in cells", numbers, sizeof *sort->places);
    team_run(sort->team, true, fill_own_cells, sort);
    scratch_give_back(scratch, sort->places);
    sort->neighbours->start[sort->neighbours->cells] = sort->particles->count;
}

/// Cells that a member takes one after another, of every so many: those that hold many particles lie close together.
enum { CELLS_TOGETHER = 16 };

static void sort_cells(void *context, int member, int members)
{
    const Sort *sort = context;
    const int32_t *start = sort->neighbours->start;
    const int cells = sort->neighbours->cells;
    for (int first = member * CELLS_TOGETHER; first < cells; first += members * CELLS_TOGETHER) {
        for (int c = first; c < cells && c < first + CELLS_TOGETHER; c++) {
            if (start[c + 1] - start[c] > 1) {
                sort_cell_by_height(sort->order + start[c], start[c + 1] - start[c], sort->particles);
            }
        }
    }
}

static void look_into_cells(void *context, int member, int members)
{
    const Sort *sort = context;
    const int32_t *start = sort->neighbours->start;
    const int cells = sort->neighbours->cells;
    for (int first = member * CELLS_TOGETHER; first < cells; first += members * CELLS_TOGETHER) {
        for (int c = first; c < cells && c < first + CELLS_TOGETHER; c++) {
            if (start[c + 1] > start[c]) {
                sort->neighbours->contents[c] = contents_of(sort->particles, sort->order, start[c], start[c + 1]);
            }
        }
    }
}

bool neighbours_place(Neighbours *neighbours, const Particles *particles, const ParticlesExtent *extent, double cell,
                      Team *team, Scratch *scratch)
{
    int64_t cells = cover(neighbours, extent, cell);
    while (cells > MOST_CELLS) {
        cell *= 2.0;
        cells = cover(neighbours, extent, cell);
    }
    if (!reserve_cells(neighbours, cells)) {
        return false;
    }
    int32_t *rank = scratch_take(scratch, "cells of particles", (size_t)particles->count, sizeof *rank);
    Sort sort = {
        .neighbours = neighbours, .particles = particles, .order = neighbours->item, .rank = rank, .team = team};
    bool many = particles->count > PARTICLES_WORTH_THREADS;
    team_run(team, many, rank_particles, &sort);
    fill(&sort, many, scratch);
    team_run(team, many, sort_cells, &sort);
    scratch_give_back(scratch, rank);
    team_run(team, many, look_into_cells, &sort);
    list_blocks(neighbours);
    return true;
}

bool neighbours_sort(Neighbours *neighbours, Particles *particles, const ParticlesExtent *extent, double cell,
                     int32_t *order, Team *team, Scratch *scratch)
{
    if (!neighbours_place(neighbours, particles, extent, cell, team, scratch)) {
        return false;
    }
    size_t count = (size_t)particles->count;
    memcpy(order, neighbours->item, count * sizeof *order);
    particles_permute(particles, order, team, scratch);
    for (size_t k = 0; k < count; k++) {
        neighbours->item[k] = (int32_t)k;
    }
    return true;
}

/// ---- search --------------------------------------------------------------------------------------------------------
/// The cells around a cell that may hold neighbours, and where in them to begin.
///
/// A cell is left out when all of it is too far away: its longest reach and the most that its particles and those of
/// the middle cell may close within the tick (the difference of the cells' mean ways and the greatest deviations from
/// them) do not bridge the gap between the two cells. The test of particle against particle is in pair_kernel.h.

size_t search_places_room(int32_t capacity)
{
    return zeroed_room(SEARCH_FIELDS * ((size_t)capacity + SEARCH_LANES), sizeof(float));
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
typedef struct SearchCell {
    int32_t low, end; ///< particles
    float reach; ///< m: longest of the cell
    float way[3], deviation; ///< m: mean way of the cell's particles, and most that one differs from it
} SearchCell;

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

/// Appends a cell whose particles that are so far below one of the middle cell are not near it.
static void append_cell(SearchAround *around, const SearchCell *cell, float below)
{
    int c = around->cells++;
    around->low[c] = cell->low;
    around->end[c] = cell->end;
    around->below[c] = below;
    around->reach[c] = cell->reach;
    around->way_x[c] = cell->way[0];
    around->way_y[c] = cell->way[1];
    around->way_z[c] = cell->way[2];
    around->deviation[c] = cell->deviation;
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
    SearchCell cell = look_at(place, grid, rank);
    const float below = most_apart(middle, &cell);
    if (below < apart * side) {
        return;
    }
    float lowest = place->z[middle->low] - below;
    while (cell.low < cell.end && place->z[cell.low] < lowest) {
        cell.low++;
    }
    int c = around->cells;
    around->from_x[c] = side * (float)x;
    around->to_x[c] = side * (float)(x + 1);
    around->from_y[c] = side * (float)y;
    around->to_y[c] = side * (float)(y + 1);
    append_cell(around, &cell, below);
}

/// All 25 cells, behind one in the middle's place that holds nothing: a particle finds those below it in its own cell,
/// too.
static void look_everywhere(const SearchPlaces *place, const Neighbours *grid, int cx, int cy, SearchAround *around)
{
    SearchCell middle = look_at(place, grid, neighbours_rank(grid, cx, cy));
    middle.end = 0;
    around->cells = 0;
    around->from_x[0] = around->to_x[0] = around->from_y[0] = around->to_y[0] = 0.0F;
    append_cell(around, &middle, 0.0F);
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
        sum +=
            around->end[c] > around->low[c] ? around->end[c] - around->low[c] : 0; // of its own cell, those behind it
    }
    return sum;
}
